"""What the keys of a case file mean."""
