"""Where the areas of a shadow lie; apart, because the process of translated code loads little."""

from __future__ import annotations

BITS, HEADER = 1 << 33, 1 << 34
"""Distances from the shadow in bytes. Nothing is mapped between the three areas, so that what
begins below address 2^32 and ends behind it is a fault."""
