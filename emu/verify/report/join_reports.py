"""Joins the reports of a case whose programs were verified in separate runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from emu.cases.programs.selection import NOT_ASKED_FOR, Omission
from emu.verify.report.receipt import MemoryFill, Receipt
from emu.verify.report.report import VerifyReport
from emu.verify.runs.verdicts import INCONCLUSIVE, worst


def together(
    reports: Sequence[VerifyReport],
    *,
    without_verdict: Sequence[Omission] = (),
    not_run: Sequence[Omission] = (),
    command: Sequence[str] = (),
) -> VerifyReport:
    """Join reports of one case on the same scenes, each of different programs.

    Args:
        reports: the reports, at least one.
        without_verdict: programs that should have been run but have no report, each with the
            reason. If there are any, the joined verdict is at best inconclusive.
        not_run: programs that were left out on purpose, each with the reason.
        command: the command line that made all reports, one string for each word.
    """
    verdicts = [report.verdict for report in reports] + [INCONCLUSIVE] * bool(without_verdict)
    # A program that one report left out because it was not asked for is in another report.
    omissions = [item for report in reports for item in report.not_run if item.why != NOT_ASKED_FOR]
    return VerifyReport(
        verdict=worst(verdicts),
        results=tuple(result for report in reports for result in report.results),
        not_run=tuple(dict.fromkeys([*omissions, *not_run, *without_verdict])),
        receipt=_receipt([report.receipt for report in reports], command),
        oracles=reports[0].oracles if len(reports) == 1 else None,
    )


def _receipt(receipts: Sequence[Receipt], command: Sequence[str]) -> Receipt:
    first = receipts[0]
    files = {name: digest for receipt in receipts for name, digest in receipt.source.files.items()}
    origins = Counter(receipt.programs for receipt in receipts)
    return replace(
        first,
        command=tuple(command),
        models={cpu: model for receipt in receipts for cpu, model in receipt.models.items()},
        source=replace(first.source, files=files),
        programs="; ".join(f"{n} times {what}" if n > 1 else what for what, n in origins.items()),
        scenes=replace(first.scenes, distinct=max(receipt.scenes.distinct for receipt in receipts)),
        memory=tuple(
            MemoryFill(fills[0].fill, fills[0].words, sum(fill.calls for fill in fills))
            for fills in zip(*(receipt.memory for receipt in receipts), strict=True)
        ),
        comparisons=sum(receipt.comparisons for receipt in receipts),
        bytes_compared=sum(receipt.bytes_compared for receipt in receipts),
        seconds=round(sum(receipt.seconds for receipt in receipts), 3),
    )
