"""The forms in which checks of memory are written; apart, because they are named without LLVM."""

from __future__ import annotations

from enum import StrEnum


class CheckForm(StrEnum):
    """What code with checks does beside asking the shadow."""

    QUICK = "quick"
    """Nothing: it notes what asks for one of the others. Where an access uses the beginning of an
    object behind another, it knows what the same place of the code used before."""
    BITS = "bits"
    """The same, and it follows undefined bits through registers to where they matter: a branch, an
    address, or a value that is stored."""
    LOOPS = "loops"
    """It remembers the last accesses, which tells whether a loop goes on behind the end of an
    object."""
