"""Why a scene is refuted: the smallest scene that still fails, and who wrote the wrong byte."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.cases.case import Case
from emu.cases.keys.parts import Scene
from emu.cases.scenes import (
    columns_of,
    other_inputs,
    scene_of,
)
from emu.machine import Budget
from emu.program import Location
from emu.verify.answers.answers import ask_reference
from emu.verify.answers.repeatable import require_repeatable
from emu.verify.batches.bench import Bench
from emu.verify.batches.differences import Divergence
from emu.verify.calls.call_sequence import LastStore
from emu.verify.explain.divergence_point import SideBySide, compare_executions
from emu.verify.explain.scene_trials import SceneOutcome, SceneTrials
from emu.verify.explain.shrinking import Shrinker
from emu.verify.memory.strays import Stray, strays_of
from emu.verify.runs.prepared_scenes import prepare
from emu.verify.scenes.changed_scenes import ChangedScene
from emu.verify.scenes.fills import Preparation
from emu.verify.scenes.scene_spec import SceneSpec
from emu.verify.views.scene_view import SceneView, view_call

_SHRINK_SECONDS = 15.0
# Scenes that come back do so within the patience; only the others are counted.
_SHRINK_BUDGET = Budget(blocks=50_000, patience=0.05)


@dataclass(frozen=True, slots=True, eq=False)
class Counterpart:
    """Another program that a failing one is compared with.

    Attributes:
        name: the name of the failing program.
        other_name: that of the other.
        other: the case on the other.
    """

    name: str
    other_name: str
    other: Bench


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """The result of `explain_scene`.

    It is sent from another process, so it holds the scene's values and not the scene itself: a
    scene may hold objects that cannot be sent, such as a function.

    Attributes:
        spec: the failing scene.
        kept: (n,) which objects of that scene are still in the smallest one.
        columns: the values of the smallest scene's objects, such as coordinates, by name: arrays of
            shape (n,). Objects may have been moved.
        inputs: the other inputs of the case, such as numbers and buffers, as lines of text.
        tried: how many scenes were run to find it.
        divergence: the first wrong value there.
        writer: the instruction that last wrote the first wrong byte; None if none did. If no value
            is wrong, the instruction that wrote above its routine's stack frame, if one did.
        call: the call that executed it, in words ("call 2 of 3, Pop"); "" if only one is made, or
            if nobody wrote it.
        violations: the rules of the call contract that are broken in the smallest scene.
        fault: why the call did not return; "" if it did.
        stopped: the instruction at which it stopped; None if it returned.
        layout: what is unusual about the addresses of arguments: "*s began at an odd address"; or
            "".
        view: the smallest scene for drawing; None if it was not asked for.
        beside: the smallest scene executed by another program, too; None if that was not asked for.
        strays: the instructions that access memory of the Toolbox's heap which belongs to no block.

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
    stopped: Location | None = None
    layout: str = ""
    strays: tuple[Stray, ...] = ()

    @property
    def place(self) -> Location | None:
        """Where a reader should look first.

        That is a stray access, since all that is wrong may come from it; else what wrote the wrong
        value, or where it stopped.
        """
        return self.strays[0].place if self.strays else self.writer or self.stopped


@dataclass(frozen=True, slots=True)
class FailingPlace:
    """The instruction to look at in a failing scene; see `Explanation.place`.

    Attributes:
        at: the instruction; None if none is known.
        stray: what it does with memory of the heap that belongs to no block; "" if it is to be
            looked at for another reason.
    """

    at: Location | None
    stray: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class FailingScene:
    """A scene that fails.

    Attributes:
        scene: the scene.
        wrong: the address of the first byte that is wrong after the calls; None if none is.
    """

    scene: Scene
    wrong: int | None


def explain_scene(
    bench: Bench,
    spec: SceneSpec,
    *,
    changed: ChangedScene | None = None,
    has_view: bool = False,
    against: Counterpart | None = None,
) -> Explanation | None:
    """Shrink a failing scene and find the first wrong value and its writer.

    Args:
        bench: the case on the program.
        spec: the scene.
        changed: how the scene was changed; None if it is as its generator makes it. The reference
            may refuse a changed scene; then only what is observed may be written.
        has_view: whether to collect what drawing the smallest scene needs, if the case has a
            picture.
        against: another program to run it on, to find where the two part; None for none.

    Returns:
        None if the scene does not fail.

    Raises:
        CaseError: the case is not repeatable: the same seed gives another scene, or the same scene
            another answer.
    """
    case = bench.case
    original = _original(case, spec, changed)
    preparation = prepare(case, spec)
    trials = SceneTrials(bench, preparation, may_refuse=changed is not None)
    kind = trials.run(original).kind
    if not kind:
        return None
    kept, scene, outcome = _smallest(trials, original, kind)
    view = _view(bench, scene, preparation, outcome) if has_view else None
    divergence, store = _first_difference(bench, outcome)
    beside = None
    if against is not None:
        first, other = (against.name, bench), (against.other_name, against.other)
        beside = compare_executions(first, other, scene, preparation)
    return Explanation(
        spec=spec,
        kept=kept,
        columns=columns_of(case, scene),
        inputs=other_inputs(case, scene),
        tried=trials.tried,
        divergence=divergence,
        writer=None if store is None else bench.machine.program.locate(store.address),
        call="" if store is None else store.call,
        beside=beside,
        violations=outcome.violations,
        fault=outcome.fault,
        stopped=outcome.stopped,
        view=view,
        layout=bench.bound_for(preparation).arrangement,
        strays=_strays(bench, outcome),
    )


@contextmanager
def _small_budget(bench: Bench) -> Iterator[None]:
    """Give up calls on smaller scenes soon."""
    usual, bench.machine.budget = bench.machine.budget, _SHRINK_BUDGET
    try:
        yield
    finally:
        bench.machine.budget = usual


def _view(
    bench: Bench, scene: Scene, preparation: Preparation, outcome: SceneOutcome
) -> SceneView | None:
    """A scene as it is drawn; None if the case has no picture, or nothing was called on it."""
    if bench.case.picture is None or outcome.images is None or outcome.refused:
        return None
    with _small_budget(bench):
        return view_call(bench, scene, ask_reference(bench.case, scene), preparation)


def _smallest(
    trials: SceneTrials, original: Scene, kind: str
) -> tuple[NDArray[np.int64], Scene, SceneOutcome]:
    """The smallest scene that fails in the same way: which objects it keeps, and what it does."""
    with _small_budget(trials.bench):
        ends = time.monotonic() + _SHRINK_SECONDS
        shrinker = Shrinker(
            trials.bench.case,
            lambda scene: trials.run(scene).kind,
            lambda: time.monotonic() >= ends,
        )
        kept, scene = shrinker.shrink(original, kind)
        return kept, scene, trials.run(scene)


def failing_place(bench: Bench, spec: SceneSpec) -> FailingPlace:
    """The instruction to look at in a failing scene as it is."""
    scene, preparation = scene_of(bench.case, spec), prepare(bench.case, spec)
    outcome = SceneTrials(bench, preparation).run(scene)
    if not outcome.kind:
        return FailingPlace(None)
    strays = _strays(bench, outcome)
    if strays:
        return FailingPlace(strays[0].place, strays[0].what)
    if outcome.stopped is not None:
        return FailingPlace(outcome.stopped)
    _, store = _first_difference(bench, outcome)
    return FailingPlace(None if store is None else bench.machine.program.locate(store.address))


def failing_scene(
    bench: Bench, spec: SceneSpec, changed: ChangedScene | None, *, is_smallest: bool
) -> FailingScene:
    """A scene and its first wrong byte.

    Args:
        bench: the case on the program.
        spec: the scene.
        changed: how it was changed; None if it is as its generator makes it.
        is_smallest: whether it is made smaller, as long as it fails in the same way.

    Raises:
        CaseError: as of `explain_scene`.
    """
    scene = _original(bench.case, spec, changed)
    trials = SceneTrials(bench, prepare(bench.case, spec), may_refuse=changed is not None)
    outcome = trials.run(scene)
    if is_smallest and outcome.kind:
        _, scene, outcome = _smallest(trials, scene, outcome.kind)
    divergence, _ = _first_difference(bench, outcome)
    return FailingScene(scene, None if divergence is None else divergence.address)


def _strays(bench: Bench, outcome: SceneOutcome) -> tuple[Stray, ...]:
    if not outcome.asks or outcome.images is None:
        return ()
    return strays_of(bench, outcome.images)


def _original(case: Case, spec: SceneSpec, changed: ChangedScene | None) -> Scene:
    """The failing scene.

    Raises:
        CaseError: as of `explain_scene`.
    """
    if changed is not None:
        return changed.make(case)
    scene = scene_of(case, spec)
    require_repeatable(case, spec, scene, ask_reference(case, scene))
    return scene


def _first_difference(
    bench: Bench, outcome: SceneOutcome
) -> tuple[Divergence | None, LastStore | None]:
    """The first wrong value, and the instruction that stored it, as far as there are such.

    If no value is wrong, the instruction is the one that stored above the routine's stack frame.
    """
    divergence = store = None
    images = outcome.images
    if images is None:  # a routine that is called before failed
        return None, None
    if outcome.after is not None:
        rerun = bench.rerun(images, 0)
        divergence = bench.differences(images).first(outcome.expected, outcome.after, rerun)
    calls, before, around = images.bound.calls, images.before[0], images.around[0]
    begin = bench.stages(images).calls.begin(images)
    if divergence is not None:
        store = calls.last_store(divergence.address, before, around, begin)
    elif outcome.violations:
        store = calls.stray_store(before, around, begin)
    return divergence, store
