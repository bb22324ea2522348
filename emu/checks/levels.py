"""How much is checked while guest code runs."""

from __future__ import annotations

from enum import Enum

from emu.base.errors import UsageError

USUAL, FULL = LEVELS = ("usual", "full")
"""The results and the rules of calls alone, or every access to memory too."""


class CheckLevel(Enum):
    """How much of memory is checked in a verification.

    USUAL is the results and the rules of calls, and odd addresses in a sample of them. SCREENED is
    every access in the calls that translated code can look at, and the usual checks in the others.
    FULL is every access in all calls, by hooks of Unicorn where translated code cannot look.
    """

    USUAL = "usual"
    SCREENED = "screened"
    FULL = "full"


def is_full(level: str) -> bool:
    """Whether every access to memory is checked.

    Raises:
        UsageError: there is no such level.
    """
    if level not in LEVELS:
        raise UsageError(f"checks is {level!r}; it can be {' or '.join(LEVELS)}")
    return level == FULL


def level_of(level: str | None) -> CheckLevel:
    """The level of a verification that is asked for; None is `CheckLevel.SCREENED`.

    Raises:
        UsageError: there is no such level.
    """
    if level is None:
        return CheckLevel.SCREENED
    return CheckLevel.FULL if is_full(level) else CheckLevel.USUAL
