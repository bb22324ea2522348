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
