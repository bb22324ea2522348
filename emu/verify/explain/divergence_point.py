"""Finds the first value that two executions of one scene store differently.

Every store to a variable is recorded in both executions. They cannot be compared store by store,
because another compiler keeps other values in registers and stores in another order. So only
variables that end with different values are looked at, and each has its own history: the values
that it held one after the other. The two executions part at the first difference in any of these
histories, in the order of the first execution.

For example, gCount may hold 1, 2, 3 in one execution and 1, 2, 4 in the other: they part at the
store of 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from emu.base.errors import CaseError, GuestError, UsageError
from emu.cases.keys.parts import Scene
from emu.machine.engine.watch.trace import Store
from emu.verify.batches.bench import Bench
from emu.verify.calls.preceding_calls import PrecedingCallError
from emu.verify.places.named_places import NamedPlaces, Place
from emu.verify.scenes.fills import Preparation

_BEFORE = 5  # earlier stores that are told


@dataclass(frozen=True, slots=True)
class StoredValue:
    """A value that an execution stored in a variable.

    Attributes:
        place: the variable, its element or member.
        value: the value, in words.
        location: the instruction, as address and source line.
        call: which of several calls; "" if there is one.
        registers: the general registers just before it, by name.
    """

    place: str
    value: str
    location: str
    call: str
    registers: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class DivergentExecution:
    """One execution at the point where the two part.

    Attributes:
        name: the program.
        value: the value that the variable holds from there on, in words.
        stored: the store of it; None if this execution never stores another value there.
        before: the last stores before that, oldest first.
    """

    name: str
    value: str
    stored: StoredValue | None
    before: tuple[StoredValue, ...]


@dataclass(frozen=True, slots=True)
class DivergencePoint:
    """Where two executions of one scene part.

    Attributes:
        place: the variable, its element or member that gets different values.
        one: the first execution.
        other: the second.
        differing: how many variables, elements and members differ in the end.
    """

    place: str
    one: DivergentExecution
    other: DivergentExecution
    differing: int


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Two executions of one scene, side by side.

    Attributes:
        one: the first program.
        other: the second.
        stores: how many values each of them stored in variables.
        parting: where they part; None if all variables are equal in the end.
        problem: why they could not be compared; "" if they were.
    """

    one: str
    other: str
    stores: tuple[int, int] = (0, 0)
    parting: DivergencePoint | None = None
    problem: str = ""


def compare_executions(
    one: tuple[str, Bench],
    other: tuple[str, Bench],
    scene: Scene,
    preparation: Preparation,
) -> SideBySide:
    """Run two programs of a case on a scene, and find where they part.

    Args:
        one: a name of the first program, and the case on it.
        other: the second, likewise.
        scene: the scene.
        preparation: how memory is filled before the call.
    """
    try:
        first, second = (_Run(*program, scene, preparation) for program in (one, other))
    except (PrecedingCallError, CaseError, GuestError, UsageError) as error:
        return SideBySide(one[0], other[0], problem=str(error))
    stores = len(first.stored), len(second.stored)
    return SideBySide(first.name, second.name, stores, _find_parting(first, second))


class _Run:
    """What one execution stores in variables, in order, and the values that each has had.

    Attributes:
        name: the program.
        stored: the stores.
        values: for each place its values, none twice in a row, each with the index of its store;
            the first is what the place held before, with -1.
    """

    def __init__(self, name: str, bench: Bench, scene: Scene, preparation: Preparation) -> None:
        self.name = name
        self.stored: list[StoredValue] = []
        self.values: dict[str, list[tuple[str, int]]] = {}
        self._machine = bench.machine
        images = bench.before([scene], [preparation])
        bound, self._image = images.bound, images.before[0]
        self._places = NamedPlaces(bench.machine.program, bound.variables)
        for call, trace in bound.calls.histories(self._image.copy(), images.around[0]):
            if not trace.completed:
                raise GuestError(f"{name} does not return from this scene")
            for store in trace.history:
                if self._machine.data.room(store.address) >= len(store.data):  # not the stack
                    self._note(store, call)

    def last(self, place: str) -> str | None:
        """What a place holds at the end; None if nothing was stored there."""
        row = self.values.get(place)
        return row[-1][0] if row else None

    def _note(self, store: Store, call: str) -> None:
        places = self._touched(store)
        for place in places:
            if place.name not in self.values:
                self.values[place.name] = [(self._words(place), -1)]
        offset = self._machine.data.offset(store.address)
        self._image[offset : offset + len(store.data)] = np.frombuffer(store.data, np.uint8)
        for place in places:
            row = self.values[place.name]
            if place.type.size > len(store.data) and self.stored[-1:]:
                self._forget_half(place, row)
            if (words := self._words(place)) != row[-1][0]:
                row.append((words, len(self.stored)))
            self.stored.append(self._stored(place, words, store, call))

    def _forget_half(self, place: Place, row: list[tuple[str, int]]) -> None:
        """Let two parts of a number that are stored one after the other be one store."""
        if self.stored[-1].place == place.name:
            self.stored.pop()
            if row[-1][1] == len(self.stored):
                row.pop()

    def _touched(self, store: Store) -> list[Place]:
        """The places that a store writes to, or to a part of which."""
        by_name: dict[str, Place] = {}
        for address in range(store.address, store.address + len(store.data)):
            place = self._places.at(address)
            if place is not None:
                by_name[place.name] = place
        return list(by_name.values())

    def _words(self, place: Place) -> str:
        offset = self._machine.data.offset(place.address)
        return self._places.words(place, self._image[offset : offset + place.type.size].tobytes())

    def _stored(self, place: Place, words: str, store: Store, call: str) -> StoredValue:
        location = str(self._machine.program.locate(store.instruction))
        names = self._machine.cpu.general_registers
        return StoredValue(
            place.name, words, location, call, dict(zip(names, store.registers, strict=True))
        )


def _find_parting(first: _Run, other: _Run) -> DivergencePoint | None:
    """Where two executions part."""
    never = len(first.stored) + len(other.stored)
    differing = [
        place
        for place in dict.fromkeys([*first.values, *other.values])
        if _last(first, other, place) != _last(other, first, place)
    ]
    partings = []
    for place in differing:
        rows = [run.values.get(place, []) for run in (first, other)]
        same = 0
        while same < min(map(len, rows)) and rows[0][same][0] == rows[1][same][0]:
            same += 1
        same = max(same, 1)  # rubbish that a place begins with is no difference
        times = [row[same][1] if same < len(row) else never for row in rows]
        partings.append((times, place))
    if not partings:
        return None
    times, place = min(partings)
    sides = [_side(run, place, time) for run, time in zip((first, other), times, strict=True)]
    return DivergencePoint(place, sides[0], sides[1], len(differing))


def _last(run: _Run, other: _Run, place: str) -> str | None:
    """What a place holds at the end; what it held at first if only the other stores there."""
    return run.last(place) if place in run.values else other.values[place][0][0]


def _side(run: _Run, place: str, index: int) -> DivergentExecution:
    stored = run.stored[index] if index < len(run.stored) else None
    if stored is None:
        value = run.last(place) or "what it held before"
        return DivergentExecution(run.name, value, None, tuple(run.stored[-_BEFORE:]))
    return DivergentExecution(
        run.name, stored.value, stored, tuple(run.stored[max(0, index - _BEFORE) : index])
    )
