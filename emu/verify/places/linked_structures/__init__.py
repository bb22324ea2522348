"""Lists and trees of a case: where their nodes lie in memory, and how they are compared."""
