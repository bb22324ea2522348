"""Judges one call on one scene, also where the reference refuses to say what is right.

``explain`` and the searches use it in place of `scene_runs`: a `SceneSpec`, a scene and a
`Preparation` go in, a `Judgement` comes out. It has the images, so that a reader can look closer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.cases.case import Case
from emu.cases.keys.parts import Scene
from emu.cases.scenes import ReferenceRefusal, ask_specification
from emu.checks.isa_model import REFUTES
from emu.machine.calls.faults import BUDGET, Fault
from emu.verify.answers.answers import ask_each_reference
from emu.verify.answers.bulk_answers import disagreement, is_same
from emu.verify.batches.bench import Bench
from emu.verify.images.observations import unchanged
from emu.verify.images.scene_images import SceneImages
from emu.verify.memory.memory_checks import SceneChecks
from emu.verify.scenes.fills import Preparation
from emu.verify.scenes.scene_spec import SceneSpec

FAULT, VIOLATION, MEMORY = "fault", "violation", "memory"
DIVERGENCE, STRAY = "divergence", "stray store"

_NUMBER = re.compile(r"0x[0-9a-f]+|-?\d+")


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """What is wrong after a call.

    Attributes:
        kind: `FAULT`, `VIOLATION`, `MEMORY`, `DIVERGENCE` or `STRAY`; "" if nothing is wrong.
        place: where it shows, without indices: "gObjects.x", or the routine of a fault.
        summary: what is wrong, as a sentence; "" if nothing is.
        images: what the call began with; None if it did not return.
        after: (image size,) uint8, what the call left; None if it did not return.
        is_late: whether it took too long, so that it is not known whether it ever returns.
    """

    kind: str = ""
    place: str = ""
    summary: str = ""
    images: SceneImages | None = None
    after: NDArray[np.uint8] | None = None
    is_late: bool = False


def without_numbers(words: str) -> str:
    """Words with an N in place of each number."""
    return _NUMBER.sub("N", words)


def reference_answer(case: Case, scene: Scene) -> tuple[Any, str]:
    """Ask the reference about one scene; see `reference_answers`.

    Raises:
        UsageError: the reference or the specification does not return.
        CaseError: as of `reference_answers`.
    """
    (said,) = reference_answers(case, [scene])
    if isinstance(said, ReferenceRefusal):
        raise UsageError(said.late)
    return said


def reference_answers(
    case: Case, scenes: Sequence[Scene]
) -> list[tuple[Any, str] | ReferenceRefusal]:
    """Ask the reference about scenes; of those that it refuses the case's specification, too.

    A reference refuses by raising an exception, for example because a scene has more objects than
    the old program allowed.

    Returns:
        For each scene the reference's answer, and "". If it refuses: the answer of the
        specification, which may lack some observed values, or None if there is none or it refuses,
        too; and why the reference refuses. If one of them does not return, the refusal.

    Raises:
        CaseError: the specification contradicts the reference, or says nothing.
    """
    said: list[tuple[Any, str] | ReferenceRefusal] = [
        own if isinstance(own, ReferenceRefusal) and own.late else _answer_and_refusal(own)
        for own in ask_each_reference(case, scenes)
    ]
    if not case.specification:
        return said
    rows = [row for row, own in enumerate(said) if not isinstance(own, ReferenceRefusal)]
    for row, wide in zip(rows, ask_specification(case, [scenes[r] for r in rows]), strict=True):
        said[row] = _with_specification(case, scenes[row], said[row], wide)
    return said


def _answer_and_refusal(said: Any) -> tuple[Any, str]:
    return (None, said.why) if isinstance(said, ReferenceRefusal) else (said, "")


def _with_specification(
    case: Case, scene: Scene, of_reference: Any, wide: Any
) -> tuple[Any, str] | ReferenceRefusal:
    """What reference and specification say of a scene together; see `reference_answers`."""
    if isinstance(wide, ReferenceRefusal) and wide.late:
        return wide
    (own, refused), (answer, wide_refused) = of_reference, _answer_and_refusal(wide)
    if refused:
        return answer, f"{refused}; {wide_refused}" if wide_refused else refused
    for name in dict.fromkeys(variable.attribute for variable in case.observed):
        if hasattr(answer, name) and not is_same(getattr(own, name, None), getattr(answer, name)):
            raise disagreement(case, scene, name, "specification", case.specification)
    return own, ""


def judge(
    bench: Bench,
    spec: SceneSpec,
    scene: Scene,
    preparation: Preparation,
    answer: Any,
    refused: str,
) -> Judgement:
    """Make the calls of a scene and judge them.

    If the reference refuses the scene, its calls must still return, keep the call contract, and
    change nothing but what the case observes or ignores. If the specification has an answer, they
    must leave its values.

    Args:
        bench: the case on a program. If its machine checks every access, mistakes in memory are
            judged, too.
        spec: the name of the scene, for sentences.
        scene: the scene.
        preparation: what memory holds before the calls.
        answer: the answer of the reference, or of the specification; None if neither has one.
        refused: why the reference refuses; "" if it does not.

    Raises:
        CaseError: the program has no place for the scene or the answer.
        PrecedingCallError: a routine that is called before did not return, or broke a rule.
    """
    images = bench.before([scene], [preparation])
    if bench.machine.calls.executed_edges is not None:
        bench.machine.calls.executed_edges.take()  # drops what earlier calls have executed
    expected = None
    if not refused:
        images = expected = bench.expect(images, [answer])
    checks = SceneChecks(bench, images, [spec])
    batch = checks.run()
    if batch.fault is not None:
        return of_fault(batch.fault)
    after = batch.after[0]
    if batch.violations:
        words = "; ".join(batch.violations[0])
        return Judgement(VIOLATION, without_numbers(words), words, images, after)
    memory = checks.judge(batch)
    for violation in () if memory is None else memory.violations:
        if violation.weight == REFUTES and not violation.suppressed:
            words = f"{violation.place} {violation.why}"
            return Judgement(MEMORY, f"{violation.name} {violation.place}", words, images, after)
    if expected is not None:
        return _of_difference(bench, DIVERGENCE, images, expected.expected[0], after)
    return _of_refused(bench, images, answer, after)


def _of_refused(
    bench: Bench, images: SceneImages, answer: Any, after: NDArray[np.uint8]
) -> Judgement:
    """What is wrong with memory after a call on a scene that the reference refuses."""
    before = images.before[0]
    untouched = unchanged(images.bound, before, after)
    of_refused = _of_difference(bench, STRAY, images, untouched, after)
    if of_refused.kind or answer is None:
        return of_refused
    wanted = bench.stages(images).answers.partly_answered(before, after, answer)
    return _of_difference(bench, DIVERGENCE, images, wanted, after)


def _of_difference(
    bench: Bench,
    kind: str,
    images: SceneImages,
    wanted: NDArray[np.uint8],
    after: NDArray[np.uint8],
) -> Judgement:
    differences, first = bench.differences(images), None
    if differences.rows(wanted[np.newaxis], after[np.newaxis]):
        first = differences.first(wanted, after)
    if first is None:
        return Judgement(images=images, after=after)
    words = str(first)
    if kind == STRAY:
        words = f"it changed {first.place}, which the case does not observe: {first}"
    return Judgement(kind, without_numbers(first.place), words, images, after)


def of_fault(fault: Fault) -> Judgement:
    """The judgement of a call that did not return; nothing is wrong if it is the engine's fault."""
    if fault.is_undecided:
        return Judgement()  # it decides nothing
    where = fault.location.symbol or "no routine"
    place = f"{where}: {without_numbers(fault.reason)}"
    words = f"{fault.reason}, at {fault.location}"
    return Judgement(FAULT, place, words, is_late=fault.kind == BUDGET)
