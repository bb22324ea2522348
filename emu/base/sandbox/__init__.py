"""Processes that have only the rights they need: compilers, and drivers that run guest code."""
