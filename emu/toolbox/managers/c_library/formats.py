"""Formats text as C's printf does.

Source: the C standard of 1989, 4.9.6.1. Macintosh compilers add "%P" and "%#s" for a Pascal string.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable

from emu.toolbox.calls.marshal import signed_32
from emu.toolbox.guest.guest_access import GuestAccess

_SPECIFICATION = re.compile(
    rb"%(?P<flags>[-+ #0]*)(?P<width>\*|\d{0,9})(?:\.(?P<precision>\*|\d{0,9}))?"
    rb"(?P<size>hh|h|ll|l|L)?(?P<kind>[diouxXcsPpeEfgGn%])"
)
_WIDEST = 4096
_LONGEST = 1 << 20


class FormatError(Exception):
    """A format is wrong, or asks for something that macproof does not do."""


def format_text(guest: GuestAccess, format_: bytes, next_word: Callable[[], int]) -> bytes:
    """Format arguments into text.

    Args:
        guest: the memory that holds strings.
        format_: the format, without its zero byte.
        next_word: a function that returns the next 32 bits of the arguments; a double takes two
            calls.

    Raises:
        FormatError: the format is wrong, or its text would be too long.
    """
    pieces, place, room = [], 0, _LONGEST
    while (percent := format_.find(b"%", place)) >= 0:
        pieces.append(format_[place:percent])
        match = _SPECIFICATION.match(format_, percent)
        if match is None:
            shown = format_[percent : percent + 8].decode("mac_roman")
            raise FormatError(f"{shown!r} is no conversion")
        pieces.append(_converted(guest, match, next_word))
        place = match.end()
        room -= len(pieces[-1])
        if room < 0:
            raise FormatError(f"its text has more than {_LONGEST:,} characters")
    pieces.append(format_[place:])
    return b"".join(pieces)


def _number(text: bytes | None, next_word: Callable[[], int]) -> int | None:
    if text is None:
        return None
    value = signed_32(next_word()) if text == b"*" else int(text or b"0")
    if abs(value) > _WIDEST:
        raise FormatError(f"a field is {value} characters wide")
    return value


def _converted(guest: GuestAccess, match: re.Match[bytes], next_word: Callable[[], int]) -> bytes:
    kind, size = match["kind"].decode(), (match["size"] or b"").decode()
    flags = match["flags"].decode()
    if kind == "%":
        return b"%"
    width = _number(match["width"], next_word) or 0
    if width < 0:
        flags, width = flags + "-", -width
    precision = _number(match["precision"], next_word)
    if precision is not None and precision < 0:
        precision = None
    if kind == "n":
        raise FormatError("%n is not done")
    if kind == "c":
        return _padded(bytes([next_word() & 0xFF]), width, flags)
    if kind in "sP":
        address = next_word()
        limit = _WIDEST * 16 if precision is None else precision
        if kind == "P" or "#" in flags:
            text = guest.pascal_string(address)[:limit]
        else:
            text = guest.c_string(address, limit) if address else b"(null)"
        return _padded(text, width, flags)
    if kind in "eEfgG":
        if size == "L":
            raise FormatError("long double is not done")
        (value,) = struct.unpack(">d", struct.pack(">LL", next_word(), next_word()))
        shown = "".join(dict.fromkeys(flag for flag in flags if flag in "+ #"))
        text = ("%" + shown + f".{6 if precision is None else precision}{kind}") % value
        return _padded_number(text.encode(), width, flags)
    return _padded_number(
        _integer(kind, size, flags, precision, next_word),
        width,
        flags if precision is None else flags.replace("0", ""),
    )


def _integer(
    kind: str, size: str, flags: str, precision: int | None, next_word: Callable[[], int]
) -> bytes:
    value, bits = next_word(), 32
    if size == "ll":
        value, bits = value << 32 | next_word(), 64
    elif size in ("h", "hh"):
        bits = 16 if size == "h" else 8
        value &= (1 << bits) - 1
    if kind in "di" and value >> bits - 1:
        value -= 1 << bits
    letter = {"i": "d", "u": "d", "p": "x"}.get(kind, kind)
    digits = format(abs(value), letter)
    if precision is not None:
        digits = digits.rjust(precision, "0") if precision or value else ""
    sign = ""
    if kind in "di":
        sign = "-" if value < 0 else "+" if "+" in flags else " " if " " in flags else ""
    elif "#" in flags and value:
        sign = {"x": "0x", "X": "0X", "o": "0"}.get(kind, "")
    return (sign + digits).encode()


def _padded(text: bytes, width: int, flags: str) -> bytes:
    return text.ljust(width) if "-" in flags else text.rjust(width)


def _padded_number(text: bytes, width: int, flags: str) -> bytes:
    is_number = text.strip(b"+- ").lower() not in (b"inf", b"nan")
    if "0" not in flags or "-" in flags or not is_number:
        return _padded(text, width, flags)
    lead = re.match(rb"[-+ ]?(0[xX])?", text)
    assert lead is not None
    return lead[0] + text[lead.end() :].rjust(width - lead.end(), b"0")
