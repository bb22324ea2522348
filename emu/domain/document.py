"""Makes the document of a box of inputs: its ranges, why they end, and what is just outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from emu.base.printable import one_line
from emu.domain.report import BUDGET, FAILS, FOUND, SCHEMA, DomainReport, Face, ProgramDomain
from emu.report.document import Check, Document, Fate, Outcome, Part, Points, Section, Table, Tone

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
    good = report.verdict == FOUND
    bad = sum(one.failure is not None for one in report.programs)
    caveat = "" if good else f"on {bad} of {len(report.programs)} programs"
    sections = [Section(one.name, tuple(_parts(one, report, folder))) for one in report.programs]
    return Document(
        title=f"{report.case.title}: the inputs for which it is correct and safe",
        outcome=Outcome(report.verdict, Tone.GOOD if good else Tone.BAD, caveat),
        lead=(_MEANING,),
        sections=tuple(sections),
        checks=tuple(_check(one, report) for one in report.programs),
        data=report,
        schema=SCHEMA,
    )


def _parts(one: ProgramDomain, report: DomainReport, folder: Path) -> Iterator[Part]:
    if one.tied:
        yield Points(
            tuple(
                f"{each.name}: not searched, because scenes do not take such values independently: "
                f"{one_line(each.why)}"
                for each in one.tied
            )
        )
    if one.failure is not None:
        where = f" ({folder / one.failure.file})" if one.failure.file else ""
        yield (
            "A scene within the usual ranges fails, so there is no box: "
            f"{one.failure.kind}: {one_line(one.failure.summary)}{where}"
        )
        return
    rows = tuple(
        (
            each.name,
            f"{each.low.usual:,} to {each.high.usual:,}",
            f"{each.low.alone:,} to {each.high.alone:,}",
            f"{each.low.joint:,} to {each.high.joint:,}",
        )
        for each in one.dimensions
    )
    columns = ("number", "usual", "alone", "box")
    yield Table(columns, rows)
    refused = ""
    if one.held_refused:
        refused = (
            f" Of {one.held_refused:,} of them the reference does not say what is right: these are "
            "safe only."
        )
    undecided = ""
    if one.undecided:
        undecided = f" The engine could not run {one.undecided:,} scenes: nothing is known of them."
    yield (
        f"{one.held:,} scenes within the box held.{refused}{undecided} {one.executions:,} scenes "
        f"were tried in {one.seconds:,.1f} seconds, seed {report.seed}."
    )
    yield Points(
        tuple(
            _end(f"{each.name} {word} {face.joint:,}", face, folder)
            for each in one.dimensions
            for word, face in (("below", each.low), ("above", each.high))
        )
    )


def _end(what: str, face: Face, folder: Path) -> str:
    """Why a range ends, as a sentence."""
    if face.ends == BUDGET:
        return f"{what}: not searched to the end, because the budget of scenes was used up"
    if face.ends != FAILS or face.counterexample is None:
        return f"{what}: nothing is tried, because {face.why}"
    example = face.counterexample
    at = "" if example.value is None else f" at {example.value:,}"
    refused = (
        " (the reference refuses this scene)"
        if example.refused and example.kind != "refused"
        else ""
    )
    file = f" ({folder / example.file})" if example.file else ""
    return f"{what}: {example.kind}{at}{refused}: {one_line(example.summary)}{file}"


def _check(one: ProgramDomain, report: DomainReport) -> Check:
    fate = Fate.PASSED if one.failure is None else Fate.FAILURE
    text = "" if one.failure is None else one.failure.summary
    return Check(report.case.name, one.name, fate, text)
