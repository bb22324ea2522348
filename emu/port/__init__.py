"""An old program beside new source: which function of one is which of the other."""
