"""Why a scene is refuted: the smallest scene that still fails, and who wrote the wrong byte."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import CaseError, UsageError
from emu.cases.parts import OtherCountError, Scene
from emu.cases.scenes import (
    can_move,
    columns_of,
    keep_objects,
    other_inputs,
    scene_of,
    simpler_scenes,
    with_corners,
)
from emu.machine import Budget
from emu.program import Location
from emu.verify.answers import ask_reference
from emu.verify.bound_case import BoundCase
from emu.verify.call_sequence import LastStore
from emu.verify.called_before import BeforeFailed
from emu.verify.differences import Divergence
from emu.verify.fills import Preparation
from emu.verify.prepared_scenes import prepare
from emu.verify.repeatable import require_repeatable
from emu.verify.scene_view import SceneView, view_call
from emu.verify.side_by_side import SideBySide, compare_executions
from emu.verify.verdicts import SceneSpec

_SHRINK_SECONDS = 15.0
# Scenes that come back do so within the patience; only the others are counted.
_SHRINK_BUDGET = Budget(blocks=50_000, patience=0.05)
_STEPS = tuple(1 << power for power in range(9, -1, -1))


@dataclass(frozen=True, slots=True, eq=False)
class Against:
    """Another program that a failing one is compared with.

    Attributes:
        name: the name of the failing program.
        other_name: that of the other.
        other: the case laid onto the other.
    """

    name: str
    other_name: str
    other: BoundCase


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """What `explain_scene` finds out.

    Attributes:
        spec: the failing scene.
        kept: (n,) which objects of that scene are still in the smallest one.
        scene: the smallest one; its objects may have been moved.
        columns: what it says of each of its objects, by name, every array of shape (n,).
        inputs: the other inputs of the case, such as numbers and buffers, as lines of text.
        tried: how many scenes were run to find it.
        divergence: the first wrong value there.
        writer: the instruction that last wrote its first wrong byte, or None: nobody did. If no
            value is wrong, the one that wrote above its routine's stack frame, if one did.
        call: the call that executed it, in words ("call 2 of 3, Pop"); "" if only one is made, or
            if nobody wrote it.
        violations: rules of the contract broken there.
        fault: why it did not come back, or "".
        view: the smallest scene as it is drawn, or None if nobody asked for it.
        beside: the smallest scene executed by another program too; None if nobody asked for it.

    Example:
        >>> case = macproof.load_case("four-shifts")
        >>> text = (case.path.parent / "four_shifts.cpp").read_text()
        >>> port = Path("my_port.cpp")
        >>> _ = port.write_text(text.replace("< kRectSize", "<= kRectSize"))  # a mistake
        >>> programs = macproof.programs_of(case, cpus=["601"], builds=["O2"], source=port)
        >>> found = macproof.explain(macproof.verify(case, programs, scenes=20)).explanation
        >>> found.spec.generator, found.columns["next_object"].tolist()
        ('sector-edge', [1, -1])
    """

    spec: SceneSpec
    kept: NDArray[np.int64]
    scene: Scene
    columns: Mapping[str, NDArray[Any]]
    inputs: Mapping[str, tuple[str, ...]]
    tried: int
    divergence: Divergence | None
    writer: Location | None
    violations: tuple[str, ...]
    fault: str
    view: SceneView | None = None
    call: str = ""
    beside: SideBySide | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Outcome:
    expected: NDArray[np.uint8]
    before: NDArray[np.uint8]
    diverged: bool
    after: NDArray[np.uint8] | None
    violations: tuple[str, ...]
    fault: str

    @property
    def kind(self) -> str:
        """How it failed, or "". A smaller scene must fail in the same way to be accepted."""
        if self.fault:
            return "fault"
        if self.violations:
            return "violation"
        return "divergence" if self.diverged else ""


def explain_scene(
    bound: BoundCase, spec: SceneSpec, *, has_view: bool = False, against: Against | None = None
) -> Explanation | None:
    """Shrink a failing scene and find the first wrong value and its writer.

    Args:
        bound: the case on the program's machine.
        spec: the scene.
        has_view: whether to see how the smallest scene is drawn, if the case has a picture.
        against: another program, to find where the two part; None for none.

    Returns:
        None if the scene does not fail.

    Raises:
        CaseError: the case makes another scene each time, or its reference answers otherwise.
    """
    case = bound.case
    original = scene_of(case, spec.generator, spec.objects, spec.seed)
    require_repeatable(case, spec, original, ask_reference(case, original))
    preparation = prepare(case, spec)
    shrinker = _Shrinker(bound, preparation)
    kind = shrinker.run(original).kind
    if not kind:
        return None
    usual, bound.machine.budget = bound.machine.budget, _SHRINK_BUDGET
    try:
        kept, scene = shrinker.shrink(original, kind)
        outcome = shrinker.run(scene)
        view = None
        if has_view and case.picture is not None and len(outcome.before):
            view = view_call(bound, scene, ask_reference(case, scene), preparation)
    finally:
        bound.machine.budget = usual
    divergence, store = _first_difference(bound, outcome, scene, preparation)
    beside = None
    if against is not None:
        one, other = (against.name, bound), (against.other_name, against.other)
        beside = compare_executions(one, other, scene, preparation)
    return Explanation(
        spec=spec,
        kept=kept,
        scene=scene,
        columns=columns_of(case, scene),
        inputs=other_inputs(case, scene),
        tried=shrinker.tried,
        divergence=divergence,
        writer=None if store is None else bound.machine.program.locate(store.address),
        call="" if store is None else store.call,
        beside=beside,
        violations=outcome.violations,
        fault=outcome.fault,
        view=view,
    )


def _first_difference(
    bound: BoundCase, outcome: _Outcome, scene: Scene, preparation: Preparation
) -> tuple[Divergence | None, LastStore | None]:
    """The first wrong value, and the instruction that stored it, as far as there are such.

    If no value is wrong, the instruction is the one that stored above the routine's stack frame.
    """
    divergence = store = None
    around = bound.surroundings([preparation])[0]
    begin = bound.begin([scene], [preparation])
    if outcome.after is not None:
        rerun = bound.rerun(outcome.before, scene, preparation)
        divergence = bound.divergence(outcome.expected, outcome.after, rerun)
    if divergence is not None:
        store = bound.calls.last_store(divergence.address, outcome.before, around, begin)
    elif outcome.violations and len(outcome.before):
        store = bound.calls.stray_store(outcome.before, around, begin)
    return divergence, store


def _same(scene: Scene) -> Scene:
    return scene


class _Shrinker:
    """Greedy shrinking: drop objects in ever smaller groups, move what is left, then simplify.

    This is repeated until a scene is as simple as it was.

    What can be dropped, and what is simpler, is for the scene to say, and only scenes made of
    corners can be moved.
    """

    def __init__(self, bound: BoundCase, preparation: Preparation) -> None:
        self._bound = bound
        self._preparations = [preparation]
        self._ends = time.monotonic() + _SHRINK_SECONDS
        self.tried = 0

    def run(self, scene: Scene) -> _Outcome:
        bound = self._bound
        self.tried += 1
        try:
            before = bound.before([scene], self._preparations)
        except BeforeFailed as failed:
            nothing = np.zeros(0, np.uint8)
            return _Outcome(nothing, nothing, False, None, failed.violations, failed.fault)
        expected, _ = bound.expected(before, [ask_reference(bound.case, scene)])
        batch = bound.run(before, [scene], self._preparations)
        done = batch.completed
        return _Outcome(
            expected=expected[0],
            before=before[0],
            diverged=bool(bound.differences.wrong(expected[:done], batch.after).any()),
            after=batch.after[0] if batch.completed else None,
            violations=batch.violations.get(0, ()),
            fault=batch.fault.describe() if batch.fault else "",
        )

    def shrink(self, scene: Scene, kind: str) -> tuple[NDArray[np.int64], Scene]:
        """A scene that fails in the same way, and which objects of the given one it has."""
        kept = np.arange(scene.objects)
        while True:
            kept, scene = self._drop(scene, kept, kind)
            if can_move(scene):
                scene = self._move(scene, kind)
            simpler = self._simplify(scene, kind)
            if simpler is scene:
                return kept, scene
            scene = simpler  # objects may have become needless

    def _drop(
        self, scene: Scene, kept: NDArray[np.int64], kind: str
    ) -> tuple[NDArray[np.int64], Scene]:
        """Drop objects, in ever smaller groups, as long as the scene fails in the same way."""
        case = self._bound.case

        def without(start: int, end: int) -> Scene | None:
            rest = np.r_[0:start, end : scene.objects]
            return self._failing(lambda: keep_objects(case, scene, rest), kind)

        group = max(len(kept) // 2, 1)
        while True:
            before = len(kept)
            start = 0
            while start < len(kept):
                end = min(start + group, len(kept))
                smaller = without(start, end)
                if smaller is None:
                    start += group
                else:
                    kept, scene = np.delete(kept, np.s_[start:end]), smaller
            # One may have become needless once another was gone.
            if group == 1 and len(kept) == before:
                return kept, scene
            group = max(group // 2, 1)

    def _simplify(self, scene: Scene, kind: str) -> Scene:
        """Take the first simpler scene that still fails, until none of them does.

        Which scenes are simpler is for the scene's own ``simpler`` to say, if it has one.
        """
        is_changed = True
        while is_changed and time.monotonic() < self._ends:
            is_changed = False
            for simpler in simpler_scenes(self._bound.case, scene):
                failing = self._failing(partial(_same, simpler), kind)
                if failing is not None:
                    scene, is_changed = failing, True
                    break
        return scene

    def _failing(self, make: Callable[[], Scene], kind: str) -> Scene | None:
        """The scene that a function makes, if it fails in this way.

        None if there is no such scene, which the scene's own code says with a ValueError or by
        leaving the number of items as it was; or if the reference or the program has no place for
        it.

        Raises:
            UsageError: the scene's own code raises another exception.
        """
        if time.monotonic() >= self._ends:
            return None
        try:
            scene = make()
        except UsageError as error:
            if isinstance(error, OtherCountError) or isinstance(error.__cause__, ValueError):
                return None
            raise
        try:
            return scene if self.run(scene).kind == kind else None
        except (UsageError, CaseError):
            return None

    def _move(self, scene: Scene, kind: str) -> Scene:
        """Bring coordinates towards 0, all objects together and then each alone.

        By powers of two: a grid often lets a scene fail again only at whole sectors' distance.
        """
        case = self._bound.case
        corners = np.array(scene.corners)  # type: ignore[attr-defined]
        groups: list[Sequence[int]] = [range(len(corners))]
        groups += [[index] for index in range(len(corners))] if len(corners) <= 8 else []
        for members in groups:
            rows = list(members)
            for axis in (0, 1):
                for step in _STEPS if rows else ():
                    while corners[rows, axis].min() >= step:
                        candidate = corners.copy()
                        candidate[rows, axis] -= step
                        moved = self._failing(partial(with_corners, case, scene, candidate), kind)
                        if moved is None:
                            break
                        corners, scene = candidate, moved
        return scene
