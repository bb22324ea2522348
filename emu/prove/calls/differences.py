"""Says with which inputs a path leaves something else than what is right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import z3

from emu.lift.terms import Condition, Value, simple_condition, term
from emu.machine.memory import layout
from emu.prove.calls.answers import Answer, holds, require_comparable
from emu.prove.calls.entry import (
    Entry,
    address_of,
    out_of_range,
    stored,
    table_of,
)
from emu.prove.calls.inputs import range_in
from emu.prove.numbers.limits import UndecidedError
from emu.prove.numbers.products import Products
from emu.prove.numbers.whole import Number, number_of
from emu.prove.paths.state import PathState
from emu.verify.places.slots.fields import Slot


@dataclass(frozen=True, slots=True)
class SpecificationChange:
    """A mistake that is made in the specification on purpose.

    Attributes:
        place: the slot's name and the index of the value whose lowest bit is turned round.
        condition: the inputs with which it is.
    """

    place: tuple[str, tuple[int, ...]]
    condition: z3.BoolRef


class PathDifferences:
    """Compares what paths of one routine leave with answers.

    Args:
        entry: the call.
        answers: what is right.
        products: tells of terms with products that they are equal.
    """

    def __init__(self, entry: Entry, answers: Sequence[Answer], products: Products) -> None:
        self._entry = entry
        self._products = products
        self._answers = [answer for answer in answers if not answer.refusal]
        self._observed = entry.bench.bound.slots.observed
        for slot in self._observed:
            if any(slot.phrase.attribute in answer.given for answer in self._answers):
                require_comparable(slot)
        machine = entry.bench.machine
        padding = entry.bench.usual.differences.padding
        self._uncompared = {machine.data.address(int(offset)) for offset in padding}
        self._tables = {slot.name: table_of(entry, slot) for slot in self._observed}
        self._own = self._answered_bytes()
        self._preserved = list(self._preserved_registers())

    @property
    def compared(self) -> tuple[str, ...]:
        """The observed places that some answer has."""
        return tuple(
            slot.name
            for slot in self._observed
            if any(slot.phrase.attribute in answer.given for answer in self._answers)
        )

    def places(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """The single values that the first answer has: the slot's name, and the index."""
        for answer in self._answers[:1]:
            for slot in self._observed:
                for index, _ in _numbers(answer.given, slot):
                    yield slot.name, index

    def of(self, state: PathState, change: SpecificationChange | None = None) -> z3.BoolRef:
        """Holds of the inputs of a path with which it is wrong.

        Args:
            state: what the path leaves.
            change: a mistake to be made in the specification.
        """
        wrong = [*self._broken(state), *self._strays(state)]
        for answer in self._answers:
            differences = [*self._wrong(state, answer, change)]
            if differences:
                wrong.append(z3.And(holds(answer.conditions), z3.Or(*differences)))
        return z3.And(z3.Or(False, *wrong), self.is_answered())

    def is_answered(self) -> z3.BoolRef:
        """Holds of the inputs of which the specification says something."""
        return z3.Or(False, *(holds(answer.conditions) for answer in self._answers))

    def _wrong(
        self, state: PathState, answer: Answer, change: SpecificationChange | None
    ) -> Iterator[z3.BoolRef]:
        """The observed values that are not those of an answer."""
        for slot in self._observed:
            size, table = slot.type.size, self._tables[slot.name]
            low, high = range_in(self._entry.bench.bound, slot)
            for index, number in _numbers(answer.given, slot):
                wanted = stored(slot, number, table)
                found = state.memory.get(address_of(self._entry, slot, index), size)
                differs = list(self._differ(found, wanted, size))
                if change is not None and change.place == (slot.name, index):
                    yield from (z3.And(z3.Not(change.condition), each) for each in differs)
                    differs = list(_unequal(found, term(wanted, size) ^ 1, size))
                    yield from (z3.And(change.condition, each) for each in differs)
                    continue
                yield from differs
                if (misfit := out_of_range(slot, number, low, high)) is not False:
                    yield z3.BoolVal(misfit) if isinstance(misfit, bool) else misfit

    def _differ(self, one: Value, other: Value, size: int) -> Iterator[z3.BoolRef]:
        """As `_unequal`, but products by parts are known to be equal to whole ones."""
        for differs in _unequal(one, other, size):
            if not self._products.are_same(term(one, size), term(other, size)):
                yield differs

    def _strays(self, state: PathState) -> Iterator[z3.BoolRef]:
        """What was changed besides, in data memory and in the caller's frame."""
        entry = self._entry
        data = entry.bench.machine.data
        own = self._own
        frame = range(
            entry.stack_pointer + entry.site.form.stack_bytes,
            entry.stack_pointer + layout.CALLER_FRAME,
        )
        for address, byte in state.memory.bytes.items():
            if address in own or address in self._uncompared:
                continue
            if not (address in frame or data.room(address)):
                continue
            before = entry.before.bytes.get(address)
            if before is byte or (isinstance(before, int) and before == byte):
                continue
            yield from _unequal(state.memory.get(address, 1), entry.before.get(address, 1), 1)

    def _answered_bytes(self) -> set[int]:
        """The bytes that answers say something of, and those that they leave free.

        Raises:
            UndecidedError: answers on different paths say something of different places.
        """
        own: set[int] = set()
        field = self._entry.site.result
        if field is not None:
            start = self._entry.site.address + field.offset
            own |= set(range(start, start + field.type.size))
        for slot in self._observed:
            said = {frozenset(i for i, _ in _numbers(a.given, slot)) for a in self._answers}
            if len(said) > 1:
                attribute = slot.phrase.attribute
                raise UndecidedError(f"the specification's {attribute} has several lengths")
            is_free = not any(slot.phrase.attribute in a.given for a in self._answers)
            for index in np.ndindex(slot.shape) if is_free else next(iter(said)):
                at = address_of(self._entry, slot, index)
                own |= set(range(at, at + slot.type.size))
        return own

    def _broken(self, state: PathState) -> Iterator[z3.BoolRef]:
        """The rules of the calling convention that a path breaks."""
        entry = self._entry
        where = entry.registers.stack_pointer
        popped = entry.stack_pointer + entry.site.form.popped
        yield from _unequal(state.registers.get(where.offset, 4), popped, 4)
        for offset, size, value in self._preserved:
            yield from _unequal(state.registers.get(offset, size), value, size)

    def _preserved_registers(self) -> Iterator[tuple[int, int, Value]]:
        """The registers that a routine must leave as they were: offset, size and value."""
        entry = self._entry
        machine = entry.bench.machine
        file = machine.convention.registers(machine.cpu)
        mask = machine.convention.preserved_mask(machine.cpu)
        fields: Mapping[str, Any] = file.fields or {}
        for name, where in entry.registers.named.items():
            if name in fields:
                at = int(fields[name][1])
                is_whole = bool((mask[at : at + where.size] == 0xFF).all())
                if is_whole or name in machine.program.registers:
                    yield (
                        where.offset,
                        where.size,
                        entry.state.registers.get(where.offset, where.size),
                    )
        if "cr" in fields:
            at = int(fields["cr"][1])
            word = int.from_bytes(mask[at : at + 4].tobytes(), "big")
            for place, where in enumerate(entry.registers.fields):
                if word >> 28 - 4 * place & 0xF:
                    yield where.offset, 1, entry.state.registers.get(where.offset, 1)


def _numbers(given: Mapping[str, Any], slot: Slot) -> Iterator[tuple[tuple[int, ...], Number]]:
    """The numbers that an answer has for a slot, with their indices; masked ones are left out.

    Raises:
        UndecidedError: it has something else than whole numbers, or an array of another shape.
    """
    attribute = slot.phrase.attribute
    if attribute not in given:
        return
    value = given[attribute]
    mask = np.ma.getmaskarray(value) if isinstance(value, np.ma.MaskedArray) else None
    values = np.asarray(value, object)
    if values.ndim != len(slot.shape) or any(
        a > b for a, b in zip(values.shape, slot.shape, strict=True)
    ):
        raise UndecidedError(
            f"the specification's {attribute} has shape {values.shape}, {slot.name} {slot.shape}"
        )
    for index in np.ndindex(values.shape):
        if mask is not None and mask[index]:
            continue
        number = number_of(values[index])
        if number is None:
            kind = type(values[index]).__name__
            raise UndecidedError(f"the specification's {attribute} is a {kind}, not a whole number")
        yield index, number


def _unequal(one: Value, other: Value, size: int) -> Iterator[z3.BoolRef]:
    """That two values differ; nothing if they are the same for certain."""
    if isinstance(one, int) and isinstance(other, int):
        if one != other:
            yield z3.BoolVal(True)
        return
    differ: Condition = simple_condition(term(one, size) != term(other, size))
    if not isinstance(differ, bool):
        yield differ
    elif differ:
        yield z3.BoolVal(True)
