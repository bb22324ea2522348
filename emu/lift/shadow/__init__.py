"""Checks of memory that become part of translated code: a shadow of memory, and undefined bits."""
