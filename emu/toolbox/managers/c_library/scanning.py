"""Reads values out of text as C's scanf does.

Source: the C standard of 1989, 4.9.6.2.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable

from emu.toolbox.guest.guest_access import GuestAccess
from emu.toolbox.managers.c_library.formats import FormatError

BLANKS = b" \t\n\v\f\r"
_CONVERSION = re.compile(
    rb"%(?P<skip>\*?)(?P<width>\d{0,9})(?P<size>[hlL]?)"
    rb"(?P<kind>[diouxXpeEfgGscn%]|\[\^?\]?[^\]]*\])"
)
REAL = re.compile(rb"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_WHOLE = {
    "d": re.compile(rb"[-+]?\d+"),
    "i": re.compile(rb"[-+]?(0[xX][0-9a-fA-F]+|\d+)"),
    "o": re.compile(rb"[-+]?[0-7]+"),
    "x": re.compile(rb"[-+]?(0[xX])?[0-9a-fA-F]+"),
}
_BASES = {"d": 10, "o": 8, "x": 16}
_KIND_OF = {"u": "d", "X": "x", "p": "x"}
_REALS = "eEfgG"


class _Scan:
    """Text that is being read, from a place on."""

    def __init__(self, guest: GuestAccess, text: bytes) -> None:
        self._guest, self._text = guest, text
        self.place = 0

    def skip_blanks(self) -> None:
        rest = self._text[self.place :]
        self.place += len(rest) - len(rest.lstrip(BLANKS))

    def takes(self, literal: bytes) -> bool:
        """Whether the text goes on with this; it is read over."""
        is_there = self._text.startswith(literal, self.place)
        self.place += len(literal) * is_there
        return is_there

    def matched(self, pattern: re.Pattern[bytes], width: int) -> bytes:
        """What fits a pattern here, b"" for nothing; it is read over."""
        found = pattern.match(self._text, self.place, min(self.place + width, len(self._text)))
        piece = found.group() if found else b""
        self.place += len(piece)
        return piece

    @property
    def is_at_end(self) -> bool:
        return self.place >= len(self._text)


def scan_text(guest: GuestAccess, text: bytes, format_: bytes, next_word: Callable[[], int]) -> int:
    """Store the values that a text has, by a format.

    Args:
        guest: the memory to store them in.
        text: the text, without its zero byte.
        format_: the format, likewise.
        next_word: gives the next address to store a value at.

    Returns:
        How many values were stored; -1 if the text ended before the first.

    Raises:
        FormatError: the format is wrong.
    """
    scan, stored, place = _Scan(guest, text), 0, 0
    while place < len(format_):
        letter = format_[place : place + 1]
        if letter in BLANKS:
            scan.skip_blanks()
            place += 1
        elif letter != b"%":
            if not scan.takes(letter):
                return stored
            place += 1
        else:
            match = _CONVERSION.match(format_, place)
            if match is None:
                shown = format_[place : place + 8].decode("mac_roman")
                raise FormatError(f"{shown!r} is no conversion of scanf")
            place = match.end()
            if not _is_converted(guest, scan, match, next_word):
                return -1 if scan.is_at_end and not stored else stored
            stored += not match["skip"] and match["kind"] not in (b"n", b"%")
    return stored


def _is_converted(
    guest: GuestAccess, scan: _Scan, match: re.Match[bytes], next_word: Callable[[], int]
) -> bool:
    """Do one conversion; whether the text fits it."""
    kind, width = match["kind"].decode("mac_roman"), int(match["width"] or 1 << 20)
    if kind == "n":
        _store(guest, next_word(), scan.place, match["size"])
        return True
    if kind[0] not in "c[":
        scan.skip_blanks()
    if kind == "%":
        return scan.takes(b"%")
    piece = scan.matched(_pattern(kind, match["width"]), width)
    if not piece:
        return False
    if match["skip"]:
        return True
    target = next_word()
    if kind in _REALS:
        form = ">d" if match["size"] else ">f"
        guest.write(target, struct.pack(form, float(piece)))
    elif kind[0] in "sc[":
        guest.write(target, piece + (b"" if kind == "c" else b"\0"))
    else:
        base = _BASES.get(_KIND_OF.get(kind, kind)) or _base_of(piece)
        _store(guest, target, int(piece, base), match["size"])
    return True


def _pattern(kind: str, width: bytes) -> re.Pattern[bytes]:
    if kind in _REALS:
        return REAL
    if kind == "c":
        return re.compile(b".{%d}" % int(width or 1), re.DOTALL)
    if kind == "s":
        return re.compile(rb"[^ \t\n\v\f\r]+")
    if kind[0] == "[":
        inside = kind[1:-1].encode("mac_roman")
        negated = inside.startswith(b"^")
        letters = re.escape(inside[negated:]).replace(rb"\-", b"-")
        try:
            return re.compile(b"[" + b"^" * negated + letters + b"]+", re.DOTALL)
        except re.error as error:
            raise FormatError(f"{kind!r} is no set of characters") from error
    return _WHOLE[_KIND_OF.get(kind, kind)]


def _base_of(piece: bytes) -> int:
    digits = piece.lstrip(b"-+")
    if digits[:2].lower() == b"0x":
        return 16
    return 8 if digits[:1] == b"0" and digits.isdigit() and not set(digits) & set(b"89") else 10


def _store(guest: GuestAccess, target: int, value: int, size: bytes) -> None:
    if size == b"h":
        guest.put16(target, value & 0xFFFF)
    else:
        guest.put32(target, value & 0xFFFFFFFF)
