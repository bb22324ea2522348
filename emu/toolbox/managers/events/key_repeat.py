"""The key that is held down, and when it is repeated.

Source: Macintosh Toolbox Essentials, chapter 2 "Event Manager", auto-key events: the first comes
after 16 ticks, others every 4, unless the user has chosen otherwise.
"""

from __future__ import annotations

_FIRST_AFTER, _NEXT_AFTER = 16, 4
_CODE = 0xFF00


class KeyRepeat:
    """Tells when the key that went down last is to be repeated; the times are ticks."""

    def __init__(self) -> None:
        self._message = 0
        self._due: int | None = None

    def press(self, message: int, now: int) -> None:
        """A key goes down; no other is repeated from now on."""
        self._message, self._due = message, now + _FIRST_AFTER

    def release(self, message: int) -> None:
        """A key goes up."""
        if (message ^ self._message) & _CODE == 0:
            self._due = None

    def take(self, now: int) -> int | None:
        """The message of an auto-key event if one is due."""
        if self._due is None or now < self._due:
            return None
        self._due = now + _NEXT_AFTER
        return self._message
