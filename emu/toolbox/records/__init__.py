"""The records of guest memory that the Toolbox and programs share, each declared once."""
