"""Moves the faces of a box outwards, as far as scenes hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from emu.base.errors import UsageError
from emu.cases.case import Case
from emu.domain.dimensions import COUNT, Box, Dimension
from emu.domain.execute import NO_PLACE, Executor, Failed
from emu.domain.probes import Beyond, Probes
from emu.domain.report import BUDGET, FAILS, NO_FARTHER, Tied
from emu.verify.changed_scenes import ChangedScene, fields_of

_AT_A_FACE = 32  # scenes for each value that is tried
_MOST_MENDS = 40


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
    failed: Failed | None = None
    beyond: int | None = None


@dataclass(slots=True)
class Faces:
    """Searches for the limits of one program.

    Args:
        case: the case.
        dimensions: what is changed.
        executor: runs scenes.
        probes: makes scenes.
        most: after how many scenes no new step begins.
        accepts_refused: whether a scene that the reference refuses holds if its call is safe.
    """

    case: Case
    dimensions: Sequence[Dimension]
    executor: Executor
    probes: Probes
    most: int
    accepts_refused: bool = False
    held: int = 0
    held_refused: int = 0
    limits: dict[tuple[str, int], Limit] = field(default_factory=dict)

    def usual(self) -> Box:
        """The box of the ranges that scenes of the case have."""
        return {one.name: (one.low, one.high) for one in self.dimensions}

    def fails_within(self, box: Box, count: int) -> Failed | None:
        """A scene within a box that fails; None if all of so many held."""
        self.held = self.held_refused = 0
        for start in range(0, count, _AT_A_FACE):
            refused, undecided = self.executor.refused, self.executor.undecided
            scenes = self.probes.make(box, min(_AT_A_FACE, count - start))
            failed = self.executor.first(scenes, accepts_refused=self.accepts_refused)
            if failed is not None:
                return failed
            self.held += len(scenes) - (self.executor.undecided - undecided)
            self.held_refused += self.executor.refused - refused
        return None

    def leave_out_tied(self) -> list[Tied]:
        """Leave out the numbers whose values a scene does not take independently of each other.

        They are found among numbers within their usual ranges, field by field. An example is a
        script of calls, in which one call's arguments depend on which routine it calls.
        """
        found: dict[str, str] = {}
        for name in dict.fromkeys(one.field for one in self.dimensions if one.field):
            box = {one.name: (one.low, one.high) for one in self.dimensions if one.field == name}
            failed = self.fails_within(box, _AT_A_FACE)
            if failed is not None and failed.kind == NO_PLACE:
                found[name] = failed.summary
        left_out = [
            Tied(one.name, found[one.field]) for one in self.dimensions if one.field in found
        ]
        self.dimensions = [one for one in self.dimensions if one.field not in found]
        return left_out

    def alone(self, one: Dimension, side: int) -> Limit:
        """How far a number goes while the others keep to their usual ranges."""
        return self._grow(one, side, self.usual(), (one.least, one.most)[side])

    def joint(self, alone: dict[tuple[str, int], Limit], count: int) -> Box:
        """Grow a box in all dimensions that holds on so many scenes; `limits` says why it ends."""
        box = dict(self.usual())
        for one in self.dimensions:
            for side in (0, 1):
                self._move(box, one, side, alone[one.name, side])
        for _ in range(_MOST_MENDS):
            failed = self.fails_within(box, count)
            if failed is None:
                return box
            self._mend(box, failed)
        self.held = self.held_refused = 0
        return self._give_up(box)

    def _move(self, box: dict[str, tuple[int, int]], one: Dimension, side: int, at: Limit) -> None:
        """Move a face of a box as far out as a limit, or as far as scenes hold."""
        usual = (one.low, one.high)[side]
        limit = at
        if at.value != usual and self._at(one, side, box, at.value) is not None:
            limit = self._grow(one, side, box, at.value)
        self.limits[one.name, side] = limit
        box[one.name] = (
            (limit.value, box[one.name][1]) if not side else (box[one.name][0], limit.value)
        )

    def _grow(self, one: Dimension, side: int, box: Box, end: int) -> Limit:
        """How far a face goes: in steps twice as long each, then by halving what is left."""
        sign = 1 if side else -1
        usual = held = (one.low, one.high)[side]
        start = {**box, one.name: (one.low, one.high)}
        wrong: int | None = None
        failed: Failed | None = None
        step = 1
        while held != end and (wrong is None or abs(wrong - held) > 1):
            if self.executor.ran >= self.most:
                return Limit(held, BUDGET)
            if wrong is None:
                tried = usual + sign * step
                tried = min(tried, end) if side else max(tried, end)
                step *= 2
            else:
                tried = (held + wrong) // 2
            found = self._at(one, side, start, tried)
            if found is None:
                held = tried
            else:
                wrong, failed = tried, found
        return Limit(held, NO_FARTHER) if wrong is None else Limit(held, FAILS, failed, wrong)

    def _at(self, one: Dimension, side: int, box: Box, value: int) -> Failed | None:
        """A scene with a value that fails while the others are in a box; None if all hold."""
        scenes = self.probes.make(box, _AT_A_FACE, Beyond(one, side, value))
        return self.executor.first(scenes, accepts_refused=self.accepts_refused)

    def _mend(self, box: dict[str, tuple[int, int]], failed: Failed) -> None:
        """Move inwards what makes a scene fail: a face that alone does, else all by a half."""
        for one in self.dimensions:
            for side in (0, 1):
                value = None if failed.made is None else one.extreme(failed.made, side)
                usual = (one.low, one.high)[side]
                if value is None or (value <= usual if side else value >= usual):
                    continue
                if self._holds_within(failed, one):
                    inner = value - 1 if side else value + 1
                    self.limits[one.name, side] = Limit(inner, FAILS, failed, value)
                    low, high = box[one.name]
                    box[one.name] = (low, inner) if side else (inner, high)
                    return
        for one in self.dimensions:
            low, high = box[one.name]
            box[one.name] = ((low + one.low + 1) // 2, (high + one.high) // 2)
            for side in (0, 1):
                if box[one.name][side] != (low, high)[side]:
                    self.limits[one.name, side] = Limit(box[one.name][side], FAILS, failed)

    def _holds_within(self, failed: Failed, one: Dimension) -> bool:
        """Whether a scene holds once one number is brought into its usual range."""
        given = failed.scene
        if one.name == COUNT:
            count = min(max(given.spec.objects, one.low), one.high)
            changed = ChangedScene(replace(given.spec, objects=count))
        else:
            try:
                value = fields_of(given.make(self.case))[one.field]
            except UsageError:
                return False
            array = np.array(value)
            part = array if one.column < 0 else array[..., one.column]
            part[...] = np.clip(part, one.low, one.high)
            inside = array if isinstance(value, np.ndarray) else array.item()
            changed = ChangedScene(given.spec, {**given.fields, one.field: inside})
        return self.executor.first([changed], accepts_refused=self.accepts_refused) is None

    def _give_up(self, box: dict[str, tuple[int, int]]) -> Box:
        """The usual box, because no larger one held."""
        for one in self.dimensions:
            for side, usual in enumerate((one.low, one.high)):
                if box[one.name][side] != usual:
                    self.limits[one.name, side] = Limit(usual, BUDGET)
        return self.usual()
