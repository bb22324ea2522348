"""Makes the document of one scene: the program's result beside the reference's."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from emu.cases.case import Case
from emu.cases.programs.subject import Subject
from emu.report.document import Check, CheckStatus, Document, Outcome, Section, Table, Tone
from emu.report.verdict_words import verdict_outcome
from emu.verify.runs.verdicts import INCONCLUSIVE, REFUTED
from emu.verify.scenes.scene_spec import SceneSpec
from emu.verify.views.scene_figures import parts_of
from emu.verify.views.scene_view import SceneView

SCHEMA = "macproof.scene/1"
_MOST_ROWS = 40
_FATES = {
    Tone.GOOD: CheckStatus.PASSED,
    Tone.BAD: CheckStatus.FAILURE,
    Tone.DOUBTFUL: CheckStatus.ERROR,
}


@dataclass(frozen=True, slots=True)
class SceneObject:
    """An object of a scene.

    Attributes:
        left: the left edge of its bounding box, in pixels.
        top: the top edge of its bounding box, in pixels.
        width: the width of its bounding box, in pixels.
        height: the height of its bounding box, in pixels.
        collided: whether the program reports that it collides.
        expected: whether the reference reports that it collides.
        is_wrong: whether any value that the program computed for it differs from the reference's.
        partners: the indices of the objects that the program reports it to collide with; empty if
            the program reports no pairs.
        expected_partners: the same for the reference.
    """

    left: int
    top: int
    width: int
    height: int
    collided: bool
    expected: bool
    is_wrong: bool
    partners: tuple[int, ...]
    expected_partners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SceneReport:
    """The results of a program and of its reference on a scene.

    Attributes:
        command: the command line, one string for each word.
        case: the case's name.
        cpu: the processor's name.
        build: the build's name.
        program: the path of the program.
        scene: the scene.
        outcome: the outcome in words, such as "refuted (2 objects wrong)".
        is_otherwise_wrong: whether something is wrong that belongs to no object: a rule of the
            call contract is broken, or a table or other memory has a wrong value.
        fault: why the call did not return; "" if it did. If it did not, the result of the program
            is unknown, and the reference's result stands in its place.
        objects: the objects, in the order of the scene.
    """

    command: tuple[str, ...]
    case: str
    cpu: str
    build: str
    program: str
    scene: SceneSpec
    outcome: str
    is_otherwise_wrong: bool
    fault: str
    objects: tuple[SceneObject, ...]


def scene_document(
    case: Case, subject: Subject, spec: SceneSpec, view: SceneView, *, command: Sequence[str] = ()
) -> Document:
    """Make the document of a scene, with a figure of the program's and of the reference's result.

    If no object is wrong, the two figures would be the same, and only the first is shown. Two
    pictures that the case's own function draws are shown if anything is wrong.

    Args:
        case: the case; it must have a picture.
        subject: the program.
        spec: the scene.
        view: the two results.
        command: the command line, one string for each word.
    """
    name = f"{subject.cpu} {subject.build}"
    outcome = outcome_of(view)
    report = SceneReport(
        command=tuple(command),
        case=case.name,
        cpu=subject.cpu,
        build=subject.build,
        program=str(subject.program),
        scene=spec,
        outcome=str(outcome),
        is_otherwise_wrong=view.is_otherwise_wrong,
        fault=view.fault,
        objects=tuple(_objects(view)),
    )
    actual, expected = parts_of(case, view, program=name)
    is_wrong_picture = view.pictures is not None and outcome.tone is Tone.BAD
    is_different = bool(view.wrong.any()) or is_wrong_picture
    sections = [Section("Scene", (actual, expected) if is_different else (actual,))]
    if view.wrong.any():
        sections.append(Section("Objects that are wrong", tuple(_wrong(report))))
    sections.append(Section("Receipt", (f"command: {shlex.join(command)}",), is_detail=True))
    fate = _FATES[outcome.tone]
    message = "" if fate is CheckStatus.PASSED else f"{spec}: {outcome}"
    return Document(
        title=f"{case.title}, {name}: {spec}",
        outcome=outcome,
        sections=tuple(sections),
        checks=(Check(case.name, f"{name}: {spec}", fate, message),),
        data=report,
        schema=SCHEMA,
    )


def outcome_of(view: SceneView) -> Outcome:
    """Whether the results are the same. One scene is too few for the word "verified"."""
    count = int(view.wrong.sum())
    if count:
        return verdict_outcome(REFUTED, f"{count} object{'' if count == 1 else 's'} wrong")
    if view.is_otherwise_wrong:
        objects = "every object is right, but other " if len(view.wrong) else ""
        return verdict_outcome(REFUTED, f"{objects}memory or the call contract is wrong")
    if view.fault:
        why = f"the call did not return, so the reference's result is drawn: {view.fault}"
        return verdict_outcome(INCONCLUSIVE, why)
    return verdict_outcome("same as the reference")


def _objects(view: SceneView) -> Iterator[SceneObject]:
    sizes = np.broadcast_to(view.sizes, view.corners.shape).tolist()
    for number, (left, top) in enumerate(view.corners.tolist()):
        width, height = sizes[number]
        yield SceneObject(
            left=left,
            top=top,
            width=width,
            height=height,
            collided=bool(view.actual.outlined[number]),
            expected=bool(view.expected.outlined[number]),
            is_wrong=bool(view.wrong[number]),
            partners=view.actual.partners[number],
            expected_partners=view.expected.partners[number],
        )


def _wrong(report: SceneReport) -> Iterator[Table | str]:
    wrong = [(number, item) for number, item in enumerate(report.objects) if item.is_wrong]
    words = ("in no collision", "in a collision")
    rows = tuple(
        (words[item.collided], words[item.expected], str(number), str(item.left), str(item.top))
        for number, item in wrong[:_MOST_ROWS]
    )
    yield Table(("actual", "expected", "object", "left", "top"), rows, words=2)
    if len(wrong) > _MOST_ROWS:
        yield f"{len(wrong) - _MOST_ROWS} more objects are wrong."
