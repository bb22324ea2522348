"""Decimal records, and the text that stands for them: SANE's scanner and formatter.

A record has a sign, an exponent and up to 36 digits, of which the digits are a whole number.
Sources: Apple Numerics Manual, chapters 4 and 5; Inside Macintosh: PowerPC Numerics, chapter 9.
"""

from __future__ import annotations

import re

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager

_PACKAGE = 0xA9EE
LONGEST = 36
"""SIGDIGLEN: the digits of a decimal record."""

_LARGEST_EXPONENT = 9999
_NUMBER = re.compile(
    rb"[ \t]*([+-]?)(?:(?i:(inf|nan(?:\(\d*\))?))|(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?)"
)


class DecimalRecords(Manager):
    """Reads and writes decimal records; PowerPC programs do it by MathLib."""

    def put(self, number: int, negative: bool, exponent: int, digits: bytes) -> None:
        """Store a record."""
        self.guest.put16(number, int(negative) << 8)
        self.guest.put16(number + 2, exponent & 0xFFFF)
        self.guest.put_pascal_string(number + 4, digits)

    def text(self, form: int, number: int) -> bytes:
        """A record as text: `` 1.25e+3``, or with the point in its place."""
        digits, exponent = self.guest.pascal_string(number + 4), self.guest.i16(number + 2)
        negative, is_fixed = bool(self.guest.u8(number)), self.guest.u8(form) == 1
        if not digits.isdigit():
            named = {b"I": b"INF", b"N": b"NAN(000)"}.get(digits[:1], b"?")
            return b"-" * negative + named
        if is_fixed:
            return b"-" * negative + _fixed(digits, exponent, self.guest.i16(form + 2))
        point = b"." * (len(digits) > 1)
        power = exponent + len(digits) - 1 if int(digits) else 0
        words = (b"-" if negative else b" ") + digits[:1] + point + digits[1:]
        return words + f"e{power:+d}".encode()

    def scan(self, text: bytes, number: int) -> tuple[int, bool]:
        """Store the number that a text begins with; where it ends, and whether the text does."""
        match = _NUMBER.match(text)
        assert match is not None  # it may be empty
        sign, special, whole, part, power = match.groups()
        has_number = bool(special or whole or part)
        end = match.end() if has_number else 0
        if special or not has_number:
            self.put(number, sign == b"-", 0, (special or b"n")[:1].upper())
            return end, has_number and end == len(text)
        digits = ((whole or b"") + (part or b"")).lstrip(b"0") or b"0"
        exponent = int(power or 0) - len(part or b"") if digits != b"0" else 0
        cut = max(len(digits) - LONGEST, 0)
        exponent = max(min(exponent + cut, _LARGEST_EXPONENT), -_LARGEST_EXPONENT)
        self.put(number, sign == b"-", exponent, digits[:LONGEST])
        return end, end == len(text)

    @routine(
        "PROCEDURE PStr2Dec (text: Str255; VAR index: INTEGER; number: Ptr; VAR valid: BOOLEAN)",
        trap=_PACKAGE,
        selector=("stack", 2),
        architecture="m68k",
    )
    def from_pascal_string(self, text: int, index: int, number: int, valid: int) -> None:
        """The number at an index of a text, from 1 on; the index moves behind it."""
        start = max(self.guest.i16(index), 1)
        end, is_whole = self.scan(self.guest.pascal_string(text)[start - 1 :], number)
        self.guest.put16(index, start + end)
        self.guest.put8(valid, is_whole)

    @routine(
        "PROCEDURE CStr2Dec (text: Ptr; VAR index: INTEGER; number: Ptr; VAR valid: BOOLEAN)",
        trap=_PACKAGE,
        selector=("stack", 4),
        architecture="m68k",
    )
    def from_c_string(self, text: int, index: int, number: int, valid: int) -> None:
        """The same for a text that ends with a zero byte, whose first index is 0."""
        start = max(self.guest.i16(index), 0)
        end, is_whole = self.scan(self.guest.c_string(text)[start:], number)
        self.guest.put16(index, start + end)
        self.guest.put8(valid, is_whole)

    @routine(
        "PROCEDURE Dec2Str (form: Ptr; number: Ptr; VAR text: Str255)",
        trap=_PACKAGE,
        selector=("stack", 3),
        architecture="m68k",
    )
    def to_pascal_string(self, form: int, number: int, text: int) -> None:
        """A record as text."""
        self.guest.put_pascal_string(text, self.text(form, number))


def _fixed(digits: bytes, exponent: int, wanted: int) -> bytes:
    """Digits with a point, and with at least so many behind it."""
    if exponent > 0:
        digits, exponent = digits + b"0" * min(exponent, _LARGEST_EXPONENT), 0
    behind = -exponent
    digits = digits.rjust(behind + 1, b"0")
    whole, part = digits[: len(digits) - behind], digits[len(digits) - behind :]
    part = part.ljust(max(min(wanted, LONGEST), 0), b"0")
    return whole + (b"." + part if part else b"")
