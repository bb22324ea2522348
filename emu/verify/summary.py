"""Many reports of verifications together: a line for each case, and what they come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from emu.report.document import Document, Outcome, Points, Section
from emu.verify.document import TONES, alike, instruction_sentences, unwatched_words
from emu.verify.report import VerifyReport
from emu.verify.verdicts import worst


def summary_of(reports: Sequence[VerifyReport]) -> Document:
    """What many cases come to: what is said of all of them, and how much was compared.

    Checks and data are in the documents of the cases; see `emu.verify.document.document_of`.
    """
    verdict = worst(report.verdict for report in reports)
    return Document(
        title=f"{len(reports)} cases",
        outcome=Outcome(verdict, TONES[verdict]),
        sections=tuple(_sections(reports)),
        closing=(_counts(reports),),
        seconds=sum(report.receipt.seconds for report in reports),
    )


def line_of(report: VerifyReport) -> str:
    """One case of many: its name, what it was run on, and how much was compared."""
    receipt, results = report.receipt, report.results
    cpus = dict.fromkeys(result.cpu for result in results)
    return (
        f"{receipt.case.name:<36} {len(results):>3} programs for {', '.join(cpus)}; "
        f"{receipt.scenes.distinct:,} scenes, {receipt.comparisons:,} values compared "
        f"in {receipt.seconds:.1f} s"
    )


def _sections(reports: Sequence[VerifyReport]) -> Iterator[Section]:
    results = [(report.receipt.case.name, one) for report in reports for one in report.results]
    lacking = instruction_sentences((f"{case} {one.name}", one) for case, one in results)
    unwatched = unwatched_words(one for _, one in results)
    if unwatched:
        lacking.append(f"{unwatched[0].upper()}{unwatched[1:]}.")
    if lacking:
        yield Section("Instructions", (Points(tuple(lacking)),))
    left = alike(
        (
            (report.receipt.case.name, f"{item.what}: {item.why}.")
            for report in reports
            for item in report.not_run
        ),
        "cases",
    )
    if left:
        yield Section("Not run", (Points(tuple(left)),))


def _counts(reports: Sequence[VerifyReport]) -> str:
    verdicts = Counter(report.verdict for report in reports)
    receipts = [report.receipt for report in reports]
    results = [result for report in reports for result in report.results]
    return (
        f"Cases: {len(reports)} ({', '.join(f'{n} {word}' for word, n in verdicts.items())}); "
        f"programs: {len(results)}; calls: {sum(result.calls for result in results):,}; "
        f"{sum(one.comparisons for one in receipts):,} values and "
        f"{sum(one.bytes_compared for one in receipts) / 1e6:,.0f} MB of data memory compared "
        f"in {sum(one.seconds for one in receipts):.1f} s."
    )
