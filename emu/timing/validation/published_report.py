"""The report of published times beside predicted ones, and its document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from emu.cycles.validation.published_times import (
    NEAR,
    PublishedProgram,
    PublishedTime,
    PublishedTimes,
    RatioSummary,
    summary_of,
)
from emu.report.document import Document, Part, Points, Section, Table
from emu.report.plots.numbers import percent

SCHEMA = "macproof.published-times/1"
SAME = 0.005
"""How far two predictions may differ that count as the same; tables have four digits."""
NOTE = (
    "Each program printed a table of its own times, and its author published the table of a real "
    "Macintosh. Here the same binary ran on the clock of the cycle model. No number of the model "
    "was set by these times, and nothing was fitted."
)


@dataclass(frozen=True, slots=True)
class ProgramTimes:
    """The times of one binary.

    Attributes:
        title: the program.
        compiler: the compiler that made it.
        machine: the Macintosh that the published times are of.
        cpu: the processor by whose model they were predicted.
        megahertz: its clock.
        source: where the times were published.
        summary: how far the predictions are off.
        times: each time.
    """

    title: str
    compiler: str
    machine: str
    cpu: str
    megahertz: float
    source: str
    summary: RatioSummary
    times: Sequence[PublishedTime]


@dataclass(frozen=True, slots=True)
class PublishedTimesReport:
    """Published and predicted times.

    Attributes:
        note: how the figures came about.
        measured: the day on which the times were predicted.
        version: the version of macproof that did.
        machines: by each machine, how far all of its predictions are off.
        programs: the programs.
        absent: keys of programs with figures that were asked for and not found.
        changed: what differs from the figures that come with macproof, a sentence each.
        command: the command line, one string for each word.
    """

    note: str
    measured: str
    version: str
    machines: Mapping[str, RatioSummary]
    programs: Sequence[ProgramTimes]
    absent: Sequence[str]
    changed: Sequence[str]
    command: Sequence[str]


def published_report(
    times: PublishedTimes,
    programs: Mapping[str, PublishedProgram],
    known: PublishedTimes,
    command: Sequence[str] = (),
) -> PublishedTimesReport:
    """Make the report.

    Args:
        times: the times to be shown.
        programs: the programs, by their keys.
        known: the times that come with macproof.
        command: the command line.
    """
    shown = tuple(_program(programs[key], each) for key, each in times.times.items())
    by_machine: dict[str, list[PublishedTime]] = {}
    for one in shown:
        words = f"{one.machine}: {one.cpu} at {one.megahertz:g} MHz"
        by_machine.setdefault(words, []).extend(one.times)
    return PublishedTimesReport(
        NOTE,
        times.measured,
        times.version,
        {machine: summary_of(each) for machine, each in by_machine.items()},
        shown,
        tuple(key for key in known.times if key not in times.times),
        tuple(differences(times, known)),
        tuple(command),
    )


def _program(program: PublishedProgram, times: Sequence[PublishedTime]) -> ProgramTimes:
    return ProgramTimes(
        program.title,
        program.compiler,
        program.machine,
        program.cpu,
        program.megahertz,
        program.source,
        summary_of(times),
        tuple(times),
    )


def differences(times: PublishedTimes, known: PublishedTimes) -> Iterator[str]:
    """In what times differ from those that come with macproof, a sentence for each."""
    for key, each in times.times.items():
        before = {time.name: time for time in known.times.get(key, ())}
        for time in each:
            old = before.get(time.name)
            if old is None:
                yield f"{key}, {time.name}: no figure of it comes with macproof"
            elif abs(time.predicted / old.predicted - 1) > SAME:
                yield (
                    f"{key}, {time.name}: {time.predicted:.4g} s are predicted, and "
                    f"{old.predicted:.4g} s come with macproof"
                )
            elif time.published != old.published:
                yield (
                    f"{key}, {time.name}: {time.published:.4g} s were published, and "
                    f"{old.published:.4g} s come with macproof"
                )


def published_document(report: PublishedTimesReport) -> Document:
    """The report as a document."""
    sections = [Section("Predicted speed over published", tuple(_summary(report)))]
    if report.changed:
        sections.append(Section("Not as they come with macproof", (Points(tuple(report.changed)),)))
    sections += [_times(program) for program in report.programs]
    closing = [f"Predicted on {report.measured} by macproof {report.version}."]
    if report.absent:
        closing.append(f"Not found, so not run: {', '.join(report.absent)}.")
    count = sum(program.summary.count for program in report.programs)
    return Document(
        title=f"{count} published times of exact binaries",
        lead=(report.note,),
        sections=tuple(sections),
        closing=tuple(closing),
        data=report,
        schema=SCHEMA,
    )


def _summary(report: PublishedTimesReport) -> Iterator[Part]:
    near = f"within {NEAR:.0%}"
    columns = ("times", "mean", "deviation", "range", near)
    machines = tuple((name, *_figures(each)) for name, each in report.machines.items())
    yield Table(("machine", *columns), machines)
    programs = tuple(
        (f"{one.title}, {one.compiler}", *_figures(one.summary)) for one in report.programs
    )
    yield Table(("program", *columns), programs)


def _figures(summary: RatioSummary) -> tuple[str, ...]:
    return (
        str(summary.count),
        f"{summary.mean:.2f}",
        percent(summary.deviation),
        f"{summary.least:.2f} to {summary.most:.2f}",
        f"{summary.near}",
    )


def _times(program: ProgramTimes) -> Section:
    rows = tuple(
        (time.name, f"{time.published:.3e}", f"{time.predicted:.3e}", f"{time.ratio:.2f}")
        for time in program.times
    )
    return Section(
        f"{program.title}, {program.compiler}, {program.machine}: seconds",
        (
            f"Published in {program.source}.",
            Table(("what was timed", "published", "predicted", "ratio"), rows),
        ),
    )
