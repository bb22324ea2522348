"""Makes scenes within a box of values: at a face of it, in its corners, and anywhere inside.

In some scenes all items are in one corner; in some they lie in turn at one face and at the opposite
one, so that differences are as large as they can be.

Rows of arrays that have the same length belong together: the row of one item. Of a few items, or of
all, values are set; the others keep theirs as far as the box has them, so that scenes stay like
those of the case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.cases.case import Case
from emu.cases.keys.parts import Scene
from emu.cases.scenes import scene_of
from emu.search.domain.dimensions import COUNT, Box, Dimension
from emu.verify.scenes.changed_scenes import ChangedScene, Value, fields_of
from emu.verify.scenes.fills import Fill
from emu.verify.scenes.scene_spec import SceneSpec

_MOST_CORNERS = 4  # dimensions of which every corner is tried
_ALL = -1  # the number of a scene in which all rows are set
_NEAR = 32  # how far from a limit most values are that are near it


@dataclass(frozen=True, slots=True)
class OutsideValue:
    """A value outside of a box, of one dimension.

    Attributes:
        dimension: which.
        side: 0 below the box, 1 above.
        value: the value; others of the same scene may lie between it and the box.
    """

    dimension: Dimension
    side: int
    value: int


class Probes:
    """Makes scenes.

    Args:
        case: the case.
        dimensions: what is changed.
        specs: scenes of the case that are changed.
        seed: the seed of chance.
    """

    def __init__(
        self, case: Case, dimensions: Sequence[Dimension], specs: Sequence[SceneSpec], seed: int
    ) -> None:
        self._case = case
        self._dimensions = dimensions
        self._specs = specs
        self._several = [spec for spec in specs if spec.objects > 1] or specs
        self._seed = seed
        self._made = 0

    def make(self, box: Box, count: int, beyond: OutsideValue | None = None) -> list[ChangedScene]:
        """Scenes whose values of these dimensions are within a box, but for one.

        Args:
            box: the ranges; a dimension that is not in it is left as it is.
            count: how many scenes.
            beyond: a value that every scene has at least once.
        """
        self._made += 1
        random = np.random.Generator(np.random.PCG64([self._seed, self._made]))
        return [self._one(box, number, beyond, random) for number in range(count)]

    def _one(
        self, box: Box, number: int, beyond: OutsideValue | None, random: np.random.Generator
    ) -> ChangedScene:
        wanted = [
            dimension for dimension in self._dimensions if dimension.field and dimension.name in box
        ]
        choice = _Choice(number, 1 << min(len(wanted), _MOST_CORNERS), beyond, random)
        specs = self._several if choice.is_across else self._specs
        spec = specs[int(random.integers(len(specs)))]
        fills = Fill.of_changed(self._case)
        fill = fills[int(random.integers(len(fills)))]
        spec = replace(spec, objects=self._count(box, spec, number, beyond, random))
        if fill is Fill.KEPT and spec.objects not in self._case.object_counts:
            fill = Fill.LOADED  # earlier calls have the case's own scenes, of as many items
        spec = replace(spec, fill=fill)
        try:
            scene = scene_of(self._case, spec)
        except UsageError:
            return ChangedScene(spec)  # whoever runs it is told why
        rows = self._rows(scene, _ALL if choice.is_across else number, random)
        fields: dict[str, Value] = {}
        for place, dimension in enumerate(wanted):
            value = fields.get(dimension.field, fields_of(scene)[dimension.field])
            is_array = isinstance(value, np.ndarray)
            # A number alone is Python's: an unsigned one of 64 bits may be too large for NumPy.
            array = np.atleast_1d(np.array(value, object if isinstance(value, int) else None))
            part = array.reshape(-1) if dimension.column < 0 else array[:, dimension.column]
            chosen = rows.get(len(part)) if len(part) else None
            if chosen is None:
                continue
            _bring_in(part, *box[dimension.name])
            for index, row in enumerate(chosen):
                now = int(part[row] // 1)
                part[row] = choice.value(dimension, place, box[dimension.name], (index, row), now)
            array.setflags(write=False)
            fields[dimension.field] = array if is_array else _as(value, array)
        return ChangedScene(spec, fields)

    def _count(
        self,
        box: Box,
        spec: SceneSpec,
        number: int,
        beyond: OutsideValue | None,
        random: np.random.Generator,
    ) -> int:
        """How many items a scene has."""
        if beyond is not None and beyond.dimension.name == COUNT:
            return beyond.value
        low, high = box.get(COUNT, (spec.objects, spec.objects))
        if number % 8 == 7:
            return between(low, high, random)
        return min(max(spec.objects, low), high)

    def _rows(self, scene: Scene, number: int, random: np.random.Generator) -> dict[int, list[int]]:
        """For each length of an array, the rows that are set: one, two, a few, or all."""
        rows = {}
        fields = fields_of(scene)
        for dimension in self._dimensions:
            length = len(dimension.of(scene)) if dimension.field in fields else 0
            if length and length not in rows:
                most = (1, 2, 4, length)[number % 4]
                chosen = random.permutation(length)[: min(most, length)]
                rows[length] = [int(row) for row in chosen]
        return rows


@dataclass(frozen=True, slots=True)
class _Choice:
    """How the values of one scene are chosen.

    Attributes:
        number: the scene's number among those that are made together.
        corners: how many corners there are.
        beyond: a value outside of the box; None if there is none.
        random: chance.
    """

    number: int
    corners: int
    beyond: OutsideValue | None
    random: np.random.Generator

    @property
    def is_across(self) -> bool:
        """Whether items lie in turn at opposite faces."""
        return self.corners <= self.number < 2 * self.corners

    def value(
        self,
        dimension: Dimension,
        place: int,
        inside: tuple[int, int],
        at: tuple[int, int],
        now: int,
    ) -> int:
        """The value of one item.

        Args:
            dimension: the number.
            place: which it is of those that are chosen.
            inside: its range.
            at: which of the chosen items it is of, and the item's row.
            now: its value so far.
        """
        (low, high), (index, row) = inside, at
        is_corner = place < _MOST_CORNERS
        is_far = is_corner and bool(self.number >> place & 1)
        is_opposite = self.is_across and is_far and bool(row & 1)
        beyond = self.beyond
        if beyond is not None and beyond.dimension.name == dimension.name:
            if is_opposite:
                return inside[1 - beyond.side]
            return _at_face(beyond, inside, 0 if self.is_across else index, self.random)
        if self.is_across and is_corner:
            return high if is_opposite else low
        if self.number < self.corners and is_corner:
            return high if is_far else low
        return _within(now, low, high, self.random)


def _bring_in(values: NDArray[Any], low: int, high: int) -> None:
    """Bring what lies outside a range into it, as spread as it is, which limits would heap up."""
    outside = (values < low) | (values > high)
    if outside.any():
        wide = values[outside].astype(np.float64 if values.dtype.kind == "f" else object)
        values[outside] = low + (wide - low) % max(high - low, 1)


def _at_face(
    beyond: OutsideValue, inside: tuple[int, int], index: int, random: np.random.Generator
) -> int:
    """The value beyond the box; of further items also one between it and the box, or inside."""
    choice = random.random() if index else 0.0
    if choice < 0.5:
        return beyond.value
    low, high = sorted((beyond.value, inside[beyond.side]))
    if choice < 0.8:
        return between(low, high, random)
    return between(*inside, random)


def _within(now: int, low: int, high: int, random: np.random.Generator) -> int:
    """A value in a range: as it is, at a limit, near one, or anywhere."""
    choice = random.random()
    if choice < 0.25 and low <= now <= high:
        return now
    if choice < 0.4:
        return low
    if choice < 0.55:
        return high
    near = int(random.integers(min(_NEAR, high - low) + 1))
    if choice < 0.65:
        return low + near
    if choice < 0.75:
        return high - near
    return between(low, high, random)


def between(low: int, high: int, random: np.random.Generator) -> int:
    """A value in a range, which for large floats may be wider than 64 bits."""
    if low >= -(1 << 63) and high < (1 << 63) - 1:
        return int(random.integers(low, high, endpoint=True))
    return low + int(random.random() * (high - low))


def _as(value: Value, array: np.ndarray) -> Value:
    """The single number in an array, of the type of a value."""
    return float(array[0]) if isinstance(value, float) else int(array[0])
