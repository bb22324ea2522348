"""Joins the reports of a case whose programs were verified in separate runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from emu.cases.programs.programs import NOT_ASKED_FOR, Omission
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
    left = [item for report in reports for item in report.not_run if item.why != NOT_ASKED_FOR]
    return VerifyReport(
        verdict=worst(verdicts),
        results=tuple(result for report in reports for result in report.results),
        not_run=tuple(dict.fromkeys([*left, *not_run, *without_verdict])),
        receipt=_receipt([report.receipt for report in reports], command),
        oracles=reports[0].oracles if len(reports) == 1 else None,
    )


def _receipt(receipts: Sequence[Receipt], command: Sequence[str]) -> Receipt:
    first = receipts[0]
    files = {name: digest for one in receipts for name, digest in one.source.files.items()}
    origins = Counter(one.programs for one in receipts)
    return replace(
        first,
        command=tuple(command),
        models={cpu: model for one in receipts for cpu, model in one.models.items()},
        source=replace(first.source, files=files),
        programs="; ".join(f"{n} times {what}" if n > 1 else what for what, n in origins.items()),
        scenes=replace(first.scenes, distinct=max(one.scenes.distinct for one in receipts)),
        memory=tuple(
            MemoryFill(fills[0].fill, fills[0].words, sum(fill.calls for fill in fills))
            for fills in zip(*(one.memory for one in receipts), strict=True)
        ),
        comparisons=sum(one.comparisons for one in receipts),
        bytes_compared=sum(one.bytes_compared for one in receipts),
        seconds=round(sum(one.seconds for one in receipts), 3),
    )
