"""Compresses resources for the System's decompressors, so that tests can expand them."""

from __future__ import annotations

import struct
from collections.abc import Sequence

MAGIC = 0xA89F6572


def header(number: int, size: int, parameters: bytes = bytes(4)) -> bytes:
    """The header of a compressed resource: its decompressor, and its size when expanded."""
    if number == 2:
        rest = struct.pack(">BBLh", 9, 1, size, number) + parameters
    else:
        rest = struct.pack(">BBLBBhH", 8, 1, size, 0x80, 3, number, 0)
    return struct.pack(">LH", MAGIC, 18) + rest


def number(value: int) -> bytes:
    """A signed number as codes with a second byte have them."""
    if 0 <= value < 0x80:
        return bytes([value])
    if -0x4000 <= value < 0x3F00:
        return (value + 0xC000).to_bytes(2, "big")
    return b"\xff" + value.to_bytes(4, "big", signed=True)


def with_repetitions(which: int, data: bytes) -> bytes:
    """Compress for decompressor 0 or 1: pieces of 8 bytes, each remembered and then repeated."""
    pieces = [data[place : place + 8] for place in range(0, len(data), 8)]
    known: list[bytes] = []
    codes = b""
    for piece in pieces:
        if piece in known:
            codes += _again(which, known.index(piece))
        elif piece == piece[:1] * 8:
            codes += b"\xfe\x02" + number(piece[0]) + number(7)
        else:
            known.append(piece)
            whole = piece + bytes(len(piece) % 2) if which == 0 else piece
            codes += bytes([0x10 | (len(whole) // 2 if which == 0 else len(whole) - 1)]) + whole
    return header(which, len(data)) + codes + b"\xff"


def _again(which: int, index: int) -> bytes:
    if which == 1:
        return bytes([0x20 + index]) if index < 0xB0 else bytes([0xD2, index - 0xB0])
    if index < 0x28:
        return bytes([0x23 + index])
    index -= 0x28
    if index < 0x200:
        return bytes([0x20 + (index >> 8), index & 0xFF])
    return b"\x22" + index.to_bytes(2, "big")


def with_table(data: bytes, table: Sequence[bytes]) -> bytes:
    """Compress for decompressor 2: tags, and the words that a table of the resource's own has."""
    body, last = (data[:-1], data[-1:]) if len(data) % 2 else (data, b"")
    words = [body[place : place + 2] for place in range(0, len(body), 2)]
    codes = b""
    for start in range(0, len(words), 8):
        group = words[start : start + 8]
        codes += bytes([sum(0x80 >> place for place, word in enumerate(group) if word in table)])
        codes += b"".join(bytes([table.index(w)]) if w in table else w for w in group)
    parameters = bytes([0, 0, len(table) - 1, 3])
    return header(2, len(data), parameters) + b"".join(table) + codes + last


# The numbers of decompressor 3: how a code begins, the first number that it means, how many bits
# follow.
_COUNTS = (
    *(("0", 1, 0), ("100", 2, 0), ("101", 3, 0), ("110", 4, 2), ("1110", 8, 3)),
    *(("111100", 16, 3), ("111101", 24, 3), ("11111", 32, 5)),
)
_LENGTHS = (
    *(("0", 0, 1), ("100", 2, 0), ("101", 3, 1), ("1100", 5, 1), ("1101", 7, 2), ("1110", 11, 3)),
    *(("11110", 19, 3), ("111110", 27, 5), ("1111110", 59, 6), ("11111110", 123, 7)),
    *(("111111110", 251, 8), ("1111111110", 507, 9), ("1111111111", 1019, 10)),
)


def _code(table: Sequence[tuple[str, int, int]], value: int) -> str:
    prefix, first, width = next(row for row in reversed(table) if value >= row[1])
    return prefix + (f"{value - first:0{width}b}" if width else "")


def _distance(value: int, most: int) -> str:
    """A distance back where 160 bytes may lie before, at most: the first five forms."""
    form = next(form for form in range(5) if most <= 10 << form)
    first, second, third = 1, 1 + (1 << form), 1 + 5 * (1 << form)
    if value < second:
        return "0" + (f"{value - first:0{form}b}" if form else "")
    if value < third:
        return f"10{value - second:0{form + 2}b}"
    width = 1
    while third + (1 << width) - 1 < most:
        width += 1
    return f"11{value - third:0{width}b}"


def with_back_references(data: bytes) -> bytes:
    """Compress at most 160 bytes for decompressor 3: texts that came before are repeated."""
    bits, place, text = "", 0, b""

    while place < len(data):
        found = [
            (length, distance)
            for distance in range(1, place + 1)
            for length in (_matching(data, place, distance),)
            if length >= 3
        ]
        if not found:
            text += data[place : place + 1]
            place += 1
            continue
        is_short = bool(len(text) % 63)
        bits += _as_it_is(text)
        text = b""
        length, distance = max(found)
        bits += _code(_LENGTHS, length - (3 if is_short else 2)) + _distance(distance, place)
        place += length
    bits += _as_it_is(text)
    bits += "0" * (-len(bits) % 8)
    packed = bytes(int(bits[start : start + 8], 2) for start in range(0, len(bits), 8))
    return header(3, len(data)) + packed


def _as_it_is(text: bytes) -> str:
    pieces = [text[start : start + 63] for start in range(0, len(text), 63)]
    return "".join(
        _code(_LENGTHS, 0) + _code(_COUNTS, len(piece)) + "".join(f"{byte:08b}" for byte in piece)
        for piece in pieces
    )


def _matching(data: bytes, place: int, distance: int) -> int:
    length = 0
    while place + length < len(data) and data[place + length] == data[place + length - distance]:
        length += 1
    return length
