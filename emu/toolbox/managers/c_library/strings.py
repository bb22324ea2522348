"""The C library's strings, characters and blocks of bytes, for PowerPC programs (see `routines`).

Source: the C standard of 1989; MPW's StdCLib exports these names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager

_LARGEST_STRING = 1 << 20
_Method = TypeVar("_Method", bound=Callable[..., Any])


def c_routine(heading: str, **more: Any) -> Callable[[_Method], _Method]:
    """Declare a routine that only PowerPC programs import; for the rest see `routine`."""
    return routine(heading, architecture="powerpc", **more)


class CStrings(Manager):
    """Routines on bytes and strings."""

    def __post_init__(self) -> None:
        self._token = 0

    # -- bytes -------------------------------------------------------------------------------------

    def move(self, target: int, data: bytes) -> int:
        """Store bytes at an address; the address."""
        self.guest.write(target, data)
        self.host.engine.forget_code(target, len(data))
        return target

    @c_routine(
        "FUNCTION memcpy (target: Ptr; source: Ptr; count: UInt32): Ptr", imports=("memmove",)
    )
    def memcpy(self, target: int, source: int, count: int) -> int:
        """Copy bytes; they may overlap."""
        return self.move(target, self.guest.read(source, count)) if count else target

    @c_routine("FUNCTION memset (target: Ptr; value: LONGINT; count: UInt32): Ptr")
    def memset(self, target: int, value: int, count: int) -> int:
        """Fill bytes."""
        if count:
            self.guest.view(target, count)[:] = value & 0xFF
            self.host.engine.forget_code(target, count)
        return target

    @c_routine("FUNCTION memcmp (a: Ptr; b: Ptr; count: UInt32): LONGINT")
    def memcmp(self, a: int, b: int, count: int) -> int:
        """Compare bytes."""
        if not count:
            return 0
        return self._order(self.guest.read(a, count), self.guest.read(b, count))

    @staticmethod
    def _order(a: bytes, b: bytes) -> int:
        return (a > b) - (a < b)

    @c_routine("FUNCTION memchr (block: Ptr; value: LONGINT; count: UInt32): Ptr")
    def memchr(self, block: int, value: int, count: int) -> int:
        """Find a byte."""
        if not count:
            return 0
        place = self.guest.read(block, count).find(bytes([value & 0xFF]))
        return block + place if place >= 0 else 0

    # -- strings -----------------------------------------------------------------------------------

    def string(self, address: int) -> bytes:
        """The string at an address.

        Raises:
            GuestStopped: it has no end.
        """
        text = self.guest.c_string(address, _LARGEST_STRING)
        if len(text) == _LARGEST_STRING:
            raise self.host.stopped(f"a string of the program at 0x{address:08x} has no end")
        return text

    @c_routine("FUNCTION strlen (text: Ptr): UInt32")
    def strlen(self, text: int) -> int:
        """The length of a string."""
        return len(self.string(text))

    @c_routine("FUNCTION strcpy (target: Ptr; source: Ptr): Ptr")
    def strcpy(self, target: int, source: int) -> int:
        """Copy a string."""
        return self.move(target, self.string(source) + b"\0")

    @c_routine("FUNCTION strncpy (target: Ptr; source: Ptr; count: UInt32): Ptr")
    def strncpy(self, target: int, source: int, count: int) -> int:
        """Copy so many characters of a string, filled up with zeros."""
        if not count:
            return target
        self.guest.offset(target, count)
        return self.move(target, self.guest.c_string(source, count).ljust(count, b"\0"))

    @c_routine("FUNCTION strcat (target: Ptr; source: Ptr): Ptr")
    def strcat(self, target: int, source: int) -> int:
        """Append a string."""
        self.move(target + len(self.string(target)), self.string(source) + b"\0")
        return target

    @c_routine("FUNCTION strncat (target: Ptr; source: Ptr; count: UInt32): Ptr")
    def strncat(self, target: int, source: int, count: int) -> int:
        """Append so many characters of a string at most."""
        added = self.guest.c_string(source, min(count, _LARGEST_STRING))
        self.move(target + len(self.string(target)), added + b"\0")
        return target

    @c_routine("FUNCTION strcmp (a: Ptr; b: Ptr): LONGINT", imports=("strcoll",))
    def strcmp(self, a: int, b: int) -> int:
        """Compare strings."""
        return self._order(self.string(a), self.string(b))

    @c_routine("FUNCTION strncmp (a: Ptr; b: Ptr; count: UInt32): LONGINT")
    def strncmp(self, a: int, b: int, count: int) -> int:
        """Compare the beginnings of strings."""
        count = min(count, _LARGEST_STRING)
        return self._order(self.guest.c_string(a, count), self.guest.c_string(b, count))

    @c_routine("FUNCTION strchr (text: Ptr; character: LONGINT): Ptr")
    def strchr(self, text: int, character: int) -> int:
        """The first place of a character; the end is one too."""
        place = (self.string(text) + b"\0").find(bytes([character & 0xFF]))
        return text + place if place >= 0 else 0

    @c_routine("FUNCTION strrchr (text: Ptr; character: LONGINT): Ptr")
    def strrchr(self, text: int, character: int) -> int:
        """The last place of a character; the end is one too."""
        place = (self.string(text) + b"\0").rfind(bytes([character & 0xFF]))
        return text + place if place >= 0 else 0

    @c_routine("FUNCTION strstr (text: Ptr; wanted: Ptr): Ptr")
    def strstr(self, text: int, wanted: int) -> int:
        """The first place of a string in another one."""
        place = self.string(text).find(self.string(wanted))
        return text + place if place >= 0 else 0

    def _span(self, text: int, characters: int, *, inside: bool) -> int:
        members, string = set(self.string(characters)), self.string(text)
        for place, character in enumerate(string):
            if (character in members) != inside:
                return place
        return len(string)

    @c_routine("FUNCTION strspn (text: Ptr; characters: Ptr): UInt32")
    def strspn(self, text: int, characters: int) -> int:
        """How many characters at the beginning are among others."""
        return self._span(text, characters, inside=True)

    @c_routine("FUNCTION strcspn (text: Ptr; characters: Ptr): UInt32")
    def strcspn(self, text: int, characters: int) -> int:
        """How many characters at the beginning are not among others."""
        return self._span(text, characters, inside=False)

    @c_routine("FUNCTION strpbrk (text: Ptr; characters: Ptr): Ptr")
    def strpbrk(self, text: int, characters: int) -> int:
        """The first place of one of several characters."""
        place = text + self._span(text, characters, inside=False)
        return place if self.guest.u8(place) else 0

    @c_routine("FUNCTION strtok (text: Ptr; characters: Ptr): Ptr")
    def strtok(self, text: int, characters: int) -> int:
        """The next piece of a string between separators, which are overwritten."""
        start = text or self._token
        if not start:
            return 0
        start += self._span(start, characters, inside=True)
        if not self.guest.u8(start):
            self._token = 0
            return 0
        end = start + self._span(start, characters, inside=False)
        self._token = 0
        if self.guest.u8(end):
            self.guest.put8(end, 0)
            self._token = end + 1
        return start

    # -- Pascal strings ----------------------------------------------------------------------------

    @c_routine("FUNCTION C2PStr (text: Ptr): Ptr", imports=("c2pstr",))
    def c_to_pascal(self, text: int) -> int:
        """Turn a C string into a Pascal string where it is."""
        self.guest.put_pascal_string(text, self.guest.c_string(text, 255))
        return text

    @c_routine("FUNCTION P2CStr (text: Ptr): Ptr", imports=("p2cstr",))
    def pascal_to_c(self, text: int) -> int:
        """Turn a Pascal string into a C string where it is."""
        return self.move(text, self.guest.pascal_string(text) + b"\0")

    # -- characters --------------------------------------------------------------------------------

    @c_routine("FUNCTION toupper (character: LONGINT): LONGINT")
    def toupper(self, character: int) -> int:
        """The capital of an ASCII letter."""
        return character - 32 if 97 <= character <= 122 else character

    @c_routine("FUNCTION tolower (character: LONGINT): LONGINT")
    def tolower(self, character: int) -> int:
        """The small form of an ASCII letter."""
        return character + 32 if 65 <= character <= 90 else character
