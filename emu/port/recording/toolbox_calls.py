"""Calls of the Toolbox as they happened, to be given again without a Toolbox.

A manager's state is in Python and is in no recording. So a call is kept with what it did: its
result, the bytes that it changed, and the registers. The bytes that it read are kept, too, since a
function that passes another text makes another call.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from emu.base.errors import MacproofError
from emu.port.recording.spans import Piece
from emu.toolbox.computer.declaration import Routine
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.mathematics.numerics import SANE_TRAPS

_SIZE = struct.Struct(">I")
_LONGEST = 256
"""How long a constant may be, such as a text, in bytes."""


class OtherToolboxCallError(MacproofError):
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
        registers: the registers that it changed itself, by their number; of the stack pointer, by
            how much.
        goes_to: where the program went on, if that was not behind the call; 0 if it was.
    """

    name: str
    arguments: tuple[Any, ...]
    result: Any
    reads: tuple[Piece, ...]
    writes: tuple[Piece, ...]
    registers: dict[int, int]
    goes_to: int = 0
    _encoded: list[bytes] = field(default_factory=list, init=False, repr=False, compare=False)

    def encoded(self) -> bytes:
        """This call as bytes; they are made once, for it is kept with each function under way."""
        if not self._encoded:
            self._encoded.append(self._encode())
        return self._encoded[0]

    def _encode(self) -> bytes:
        facts = (
            self.name,
            [_plain(value) for value in self.arguments],
            _plain(self.result),
            list(self.registers.items()),
            self.goes_to,
            len(self.reads),
            len(self.writes),
        )
        text = json.dumps(facts).encode()
        parts = [*self.reads, *self.writes]
        spans = [number for address, data in parts for number in (address, len(data))]
        content = [data for _, data in parts]
        return b"".join(
            [_SIZE.pack(len(text)), text, struct.pack(f">{len(spans)}I", *spans), *content]
        )


class LocalAddresses:
    """Addresses of one function's locals and constants, and those of another that stand for them.

    A local may stand for a local or a constant of the new function; a constant of the old program
    for one of the new functions or a copy on the stack, so that another global is not taken for the
    right one. What is read there is compared.

    Args:
        stack: where the locals of both are.
        constants: where constants of the recorded function may be.
        new: where those of the new functions are.
    """

    def __init__(self, stack: range, constants: Sequence[range], new: range) -> None:
        self._stack, self._constants, self._new = stack, constants, new
        upper = range(stack.start >> 16, (stack.stop + 0xFFFF) >> 16)
        self._halves = [half.to_bytes(2, "big") for half in upper]
        self._known: dict[int, int] = {}
        self._earlier: dict[int, int] = {}

    def begin_call(self) -> None:
        """Another call of the Toolbox begins: what it is given counts more than what others were.

        The room of a function that has returned is used again by another one.
        """
        self._earlier |= self._known
        self._known = {}

    def addresses_in(self, data: bytes, first: int) -> Iterator[tuple[int, int]]:
        """The numbers in memory that may be addresses of locals.

        Args:
            data: bytes of memory.
            first: where in them the first even address is: 0 or 1.

        Yields:
            Where one begins in the bytes, and the number.
        """
        for half in self._halves:  # most bytes have none, and bytes.find is fast
            at = data.find(half)
            while at >= 0:
                old = int.from_bytes(data[at : at + 4], "big")
                if at % 2 == first and at + 4 <= len(data) and old in self._stack:
                    yield at, old
                at = data.find(half, at + 1)

    def takes(self, old: object, new: object) -> bool:
        """Whether an argument stands for another one; it is remembered if both are addresses."""
        if not isinstance(old, int) or not isinstance(new, int):
            return bool(old == new)
        is_local = old in self._stack
        if old != new:
            is_constant = any(old in part for part in self._constants)
            own = new in self._new or new in self._stack
            if not own or not (is_local or is_constant):
                return False
        if is_local or old != new:
            self._known[old] = new
        return True

    def places(self, address: int) -> list[int]:
        """Where what was read at a recorded address may be now; none if a local is not known."""
        found = self._moved(address)
        return found if address in self._stack else [*found, address]

    def cuts(self, address: int, size: int) -> list[int]:
        """Where bytes are to be cut, since another local begins there: distances from their start.

        The first is 0, and the last is ``size``.
        """
        inside = {start - address for start in self._known if address < start < address + size}
        return [0, *sorted(inside), size]

    def target(self, address: int) -> int | None:
        """Where what was written at a recorded address goes now; None if a local is not known."""
        place = next(iter(self._moved(address)), None)
        if address in self._stack:
            return place
        # Where the original gives a global and the new function a copy, the copy is written.
        return place if place is not None and place in self._stack else address

    def _moved(self, address: int) -> list[int]:
        """The addresses that may stand for one, by the last known one before it."""
        part = self._stack if address in self._stack else range(address - _LONGEST, address + 1)
        found = []
        for known in (self._known, self._earlier):
            before = [start for start in known if start <= address and start in part]
            if before:
                found.append(address + known[max(before)] - max(before))
        return found


def is_arithmetic(routine: Routine) -> bool:
    """Whether a routine is one of SANE, which computes with numbers that it is given and no more.

    One compiler calls it where another one has an instruction, so it is no call that is compared.
    """
    return routine.trap in SANE_TRAPS


# -- as bytes --------------------------------------------------------------------------------------


def encode(calls: Sequence[ToolboxAnswer]) -> bytes:
    """Calls as bytes, for a store.

    Each is the size of a text, the text (JSON), the spans that were read and those that were
    written, each an address and a size, and then the bytes of all of these.
    """
    return b"".join([call.encoded() for call in calls])


def decode(data: bytes) -> tuple[ToolboxAnswer, ...]:
    """Calls out of a store.

    Raises:
        ValueError, TypeError, KeyError, struct.error: these are no such bytes.
    """
    calls, at = [], 0
    while at < len(data):
        (size,) = _SIZE.unpack_from(data, at)
        at += _SIZE.size
        facts = json.loads(data[at : at + size])
        name, arguments, result, registers, goes_to, read, written = facts
        spans = struct.Struct(f">{2 * (int(read) + int(written))}I")
        numbers = spans.unpack_from(data, at + size)
        at += size + spans.size
        found = []
        for address, length in zip(numbers[::2], numbers[1::2], strict=True):
            if at + length > len(data):
                raise ValueError
            found.append((address, data[at : at + length]))
            at += length
        calls.append(
            ToolboxAnswer(
                str(name),
                tuple(_value(value) for value in arguments),
                _value(result),
                tuple(found[:read]),
                tuple(found[read:]),
                {int(number): int(value) for number, value in registers},
                int(goes_to),
            )
        )
    return tuple(calls)


def _plain(value: Any) -> Any:
    if type(value) is int:  # nearly all are
        return value
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
