"""How much is checked while guest code runs."""

from __future__ import annotations

from emu.base.errors import UsageError

USUAL, FULL = LEVELS = ("usual", "full")
"""The results and the rules of calls alone, or every access to memory too."""


def is_full(level: str) -> bool:
    """Whether every access to memory is checked.

    Raises:
        UsageError: there is no such level.
    """
    if level not in LEVELS:
        raise UsageError(f"checks is {level!r}; it can be {' or '.join(LEVELS)}")
    return level == FULL
