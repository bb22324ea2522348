"""An explanation as a document: the smallest scene that fails, and what is wrong with it first."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.cases.case import Case
from emu.cases.programs import Subject
from emu.report.document import (
    Check,
    Document,
    Fate,
    Literal,
    Outcome,
    Part,
    Points,
    Section,
    Table,
    Tone,
)
from emu.verify.differences import Divergence
from emu.verify.explain import Explanation
from emu.verify.scene_figures import figures_of
from emu.verify.verdicts import REFUTED, SceneSpec

SCHEMA = "macproof.explanation/1"
_MOST_OBJECTS = 12


@dataclass(frozen=True, slots=True)
class ExplanationReport:
    """Why a program fails on a scene.

    Attributes:
        command: the words of the command line.
        case: the case's name.
        cpu: the processor's name.
        build: the build's name.
        program: the program's file.
        scene: the failing scene.
        tried: how many scenes were run to find the smallest one that fails.
        kept: which objects of the failing scene the smallest one has; they may have been moved.
        columns: what the smallest scene says of each of its objects, by name.
        divergence: the first wrong value there, if there is one.
        writer: the instruction that last wrote its first wrong byte, in words, if one did.
        violations: rules of the contract of a call that are broken there.
        fault: why the call does not come back, or "".
    """

    command: tuple[str, ...]
    case: str
    cpu: str
    build: str
    program: str
    scene: SceneSpec
    tried: int
    kept: tuple[int, ...]
    columns: Mapping[str, tuple[float | str, ...]]
    divergence: Divergence | None
    writer: str | None
    violations: tuple[str, ...]
    fault: str


def explanation_document(
    case: Case, subject: Subject, found: Explanation, *, command: Sequence[str] = ()
) -> Document:
    """An explanation as a document, with figures if it has seen the smallest scene.

    Args:
        case: the case.
        subject: the program.
        found: what was found out about it.
        command: the words of the command line.
    """
    name = f"{subject.cpu} {subject.build}"
    figures = figures_of(case, found.view, program=name) if found.view is not None else ()
    reason = _reason(found)
    return Document(
        title=(
            f"{case.name} on the {subject.cpu}, build {subject.build}, fails on a scene: "
            f"{found.spec}"
        ),
        outcome=Outcome("did not come back" if found.fault else REFUTED, Tone.BAD, reason),
        sections=(
            Section("Scene", (*_scene(found), *figures)),
            Section("What is wrong", tuple(_wrong(found))),
            Section("Receipt", (Points(_receipt(subject, command)),), is_detail=True),
        ),
        checks=(Check(case.name, name, Fate.FAILURE, f"{found.spec}: {reason}"),),
        data=_report(case, subject, found, command),
        schema=SCHEMA,
    )


def _reason(found: Explanation) -> str:
    """In a line, what is wrong first."""
    if found.fault:
        return found.fault.partition("\n")[0]
    return str(found.divergence) if found.divergence is not None else found.violations[0]


def _scene(found: Explanation) -> Iterator[Part]:
    """How many objects are left, and what the scene says of each."""
    count = len(found.kept)
    yield (
        f"The smallest scene found that still fails has {count} of the {found.spec.objects} "
        f"objects; {found.tried} scenes were tried."
    )
    if not count:
        return
    shown = slice(_MOST_OBJECTS)
    columns = {
        "object": range(count)[shown],
        "of the scene": found.kept[shown].tolist(),
        **{name: values[shown].tolist() for name, values in found.columns.items()},
    }
    rows = tuple(tuple(map(str, row)) for row in zip(*columns.values(), strict=True))
    yield Table(tuple(columns), rows, words=0)
    if count > _MOST_OBJECTS:
        yield f"And {count - _MOST_OBJECTS} more."


def _wrong(found: Explanation) -> Iterator[Part]:
    if found.fault:
        yield "It does not come back:"
        yield Literal(tuple(found.fault.splitlines()))
    points = [f"It breaks the contract of a call: {violation}." for violation in found.violations]
    if found.divergence is not None:
        count = found.divergence.differing_bytes
        points += [
            f"First difference: {found.divergence}.",
            f"It was last written at {found.writer}."
            if found.writer is not None
            else "No instruction of the routine wrote it.",
            f"{count} byte{'s differ' if count != 1 else ' differs'} in all.",
        ]
    if points:
        yield Points(tuple(points))


def _receipt(subject: Subject, command: Sequence[str]) -> tuple[str, ...]:
    return f"command: {shlex.join(command)}", f"program: {subject.program}"


def _report(
    case: Case, subject: Subject, found: Explanation, command: Sequence[str]
) -> ExplanationReport:
    return ExplanationReport(
        command=tuple(command),
        case=case.name,
        cpu=subject.cpu,
        build=subject.build,
        program=str(subject.program),
        scene=found.spec,
        tried=found.tried,
        kept=tuple(found.kept.tolist()),
        columns={name: _plain(values) for name, values in found.columns.items()},
        divergence=found.divergence,
        writer=None if found.writer is None else str(found.writer),
        violations=found.violations,
        fault=found.fault,
    )


def _plain(values: NDArray[Any]) -> tuple[float | str, ...]:
    """Whole numbers for whole numbers and for flags, text for what is no number."""
    kind = {"b": np.int64, "i": np.int64, "u": np.int64, "f": np.float64}.get(values.dtype.kind)
    return tuple(values.astype(str if kind is None else kind).tolist())
