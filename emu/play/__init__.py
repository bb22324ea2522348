"""A page in the browser on which a person plays a program, sees what it does, and goes back."""
