"""Makes the document of a search: what was found, how fast, and how to look at it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from emu.base.printable import one_line
from emu.report.document import Check, CheckStatus, Document, Part, Points, Section
from emu.report.verdict_words import verdict_outcome
from emu.search.fuzz.report import NOTHING_TRIED, SCHEMA, FoundScene, FuzzReport


def fuzz_document(report: FuzzReport, folder: Path) -> Document:
    """Make the document of a search. It has one JUnit check for each program.

    Args:
        report: what was found.
        folder: the folder of the search.
    """
    case = report.setting.basis.case
    return Document(
        title=f"{case.title}: scenes that are changed at random",
        outcome=verdict_outcome(report.verdict, _caveat(report, folder)),
        sections=(
            *(Section(title, parts) for title, parts in _findings(report, folder)),
            Section("The search", (Points(tuple(_facts(report, folder))),)),
        ),
        checks=tuple(_checks(report)),
        data=report,
        schema=SCHEMA,
    )


def _caveat(report: FuzzReport, folder: Path) -> str:
    if report.verdict == NOTHING_TRIED:
        return "no changed scene was run: " + (
            "the scenes cannot be changed, or no program takes them when they are"
            if report.rounds
            else "there was no round"
        )
    count = len(report.findings)
    return f"{count} finding{'' if count == 1 else 's'} in {folder}" if count else ""


def _findings(report: FuzzReport, folder: Path) -> Iterator[tuple[str, tuple[Part, ...]]]:
    within = [finding for finding in report.findings if not finding.symptom.refused]
    beyond = [finding for finding in report.findings if finding.symptom.refused]
    if within:
        yield "Findings", (_points(within),)
    if beyond:
        words = (
            "The reference refuses these scenes, so it does not say what is right. The calls still "
            "have to return, to keep the contract, to write to nothing but what the case observes, "
            "and to leave the same on every program. With --within they are left out."
        )
        yield "Findings beyond what the reference accepts", (words, _points(beyond))
    if report.findings:
        other = "difference", "memory"  # of these there is no more to say
        first = next(
            (finding for finding in report.findings if finding.symptom.kind not in other), None
        )
        if first is not None:
            yield "Next", (shlex.join(("macproof", "explain", str(folder / first.file))),)


def _points(findings: list[FoundScene]) -> Points:
    """A sentence for each finding, with its file."""
    return Points(
        tuple(
            f"{finding.program}, {one_line(str(finding.symptom))} (objects: {finding.objects:,}; "
            f"found after {finding.executions:,} scenes, {finding.seconds:,.1f} s; {finding.file})"
            for finding in findings
        )
    )


def _facts(report: FuzzReport, folder: Path) -> Iterator[str]:
    rate = report.executions / report.seconds if report.seconds else 0.0
    programs = ", ".join(program.name for program in report.setting.programs)
    within = "were refused by the reference, or " if report.setting.within else ""
    yield (
        f"{report.executions:,} scenes were run on {programs} in {report.seconds:,.1f} seconds of "
        f"processor time: {rate:,.0f} a second; {report.changed:,} of them were changed. "
        f"{report.refused:,} {within}fitted no program."
    )
    yield (
        f"{report.translated:,} of the scenes were executed as translated code, and nothing was "
        "wrong. The others were executed on Unicorn, or show what it has said of one before."
    )
    yield (
        f"{report.corpus:,} scenes are kept in {folder / 'corpus'}, because each executed "
        f"something that none before it had: {report.features:,} edges between blocks, taken about "
        "so often."
    )
    yield from report.unwatched.sentences()
    yield (
        f"It began with {len(report.setting.scenes):,} scenes of the case, seed "
        f"{report.setting.basis.seed}. The same command goes on from here."
    )


def _checks(report: FuzzReport) -> Iterator[Check]:
    for program in report.setting.programs:
        texts = [
            str(finding.symptom) for finding in report.findings if finding.program == program.name
        ]
        fate = (
            CheckStatus.FAILURE
            if texts
            else CheckStatus.PASSED
            if report.changed
            else CheckStatus.ERROR
        )
        texts = texts or [report.verdict] if fate is not CheckStatus.PASSED else []
        yield Check(report.setting.basis.case.name, program.name, fate, "\n".join(texts))
