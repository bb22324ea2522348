"""Code that calls have executed or changed."""
