"""The sequence of random numbers of a Macintosh: Lehmer's, of QuickDraw's Random and of SANE.

Sources: Inside Macintosh I, chapter "QuickDraw" (Random); Apple Numerics Manual (RandomX).
"""

from __future__ import annotations

_MULTIPLIER, MODULUS = 16807, 2**31 - 1
"""Numbers of the sequence are 1 to one less than the modulus."""


def next_random(number: int) -> int:
    """The number that comes after another one in the sequence."""
    return number * _MULTIPLIER % MODULUS
