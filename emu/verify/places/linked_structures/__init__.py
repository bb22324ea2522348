"""Lists and trees: where their nodes lie, and what points at them."""
