"""Moves the faces of a box outwards, as far as scenes hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np

from emu.base.errors import UsageError
from emu.cases.case import Case
from emu.search.domain.dimensions import COUNT, Box, Dimension
from emu.search.domain.execute import Executor, SceneFailure
from emu.search.domain.probes import OutsideValue, Probes
from emu.search.domain.report import BUDGET, FAILS, NO_FARTHER, REFUSED
from emu.verify.scenes.changed_scenes import ChangedScene, changed_of, fields_of

AT_A_FACE = 32
"""The scenes for each value that is tried."""

_MOST_MENDS = 40
_CONFIRMATIONS = 4  # times that the last part of the budget is enough to confirm a box


@dataclass(frozen=True, slots=True)
class Limit:
    """The farthest value of one direction that held.

    Attributes:
        value: it.
        ends: why it is the last: `FAILS`, `NO_FARTHER` or `BUDGET`.
        failed: the scene beyond it that fails.
        beyond: the value that this scene has.
    """

    value: int
    ends: str
    failed: SceneFailure | None = None
    beyond: int | None = None

    @property
    def is_refused(self) -> bool:
        """Whether nobody says what is right beyond it."""
        return self.failed is not None and self.failed.symptom.kind == REFUSED


Limits: TypeAlias = Mapping[tuple[str, int], Limit]
"""A limit for the name of each dimension and each side: 0 below, 1 above."""


class _UsedUpError(Exception):
    """The budget of scenes was used up before a box was confirmed."""


@dataclass(slots=True)
class Faces:
    """Searches for the limits of one program.

    Args:
        case: the case.
        dimensions: what is changed; a face begins at the dimension's ``start``.
        executor: runs scenes.
        probes: makes scenes.
        most: after how many scenes of this search none is run, but for one step's.
        count: how many scenes a box has to hold on.
        accepts_refused: whether a scene of which nobody says what is right holds if its call is
            safe.
    """

    case: Case
    dimensions: Sequence[Dimension]
    executor: Executor
    probes: Probes
    most: int
    count: int
    accepts_refused: bool = False
    held: int = field(default=0, init=False)
    held_refused: int = field(default=0, init=False)
    limits: dict[tuple[str, int], Limit] = field(default_factory=dict, init=False)
    _pulled: dict[tuple[str, int], int] = field(default_factory=dict, init=False)
    _first: int = field(init=False)
    _until: int = field(init=False)

    def __post_init__(self) -> None:
        self._first = self.executor.ran
        self._until = self._first + self.most - self._reserve

    @property
    def _reserve(self) -> int:
        """How many scenes of the budget are kept for boxes that have to hold."""
        return min(_CONFIRMATIONS * self.count, self.most // 2)

    def outwards(self, box: Box) -> Faces:
        """The same search, with what is left of its budget, which begins at a box that held."""
        wider = replace(
            self,
            dimensions=[
                replace(dimension, start=box[dimension.name]) for dimension in self.dimensions
            ],
        )
        wider._first, wider._until = self._first, self._until
        wider.held, wider.held_refused = self.held, self.held_refused
        return wider

    def start(self) -> Box:
        """The box in which the search begins."""
        return {dimension.name: dimension.start for dimension in self.dimensions}

    def start_fails(self) -> SceneFailure | None:
        """A scene within the starting box that fails; None if all held. It has no budget."""
        return self._fails_within(self.start(), is_bounded=False)

    def box(self, alone: Limits) -> tuple[Box, SceneFailure | None]:
        """Grow a box in all dimensions, until it holds; `limits` says why each face ends.

        Args:
            alone: how far each face may go.

        Returns:
            The box, and None; or the starting box, and a scene within it that fails.
        """
        box = dict(self.start())
        for dimension in self.dimensions:
            for side in (0, 1):
                self._move(box, dimension, side, alone[dimension.name, side])
        return self.mended(box)

    def mended(
        self, box: Box, failed: SceneFailure | None = None
    ) -> tuple[Box, SceneFailure | None]:
        """Move faces of a box in until it holds.

        Args:
            box: the box, in which the start lies.
            failed: a scene within it that fails, if one is known.

        Returns:
            As `box`.
        """
        box = dict(box)
        start = self.held, self.held_refused
        self._until += self._reserve
        try:
            for _ in range(_MOST_MENDS):
                failed = failed or self._fails_within(box, is_bounded=True)
                if failed is None:
                    return box, None
                if not self._pull(box, failed):
                    return self.start(), failed
                failed = None
        except _UsedUpError:
            pass
        finally:
            self._until -= self._reserve
        self.held, self.held_refused = start
        return self._give_up(box), None

    def alone(self, dimension: Dimension, side: int) -> Limit:
        """How far a number goes while the others keep to their starting ranges."""
        start = dict(self.start())
        end = (dimension.least, dimension.most)[side]
        return self._grow(
            dimension, side, end, lambda value: self._blamed(start, dimension, side, value)
        )

    def _fails_within(self, box: Box, *, is_bounded: bool) -> SceneFailure | None:
        self.held = self.held_refused = 0
        for begin in range(0, self.count, AT_A_FACE):
            if is_bounded and self.executor.ran >= self._until:
                raise _UsedUpError
            refused, undecided = self.executor.refused, self.executor.undecided
            scenes = self.probes.make(box, min(AT_A_FACE, self.count - begin))
            failed = self.executor.first(scenes, accepts_refused=self.accepts_refused)
            if failed is not None:
                return failed
            self.held += len(scenes) - (self.executor.undecided - undecided)
            self.held_refused += self.executor.refused - refused
        return None

    def _move(
        self, box: dict[str, tuple[int, int]], dimension: Dimension, side: int, at: Limit
    ) -> None:
        """Move a face of a box to a limit, or as far from its start to there as scenes hold."""

        def fails(value: int) -> SceneFailure | None:
            return self._blamed(box, dimension, side, value)

        if at.value != dimension.start[side]:
            failed = fails(at.value)
            if failed is not None:
                at = self._grow(dimension, side, at.value, fails, failed)
        self._set(box, dimension, side, at)

    def _set(
        self, box: dict[str, tuple[int, int]], dimension: Dimension, side: int, at: Limit
    ) -> None:
        self.limits[dimension.name, side] = at
        low, high = box[dimension.name]
        box[dimension.name] = (low, at.value) if side else (at.value, high)

    def _grow(
        self,
        dimension: Dimension,
        side: int,
        end: int,
        fails: Callable[[int], SceneFailure | None],
        failed: SceneFailure | None = None,
    ) -> Limit:
        """How far a face goes: in steps twice as long each, then by halving what is left.

        Args:
            dimension: the number.
            side: 0 downwards, 1 upwards.
            end: the farthest value.
            fails: gives a scene with a value that fails, or None.
            failed: the scene with the farthest value which fails, if that is known.
        """
        sign = 1 if side else -1
        held = dimension.start[side]
        wrong = None if failed is None else end
        step = sign
        while held != end and (wrong is None or abs(wrong - held) > 1):
            if self.executor.ran >= self._until:
                return Limit(held, BUDGET)
            tried = dimension.start[side] + step
            step *= 2
            if wrong is not None and (tried - wrong) * sign >= 0:
                tried = (held + wrong) // 2
            elif (tried - end) * sign > 0:
                tried = end
            failure = fails(tried)
            if failure is None:
                held = tried
            else:
                wrong, failed = tried, failure
                step = sign * abs(dimension.most - dimension.least + 1)  # from here on only halving
        return Limit(held, NO_FARTHER) if wrong is None else Limit(held, FAILS, failed, wrong)

    def _at(self, dimension: Dimension, side: int, box: Box, value: int) -> SceneFailure | None:
        """A scene with a value that fails while the others are in a box; None if all hold."""
        low, high = box[dimension.name]
        around = {
            **box,
            dimension.name: (low, dimension.start[1]) if side else (dimension.start[0], high),
        }
        scenes = self.probes.make(around, AT_A_FACE, OutsideValue(dimension, side, value))
        return self.executor.first(scenes, accepts_refused=self.accepts_refused)

    def _blamed(
        self, box: dict[str, tuple[int, int]], dimension: Dimension, side: int, value: int
    ) -> SceneFailure | None:
        """A scene that fails because of a value; other faces that make one fail are moved in."""
        while True:
            failed = self._at(dimension, side, box, value)
            if failed is None:
                return None
            inside = self._brought_in(failed, dimension, side)
            if inside is None or self.executor.ran >= self._until or not self._pull(box, inside):
                return failed

    def _pull(self, box: dict[str, tuple[int, int]], failed: SceneFailure) -> bool:
        """Move one face of a box inwards, past a value without which a scene would hold.

        The values of the scene that lie beyond the start are brought in one after the other. The
        one with which it holds at last has made it fail, and what failed before tells why.

        Returns:
            Whether there is such a face. If not, the scene fails within the start.
        """
        for dimension in self.dimensions:
            for side in (0, 1):
                value = extreme_in(failed, dimension, side)
                inner, face = dimension.start[side], box[dimension.name][side]
                if value is None or (value <= inner if side else value >= inner) or face == inner:
                    continue
                inside = self._brought_in(failed, dimension, side)
                if inside is not None:
                    failed = inside
                    continue
                times = self._pulled.get((dimension.name, side), 0)
                self._pulled[dimension.name, side] = times + 1
                step = (1 if side else -1) << times  # so that few pulls are enough
                last = (
                    max(inner, min(value - step, face))
                    if side
                    else min(inner, max(value - step, face))
                )
                self._set(
                    box, dimension, side, self._behind(box, dimension, side, last, failed, value)
                )
                return True
        return False

    def _behind(
        self, box: Box, dimension: Dimension, side: int, last: int, failed: SceneFailure, value: int
    ) -> Limit:
        """How far a face goes behind a value that fails."""

        def fails(tried: int) -> SceneFailure | None:
            failure = self._at(dimension, side, box, tried)
            is_to_blame = failure is not None and self._brought_in(failure, dimension, side) is None
            return failure if is_to_blame else None

        failure = fails(last)
        if failure is None:
            return Limit(last, FAILS, failed, value)
        return self._grow(dimension, side, last, fails, failure)

    def _brought_in(
        self, failed: SceneFailure, dimension: Dimension, side: int
    ) -> SceneFailure | None:
        """The same scene with one number no farther than its start, if it fails then."""
        given, limit = failed.scene, dimension.start[side]
        if dimension.name == COUNT:
            changed = self._with_count(failed, limit)
        else:
            value = given.fields.get(dimension.field)
            if value is None:
                value = fields_of(given.make(self.case))[dimension.field]
            array = np.array(value)
            part = array if dimension.column < 0 else array[..., dimension.column]
            part[...] = np.minimum(part, limit) if side else np.maximum(part, limit)
            inside = array if isinstance(value, np.ndarray) else array.item()
            changed = ChangedScene(given.spec, {**given.fields, dimension.field: inside})
        return self.executor.first([changed], accepts_refused=self.accepts_refused)

    def _with_count(self, failed: SceneFailure, count: int) -> ChangedScene:
        """A scene with another number of items: its first ones, or as the generator makes them."""
        spec = replace(failed.scene.spec, objects=count)
        if failed.made is None or count >= failed.made.objects:
            return ChangedScene(spec)
        try:
            return changed_of(self.case, spec, failed.made.keep(np.arange(count)))
        except (UsageError, ValueError):  # the scene cannot have so few of its items
            return ChangedScene(spec)

    def _give_up(self, box: Box) -> Box:
        """The starting box, because no larger one was confirmed."""
        for dimension in self.dimensions:
            for side, start in enumerate(dimension.start):
                if box[dimension.name][side] != start:
                    self.limits[dimension.name, side] = Limit(start, BUDGET)
        return self.start()


def is_usual(failed: SceneFailure, dimensions: Sequence[Dimension]) -> bool:
    """Whether every number of a scene that fails is within its usual range, all at once."""
    low = ((dimension.low, extreme_in(failed, dimension, 0)) for dimension in dimensions)
    high = ((dimension.high, extreme_in(failed, dimension, 1)) for dimension in dimensions)
    return all(value is None or usual <= value for usual, value in low) and all(
        value is None or value <= usual for usual, value in high
    )


def extreme_in(failed: SceneFailure, dimension: Dimension, side: int) -> int | None:
    """The lowest or highest value in a scene that fails, also if its class refuses to make it."""
    if failed.made is not None:
        return dimension.extreme(failed.made, side)
    if dimension.name == COUNT:
        return failed.scene.spec.objects
    value = failed.scene.fields.get(dimension.field)
    return None if value is None else dimension.extreme_of(value, side)
