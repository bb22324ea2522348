"""XCOFF files, as Retro68's compiler for the PowerPC makes them."""
