"""The programs of a case: their sources, and what a case says of them."""
