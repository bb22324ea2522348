"""Changes scenes at random: numbers, rows, bytes and texts in their fields, and their length.

The changes are those of AFL and libFuzzer (flip, set to a number that matters, add a little, copy
from elsewhere), made on the values of arrays instead of on bytes of a file. Numbers that matter are
the limits of types, powers of two, and those that the program itself compares with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.cases.case import Case
from emu.cases.keys.parts import Scene
from emu.cases.scenes import keep_objects
from emu.verify.scenes.changed_scenes import Row, Value, fields_of, with_fields

_LARGEST_STEP = 35  # as far as AFL steps (ARITH_MAX of its config.h)
_MOST_CHANGES = 4
_MOST_PARTS = 8
_MOST_BYTES = 4096

POWERS = tuple(
    sorted({sign * (1 << n) + d for n in range(32) for d in (-1, 0, 1) for sign in (1, -1)})
)
"""The powers of two up to 31 bits and their neighbours, of both signs."""


class Mutator:
    """Makes scenes from scenes.

    Args:
        case: the case.
        numbers: numbers that matter to its programs.
        random: where chance comes from.
    """

    def __init__(self, case: Case, numbers: Sequence[int], random: np.random.Generator) -> None:
        self._case = case
        self._numbers = tuple(numbers)
        self._most_items = max(case.objects)  # programs seldom have room for more
        self._random = random

    def change(self, scene: Scene, other: Scene, pairs: Sequence[tuple[int, int]] = ()) -> Scene:
        """A scene that differs from ``scene``, perhaps by a part of ``other``.

        Args:
            scene: the scene.
            other: another one.
            pairs: numbers that a program has compared on the scene, unsigned of 32 bits.

        Raises:
            UsageError: the scene's class refuses the values.
        """
        choice = self._random.random()
        if scene.objects > 1 and choice < 0.25:
            scene = self._shorter(scene)
        elif 0 < scene.objects < self._most_items and choice < 0.4:
            scene = self._longer(scene)
        fields = fields_of(scene)
        names = [name for name, value in fields.items() if value is not None and _size(value)]
        if not names:
            return scene
        if pairs and self._random.random() < 0.3:
            pair = pairs[self._below(len(pairs))]
            led = self._matched(fields, names, pair) or self._stepped(fields, names, pair)
            if led:
                return with_fields(self._case, scene, led)
        others = fields_of(other)
        changed: dict[str, Value] = {}
        for _ in range(1 + int(self._random.geometric(0.5)) % _MOST_CHANGES):
            name = names[self._below(len(names))]
            value = changed.get(name, fields[name])
            changed[name] = self._changed(value, others.get(name))
        return with_fields(self._case, scene, changed)

    def _shorter(self, scene: Scene) -> Scene:
        """The scene with some of its items only; as it is if it cannot do without."""
        count = scene.objects
        if self._random.random() < 0.5:
            kept = self._random.choice(count, min(count, 1 + self._below(3)), replace=False)
        else:
            start = self._below(count)
            end = start + 1 + self._below(count - start)
            kept = np.r_[0:start, end:count] if end - start < count else np.arange(1)
        try:
            return keep_objects(self._case, scene, np.sort(kept))
        except UsageError:
            return scene

    def _longer(self, scene: Scene) -> Scene:
        """The scene with some of its items twice or more often; as it is if it refuses them."""
        count = scene.objects
        more = 1 + self._below(3) if self._random.random() < 0.5 else 1 + self._below(count)
        added = self._random.integers(count, size=more)
        try:
            return keep_objects(self._case, scene, np.r_[0:count, added][: self._most_items])
        except UsageError:
            return scene

    def _matched(
        self, fields: Mapping[str, Value], names: Sequence[str], pair: tuple[int, int]
    ) -> dict[str, Value]:
        """A field in which one of two compared numbers gives way to the other, or to one beside it.

        Nothing if no field has either of them.
        """
        first = self._below(2)
        old, new = pair[first], pair[1 - first]
        new += self._below(3) - 1
        places = [
            (name, int(place))
            for name in names
            for place in np.flatnonzero(_low_bits(fields[name]) == old)
        ]
        if not places:
            return {}
        name, place = places[self._below(len(places))]
        value = fields[name]
        if isinstance(value, np.ndarray):
            changed = value.copy()
            self._put(changed, place, _signed(new) if value.dtype.kind in "if" else new)
            changed.setflags(write=False)
            return {name: changed}
        if isinstance(value, (str, bytes, tuple)):
            return {name: _with_byte(value, place, new & 0xFF)}
        return {name: type(value)(_signed(new))}  # type: ignore[misc]

    def _stepped(
        self, fields: Mapping[str, Value], names: Sequence[str], pair: tuple[int, int]
    ) -> dict[str, Value]:
        """A number further by what two compared numbers lack, or by a small part of that.

        What is compared is often a number of the scene and a constant, or several times that. So a
        comparison of ``3 * x + 5`` comes out even by one step. Nothing if the field has no number.
        """
        step = _signed(pair[1] - pair[0]) // (1 + self._below(_MOST_PARTS))
        step = step if self._below(2) else -step
        name = names[self._below(len(names))]
        value = fields[name]
        if isinstance(value, np.ndarray) and value.dtype.kind in "iu":
            changed = value.copy()
            place = self._below(changed.size)
            self._put(changed, place, int(changed.flat[place]) + step)
            changed.setflags(write=False)
            return {name: changed}
        is_number = isinstance(value, int) and not isinstance(value, bool)
        return {name: value + step} if is_number else {}  # type: ignore[operator]

    def _changed(self, value: Value, other: Value) -> Value:
        if isinstance(value, np.ndarray):
            return self._array(value, other if isinstance(other, np.ndarray) else value)
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return self._number(value)
        if isinstance(value, float):
            return float(self._number(int(value))) / (1 << self._below(4))
        if isinstance(value, bytes):
            return self._bytes(value)
        if isinstance(value, str):
            return self._bytes(value.encode("mac_roman", "replace")).decode("mac_roman")
        if isinstance(value, tuple):
            return self._row(value, other if isinstance(other, tuple) else value)
        return value

    def _row(self, row: Row, other: Row) -> Row:
        """Texts of which one is changed, or copied from elsewhere."""
        place = self._below(len(row))
        is_copied = self._random.random() < 0.3
        new = other[self._below(len(other))] if is_copied else self._changed(row[place], None)
        return (*row[:place], new, *row[place + 1 :])

    def _array(self, array: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
        """An array with some elements changed, or with a row copied from elsewhere."""
        changed = array.copy()
        rows = len(changed) if changed.ndim else 0
        choice = self._random.random()
        if rows > 1 and choice < 0.3:  # two items alike, or nearly
            source = other if other.shape[1:] == changed.shape[1:] and len(other) else changed
            changed[self._below(rows)] = source[self._below(len(source))]
            choice = self._random.random()
        if changed.dtype.kind == "b":
            place = self._below(changed.size)
            changed.flat[place] = not changed.flat[place]
        elif choice < 0.9:
            place = self._below(changed.size)
            self._put(changed, place, self._number(int(changed.flat[place])))
            if choice < 0.1:
                changed[:] = changed.flat[place]
        else:
            column = self._below(changed.shape[-1])
            step = self._number(0)
            for place in range(column, changed.size, changed.shape[-1]):
                self._put(changed, place, int(changed.flat[place]) + step)
        changed.setflags(write=False)
        return changed

    def _put(self, array: NDArray[Any], place: int, number: int) -> None:
        """Set an element to the number, or to the nearest that its type has."""
        if array.dtype.kind in "iu":
            limits = np.iinfo(array.dtype)
            number = min(max(number, int(limits.min)), int(limits.max))
        array.flat[place] = number

    def _number(self, number: int) -> int:
        choice = self._random.random()
        if choice < 0.35:
            return number + self._below(2 * _LARGEST_STEP + 1) - _LARGEST_STEP
        if choice < 0.45:
            return number + POWERS[self._below(len(POWERS))]
        if choice < 0.75 and self._numbers:
            near = self._numbers[self._below(len(self._numbers))]
            return near + self._below(3) - 1
        if choice < 0.85:
            return -number
        return POWERS[self._below(len(POWERS))]

    def _bytes(self, data: bytes) -> bytes:
        changed = bytearray(data)
        place = self._below(len(changed)) if changed else 0
        count = 1 + self._below(8)
        choice = self._below(4)
        if choice == 0 and changed:
            changed[place] = self._number(changed[place]) & 0xFF
        elif choice == 1:
            changed[place:place] = self._random.bytes(count)
        elif choice == 2:
            del changed[place : place + count]
        else:
            changed[place:place] = changed[place : place + count] * (1 + self._below(4))
        return bytes(changed[:_MOST_BYTES])

    def _below(self, bound: int) -> int:
        return int(self._random.integers(bound))


def _with_byte(value: str | bytes | Row, place: int, byte: int) -> str | bytes | Row:
    """A text, or texts, with another byte at a place; places count through all texts."""
    if isinstance(value, tuple):
        number = 0
        while place >= len(value[number]):
            place -= len(value[number])
            number += 1
        text = _with_byte(value[number], place, byte)
        return (*value[:number], text, *value[number + 1 :])
    changed = bytearray(value if isinstance(value, bytes) else value.encode("mac_roman", "replace"))
    changed[place] = byte
    return bytes(changed) if isinstance(value, bytes) else changed.decode("mac_roman")


def _low_bits(value: Value) -> NDArray[np.int64]:
    """The numbers of a field as unsigned ones of 32 bits; of texts their bytes; of others none."""
    if isinstance(value, tuple):
        return np.concatenate([_low_bits(one) for one in value])
    if isinstance(value, str):
        value = value.encode("mac_roman", "replace")
    if isinstance(value, bytes):
        return np.frombuffer(value, np.uint8).astype(np.int64)
    if value is None or isinstance(value, bool):
        return np.zeros(0, np.int64)
    numbers = np.asarray(value).ravel()
    if numbers.dtype.kind == "f":
        numbers = np.where(abs(numbers) < 2.0**31, numbers, 0)
    return numbers.astype(np.int64) & 0xFFFFFFFF


def _signed(number: int) -> int:
    """A number of 32 bits with a sign."""
    low = number & 0xFFFFFFFF
    return low - (1 << 32) if low >> 31 else low


def _size(value: Value) -> int:
    return value.size if isinstance(value, np.ndarray) else 1
