"""What a report tells of variables that are compared with nothing."""

from __future__ import annotations

from collections.abc import Iterator

from emu.cases.parts import Beginning
from emu.verify.fills import Fill
from emu.verify.report import VerifyReport

_NAMES_TOLD = 4


def ignored_clause(report: VerifyReport) -> str:
    """The variables that are ignored, as a clause: "gSeen was not compared"; "" if none are."""
    names = [one.variable for one in report.ignored]
    if not names:
        return ""
    more = f" and {len(names) - _NAMES_TOLD} more" if len(names) > _NAMES_TOLD else ""
    verb = "was" if len(names) == 1 else "were"
    return f"{', '.join(names[:_NAMES_TOLD])}{more} {verb} not compared"


def ignored_sentences(report: VerifyReport) -> Iterator[str]:
    """What each variable that is ignored held before calls."""
    goes_on = any(one.fill == Fill.KEPT and one.calls for one in report.receipt.memory)
    for begins in Beginning:
        names = [one.variable for one in report.ignored if one.begins is begins]
        also = ", and before some as earlier calls had left it" if goes_on else ""
        if names:
            yield (
                f"Compared with nothing, as the case says: {', '.join(names)} (before calls "
                f"{begins.words}{'' if begins is Beginning.FRESH else also})."
            )
    calls = sum(result.not_kept for result in report.results)
    if calls:
        yield (
            f"Of what is ignored {calls:,} calls found nothing that earlier calls had left: those "
            "ask the Toolbox, or the engine does not execute them."
        )
