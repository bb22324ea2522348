"""Numbers and bytes in packets, which are hexadecimal."""

from __future__ import annotations

import re

_HEX = re.compile(rb"[0-9a-fA-F]{1,16}")


class BadPacketError(Exception):
    """A packet that is no request, or one that cannot be answered; its text says why."""


def number(text: bytes) -> int:
    """A number.

    Raises:
        BadPacketError: it is none, or has more than 64 bits.
    """
    if not _HEX.fullmatch(text):
        raise BadPacketError(f"{text[:32]!r} is no number")
    return int(text, 16)


def numbers(text: bytes, count: int, separator: bytes = b",") -> list[int]:
    """So many numbers, with a separator between them.

    Raises:
        BadPacketError: there are more or fewer.
    """
    parts = text.split(separator)
    if len(parts) != count:
        raise BadPacketError(f"{count} numbers are wanted in {text[:32]!r}")
    return [number(part) for part in parts]


def hex_bytes(text: bytes) -> bytes:
    """Bytes of two digits each.

    Raises:
        BadPacketError: it is something else.
    """
    try:
        return bytes.fromhex(text.decode("ascii"))
    except ValueError as error:
        raise BadPacketError(f"{text[:32]!r} are no bytes") from error
