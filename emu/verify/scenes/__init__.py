"""Which scenes are run, and what memory holds before the call of each: the road's beginning."""
