"""Knows which accesses of a block are at a place that was looked at before.

Within a block, each value has a number: equal computations of equal values have equal ones, and so
does what is loaded from a place that nothing can have stored to since. So two accesses are at the
same place if their addresses are the same number and the same distance. This is local value
numbering, as in textbooks of compilers.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from emu.lift.pcode.operations import Opcode, Operation, Space, Varnode

_Value: TypeAlias = tuple[int, int]  # a number and a distance from it; number 0 is the number 0
_WORD = 4  # bytes of an address
_HALF = 1 << 8 * _WORD - 1


@dataclass(frozen=True, slots=True)
class AccessPlace:
    """Bytes of guest memory.

    Attributes:
        base: the number of a value.
        distance: the bytes from that address to the first one.
        size: how many there are.
    """

    base: int
    distance: int
    size: int

    def has(self, other: AccessPlace) -> bool:
        """Whether all bytes of another place are among these."""
        inner = other.distance - self.distance
        return self.base == other.base and 0 <= inner <= self.size - other.size

    def is_apart(self, other: AccessPlace) -> bool:
        """Whether it is certain that they have no byte in common."""
        first, second = sorted((self, other), key=lambda place: place.distance)
        is_behind = first.distance + first.size <= second.distance <= _HALF - second.size
        return self.base == other.base and is_behind


@dataclass(frozen=True, slots=True)
class CheckedPlace:
    """A place that was looked at.

    Attributes:
        place: the place.
        is_store: whether something was stored there.
        address: the name of its address.
        pointer: the name of the stack pointer.
        line: the number of an empty line of the assembler, behind what is done if it was bad.
    """

    place: AccessPlace
    is_store: bool
    address: str
    pointer: str
    line: int


class CheckedPlaces:
    """The values of a block and the places that it has looked at."""

    def __init__(self) -> None:
        self._new = itertools.count(1)
        self._values: dict[Varnode, _Value] = {}
        self._computed: dict[Hashable, int] = {}
        self._memory: dict[AccessPlace, _Value] = {}
        self._checked: list[CheckedPlace] = []

    def forget(self) -> None:
        """Forget all: a block begins."""
        self._values.clear()
        self._computed.clear()
        self._memory.clear()
        self._checked.clear()

    def begin(self) -> None:
        """Begin an instruction, which has temporary values of its own."""
        for one in [one for one in self._values if one.space is Space.TEMPORARY]:
            del self._values[one]

    def drop_checked(self) -> None:
        """Forget the places: the stack pointer rises, and what lies below it is dead."""
        self._checked.clear()

    def place(self, address: Varnode, size: int) -> AccessPlace:
        """The place of an access."""
        base, distance = self._value(address)
        return AccessPlace(base, distance, size)

    def is_relative(self, place: AccessPlace, registers: Iterable[Varnode]) -> bool:
        """Whether the address of a place is that in a register and a number, or a number."""
        return place.base in (0, *(self._value(register)[0] for register in registers))

    def checked(self, place: AccessPlace, *, is_store: bool) -> CheckedPlace | None:
        """A place with all bytes of this one that was looked at; a store asks for a store."""
        known = (one for one in self._checked if one.is_store or not is_store)
        return next((one for one in known if one.place.has(place)), None)

    def keep(self, checked: CheckedPlace) -> None:
        """Keep a place that was looked at."""
        self._checked.append(checked)

    def load(self, place: AccessPlace, output: Varnode) -> None:
        """A value is loaded."""
        value = self._memory.setdefault(place, (next(self._new), 0))
        self._write(output, value)

    def store(self, place: AccessPlace, what: Varnode) -> None:
        """A value is stored: what lies there, or may lie there, is another."""
        value = self._value(what)
        self._memory = {one: kept for one, kept in self._memory.items() if one.is_apart(place)}
        self._memory[place] = value

    def compute(self, operation: Operation) -> None:
        """A value is computed."""
        output = operation.output
        assert output is not None
        inputs = tuple(map(self._value, operation.inputs))
        result = _sum(operation, inputs)
        if result is None:
            sizes = (output.size, *(one.size for one in operation.inputs))
            key = operation.opcode, sizes, inputs
            result = self._computed.setdefault(key, next(self._new)), 0
        self._write(output, result)

    def _value(self, varnode: Varnode) -> _Value:
        if varnode.space is Space.CONSTANT:
            if varnode.size <= _WORD:
                return 0, _signed(varnode.offset)
            return self._computed.setdefault(varnode, next(self._new)), 0
        if varnode not in self._values:
            self._values[varnode] = next(self._new), 0
        return self._values[varnode]

    def _write(self, output: Varnode, value: _Value) -> None:
        for one in [one for one in self._values if one.overlaps(output)]:
            del self._values[one]
        self._values[output] = value


def _sum(operation: Operation, inputs: tuple[_Value, ...]) -> _Value | None:
    """The value of a copy, or of an address to which a number is added; None for anything else."""
    if operation.opcode is Opcode.COPY:
        return inputs[0]
    if operation.opcode is Opcode.INT_OR and inputs[0] == inputs[1]:  # mr r4,r3 is or r4,r3,r3
        return inputs[0]
    if operation.output is None or operation.output.size != _WORD or len(inputs) != 2:
        return None
    (base, distance), (other, more) = inputs
    if operation.opcode is Opcode.INT_ADD and 0 in (base, other):
        return base or other, _signed(distance + more)
    if operation.opcode is Opcode.INT_SUB and not other:
        return base, _signed(distance - more)
    return None


def _signed(value: int) -> int:
    """A distance, which wraps round as an address does."""
    return (value + _HALF) % (2 * _HALF) - _HALF
