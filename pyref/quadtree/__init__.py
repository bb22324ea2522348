"""Circles sorted by Morton code: the linear quadtree, its codes, its searches and its claims."""
