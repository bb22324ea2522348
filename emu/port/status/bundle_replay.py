"""Verifies the cases of a bundle on this computer, beside the verdicts that it brings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import MacproofError
from emu.cases.find import load_case
from emu.port.status.bundle import Bundle
from emu.port.status.case_receipts import CaseReceipt
from emu.report.document import Document, Points, Section, Table
from emu.report.verdict_words import TONES, verdict_outcome
from emu.verify.runs.verdicts import INCONCLUSIVE, worst
from emu.verify.verification import verify

SCHEMA = "macproof.replay/1"


@dataclass(frozen=True, slots=True)
class ReplayedCase:
    """A case of a bundle, and what came of it here.

    Attributes:
        file: its path in the bundle.
        verdict: "verified", "refuted" or "inconclusive".
        reason: why there is no verdict; "" if there is one.
        calls: how many calls were compared, on all programs together.
        function: the function that it calls; "" if the case is wrong.
    """

    file: str
    verdict: str
    reason: str = ""
    calls: int = 0
    function: str = ""


@dataclass(frozen=True, slots=True)
class BundleReport:
    """A bundle, and what came of its cases here.

    Attributes:
        path: the bundle.
        bundle: what it holds.
        verdict: the worst of the verdicts of its cases; inconclusive if it has none.
        cases: its cases.
        not_covered: functions with a verdict in the bundle of which no case was decided here.
    """

    path: str
    bundle: Bundle
    verdict: str
    cases: Sequence[ReplayedCase]
    not_covered: Sequence[str] = ()


def replay_bundle(
    path: Path,
    bundle: Bundle,
    folder: Path,
    *,
    jobs: int = 0,
    on_case: Callable[[str], None] = lambda name: None,
) -> BundleReport:
    """Verify each case of a bundle that was unpacked. This runs the cases' Python code.

    Args:
        path: the bundle, for the report.
        bundle: what it holds.
        folder: where it was unpacked.
        jobs: the number of worker processes; 0 is one for each processor of this computer.
        on_case: called with the name of each case before it is verified.
    """
    cases = []
    for name in bundle.cases:
        on_case(name)
        cases.append(_replayed(name, folder, jobs))
    verdict = worst([case.verdict for case in cases]) if cases else INCONCLUSIVE
    covered = {case.function for case in cases if case.verdict != INCONCLUSIVE}
    missing = tuple(one.name for one in bundle.verdicts if one.name not in covered)
    return BundleReport(str(path), bundle, verdict, tuple(cases), missing)


def _replayed(name: str, folder: Path, jobs: int) -> ReplayedCase:
    function = ""
    try:
        case = load_case(folder / name)
        function = case.call
        found = verify(case, jobs=jobs)
    except MacproofError as error:
        return ReplayedCase(name, INCONCLUSIVE, str(error), function=function)
    calls = sum(one.calls for one in found.report.results)
    return ReplayedCase(name, found.verdict, "", calls, function)


def replay_document(report: BundleReport) -> Document:
    """The report as a document."""
    bundle = report.bundle
    receipts = {one.case: one for one in bundle.receipts}
    rows = tuple(
        (case.file, case.verdict, f"{case.calls:,}", *_of_receipt(receipts.get(case.file)))
        for case in report.cases
    )
    reasons = tuple(f"{case.file}: {case.reason}" for case in report.cases if case.reason)
    columns = ("case", "verdict", "calls", "its receipt", "calls of its receipt")
    here = Table(columns, rows, words=2, tones=TONES)
    kept = tuple(
        (one.name, one.place, one.verdict, f"{one.calls:,}", f"{one.varied:,}")
        for one in bundle.verdicts
    )
    columns = ("function", "place", "verdict", "calls", "changed calls")
    none = "It has no cases, so nothing was run here. macproof port export writes them."
    return Document(
        title=f"The bundle {Path(report.path).name}",
        sections=(
            Section("Verified here", (here if rows else none, *_points(reasons))),
            *_receipts(bundle.receipts, report.cases),
            Section(
                "Verdicts that it brings",
                (
                    "They rest on recordings of the old program, which are not in it: nothing here "
                    "has repeated them.",
                    Table(columns, kept, words=3, tones=TONES) if kept else "None.",
                ),
            ),
            *_not_covered(report.not_covered),
        ),
        outcome=verdict_outcome(report.verdict),
        lead=(
            f"{len(bundle.files):,} files, written by macproof {bundle.macproof}; the old program, "
            f"for the {bundle.cpu}, has the digest {bundle.original}.",
        ),
        data=report,
        schema=SCHEMA,
    )


def _of_receipt(receipt: CaseReceipt | None) -> tuple[str, str]:
    return ("none", "") if receipt is None else (receipt.verdict, f"{receipt.calls:,}")


def _receipts(
    receipts: Sequence[CaseReceipt], cases: Sequence[ReplayedCase]
) -> tuple[Section, ...]:
    """Where the receipts were made, and which of them are otherwise here."""
    here = {case.file: case.verdict for case in cases}
    texts = tuple(
        f"{one.case}: {'; '.join(one.programs)}; {one.engine}, by macproof {one.macproof}"
        + ("" if here[one.case] == one.verdict else f". Here it is {here[one.case]}")
        for one in receipts
        if one.case in here
    )
    return (Section("Receipts that it brings", _points(texts)),) if texts else ()


def _not_covered(names: Sequence[str]) -> tuple[Section, ...]:
    if not names:
        return ()
    text = f"No case here decides: {', '.join(names)}. Their verdicts are what the bundle says."
    return (Section("Not covered here", (text,)),)


def _points(texts: tuple[str, ...]) -> tuple[Points, ...]:
    return (Points(texts),) if texts else ()
