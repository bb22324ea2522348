"""What several sections of a report need: its programs, their names, its numbers as text."""

from __future__ import annotations

from emu.timing.report import Report
from emu.timing.section import percent, significant

ABSENT = "-"
"""In the place of a number that is not there."""


def sources_of(report: Report) -> list[str]:
    """What programs were compiled from, the case's own first."""
    return list(dict.fromkeys(str(program["source"]) for program in report["programs"]))


def programs_of(report: Report, cpu: str, source: str | None = None) -> list[Report]:
    """A processor's programs; of one source, or of all."""
    return [
        program
        for program in report["programs"]
        if program["cpu"] == cpu and source in (None, program["source"])
    ]


def label(report: Report, program: Report) -> str:
    """What a program is called: its build, and its source where there are several."""
    several = len(sources_of(report)) > 1
    return f"{program['build']}, {program['source']}" if several else str(program["build"])


def of_source(report: Report, source: str) -> str:
    """The source for a heading, where there are several."""
    return f" ({source})" if len(sources_of(report)) > 1 else ""


def measured_on(report: Report, cpu: str) -> list[Report]:
    """Times of real machines with a processor, or with one that is not known or not modelled."""
    return [one for one in report["measured"] if one["cpu"] == cpu or not one["cpu"]]


def sizes_of(report: Report) -> list[str]:
    """The numbers of objects, as the report has them for keys."""
    return [str(n) for n in report["scenes"]["objects"]]


def shown(number: float | None) -> str:
    """A number that may not be there."""
    return ABSENT if number is None else significant(number)


def shown_percent(part: float | None) -> str:
    """A part of one, as a percentage, that may not be there."""
    return ABSENT if part is None else percent(part)
