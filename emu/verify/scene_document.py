"""A scene as a document: what a program made of it, beside what its reference expects."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from emu.cases.case import Case
from emu.cases.programs import Subject
from emu.report.document import Check, Document, Fate, Outcome, Section, Table, Tone
from emu.verify.scene_figures import figures_of
from emu.verify.scene_view import SceneView
from emu.verify.verdicts import INCONCLUSIVE, REFUTED, SceneSpec

SCHEMA = "macproof.scene/1"
_MOST_ROWS = 40
_FATES = {Tone.GOOD: Fate.PASSED, Tone.BAD: Fate.FAILURE, Tone.DOUBTFUL: Fate.ERROR}


@dataclass(frozen=True, slots=True)
class SceneObject:
    """An object of a scene.

    Attributes:
        left: where its box begins, in pixels.
        top: where its box begins, in pixels.
        width: how wide it is, in pixels.
        height: how high it is, in pixels.
        collided: whether the program reports it in a collision.
        expected: whether the reference does.
        is_wrong: whether the two say something else of it, in this or in any other value.
        partners: with which others the program reports it, where it reports pairs.
        expected_partners: with which others the reference does.
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
    """What a program and its reference say of a scene.

    Attributes:
        command: the words of the command line.
        case: the case's name.
        cpu: the processor's name.
        build: the build's name.
        program: the program's file.
        scene: what the scene is made from.
        outcome: what it comes to, in words.
        is_otherwise_wrong: whether something is wrong that is no object's: the contract of the
            call, a table, other memory.
        fault: why the call did not come back, or "". What the program reports is then not known,
            and given as the reference has it.
        objects: the objects, in their order.
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
    """A scene as a document with two figures, one of them if they are the same.

    Args:
        case: the case, which has a picture.
        subject: the program.
        spec: the scene.
        view: what was seen of it.
        command: the words of the command line.
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
        is_otherwise_wrong=view.otherwise,
        fault=view.fault,
        objects=tuple(_objects(view)),
    )
    came, expected = figures_of(case, view, program=name)
    sections = [Section("Scene", (came, expected) if view.wrong.any() else (came,))]
    if view.wrong.any():
        sections.append(Section("Objects that are wrong", tuple(_wrong(report))))
    sections.append(Section("Receipt", (f"command: {shlex.join(command)}",), is_detail=True))
    fate = _FATES[outcome.tone]
    message = "" if fate is Fate.PASSED else f"{spec}: {outcome}"
    return Document(
        title=f"{case.title}, {name}: {spec}",
        outcome=outcome,
        sections=tuple(sections),
        checks=(Check(case.name, f"{name}: {spec}", fate, message),),
        data=report,
        schema=SCHEMA,
    )


def outcome_of(view: SceneView) -> Outcome:
    """Whether a program does with a scene as the reference; one scene verifies nothing."""
    count = int(view.wrong.sum())
    if count:
        return Outcome(REFUTED, Tone.BAD, f"{count} object{'' if count == 1 else 's'} wrong")
    if view.otherwise:
        return Outcome(REFUTED, Tone.BAD, "no object is wrong, but something else")
    if view.fault:
        why = f"it did not come back, and is drawn as the reference has it: {view.fault}"
        return Outcome(INCONCLUSIVE, Tone.DOUBTFUL, why)
    return Outcome("as the reference", Tone.GOOD)


def _objects(view: SceneView) -> Iterator[SceneObject]:
    sizes = np.broadcast_to(view.sizes, view.corners.shape).tolist()
    for number, (left, top) in enumerate(view.corners.tolist()):
        width, height = sizes[number]
        yield SceneObject(
            left=left,
            top=top,
            width=width,
            height=height,
            collided=bool(view.came.outlined[number]),
            expected=bool(view.expected.outlined[number]),
            is_wrong=bool(view.wrong[number]),
            partners=view.came.partners[number],
            expected_partners=view.expected.partners[number],
        )


def _wrong(report: SceneReport) -> Iterator[Table | str]:
    wrong = [(number, one) for number, one in enumerate(report.objects) if one.is_wrong]
    words = ("in no collision", "in a collision")
    rows = tuple(
        (words[one.collided], words[one.expected], str(number), str(one.left), str(one.top))
        for number, one in wrong[:_MOST_ROWS]
    )
    yield Table(("what came", "expected", "object", "left", "top"), rows, words=2)
    if len(wrong) > _MOST_ROWS:
        yield f"And {len(wrong) - _MOST_ROWS} more."
