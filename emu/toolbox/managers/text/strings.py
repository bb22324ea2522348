"""Comparing strings and changing their case, as the system itself does in file names.

Source: Inside Macintosh: Text, pp. 5-48 to 5-55; Inside Macintosh IV, p. 234 (trap flags).
"""

from __future__ import annotations

import unicodedata

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager

_IGNORE_MARKS, _HEED_CASE = 0x200, 0x400
"""Flag bits in the trap word of CmpString and RelString."""


def _upper_case() -> bytes:
    """Capitals of every character; one whose capital is not in MacRoman stays as it is."""
    table = bytearray(range(256))
    for code in range(256):
        capital = bytes([code]).decode("mac_roman").upper()
        try:
            encoded = capital.encode("mac_roman")
        except UnicodeEncodeError:
            continue
        if len(encoded) == 1:
            table[code] = encoded[0]
    return bytes(table)


def _without_marks() -> bytes:
    """Characters without their diacritical marks."""
    table = bytearray(range(256))
    for code in range(128, 256):
        letter = unicodedata.normalize("NFD", bytes([code]).decode("mac_roman"))[0]
        if letter.isascii() and letter.isalpha():
            table[code] = ord(letter)
    return bytes(table)


_UPPER_CASE, _WITHOUT_MARKS = _upper_case(), _without_marks()


def folded(text: bytes, *, case: bool, marks: bool) -> bytes:
    """A MacRoman string in the form in which it is compared.

    Args:
        text: the string.
        case: whether capitals differ from small letters.
        marks: whether diacritical marks count.
    """
    if not case:
        text = text.translate(_UPPER_CASE)
    return text if marks else text.translate(_WITHOUT_MARKS)


class StringManager(Manager):
    """Compares strings without regard to a language."""

    def _order(self, first: bytes, second: bytes, *, case: bool, marks: bool) -> int:
        one, other = (folded(text, case=case, marks=marks) for text in (first, second))
        return (one > other) - (one < other)

    @routine(
        "FUNCTION EqualString (str1,str2: Str255; caseSens,diacSens: BOOLEAN): BOOLEAN",
        architecture="powerpc",
    )
    def equal_string(self, first: int, second: int, case: bool, marks: bool) -> bool:
        """Whether two strings are equal."""
        one, other = (self.guest.pascal_string(place) for place in (first, second))
        return self._order(one, other, case=case, marks=marks) == 0

    @routine(
        "FUNCTION RelString (str1,str2: Str255; caseSens,diacSens: BOOLEAN): INTEGER",
        architecture="powerpc",
    )
    def rel_string(self, first: int, second: int, case: bool, marks: bool) -> int:
        """Which of two strings comes first: -1, 0, 1."""
        one, other = (self.guest.pascal_string(place) for place in (first, second))
        return self._order(one, other, case=case, marks=marks)

    @routine(
        "PROCEDURE UpperString (VAR theString: Str255; diacSens: BOOLEAN)", architecture="powerpc"
    )
    def upper_string(self, place: int, marks: bool) -> None:
        """Make a string's letters capitals, and take off their marks unless those count."""
        text = self.guest.pascal_string(place)
        self.guest.write(place + 1, folded(text, case=False, marks=marks))

    # -- 68K: the trap word says what counts, D0 the lengths ---------------------------------------

    def _texts(self, first: int, second: int, lengths: int) -> tuple[bytes, bytes]:
        one = self.guest.read(first, lengths >> 16 & 0xFFFF)
        return one, self.guest.read(second, lengths & 0xFFFF)

    @routine(
        "FUNCTION CmpString (first,second: Ptr; lengths: LONGINT): LONGINT",
        trap=0xA03C,
        registers="A0,A1,D0 -> D0",
        variants={"CmpStringMarks": 0xA23C, "CmpStringCase": 0xA43C, "CmpStringCaseMarks": 0xA63C},
        architecture="m68k",
    )
    def cmp_string(self, first: int, second: int, lengths: int, *, trap: int) -> int:
        """0 if two strings are equal, 1 if they differ."""
        case, marks = bool(trap & _HEED_CASE), not trap & _IGNORE_MARKS
        one, other = self._texts(first, second, lengths)
        return int(self._order(one, other, case=case, marks=marks) != 0)

    @routine(
        "FUNCTION RelString (first,second: Ptr; lengths: LONGINT): LONGINT",
        trap=0xA050,
        registers="A0,A1,D0 -> D0",
        variants={"RelStringMarks": 0xA250, "RelStringCase": 0xA450, "RelStringCaseMarks": 0xA650},
        architecture="m68k",
    )
    def rel_string_68k(self, first: int, second: int, lengths: int, *, trap: int) -> int:
        """Which of two strings comes first."""
        case, marks = bool(trap & _HEED_CASE), not trap & _IGNORE_MARKS
        one, other = self._texts(first, second, lengths)
        return self._order(one, other, case=case, marks=marks)

    @routine(
        "FUNCTION UprString (text: Ptr; length: LONGINT): Ptr",
        trap=0xA054,
        registers="A0,D0 -> A0",
        variants={"UprStringMarks": 0xA254},
        architecture="m68k",
    )
    def upr_string(self, place: int, length: int, *, trap: int) -> int:
        """Make letters capitals; with the flag, take off their marks."""
        text = self.guest.read(place, length & 0xFFFF)
        self.guest.write(place, folded(text, case=False, marks=not trap & _IGNORE_MARKS))
        return place
