"""Events: what they are, and which of them an event mask lets through.

Sources: Inside Macintosh I, chapter 8 "The Toolbox Event Manager"; Macintosh Toolbox Essentials,
chapter 2 (EventRecord).
"""

from __future__ import annotations

from dataclasses import dataclass

from emu.toolbox.guest.guest_types import Point
from emu.toolbox.records.system import EventRecord

NULL, MOUSE_DOWN, MOUSE_UP, KEY_DOWN, KEY_UP, AUTO_KEY = range(6)
UPDATE, ACTIVATE, OPERATING_SYSTEM = 6, 8, 15
HIGH_LEVEL = 23
MOUSE_MOVED = 0xFA000000
"""The message of the operating system's event that the mouse has left a region."""
_MASK_BITS = {HIGH_LEVEL: 10}
"""Bits in an event mask that differ from the event's number."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event record; ``where`` in global coordinates, ``when`` in ticks."""

    what: int
    message: int
    when: int
    where: Point
    modifiers: int

    def store(self, record: EventRecord) -> None:
        """Write it into guest memory."""
        record.what, record.message, record.when = self.what, self.message, self.when
        record.where, record.modifiers = self.where, self.modifiers

    def passes(self, mask: int) -> bool:
        """Whether an event mask lets it through."""
        return bool(mask >> _MASK_BITS.get(self.what, self.what) & 1)
