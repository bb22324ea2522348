"""What a recorded call depends on: values that the old function loads before it stores there."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.port.recording.store import RecordedCall
from emu.port.replay.replayer import Replayer

MEMORY, ARGUMENT, REGISTER = "memory", "argument", "register"
"""Where an input is: at an address, at a distance from the stack pointer, or in a register."""

POINTER_SIZE = 4
_LARGEST = 8
_BEFORE, _BEHIND = 256, 0x8000
"""A long is taken for a pointer if something is accessed so near to where it points."""


@dataclass(frozen=True, slots=True, order=True)
class Input:
    """A value that a function reads.

    Attributes:
        kind: `MEMORY`, `ARGUMENT` or `REGISTER`.
        place: its address, its distance from the stack pointer, or the register's number.
        size: its bytes.
    """

    kind: str
    place: int
    size: int


Changes = Mapping[Input, int]
"""New values, unsigned, of some inputs."""
ByteChanges = Mapping[tuple[str, int], int]
"""The same by bytes: kind (`MEMORY` or `REGISTER`) and address or number; of a register the whole
value."""


class Moment:
    """A recorded call, and memory at its beginning.

    Args:
        replayer: where it can be made again.
        call: the call.

    Attributes:
        call: the call.
        pointer: the stack pointer at its beginning.
    """

    def __init__(self, replayer: Replayer, call: RecordedCall) -> None:
        self.call = call
        self._replayer = replayer
        self.pointer = replayer.session.frames.pointer_in(call.registers)

    def read(self, address: int, size: int) -> bytes | None:
        """Bytes of memory; None if they are not all there."""
        found = self._replayer.bytes_at(self.call, address, size)
        return found if len(found) == size else None

    def address(self, place: Input) -> int:
        """Where an input is that is in memory."""
        return place.place + self.pointer if place.kind == ARGUMENT else place.place

    def value(self, place: Input) -> int:
        """The value of an input, unsigned."""
        if place.kind == REGISTER:
            return self.call.registers[place.place]
        return int.from_bytes(self.read(self.address(place), place.size) or b"", "big")

    def bytes_changed(self, changes: Changes) -> dict[tuple[str, int], int]:
        """The bytes and registers that are other than they were."""
        found: dict[tuple[str, int], int] = {}
        for place, value in changes.items():
            if place.kind == REGISTER:
                found[REGISTER, place.place] = value
                continue
            for at, byte in enumerate(value.to_bytes(place.size, "big"), self.address(place)):
                found[MEMORY, at] = byte
        return {key: byte for key, byte in found.items() if byte != self.original(*key)}

    def original(self, kind: str, place: int) -> int:
        """What a byte or a register was."""
        if kind == REGISTER:
            return self.call.registers[place]
        return int.from_bytes(self.read(place, 1) or b"", "big")


@dataclass(frozen=True, slots=True)
class CallSurroundings:
    """What is no input of a function.

    Attributes:
        code: where code is.
        system: addresses below it are the system's.
        callee: the bytes from the stack pointer on that belong to the function.
        linkage: the first of them, which hold no argument.
        stack: the lowest address of the stack.
        screen: where the screen is.
        data: where the program's own variables and constants are.
        objects: the variables among them that the port knows. What else is there are constants,
            such as texts, of which the new function has its own.
    """

    code: Collection[range]
    system: int
    callee: int
    linkage: int
    stack: int
    screen: range
    data: Collection[range]
    objects: Collection[range]


def inputs_of(
    moment: Moment,
    accesses: NDArray[np.void],
    around: CallSurroundings,
    registers: Sequence[int],
) -> tuple[Input, ...]:
    """The inputs of a call, in a fixed order.

    Args:
        moment: the call.
        accesses: what it accessed, as `AccessLog` has it.
        around: what is no input.
        registers: the numbers of the registers that hold arguments.
    """
    loads = accesses[~accesses["is_store"] & (accesses["size"] <= _LARGEST)]
    addresses = loads["address"].astype(np.int64)
    is_input = (addresses >= around.system) & (
        (addresses < around.stack) | (addresses >= moment.pointer + around.linkage)
    )
    is_input &= ~_are_in(addresses, (*around.code, around.screen))
    is_constant = _are_in(addresses, around.data) & ~_are_in(addresses, around.objects)
    is_input &= ~is_constant
    found = {Input(REGISTER, number, 4) for number in registers}
    arguments = range(moment.pointer, moment.pointer + around.callee)
    for address, size in zip(
        addresses[is_input].tolist(), loads["size"][is_input].tolist(), strict=True
    ):
        if address in arguments:
            found.add(Input(ARGUMENT, address - moment.pointer, size))
        elif moment.read(address, size) is not None:
            found.add(Input(MEMORY, address, size))
    return tuple(sorted(found))


def _are_in(addresses: NDArray[np.int64], parts: Collection[range]) -> NDArray[np.bool_]:
    inside = np.zeros(len(addresses), dtype=bool)
    for part in parts:
        inside |= (addresses >= part.start) & (addresses < part.stop)
    return inside


class Pointers:
    """Tells which values of a call are pointers: something near to where they point is accessed.

    Args:
        accesses: what the call accessed.
        system: addresses below it are the system's.
    """

    def __init__(self, accesses: NDArray[np.void], system: int) -> None:
        self._accessed = np.unique(accesses["address"].astype(np.int64))
        self._system = system

    def __contains__(self, value: int) -> bool:
        if value < self._system:
            return False
        first = int(np.searchsorted(self._accessed, value - _BEFORE))
        return first < len(self._accessed) and self._accessed[first] < value + _BEHIND
