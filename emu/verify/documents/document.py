"""Makes the document of a verification: the verdict, the failures, and the receipt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from emu.cases.change_marks import change_clause
from emu.cases.programs.source_texts import SourceTexts
from emu.cycles.comparison import cycle_comparison
from emu.report.document import (
    Check,
    CheckStatus,
    Document,
    Literal,
    Part,
    Points,
    Section,
    Table,
)
from emu.report.verdict_words import TONES, verdict_outcome
from emu.verify.documents.answers_document import answers_clause
from emu.verify.documents.comparison_document import comparison_sentences
from emu.verify.documents.coverage_document import (
    annotated_sources,
    coverage_caveat,
    coverage_section,
)
from emu.verify.documents.failure_document import (
    dependence_on_place,
    failing_lines,
    first_failures,
    instruction_sentences,
)
from emu.verify.documents.ignored_document import before_strays, ignored_clause
from emu.verify.documents.memory_document import left_clause, memory_sections
from emu.verify.documents.merged_texts import merge_by_text
from emu.verify.documents.oracle_document import oracle_section
from emu.verify.documents.receipt_document import origin_sentences, receipt_lines, replacement
from emu.verify.documents.toolbox_document import toolbox_clause, toolbox_sections
from emu.verify.report.report import SCHEMA, ProgramResult, VerifyReport
from emu.verify.runs.verdicts import INCONCLUSIVE, REFUTED, VERIFIED

FATES = {
    VERIFIED: CheckStatus.PASSED,
    REFUTED: CheckStatus.FAILURE,
    INCONCLUSIVE: CheckStatus.ERROR,
}
"""How a verdict is told to continuous integration, by verdict."""


def document_of(
    report: VerifyReport, figures: Sequence[Part] = (), texts: SourceTexts | None = None
) -> Document:
    """Make the document of one case. It has one JUnit check for each program.

    Args:
        report: the report of the case.
        figures: pictures of failed scenes, as `emu.verify.explain.failure_figures` makes them.
        texts: the text of the sources, to show beside it what was executed; None shows none.
    """
    case, replaced = report.receipt.case, replacement(report.receipt.source)
    title = case.title + (f" ({case.credit})" if case.credit else "")
    return Document(
        title=f"{title}: {replaced}" if replaced else title,
        outcome=verdict_outcome(report.verdict, _caveat(report)),
        sections=tuple(_sections(report, figures, texts)),
        checks=tuple(map(_check, report.results)),
        seconds=report.receipt.seconds,
        data=report,
        schema=SCHEMA,
        name=case.name,
    )


def _sections(
    report: VerifyReport, figures: Sequence[Part], texts: SourceTexts | None
) -> Iterator[Section]:
    yield Section("Programs", (_table(report.results), Points(tuple(origin_sentences(report)))))
    failures = list(first_failures(report.results))
    if failures:
        first_lines = [(name, text.partition("\n")[0]) for name, text in failures]
        points = Points(tuple(merge_by_text(first_lines)))
        yield Section("Failures", (points, *failing_lines(report), *figures))
    longer = merge_by_text((name, text) for name, text in failures if "\n" in text)
    if longer:
        lines = tuple(line for text in longer for line in text.split("\n"))
        yield Section("Failures in full", (Literal(lines),), is_detail=True)
    depending = [f"{sentence}." for sentence in merge_by_text(dependence_on_place(report.results))]
    if depending:
        yield Section("Layouts", (Points(tuple(depending)),))
    defects = merge_by_text(
        (result.name, f"{d}.") for result in report.results for d in result.defects
    )
    if defects:
        yield Section("Sanitizers", (Points(tuple(defects)),))
    lacking = instruction_sentences((result.name, result) for result in report.results)
    if lacking:
        yield Section("Instructions", (Points(tuple(lacking)),))
    yield from coverage_section(report)
    yield from memory_sections(report.results)
    yield from toolbox_sections(report.results)
    yield from cycle_comparison(report.cycles, report.receipt.reference)
    if report.not_run:
        omissions = tuple(f"{item.what}: {item.why}." for item in report.not_run)
        yield Section("Not run", (Points(omissions),))
    if report.oracles is not None and len(report.oracles.oracles) > 2:
        yield oracle_section(report.oracles)
    yield Section("What was compared", (Points(tuple(comparison_sentences(report))),))
    if texts is not None:
        yield from annotated_sources(report, texts)
    yield Section("Receipt", (Points(tuple(receipt_lines(report))),), is_detail=True)


def _table(results: Sequence[ProgramResult]) -> Table:
    """One row for each program; a line separates the processors."""
    cpus = [result.cpu for result in results]
    has_others = not all(result.is_on_unicorn for result in results)
    engines = [(result.engine.partition(" ")[0],) if has_others else () for result in results]
    return Table(
        columns=(
            *("CPU", "build"),
            *(("engine",) if has_others else ()),
            *("verdict", "scenes", "values compared", "instructions"),
        ),
        rows=tuple(
            (
                result.cpu,
                result.build,
                *engine,
                result.verdict,
                f"{result.distinct_scenes:,}",
                f"{result.comparisons:,}",
                f"{result.instructions.count:,}" if result.instructions else "-",
            )
            for result, engine in zip(results, engines, strict=True)
        ),
        words=3 + has_others,
        breaks=frozenset(row for row in range(1, len(cpus)) if cpus[row] != cpus[row - 1]),
        tones=TONES,
    )


# -- what was compared -------------------------------------------------------------------------


def _caveat(report: VerifyReport) -> str:
    """The limits of the verdict: marks in the case, repeated scenes, code or checks left out."""
    distinct = report.receipt.scenes.distinct
    ran = max((result.scenes for result in report.results), default=0)
    plural = "" if distinct == 1 else "s"
    repeated = f"{distinct:,} distinct scene{plural} of {ran:,}" if distinct < ran else ""
    unexecuted, ignored = coverage_caveat(report.unreached), ignored_clause(report.ignored)
    strays = before_strays(report)
    trampled = f"what is called before has changed {strays}" if strays else ""
    changes = "" if report.verdict == VERIFIED else change_clause(report.receipt.case.marks)
    limits = (
        left_clause(report.results),
        not_watched_clause(report.results),
        toolbox_clause(report.results),
        answers_clause(report.results),
    )
    return "; ".join(filter(None, (changes, repeated, ignored, trampled, unexecuted, *limits)))


def not_watched_clause(results: Iterable[ProgramResult]) -> str:
    """Say which mistakes macproof does not notice, or in some calls only, on which processors.

    Returns:
        A clause such as "odd addresses were watched in 16 of 300 calls on the 68000"; "" if there
        are none.
    """
    unwatched: dict[str, list[ProgramResult]] = {}
    for result in results:
        for what in result.not_watched:
            unwatched.setdefault(what, []).append(result)
    return "; ".join(
        f"{what} were {_how_watched(among)} on the {', '.join(dict.fromkeys(r.cpu for r in among))}"
        for what, among in unwatched.items()
    )


def _how_watched(results: Iterable[ProgramResult]) -> str:
    calls, watched = 0, 0
    for result in results:
        calls += result.calls
        watched += sum(check.calls for check in (result.alignment,) if check is not None)
        watched += result.calls - result.memory.left_calls if result.memory is not None else 0
    return f"watched in {watched:,} of {calls:,} calls" if watched else "not watched"


# -- failures -----------------------------------------------------------------------------


# -- checks and the receipt --------------------------------------------------------------------


def _check(result: ProgramResult) -> Check:
    """The JUnit test case of a program: each failure names its generator, objects and seed."""
    texts = [
        f"{failure.scene}: {failure.summary}{f', at {failure.at}' if failure.at else ''}"
        for failure in result.failures
    ]
    texts += [str(finding) for finding in result.isa.findings]
    texts += [str(violation) for check in result.checks for violation in check.violations]
    message = "\n".join(texts) or result.fault or result.undecided or ""
    return Check(
        group=result.case,
        name=result.name,
        fate=FATES[result.verdict],
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
        "translated_calls": str(result.translated),
    }
    return facts | ({"not_watched": ", ".join(result.not_watched)} if result.not_watched else {})
