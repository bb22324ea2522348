"""What a report tells of memory that is compared with nothing: ignored, or set before the call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from emu.cases.keys.parts import IgnoredVariable, InitialValue
from emu.verify.calls.preceding_writes import STRAY
from emu.verify.report.report import VerifyReport
from emu.verify.scenes.fills import MOST_EARLIER

_NAMES_TOLD = 4


def ignored_clause(ignored: Sequence[IgnoredVariable]) -> str:
    """The variables that are ignored, as a clause: "gSeen was not compared"; "" if none are.

    It also says after how many calls it was looked at what they do with what these leave there.
    """
    names = [variable.variable for variable in ignored]
    if not names:
        return ""
    more = f" and {len(names) - _NAMES_TOLD} more" if len(names) > _NAMES_TOLD else ""
    verb = "was" if len(names) == 1 else "were"
    kept = any(variable.begins is InitialValue.KEPT for variable in ignored)
    tried = f", and no call came after more than {MOST_EARLIER} others" if kept else ""
    return f"{', '.join(names[:_NAMES_TOLD])}{more} {verb} not compared{tried}"


def ignored_sentences(
    ignored: Sequence[IgnoredVariable], kept: int, not_kept: int
) -> Iterator[str]:
    """What each variable that is ignored held before calls.

    Args:
        ignored: the variables.
        kept: how many calls were to find what earlier calls leave of them.
        not_kept: how many of these calls did not.
    """
    for begins in InitialValue:
        names = [variable.variable for variable in ignored if variable.begins is begins]
        also = ", and before some as earlier calls had left it" if kept else ""
        if names:
            yield (
                f"Compared with nothing, as the case says: {', '.join(names)} (before calls "
                f"{begins.words}{'' if begins is InitialValue.FRESH else also})."
            )
    if not_kept:
        yield (
            f"Of what is ignored {not_kept:,} calls found nothing that earlier calls had left: "
            "those ask the Toolbox, or the engine does not execute them."
        )


def before_sentences(report: VerifyReport) -> Iterator[str]:
    """What the routines have changed that are called before, and were taken for right."""
    names = dict.fromkeys(name for result in report.results for name in result.before_writes)
    own = [name for name in names if not name.startswith(STRAY)]
    if own:
        yield f"What is called before has set {', '.join(own)}; nothing was held against that."
    strays = before_strays(report)
    if strays:
        yield f"What is called before has changed {strays}."


def before_strays(report: VerifyReport) -> str:
    """Memory that no variable names, and that they have changed, as a clause; "" if none."""
    names: dict[str, str] = {}
    for result in report.results:
        for name in result.before_writes:
            if name.startswith(STRAY):
                names.setdefault(name, result.name)
    places = [f"{name} on the {where}" for name, where in names.items()]
    more = f" and {len(places) - _NAMES_TOLD} more places" if len(places) > _NAMES_TOLD else ""
    return f"{', '.join(places[:_NAMES_TOLD])}{more}"
