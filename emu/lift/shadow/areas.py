"""Where the areas of a shadow lie; apart, because the process of translated code loads little."""

from __future__ import annotations

SKEW = 0x440
"""How far behind the beginning of a page the shadow of address 0 lies. A byte of memory and its
shadow must not have the same lower twelve bits: a load then waits for the store to the other."""

LAST_BYTES = 1 << 22
LASTS = -SKEW - LAST_BYTES
"""The bytes of the last addresses that places of the code have used, and how far from the shadow of
address 0 they begin: right before it."""

BITS, HEADER = (1 << 33) + SKEW, (1 << 34) - SKEW
"""Distances from the shadow in bytes; the header begins a page. Nothing is mapped between the three
areas, so that what begins below address 2^32 and ends behind it is a fault."""
