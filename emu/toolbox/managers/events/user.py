"""Who sits in front of a Macintosh."""

from __future__ import annotations

from typing import Protocol


class User(Protocol):
    """Who acts when the program waits."""

    def act(self) -> bool:
        """Do something, or nothing; whether the user still has something to do."""


class Nobody:
    """Nobody does."""

    def act(self) -> bool:  # noqa: D102
        return False
