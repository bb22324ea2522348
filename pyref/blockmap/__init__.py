"""Sectors and fragments (Predator, 2001): the blockmap, its scenes and their generators."""
