"""Packets of GDB's remote serial protocol, as they come and go on a connection.

A packet is ``$data#xx``, where xx is the sum of the bytes of its data, modulo 256, in hexadecimal.
In data, ``}`` and a byte stand for this byte with its bit 5 changed. ``+`` says that a packet has
come whole, ``-`` that it has not, and a byte 3 outside of a packet is Ctrl-C.
Source: Debugging with GDB, appendix E "GDB Remote Serial Protocol", "Overview".
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

LARGEST = 0x4000
"""The most bytes of a packet's data, as they come. GDB is told so, and packs no more."""

_START, _END, _ESCAPE, _REPEAT = b"$#}*"
_ACKNOWLEDGED, _REFUSED, _CTRL_C = ord("+"), ord("-"), 3
_BIT = 0x20
_LEAST_RUN, _LONGEST_RUN = 4, 98
"""A run of 4 is the shortest that gets shorter; the last printable character stands for 98."""


class Sign(enum.Enum):
    """What comes outside of packets."""

    ACKNOWLEDGED = enum.auto()
    REFUSED = enum.auto()
    INTERRUPT = enum.auto()
    DAMAGED = enum.auto()
    """A packet whose sum is wrong, or that is too long: to be sent again."""


@dataclass(frozen=True, slots=True)
class Packet:
    """A whole packet's data, without escapes."""

    data: bytes


class PacketReader:
    """Cuts what comes on a connection into packets. Nothing that comes can make it fail."""

    def __init__(self) -> None:
        self._data: bytearray | None = None
        self._sum = b""
        self._in_sum = False

    def feed(self, received: bytes) -> list[Packet | Sign]:
        """Take the next bytes; the packets and signs that end in them."""
        events: list[Packet | Sign] = []
        for byte in received:
            event = self._take(byte)
            if event is not None:
                events.append(event)
        return events

    def _take(self, byte: int) -> Packet | Sign | None:
        if self._data is None:
            return self._outside(byte)
        if self._in_sum:
            self._sum += bytes([byte])
            return self._end() if len(self._sum) == 2 else None
        if byte == _END:
            self._in_sum, self._sum = True, b""
        elif byte == _START:
            self._data = bytearray()  # the end of the one before was lost
        elif len(self._data) <= LARGEST:
            self._data.append(byte)  # one more than allowed shows that it is too long
        return None

    def _outside(self, byte: int) -> Sign | None:
        if byte == _START:
            self._data = bytearray()
        return _SIGNS.get(byte)

    def _end(self) -> Packet | Sign:
        data, self._data, self._in_sum = self._data or bytearray(), None, False
        if len(data) > LARGEST or self._sum.lower() != b"%02x" % (sum(data) & 0xFF):
            return Sign.DAMAGED
        return Packet(_without_escapes(data))


_SIGNS = {_ACKNOWLEDGED: Sign.ACKNOWLEDGED, _REFUSED: Sign.REFUSED, _CTRL_C: Sign.INTERRUPT}


def _without_escapes(data: bytearray) -> bytes:
    """The data; an escape at the end, which stands for nothing, is left out."""
    if _ESCAPE not in data:
        return bytes(data)
    plain = bytearray()
    escaped = False
    for byte in data:
        if escaped:
            plain.append(byte ^ _BIT)
        elif byte != _ESCAPE:
            plain.append(byte)
        escaped = not escaped and byte == _ESCAPE
    return bytes(plain)


def encoded(data: bytes) -> bytes:
    """A packet with its escapes, runs and sum, as it is sent."""
    packed = _with_runs(data)
    return b"$" + packed + b"#%02x" % (sum(packed) & 0xFF)


def _with_runs(data: bytes) -> bytes:
    """Data with escapes, where runs of one byte are a byte, ``*`` and a count."""
    packed = bytearray()
    at = 0
    while at < len(data):
        byte = data[at]
        run = 1
        while run < _LONGEST_RUN and at + run < len(data) and data[at + run] == byte:
            run += 1
        at += run
        one = bytes([_ESCAPE, byte ^ _BIT]) if byte in (_START, _END, _ESCAPE, _REPEAT) else None
        if one is not None or run < _LEAST_RUN:
            packed += (one or bytes([byte])) * run
            continue
        repeats = run - 1
        if repeats + 29 in (_START, _END):
            packed.append(byte)  # a count that reads "#" or "$" would end the packet
            repeats -= 1
        if repeats + 29 in (_START, _END):
            packed.append(byte)
            repeats -= 1
        packed += bytes([byte, _REPEAT, repeats + 29])
    return bytes(packed)
