"""What becomes known of a program while its calls run."""
