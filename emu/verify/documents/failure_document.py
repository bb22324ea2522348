"""Says what went wrong: where, in which layout, and by which instructions."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator

from emu.report.document import Excerpt, Literal, Part
from emu.toolchain.programs.placement import MOVED
from emu.verify.documents.merged_texts import merge_by_text
from emu.verify.report.next_command import explain_command
from emu.verify.report.report import ProgramResult, VerifyReport
from emu.verify.runs.verdicts import REFUTED, VERIFIED

_FINDINGS_TOLD = 5

_WEIGHTS = {
    "refutes": "it would not run on the real processor",
    "undecided": "undecided",
    "note": "note",
}


def first_failures(results: Iterable[ProgramResult]) -> Iterator[tuple[str, str]]:
    """The name and the first failure of each program that failed."""
    for result in results:
        text = result.fault or ""
        if result.failures:
            text = f"{result.failures[0].scene}: {result.failures[0].summary}"
        if not text and not result.isa.findings:
            text = result.undecided or ""
        if text:
            yield result.name, text


def failing_lines(report: VerifyReport) -> Iterator[Part]:
    """The source lines of the failures, and the command that explains the first of them."""
    first = None
    for result in report.results:
        if not result.failures or result.verdict == VERIFIED:
            continue
        first = first or result
        failure = result.failures[0]
        if failure.at is None:
            continue
        verb = "stopped at " if failure.fault else "last written at "
        yield f"{result.name}, {failure.scene}: {'' if failure.at.stray else verb}{failure.at}."
        if failure.at.text:
            yield Excerpt(failure.at.file, failure.at.line, (failure.at.text,), failure.at.line)
        elif failure.at.why_no_text:
            yield failure.at.why_no_text
    if first is not None:
        yield "To see the smallest scene that still fails, and where it goes wrong:"
        yield Literal((shlex.join(explain_command(report, first)),))


def dependence_on_place(results: Iterable[ProgramResult]) -> Iterator[tuple[str, str]]:
    """The programs that are right in one layout and wrong in the other."""
    verdicts = {(result.cpu, result.engine, result.build): result.verdict for result in results}
    for result in results:
        both = {result.verdict, verdicts.get((result.cpu, result.engine, result.build + MOVED))}
        if both == {VERIFIED, REFUTED}:
            yield (
                result.name,
                "its results depend on where code, data and stack lie, or on the order of its "
                f"variables: it is {result.verdict} where they usually are, and not in build "
                f"{result.build}{MOVED}",
            )


def instruction_sentences(results: Iterable[tuple[str, ProgramResult]]) -> list[str]:
    """Sentences about executed instructions that not every processor of the family has.

    Programs whose instructions were not checked at all are named too.

    Args:
        results: pairs of a name, such as "68040 O2", and the result of that program.
    """
    return [f"{text}." for text in merge_by_text(_instructions(results))]


def _instructions(results: Iterable[tuple[str, ProgramResult]]) -> Iterator[tuple[str, str]]:
    for name, result in results:
        findings = result.isa.findings
        for finding in findings[:_FINDINGS_TOLD]:
            kind = _WEIGHTS[finding.weight]
            yield name, f"{kind}: {finding.mnemonic} {finding.why}; at {finding.place}"
        if len(findings) > _FINDINGS_TOLD:
            yield name, f"{len(findings) - _FINDINGS_TOLD} more instructions of this kind"
        if not result.isa.checked and result.is_on_unicorn:
            yield (
                name,
                f"macproof has no table of the {result.cpu}'s instructions, so none was checked",
            )
