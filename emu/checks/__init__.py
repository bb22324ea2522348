"""What is watched while guest code runs."""
