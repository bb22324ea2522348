"""What all cycle models share: interface, tables, counts of blocks, a small cache."""
