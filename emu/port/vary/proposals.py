"""Proposes changes of a recorded call's inputs."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from emu.port.vary.floats import FloatForm
from emu.port.vary.inputs import (
    ARGUMENT,
    MEMORY,
    POINTER_SIZE,
    REGISTER,
    Changes,
    Input,
    Moment,
    Pointers,
)

_Key = TypeVar("_Key")

_HOW_MANY = (1, 1, 1, 2, 3, 5)
_ARGUMENTS, _SCALARS, _RARE = 0.3, 0.4, 0.5
_FROM_OTHERS, _FROM_CODE, _AT_BORDERS, _NIL = 0.3, 0.25, 0.1, 0.05
_REFILL = 0.35
_OF_ANOTHER = 0.1
_SHARES = (0.1, 0.3, 0.6, 1.0)
_SMALLEST_ARRAY, _STRIDE = 4, 32
_SMALL = (0, 1, 2, 3)


@dataclass(frozen=True, eq=False)
class Base:
    """A call from which changes begin: a recorded one, or a changed one that took a new path.

    Attributes:
        moment: the recorded call.
        changes: what is changed already.
        inputs: what the old function then reads.
        pointers: which values are pointers.
        stack: where the stack is. What points there is right in this call only.
        floats: the forms of those inputs that are floats.
    """

    moment: Moment
    changes: Changes
    inputs: tuple[Input, ...]
    pointers: Pointers
    stack: range
    floats: Mapping[Input, FloatForm] = field(default_factory=dict)

    @cached_property
    def arrays(self) -> list[list[Input]]:
        """Inputs of one size that lie close to one another."""
        return arrays_of(self.inputs)

    def value(self, place: Input) -> int:
        """The value of an input."""
        found = self.changes.get(place)
        return self.moment.value(place) if found is None else found


class Proposals:
    """Proposes changes; the same ones for the same seed.

    Args:
        bases: the recorded calls.
        constants: numbers in the code of the old function.
        seed: the seed.
    """

    def __init__(self, bases: Sequence[Base], constants: Collection[int], seed: int) -> None:
        self._random = random.Random(seed)
        self._counts = Counter(place for base in bases for place in base.inputs)
        self._seen: dict[Input, list[int]] = _lists(
            (place, value)
            for base in bases
            for place in base.inputs
            if (value := base.value(place)) not in base.stack
        )
        self._of_size: dict[int, list[int]] = _lists(
            (place.size, value) for place, values in self._seen.items() for value in values
        )
        near = {number + step for number in constants for step in (-1, 0, 1)}
        self._constants = sorted(near)
        self._named = {
            size: {number & (1 << 8 * size) - 1 for number in near} for size in (1, 2, 4, 8)
        }
        self._bases = [base for base in bases if base.inputs]
        self._weights = [max(1 / self._counts[i] for i in b.inputs) for b in self._bases]
        self._further: list[Base] = []

    def was_seen(self, place: Input, value: int) -> bool:
        """Whether an input had this value in a recorded call, or the old function names it."""
        return value in self._named.get(place.size, ()) or value in self._seen.get(place, ())

    @property
    def is_empty(self) -> bool:
        """Whether nothing can be changed, for no call reads anything."""
        return not self._bases

    def keep(self, base: Base) -> None:
        """Begin with this changed call, too, since it took a new path."""
        if base.inputs:
            self._further.append(base)

    def propose(self) -> tuple[Base, Changes]:
        """A call, and all that is to be changed in it."""
        base, chance = self._base(), self._random
        changes = dict(base.changes)
        if chance.random() < _OF_ANOTHER:
            changes.update(self._arguments(base, chance.choice(self._bases)))
        for _ in range(chance.choice(_HOW_MANY)):
            place = self._place(base.inputs)
            changes[place] = self._value(base, place)
        if base.arrays and chance.random() < _REFILL:
            changes.update(self._refilled(base, changes, chance.choice(base.arrays)))
        return base, changes

    def _base(self) -> Base:
        chance = self._random
        if self._further and chance.random() < _RARE:
            last = len(self._further) - 1
            return self._further[max(chance.randint(0, last), chance.randint(0, last))]
        if chance.random() < _RARE:
            return chance.choices(self._bases, self._weights)[0]
        return chance.choice(self._bases)

    def _place(self, inputs: Sequence[Input]) -> Input:
        chance = self._random
        arguments = [place for place in inputs if place.kind != MEMORY]
        others = [place for place in inputs if place.kind == MEMORY]
        if arguments and (not others or chance.random() < _ARGUMENTS):
            return chance.choice(arguments)
        scalars = [place for place in others if place.size > 1]
        if scalars and chance.random() < _SCALARS:
            others = scalars
        if chance.random() < _RARE:
            return chance.choices(others, [1 / (self._counts[place] or 1) for place in others])[0]
        return chance.choice(others)

    def _value(self, base: Base, place: Input) -> int:
        chance, now = self._random, base.value(place)
        mask = (1 << 8 * place.size) - 1
        seen = self._seen.get(place, [now])
        if place in base.floats:
            return base.floats[place].propose(chance, now, seen)
        if place.size == POINTER_SIZE and now in base.pointers:
            return self._pointer(base, place, now, seen)
        if chance.random() < _FROM_OTHERS:
            same = [
                other
                for other in base.inputs
                if other.size == place.size and other != place and other not in base.floats
            ]
            arguments = [other for other in same if other.kind in (ARGUMENT, REGISTER)]
            if arguments and chance.random() < _RARE:
                same = arguments
            if same:
                return base.value(chance.choice(same))
        if self._constants and chance.random() < _FROM_CODE:
            return chance.choice(self._constants) & mask
        if chance.random() < _AT_BORDERS:
            return chance.choice((mask, mask >> 1, (mask >> 1) + 1))
        steps = [now + 1, now - 1, *_SMALL]
        pool = self._of_size.get(place.size, [])
        more = chance.sample(pool, min(3, len(pool)))
        return chance.choice([*steps, *seen[:64], *more]) & mask

    def _arguments(self, base: Base, other: Base) -> Changes:
        """Arguments of another call, but those that point to what is of that call."""
        return {
            place: value
            for place in base.inputs
            if place.kind != MEMORY
            and place in other.inputs
            and (value := other.value(place)) not in other.pointers
            and base.value(place) not in base.pointers
        }

    def _pointer(self, base: Base, place: Input, now: int, seen: Sequence[int]) -> int:
        """Nil, or a pointer that was in the same place in another call; no two become the same."""
        chance = self._random
        if chance.random() < _NIL:
            return 0
        held = {base.value(other) for other in base.inputs if other != place}
        others = [value for value in seen if value in base.pointers and value not in held]
        return now if now in base.stack or not others else chance.choice(others)

    def _refilled(self, base: Base, changes: Changes, array: Sequence[Input]) -> Changes:
        """New contents of an array: a few values that it has had, or that lie elsewhere now."""
        chance = self._random
        values = sorted({value for place in array for value in self._seen.get(place, ())})
        if len(values) < 2:
            values = sorted({*values, *(self._of_size.get(array[0].size, ()))})[:4]
        if not values or any(base.value(place) in base.pointers for place in array[:2]):
            return {}
        values = chance.sample(values, min(len(values), chance.choice((2, 3, 4))))
        if array[0] not in base.floats and chance.random() < _FROM_OTHERS:
            other = chance.choice(base.inputs)
            mask = (1 << 8 * array[0].size) - 1
            values.append(changes.get(other, base.value(other)) & mask)
        share = chance.choice(_SHARES)
        if chance.random() < _RARE:
            first = chance.randrange(len(array))
            array = array[first : first + chance.randint(2, max(2, len(array) // 4))]
        return {place: chance.choice(values) for place in array if chance.random() < share}


def _lists(pairs: Iterable[tuple[_Key, int]]) -> dict[_Key, list[int]]:
    """The different values of each key, in the order of their first occurrence."""
    found: defaultdict[_Key, dict[int, None]] = defaultdict(dict)
    for key, value in pairs:
        found[key][value] = None
    return {key: list(values) for key, values in found.items()}


def arrays_of(inputs: Iterable[Input]) -> list[list[Input]]:
    """Inputs of one size that lie close to one another."""
    arrays: list[list[Input]] = []
    last: dict[int, list[Input]] = {}
    for place in sorted(i for i in inputs if i.kind == MEMORY):
        array = last.get(place.size)
        if array is None or place.place - array[-1].place > _STRIDE:
            array = []
            arrays.append(array)
            last[place.size] = array
        array.append(place)
    return [array for array in arrays if len(array) >= _SMALLEST_ARRAY]
