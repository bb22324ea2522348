"""Strings from resources: the Toolbox Utilities for 'STR ' and 'STR#'.

68K programs bring GetIndString as glue of their own, which gets the 'STR#' resource itself.
Source: Inside Macintosh I, p. I-468 (GetString, NewString, SetString, GetIndString).
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_access import pascal_string
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.resources.manager import ResourceManager


def string_of_list(data: bytes, index: int) -> bytes:
    """A string of a 'STR#' resource, counted from 1; empty if the list has none of that number."""
    count, place = int.from_bytes(data[:2], "big", signed=True), 2
    if not 1 <= index <= count:
        return b""
    for _ in range(index - 1):
        place += 1 + (data[place] if place < len(data) else 0)
    size = data[place] if place < len(data) else 0
    return data[place + 1 : place + 1 + size]


class StringResources(Manager):
    """Strings that come from resources, and handles to strings."""

    _memory: MemoryManager
    _resources: ResourceManager

    @routine("FUNCTION GetString (stringID: INTEGER): Handle")
    def get_string(self, number: int) -> int:
        """The string of a 'STR ' resource; nil if there is none."""
        return self._resources.get("STR ", number)

    @routine("FUNCTION NewString (theString: Str255): Handle")
    def new_string(self, text: int) -> int:
        """A handle to a copy of a string; nil if there is no memory for it."""
        return self._memory.handle_from(pascal_string(self.guest.pascal_string(text)))

    @routine("PROCEDURE SetString (h: Handle; theString: Str255)")
    def set_string(self, handle: int, text: int) -> None:
        """Put another string into a handle, which gets the size for it."""
        self._memory.set_contents(handle, pascal_string(self.guest.pascal_string(text)))

    @routine(
        "PROCEDURE GetIndString (VAR theString: Str255; strListID: INTEGER; index: INTEGER)",
        architecture="powerpc",
    )
    def get_ind_string(self, text: int, number: int, index: int) -> None:
        """One string of a 'STR#' resource, counted from 1; an empty string if there is none."""
        handle = self._resources.get("STR#", number)
        data = self._memory.contents(handle) if handle else b""
        self.guest.put_pascal_string(text, string_of_list(data, index))
