"""Pascal strings with the names of string.h, which StdCLib has for C programs: PLstrcpy and others.

Source: Apple's PLStringFuncs.h. What does not fit into 255 bytes is left out.
"""

from __future__ import annotations

from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.c_library.strings import c_routine

_LONGEST = 255


class PascalStrings(Manager):
    """Routines on strings that begin with their length."""

    def _store(self, target: int, text: bytes) -> int:
        self.guest.put_pascal_string(target, text[:_LONGEST])
        return target

    @c_routine("FUNCTION PLstrlen (text: Ptr): INTEGER")
    def length(self, text: int) -> int:
        """How long a string is."""
        return self.guest.u8(text)

    @c_routine("FUNCTION PLstrcpy (target: Ptr; source: Ptr): Ptr")
    def copy(self, target: int, source: int) -> int:
        """Copy a string."""
        return self._store(target, self.guest.pascal_string(source))

    @c_routine("FUNCTION PLstrncpy (target: Ptr; source: Ptr; count: INTEGER): Ptr")
    def copy_part(self, target: int, source: int, count: int) -> int:
        """Copy so many bytes at most."""
        return self._store(target, self.guest.pascal_string(source)[: max(count, 0)])

    @c_routine("FUNCTION PLstrcat (target: Ptr; source: Ptr): Ptr")
    def append(self, target: int, source: int) -> int:
        """Append a string."""
        guest = self.guest
        return self._store(target, guest.pascal_string(target) + guest.pascal_string(source))

    @c_routine("FUNCTION PLstrncat (target: Ptr; source: Ptr; count: INTEGER): Ptr")
    def append_part(self, target: int, source: int, count: int) -> int:
        """Append so many bytes of a string at most."""
        part = self.guest.pascal_string(source)[: max(count, 0)]
        return self._store(target, self.guest.pascal_string(target) + part)

    @c_routine("FUNCTION PLstrcmp (one: Ptr; other: Ptr): INTEGER")
    def compare(self, one: int, other: int) -> int:
        """Compare two strings by their bytes: less, equal or more than 0."""
        return self.compare_parts(one, other, _LONGEST)

    @c_routine("FUNCTION PLstrncmp (one: Ptr; other: Ptr; count: INTEGER): INTEGER")
    def compare_parts(self, one: int, other: int, count: int) -> int:
        """Compare so many bytes at most."""
        first, second = (self.guest.pascal_string(at)[: max(count, 0)] for at in (one, other))
        return (first > second) - (first < second)

    def _place_of(self, text: int, place: int) -> int:
        """The address of a byte of a string; nil for the place -1."""
        return text + 1 + place if place >= 0 else 0

    @c_routine("FUNCTION PLstrchr (text: Ptr; character: INTEGER): Ptr")
    def find(self, text: int, character: int) -> int:
        """The first place of a character; nil if it is not there."""
        return self._place_of(text, self.guest.pascal_string(text).find(character & 0xFF))

    @c_routine("FUNCTION PLstrrchr (text: Ptr; character: INTEGER): Ptr")
    def find_last(self, text: int, character: int) -> int:
        """The last place of a character; nil if it is not there."""
        return self._place_of(text, self.guest.pascal_string(text).rfind(character & 0xFF))

    @c_routine("FUNCTION PLstrstr (text: Ptr; wanted: Ptr): Ptr")
    def find_string(self, text: int, wanted: int) -> int:
        """The first place of a string in another one; nil if it is not there."""
        guest = self.guest
        return self._place_of(text, guest.pascal_string(text).find(guest.pascal_string(wanted)))
