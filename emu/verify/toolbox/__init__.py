"""What calls that ask the Toolbox are given, and what is seen of what they leave there."""
