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
from emu.cases.parts import Scene
from emu.cases.scenes import scene_of
from emu.domain.dimensions import COUNT, Box, Dimension
from emu.verify.changed_scenes import ChangedScene, Value, fields_of
from emu.verify.fills import Fill
from emu.verify.verdicts import SceneSpec

_FILLS = (Fill.LOADED, Fill.POISON, Fill.NOISE)
_MOST_CORNERS = 4  # dimensions of which every corner is tried
_NEAR = 32  # how far from a limit most values are that are near it


@dataclass(frozen=True, slots=True)
class Beyond:
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
        self._seed = seed
        self._made = 0

    def make(self, box: Box, count: int, beyond: Beyond | None = None) -> list[ChangedScene]:
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
        self, box: Box, number: int, beyond: Beyond | None, random: np.random.Generator
    ) -> ChangedScene:
        spec = self._specs[int(random.integers(len(self._specs)))]
        fill = _FILLS[int(random.integers(len(_FILLS)))]
        spec = replace(spec, fill=fill, objects=self._count(box, spec, number, beyond, random))
        try:
            scene = scene_of(self._case, *spec.scene)
        except UsageError:
            return ChangedScene(spec)  # whoever runs it is told why
        wanted = [one for one in self._dimensions if one.field and one.name in box]
        corners = 1 << min(len(wanted), _MOST_CORNERS)
        is_across = corners <= number < 2 * corners
        rows = self._rows(scene, -1 if is_across else number, random)
        fields: dict[str, Value] = {}
        for place, one in enumerate(wanted):
            value = fields.get(one.field, fields_of(scene)[one.field])
            is_array = isinstance(value, np.ndarray)
            array = np.atleast_1d(np.array(value))
            part = array.reshape(-1) if one.column < 0 else array[:, one.column]
            chosen = rows.get(len(part)) if len(part) else None
            if chosen is None:
                continue
            low, high = box[one.name]
            _bring_in(part, low, high)
            for index, row in enumerate(chosen):
                is_far = number >> place & 1 if place < _MOST_CORNERS else 0
                if beyond is not None and beyond.dimension.name == one.name:
                    opposite = (low, high)[1 - beyond.side]
                    at_face = _at_face(beyond, (low, high), index, random)
                    part[row] = opposite if is_across and is_far & row else at_face
                elif is_across and place < _MOST_CORNERS:
                    part[row] = high if is_far & row else low
                elif number < corners and place < _MOST_CORNERS:
                    part[row] = high if is_far else low
                else:
                    part[row] = _within(int(np.floor(part[row])), low, high, random)
            array.setflags(write=False)
            fields[one.field] = array if is_array else _as(value, array)
        return ChangedScene(spec, fields)

    def _count(
        self,
        box: Box,
        spec: SceneSpec,
        number: int,
        beyond: Beyond | None,
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
        """For each length of an array, the rows that are set: one, two, a few, or all (-1)."""
        found = {}
        fields = fields_of(scene)
        for one in self._dimensions:
            length = len(one.of(scene)) if one.field in fields else 0
            if length and length not in found:
                most = (1, 2, 4, length)[number % 4]
                chosen = random.permutation(length)[: min(most, length)]
                found[length] = [int(row) for row in chosen]
        return found


def _bring_in(values: NDArray[Any], low: int, high: int) -> None:
    """Bring what lies outside a range into it, as spread as it is, which limits would heap up."""
    outside = (values < low) | (values > high)
    if outside.any():
        wide = values[outside].astype(np.float64 if values.dtype.kind == "f" else np.int64)
        values[outside] = low + (wide - low) % max(high - low, 1)


def _at_face(
    beyond: Beyond, inside: tuple[int, int], index: int, random: np.random.Generator
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
