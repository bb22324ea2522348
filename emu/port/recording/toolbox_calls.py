"""Calls of the Toolbox as they happened, to be given again without a Toolbox.

A manager's state is in Python and is in no recording. So a call is kept with what it did: its
result, the bytes that it changed, and the registers. The bytes that it read are kept, too, since a
function that passes another text makes another call.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import MacproofError
from emu.toolbox.guest.guest_types import Point

Piece = tuple[int, bytes]
"""An address, and the bytes there."""

_BEHIND = 256
"""How far behind an address that was an argument its struct may go on, in bytes."""


class OtherCallError(MacproofError):
    """A function made another call of the Toolbox than the recorded one."""


@dataclass(frozen=True, slots=True)
class ToolboxAnswer:
    """A call of the Toolbox, and what it did.

    Attributes:
        name: the routine.
        arguments: its arguments, as its manager got them.
        result: its result, as its manager gave it.
        reads: what it read of memory before it wrote there.
        writes: what it wrote or changed.
        registers: the registers that it changed itself, by their number.
        goes_to: where the program went on, if that was not behind the call; 0 if it was.
    """

    name: str
    arguments: tuple[Any, ...]
    result: Any
    reads: tuple[Piece, ...]
    writes: tuple[Piece, ...]
    registers: dict[int, int]
    goes_to: int = 0


def pieces(spans: Iterable[tuple[int, int]], without: Iterable[tuple[int, int]]) -> list[range]:
    """Addresses that some spans of bytes cover and others do not, as ranges in their order."""
    seen: set[int] = set()
    hidden = {address for start, size in without for address in range(start, start + size)}
    for start, size in spans:
        seen.update(range(start, start + size))
    return list(_ranges(sorted(seen - hidden)))


def _ranges(addresses: Sequence[int]) -> Iterator[range]:
    first = last = None
    for address in addresses:
        if last is None or address != last + 1:
            if first is not None and last is not None:
                yield range(first, last + 1)
            first = address
        last = address
    if first is not None and last is not None:
        yield range(first, last + 1)


def changes(
    before: NDArray[np.uint8], after: NDArray[np.uint8], start: int
) -> Iterator[tuple[int, int]]:
    """Where memory has changed: addresses and sizes.

    Args:
        before: a copy of memory; its size is a multiple of 8.
        after: what is there now.
        start: the address of the first byte.
    """
    (words,) = np.nonzero(before.view(np.uint64) != after.view(np.uint64))
    if not len(words):
        return
    bytes_ = (words[:, np.newaxis] * 8 + np.arange(8)).ravel()
    differ = bytes_[before[bytes_] != after[bytes_]]
    for part in np.split(differ, np.nonzero(np.diff(differ) > 1)[0] + 1):
        yield int(part[0]) + start, len(part)


class LocalAddresses:
    """Addresses of one function's locals and constants, and those of another that stand for them.

    Args:
        stack: where the locals of both are.
        constants: where constants of the recorded function may be.
        new: where those of the function that runs now may be.
    """

    def __init__(self, stack: range, constants: Sequence[range], new: Sequence[range]) -> None:
        self._stack = stack
        self._local, self._new = (stack, *constants), (stack, *constants, *new)
        self._known: dict[int, int] = {}

    def is_local(self, address: object) -> bool:
        """Whether an address is of the recorded function's own."""
        return isinstance(address, int) and any(address in part for part in self._local)

    def takes(self, old: object, new: object) -> bool:
        """Whether an argument stands for another one; it is remembered if both are addresses."""
        if old == new and not self.is_local(old):
            return True
        if not self.is_local(old) or not isinstance(new, int) or not isinstance(old, int):
            return bool(old == new)
        if old != new and not any(new in part for part in self._new):
            return False
        self._known[old] = new
        return True

    def moved(self, address: int) -> int | None:
        """Where what was at a recorded address is now; None if a local is not known."""
        if self.is_local(address):
            near = [start for start in self._known if 0 <= address - start < _BEHIND]
            if near:
                return address + self._known[max(near)] - max(near)
        return None if address in self._stack else address


# -- as text ---------------------------------------------------------------------------------------


def encode(calls: Sequence[ToolboxAnswer]) -> bytes:
    """Calls as bytes, for a store."""
    rows = [
        [
            call.name,
            [_plain(value) for value in call.arguments],
            _plain(call.result),
            [[address, data.hex()] for address, data in call.reads],
            [[address, data.hex()] for address, data in call.writes],
            list(call.registers.items()),
            call.goes_to,
        ]
        for call in calls
    ]
    return json.dumps(rows).encode()


def decode(data: bytes) -> tuple[ToolboxAnswer, ...]:
    """Calls out of a store.

    Raises:
        ValueError, TypeError, KeyError: these are no such bytes.
    """
    return tuple(
        ToolboxAnswer(
            str(name),
            tuple(_value(value) for value in arguments),
            _value(result),
            tuple((int(address), bytes.fromhex(text)) for address, text in reads),
            tuple((int(address), bytes.fromhex(text)) for address, text in writes),
            {int(number): int(value) for number, value in registers},
            int(goes_to),
        )
        for name, arguments, result, reads, writes, registers, goes_to in json.loads(data)
    )


def _plain(value: Any) -> Any:
    if isinstance(value, Point):
        return {"point": [int(value[0]), int(value[1])]}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if value is None or isinstance(value, bool | str | float):
        return value
    return int(value)


def _value(plain: Any) -> Any:
    if isinstance(plain, dict):
        if "point" in plain:
            return Point(*plain["point"])
        return bytes.fromhex(plain["bytes"])
    return plain
