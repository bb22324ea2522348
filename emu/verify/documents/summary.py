"""Sums up the verifications of many cases: a line for each case, and a document for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from emu.report.document import Document, Points, Section
from emu.report.verdict_words import verdict_outcome
from emu.verify.documents.document import not_watched_clause
from emu.verify.documents.failure_document import instruction_sentences
from emu.verify.documents.memory_document import left_clause
from emu.verify.documents.merged_texts import merge_by_text
from emu.verify.report.report import VerifyReport
from emu.verify.runs.verdicts import worst


def summary_of(reports: Sequence[VerifyReport]) -> Document:
    """Make the document that sums up many cases: the worst verdict and the total counts.

    It has no checks and no data; those are in the documents of the single cases, which
    `emu.verify.documents.document.document_of` makes.
    """
    verdict = worst(report.verdict for report in reports)
    return Document(
        title=f"{len(reports)} cases",
        outcome=verdict_outcome(verdict),
        sections=tuple(_sections(reports)),
        closing=(_counts(reports), *_executed(reports)),
        seconds=sum(report.receipt.seconds for report in reports),
    )


def line_of(report: VerifyReport) -> str:
    """One line about a case: its name, its programs, and how much was compared."""
    receipt, results = report.receipt, report.results
    cpus = dict.fromkeys(result.cpu for result in results)
    return (
        f"{receipt.case.name:<36} {len(results):>3} programs for {', '.join(cpus)}; "
        f"{receipt.scenes.distinct:,} scenes, {receipt.comparisons:,} values compared "
        f"in {receipt.seconds:.1f} s"
    )


def _sections(reports: Sequence[VerifyReport]) -> Iterator[Section]:
    results = [
        (report.receipt.case.name, result) for report in reports for result in report.results
    ]
    lacking = instruction_sentences((f"{case} {result.name}", result) for case, result in results)
    not_watched = not_watched_clause(result for _, result in results)
    left = left_clause(result for _, result in results)
    if left:
        lacking.append(f"{left[0].upper()}{left[1:]}.")
    if not_watched:
        lacking.append(f"{not_watched[0].upper()}{not_watched[1:]}.")
    if lacking:
        yield Section("Instructions", (Points(tuple(lacking)),))
    omissions = merge_by_text(
        (
            (report.receipt.case.name, f"{item.what}: {item.why}.")
            for report in reports
            for item in report.not_run
        ),
        "cases",
    )
    if omissions:
        yield Section("Not run", (Points(tuple(omissions)),))


def _counts(reports: Sequence[VerifyReport]) -> str:
    verdicts = Counter(report.verdict for report in reports)
    receipts = [report.receipt for report in reports]
    results = [result for report in reports for result in report.results]
    return (
        f"Cases: {len(reports)} ({', '.join(f'{n} {word}' for word, n in verdicts.items())}); "
        f"programs: {len(results)}; calls: {sum(result.calls for result in results):,}; "
        f"{sum(receipt.comparisons for receipt in receipts):,} values and "
        f"{sum(receipt.bytes_compared for receipt in receipts) / 1e6:,.0f} MB of data memory "
        f"compared in {sum(receipt.seconds for receipt in receipts):.1f} s."
    )


def _executed(reports: Sequence[VerifyReport]) -> Iterator[str]:
    """How much of the code was executed, in the first build of each processor."""
    shares = [
        share
        for report in reports
        if report.unreached is not None
        for share in report.unreached.shares
    ]
    executed: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for share in shares:
        executed[share.unit] += share.executed
        total[share.unit] += share.total
    words = [f"{executed[unit]:,} of {total[unit]:,} {unit}" for unit in total]
    if words:
        yield f"Executed, in the first build of each processor: {', '.join(words)}."
