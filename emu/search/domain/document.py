"""Makes the document of a box of inputs: its ranges, why they end, and what is just outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from emu.base.printable import one_line
from emu.report.document import Check, CheckStatus, Document, Part, Points, Section, Table
from emu.report.verdict_words import verdict_outcome
from emu.search.domain.report import (
    BUDGET,
    FAILS,
    FOUND,
    NOT_INSIDE,
    REFUSED,
    SCHEMA,
    Counterexample,
    DimensionRange,
    DomainReport,
    Face,
    ProgramDomain,
)

_MEANING = (
    "A range was found by search: so many scenes were tried, and none failed. That is evidence, "
    "not proof. The search takes for granted that what fails goes on failing farther out."
)


def domain_document(report: DomainReport, folder: Path) -> Document:
    """Make the document of a search. It has one JUnit check for each program.

    Args:
        report: what was found.
        folder: where the scenes just outside are.
    """
    bad = sum(program.verdict != FOUND for program in report.programs)
    caveat = f"on {bad} of {len(report.programs)} programs" if bad else ""
    sections = [
        Section(program.name, tuple(_parts(program, report, folder))) for program in report.programs
    ]
    return Document(
        title=f"{report.basis.case.title}: the inputs for which it is correct and safe",
        outcome=verdict_outcome(report.verdict, caveat),
        lead=(_MEANING, *report.unwatched.sentences()),
        sections=tuple(sections),
        checks=tuple(_check(program, report) for program in report.programs),
        data=report,
        schema=SCHEMA,
    )


def _parts(program: ProgramDomain, report: DomainReport, folder: Path) -> Iterator[Part]:
    if program.tied:
        yield Points(
            tuple(
                f"{each.name}: not searched, because scenes do not take such values independently: "
                f"{one_line(each.why)}"
                for each in program.tied
            )
        )
    if program.failure is not None:
        where = f" ({folder / program.failure.file})" if program.failure.file else ""
        yield (
            "A scene within the usual ranges fails, so there is no box: "
            f"{one_line(str(program.failure.symptom))}{where}"
        )
        return
    has_safe = any(face.safe for each in program.dimensions for face in (each.low, each.high))
    columns = ("number", "usual", "alone", "box", *(["safe"] if has_safe else []))
    yield Table(columns, tuple(_row(each)[: len(columns)] for each in program.dimensions))
    refused = undecided = ""
    if program.held_refused:
        refused = (
            f" Of {program.held_refused:,} of them nobody says what is right: these are safe only."
        )
    if has_safe:
        refused += f" {program.safe_held:,} scenes held within the box that is called safe."
    if program.undecided:
        undecided = (
            f" The engine could not run {program.undecided:,} scenes: nothing is known of them."
        )
    yield (
        f"{program.held:,} scenes within the box held.{refused}{undecided} {program.executions:,} "
        f"scenes were tried in {program.seconds:,.1f} seconds, seed {report.basis.seed}."
    )
    yield Points(
        tuple(
            _end(f"{each.name} {word} {at:,}{note}", *end, folder)
            for each in program.dimensions
            for word, face in (("below", each.low), ("above", each.high))
            for at, note, end in _ends(face, each)
        )
    )


def _row(dimension_range: DimensionRange) -> tuple[str, ...]:
    """The cells of a number; the last is how far it is safe."""
    low, high = dimension_range.low, dimension_range.high
    safe = [face.joint if face.safe is None else face.safe.value for face in (low, high)]
    return (
        dimension_range.name,
        f"{low.usual:,} to {high.usual:,}",
        f"{low.alone:,} to {high.alone:,}",
        f"{low.joint:,} to {high.joint:,}",
        f"{safe[0]:,} to {safe[1]:,}",
    )


_End: TypeAlias = tuple[str, str, Counterexample | None]


def _ends(face: Face, dimension_range: DimensionRange) -> Iterator[tuple[int, str, _End]]:
    """Where a face ends, and where what is safe does; each with a note and the reason."""
    is_inside = any(face is other for other in dimension_range.inside)
    note = ", within the usual range" if is_inside else ""
    yield face.joint, note, (face.ends, face.why, face.counterexample)
    if face.safe is not None:
        safe = face.safe
        yield (
            safe.value,
            ", where calls are no longer safe",
            (safe.ends, safe.why, safe.counterexample),
        )


def _end(what: str, ends: str, why: str, example: Counterexample | None, folder: Path) -> str:
    """Why a range ends, as a sentence."""
    if ends == BUDGET:
        return f"{what}: not searched to the end, because the budget of scenes was used up"
    if ends != FAILS or example is None:
        return f"{what}: nothing is tried, because {why}"
    at = "" if example.value is None else f" at {example.value:,}"
    is_outside = example.symptom.refused and example.symptom.kind != REFUSED
    refused = " (the reference refuses this scene)" if is_outside else ""
    file = f" ({folder / example.file})" if example.file else ""
    return f"{what}: {example.symptom.kind}{at}{refused}: {one_line(example.symptom.summary)}{file}"


def _check(program: ProgramDomain, report: DomainReport) -> Check:
    fates = {FOUND: CheckStatus.PASSED, NOT_INSIDE: CheckStatus.FAILURE}
    inside = [face for each in program.dimensions for face in each.inside]
    text = (
        program.failure.symptom.summary
        if program.failure
        else "; ".join(face.why for face in inside)
    )
    fate = fates.get(program.verdict, CheckStatus.ERROR)
    return Check(report.basis.case.name, program.name, fate, text)
