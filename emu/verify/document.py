"""The report of a verification as a document: the verdict, why to believe it, and what failed."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

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
from emu.verify.receipt import Sources
from emu.verify.report import SCHEMA, ProgramResult, VerifyReport
from emu.verify.verdicts import INCONCLUSIVE, REFUTED, VERIFIED

TONES = {VERIFIED: Tone.GOOD, REFUTED: Tone.BAD, INCONCLUSIVE: Tone.DOUBTFUL}
"""What each verdict means for the reader."""

_FATES = {VERIFIED: Fate.PASSED, REFUTED: Fate.FAILURE, INCONCLUSIVE: Fate.ERROR}
_FINDINGS_TOLD = 5
_WEIGHTS = {
    "refutes": "it would not run on the real processor",
    "undecided": "undecided",
    "note": "note",
}


def document_of(report: VerifyReport, figures: Sequence[Part] = ()) -> Document:
    """A report of one case as a document, with a check for each program.

    Args:
        report: the report.
        figures: pictures of failures; see `emu.verify.failure_figures`.
    """
    case, replaced = report.receipt.case, _replacement(report.receipt.source)
    title = case.title + (f" ({case.credit})" if case.credit else "")
    return Document(
        title=f"{title}: {replaced}" if replaced else title,
        outcome=Outcome(report.verdict, TONES[report.verdict], _caveat(report)),
        sections=tuple(_sections(report, figures)),
        checks=tuple(map(_check, report.results)),
        seconds=report.receipt.seconds,
        data=report,
        schema=SCHEMA,
    )


def _sections(report: VerifyReport, figures: Sequence[Part]) -> Iterator[Section]:
    yield Section("Programs", (_table(report.results), Points(tuple(_origins(report)))))
    failures = list(_failures(report.results))
    if failures:
        first_lines = [(name, text.partition("\n")[0]) for name, text in failures]
        yield Section("Failures", (Points(tuple(alike(first_lines))), *figures))
    longer = alike((name, text) for name, text in failures if "\n" in text)
    if longer:
        lines = tuple(line for text in longer for line in text.split("\n"))
        yield Section("Failures in full", (Literal(lines),), is_detail=True)
    lacking = instruction_sentences((result.name, result) for result in report.results)
    if lacking:
        yield Section("Instructions", (Points(tuple(lacking)),))
    if report.not_run:
        left = tuple(f"{item.what}: {item.why}." for item in report.not_run)
        yield Section("Not run", (Points(left),))
    yield Section("What was compared", (Points(tuple(_comparisons(report))),))
    yield Section("Receipt", (Points(tuple(_receipt(report))),), is_detail=True)


def _table(results: Sequence[ProgramResult]) -> Table:
    """A row for each program, with a break between processors."""
    cpus = [result.cpu for result in results]
    return Table(
        columns=("CPU", "build", "verdict", "scenes", "values compared", "instructions"),
        rows=tuple(
            (
                result.cpu,
                result.build,
                result.verdict,
                f"{result.distinct_scenes:,}",
                f"{result.comparisons:,}",
                f"{result.instructions.count:,}" if result.instructions else "-",
            )
            for result in results
        ),
        words=3,
        breaks=frozenset(row for row in range(1, len(cpus)) if cpus[row] != cpus[row - 1]),
        tones=TONES,
    )


def _origins(report: VerifyReport) -> Iterator[str]:
    """Where programs come from, and which file says what a program's own does not."""
    yield f"Where they came from: {report.receipt.programs}."
    for result in report.results:
        name = Path(result.program.file).name
        symbols, types = result.program.symbols, result.program.types
        if symbols:
            yield f"Symbols of {name} from {symbols.file}."
        if types:
            yield (
                f"{name} does not say what {', '.join(types.variables)} are made of: types "
                f"from the case's own program, build {types.build} ({types.file}); "
                "addresses are the application's, sizes agree."
            )


# -- why to believe it -------------------------------------------------------------------------


def _comparisons(report: VerifyReport) -> Iterator[str]:
    """What was done, in numbers, and whether calls kept to their contract."""
    receipt, results, scenes = report.receipt, report.results, report.receipt.scenes
    calls = sum(result.calls for result in results)
    yield (
        f"Programs: {len(results)}; scenes: {scenes.count:,}, {scenes.distinct:,} of them "
        f"distinct; calls: {calls:,}."
    )
    yield (
        f"{receipt.comparisons:,} values compared with {receipt.reference}, and "
        f"{receipt.bytes_compared / 1e6:,.0f} MB of data memory compared with what it had to be."
    )
    if scenes.seeds:
        yield (
            f"Scenes of {', '.join(map(str, scenes.objects))} objects, "
            f"{', '.join(scenes.generators)}, seeds {scenes.seeds[0]} to {scenes.seeds[-1]}."
        )
    fills = [f"{one.words} (calls: {one.calls:,})" for one in receipt.memory]
    yield (
        "What holds no input (what is observed, the ends of input arrays that no scene fills, "
        "the stack, registers) was, before each call, "
        f"{', '.join(fills[:-1])} or {fills[-1]}."
    )
    called = [result for result in results if result.scenes]
    if called:
        least = min(called, key=lambda result: result.changed_scenes / result.scenes)
        yield (
            f"Calls changed data memory in {least.changed_scenes:,} of "
            f"{least.scenes:,} scenes{' at least' if len(called) > 1 else ''}."
        )
    measured = next((r.instructions for r in results if r.instructions), None)
    if measured:
        yield f"Instructions are those of one call ({measured.scene})."
    violated, given_up = sum(r.violated for r in results), sum(bool(r.fault) for r in results)
    if violated or given_up:
        yield f"Calls that broke the contract: {violated:,}; programs given up: {given_up}."
    elif not calls:
        yield "Nothing was called, so nothing is known."
    else:
        yield "Every call came back with stack and preserved registers restored."


def _caveat(report: VerifyReport) -> str:
    """What stands beside the verdict: how many scenes were alike, and what was not watched."""
    distinct = report.receipt.scenes.distinct
    ran = max((result.scenes for result in report.results), default=0)
    plural = "" if distinct == 1 else "s"
    alike = f"{distinct:,} distinct scene{plural} of {ran:,}" if distinct < ran else ""
    return "; ".join(filter(None, (alike, unwatched_words(report.results))))


def unwatched_words(results: Iterable[ProgramResult]) -> str:
    """What was not watched on which processors, as a clause; or ""."""
    unwatched: dict[str, dict[str, None]] = {}
    for result in results:
        for what in result.not_watched:
            unwatched.setdefault(what, {})[result.cpu] = None
    texts = [f"{what} were not watched on the {', '.join(c)}" for what, c in unwatched.items()]
    return "; ".join(texts)


# -- what is wrong -----------------------------------------------------------------------------


def _failures(results: Iterable[ProgramResult]) -> Iterator[tuple[str, str]]:
    """The first failure of each program that has one, with the program's name."""
    for result in results:
        text = result.fault or ""
        if result.failures:
            text = f"{result.failures[0].scene}: {result.failures[0].summary}"
        if not text and not result.isa.findings:
            text = result.undecided or ""
        if text:
            yield result.name, text


def instruction_sentences(results: Iterable[tuple[str, ProgramResult]]) -> list[str]:
    """Instructions that a processor has not or others have not, and what was not checked.

    Args:
        results: each with its name.
    """
    return [f"{text}." for text in alike(_instructions(results))]


def _instructions(results: Iterable[tuple[str, ProgramResult]]) -> Iterator[tuple[str, str]]:
    for name, result in results:
        findings = result.isa.findings
        for finding in findings[:_FINDINGS_TOLD]:
            kind = _WEIGHTS[finding.weight]
            yield name, f"{kind}: {finding.mnemonic} {finding.why}; at {finding.place}"
        if len(findings) > _FINDINGS_TOLD:
            yield name, f"{len(findings) - _FINDINGS_TOLD} more such instructions"
        if not result.isa.checked:
            yield (
                name,
                f"macproof has no table of the instructions of {result.cpu}; none was checked",
            )


def alike(said: Iterable[tuple[str, str]], kind: str = "programs") -> list[str]:
    """Texts with the names of whom they are said, as "68040 O1, 601 O1: it jumped".

    Of more than three names the first stands for all: "68040 O1 and 4 other programs: it jumped".

    Args:
        said: names and texts. Those with the same text are told together.
        kind: what the names are of.
    """
    names: dict[str, list[str]] = {}
    for name, text in said:
        names.setdefault(text, []).append(name)
    return [f"{_together(whose, kind)}: {text}" for text, whose in names.items()]


def _together(names: Sequence[str], kind: str) -> str:
    if len(names) <= 3:
        return ", ".join(names)
    return f"{names[0]} and {len(names) - 1} other {kind}"


# -- checks and the receipt --------------------------------------------------------------------


def _check(result: ProgramResult) -> Check:
    """A program as a test case: each failure with the scene it can be made again from."""
    texts = [f"{failure.scene}: {failure.summary}" for failure in result.failures]
    texts += [str(finding) for finding in result.isa.findings]
    message = "\n".join(texts) or result.fault or result.undecided or ""
    return Check(
        group=result.case,
        name=result.name,
        fate=_FATES[result.verdict],
        message="" if result.verdict == VERIFIED else message,
        properties=_properties(result),
    )


def _properties(result: ProgramResult) -> Mapping[str, str]:
    facts = {
        "calls": str(result.calls),
        "scenes": str(result.scenes),
        "distinct_scenes": str(result.distinct_scenes),
        "changed_scenes": str(result.changed_scenes),
        "comparisons": str(result.comparisons),
        "bytes_compared": str(result.bytes_compared),
        "program_sha256": result.program.sha256,
    }
    return facts | ({"not_watched": ", ".join(result.not_watched)} if result.not_watched else {})


def _receipt(report: VerifyReport) -> Iterator[str]:
    receipt, source = report.receipt, report.receipt.source
    yield f"command: {shlex.join(receipt.command)}"
    yield (
        f"source: {_replacement(source) or ', '.join(source.files)}; "
        f"SHA-256 of everything compiled: {source.sha256}"
    )
    yield f"programs: {receipt.programs}"
    yield f"reference: {receipt.reference}"
    yield (
        f"engine: {receipt.engine}, macproof {receipt.macproof}, Python {receipt.python}, "
        f"NumPy {receipt.numpy}"
    )


def _replacement(source: Sources) -> str:
    """What was compiled in place of the case's own sources, or ""."""
    if isinstance(source.replaced_by, Mapping):
        return ", ".join(f"{name}={path}" for name, path in source.replaced_by.items())
    return source.replaced_by or ""
