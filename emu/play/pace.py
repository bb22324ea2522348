"""Keeps a program's time, which passes in its calls, from running ahead of real time."""

from __future__ import annotations

import time

_MOST_BEHIND = 0.1
"""Seconds. A program that was late by more does not hurry afterwards."""


class Pace:
    """How far the program's time is ahead of real time.

    Nothing here changes the program's time, so a run that waits and one that does not are the same.
    """

    def __init__(self) -> None:
        self._base: float | None = None

    def ahead(self, microseconds: int) -> float:
        """How many seconds to wait until real time has come to this time of the program."""
        now = time.monotonic()
        if self._base is None:
            self._base = now - microseconds / 1e6
        early = microseconds / 1e6 + self._base - now
        if early < -_MOST_BEHIND:
            self._base -= early
            return 0.0
        return max(early, 0.0)

    def begin_again(self) -> None:
        """Count from now on, since the program stood still, or has gone on early."""
        self._base = None
