"""Makes the document of an explanation: the smallest failing scene and its first wrong value."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.cases.case import Case
from emu.cases.keys.arguments import RESULT
from emu.cases.programs.subject import Subject
from emu.program import Location
from emu.report.document import (
    Check,
    CheckStatus,
    Document,
    Excerpt,
    Literal,
    Part,
    Points,
    Section,
    Table,
)
from emu.report.verdict_words import verdict_outcome
from emu.verify.batches.differences import Divergence
from emu.verify.explain.divergence_point import SideBySide
from emu.verify.explain.explanation import Explanation
from emu.verify.explain.parting_document import parting_sections
from emu.verify.runs.verdicts import REFUTED
from emu.verify.scenes.scene_spec import SceneSpec
from emu.verify.views.scene_figures import parts_of

SCHEMA = "macproof.explanation/1"
_SHORT = 60
_MOST_OBJECTS = 12
_MOST_STRAYS = 4


@dataclass(frozen=True, slots=True)
class ExplanationReport:
    """The data of an explanation: why a program fails on a scene.

    Attributes:
        command: the command line, one string for each word.
        case: the case's name.
        cpu: the processor's name.
        build: the build's name.
        program: the program's file.
        scene: the failing scene.
        tried: the number of scenes that were run while the failing scene was made smaller.
        kept: the indices, in the failing scene, of the objects that the smallest scene still has.
            Their coordinates may differ from those in the failing scene.
        columns: the values of the smallest scene's objects, such as coordinates, by name.
        inputs: its other inputs, such as numbers and buffers, as lines of text by name.
        divergence: the first wrong value in the smallest scene; null if no value is wrong.
        writer: the instruction that last wrote the first wrong byte, as address and source line;
            null if the routine did not write it. If no value is wrong, it is the instruction that
            wrote above its routine's stack frame, if there is one.
        call: which of several calls executed it, as in "call 2 of 3, Pop"; "" otherwise.
        violations: the rules of the call contract that the routine breaks, a clause each.
        fault: why the call does not return; "" if it returns.
        layout: what was unusual about where arguments lay: "*s began at an odd address"; or "".
        beside: the smallest scene executed by another program too, and where the two part; null if
            that was not asked for.
        strays: the instructions that access memory of the Toolbox's heap which belongs to no block,
            each with what it does, the first one first.
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
    inputs: Mapping[str, tuple[str, ...]]
    divergence: Divergence | None
    writer: str | None
    call: str
    violations: tuple[str, ...]
    fault: str
    layout: str = ""
    beside: SideBySide | None = None
    strays: tuple[str, ...] = ()


def explanation_document(
    case: Case,
    subject: Subject,
    explanation: Explanation,
    *,
    command: Sequence[str] = (),
    source: Excerpt | str | None = None,
) -> Document:
    """Make the document of an explanation. It has figures if the explanation has a view.

    Args:
        case: the case.
        subject: the program that fails.
        explanation: the explanation.
        command: the command line, one string for each word.
        source: the lines of the source around the instruction that wrote the first wrong value, or
            that stopped the call; or why they are not shown; None if there is nothing to show.
    """
    name = f"{subject.cpu} {subject.build}"
    figures = parts_of(case, explanation.view, program=name) if explanation.view is not None else ()
    reason = _reason(explanation)
    return Document(
        title=(
            f"{case.name} on the {subject.cpu}, build {subject.build}, fails on a scene: "
            f"{explanation.spec}"
        ),
        outcome=verdict_outcome("did not return" if explanation.fault else REFUTED, reason),
        sections=(
            Section("Scene", tuple(_scene(explanation))),
            Section("What is wrong", (*_wrong(explanation), *([source] if source else []))),
            *([Section("The scene drawn", figures)] if figures else []),
            *parting_sections(explanation.beside),
            Section("Receipt", (Points(_receipt(subject, command)),), is_detail=True),
        ),
        checks=(Check(case.name, name, CheckStatus.FAILURE, f"{explanation.spec}: {reason}"),),
        data=_report(case, subject, explanation, command),
        schema=SCHEMA,
    )


def _reason(explanation: Explanation) -> str:
    """The first thing that is wrong, in one line."""
    if explanation.fault:
        return explanation.fault.partition("\n")[0]
    return (
        str(explanation.divergence)
        if explanation.divergence is not None
        else explanation.violations[0]
    )


def _scene(explanation: Explanation) -> Iterator[Part]:
    """The number of objects that are left, and a table of their values."""
    count = len(explanation.kept)
    if explanation.layout:
        yield f"In the calls of this scene, {explanation.layout}."
    yield (
        f"The smallest scene found that still fails has {count} of the {explanation.spec.objects} "
        f"objects; {explanation.tried} scenes were tried."
    )
    for name, lines in explanation.inputs.items():
        if len(lines) == 1 and len(lines[0]) < _SHORT:
            yield f"{name}: {lines[0]}"
        else:
            yield f"{name}:"
            more = len(lines) - _MOST_OBJECTS
            rest = (f"... {more} more lines",) if more > 0 else ()
            yield Literal((*lines[:_MOST_OBJECTS], *rest))
    if not count or not explanation.columns:
        return
    shown = slice(_MOST_OBJECTS)
    columns = {
        "object": range(count)[shown],
        "of the scene": explanation.kept[shown].tolist(),
        **{name: values[shown].tolist() for name, values in explanation.columns.items()},
    }
    rows = tuple(tuple(map(str, row)) for row in zip(*columns.values(), strict=True))
    yield Table(tuple(columns), rows, words=0)
    if count > _MOST_OBJECTS:
        yield f"{count - _MOST_OBJECTS} more objects are not shown."


def _wrong(explanation: Explanation) -> Iterator[Part]:
    if explanation.fault:
        yield "The call does not return:"
        yield Literal(tuple(explanation.fault.splitlines()))
    points = [
        f"The routine breaks the call contract: {violation}."
        for violation in explanation.violations
    ]
    if explanation.divergence is None and explanation.writer is not None:
        points.append(
            _written_at(
                "The bytes above its stack frame were", explanation.writer, explanation.call
            )
        )
    if explanation.divergence is not None:
        count = explanation.divergence.differing_bytes
        points += [
            f"First difference: {explanation.divergence}.",
            _origin(explanation.divergence, explanation.writer, explanation.call),
            f"{count} byte{'s differ' if count != 1 else ' differs'} in all.",
        ]
    shown = explanation.strays[:_MOST_STRAYS]
    points += [f"The heap is misused: {stray}." for stray in shown]
    if len(explanation.strays) > len(shown):
        points.append(f"{len(explanation.strays) - len(shown)} more instructions misuse the heap.")
    if points:
        yield Points(tuple(points))


def _origin(divergence: Divergence, writer: Location | None, call: str) -> str:
    """Where the first wrong value comes from."""
    if writer is not None:
        return _written_at("It was", writer, call)
    is_result = RESULT in re.split(r"[.\[]", divergence.place)
    return "The routine returned it." if is_result else "The routine did not write it."


def _written_at(what: str, writer: Location, call: str) -> str:
    return f"{what} last written at {writer}{f', in {call}' if call else ''}."


def _receipt(subject: Subject, command: Sequence[str]) -> tuple[str, ...]:
    return f"command: {shlex.join(command)}", f"program: {subject.program}"


def _report(
    case: Case, subject: Subject, explanation: Explanation, command: Sequence[str]
) -> ExplanationReport:
    return ExplanationReport(
        command=tuple(command),
        case=case.name,
        cpu=subject.cpu,
        build=subject.build,
        program=str(subject.program),
        scene=explanation.spec,
        tried=explanation.tried,
        kept=tuple(explanation.kept.tolist()),
        columns={name: _plain(values) for name, values in explanation.columns.items()},
        inputs=dict(explanation.inputs),
        divergence=explanation.divergence,
        writer=None if explanation.writer is None else str(explanation.writer),
        call=explanation.call,
        violations=explanation.violations,
        fault=explanation.fault,
        layout=explanation.layout,
        beside=explanation.beside,
        strays=tuple(map(str, explanation.strays)),
    )


def _plain(values: NDArray[Any]) -> tuple[float | str, ...]:
    """An array as numbers for JSON: flags become 0 and 1, what is no number becomes text."""
    kind = {"b": np.int64, "i": np.int64, "u": np.int64, "f": np.float64}.get(values.dtype.kind)
    return tuple(values.astype(str if kind is None else kind).tolist())
