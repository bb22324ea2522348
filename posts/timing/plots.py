"""Makes plots of a timing report: speed over number of objects, and cycles of each event."""

from __future__ import annotations

from collections.abc import Iterator

from emu.report.plots.plot import (
    Axis,
    BarPanel,
    Emphasis,
    Line,
    LinePanel,
    Plot,
    ReferenceLine,
    Series,
    Stroke,
)
from emu.toolchain.builds import labelled
from posts.timing.report import TimingReport
from posts.timing.report_parts import ByObjects, ProgramTiming

SPEEDS, EVENTS = "speeds", "events"
"""The names of the plots."""

_RULED_OUT = "* and dotted: cannot be the program that was timed."


def speed_plot(report: TimingReport) -> Plot:
    """Plot calls per second over the number of objects.

    There is a panel for each processor, code that it executes, and source.
    """
    rows = tuple(
        tuple(
            _speeds(report, cpu, code, source)
            for cpu in report.models
            for code in report.codes_of(cpu)
        )
        for source in report.program_sources
    )
    names = [line.name for row in rows for panel in row for line in panel.lines]
    return Plot(
        name=SPEEDS,
        title="Calls per second over the number of objects, predicted for each build"
        + _also(report),
        rows=rows,
        is_tabled=True,
        note=_RULED_OUT if any(name.endswith(" *") for name in names) else "",
    )


def _also(report: TimingReport) -> str:
    kinds = [
        kind
        for kind, speeds in (("published", report.published), ("measured", report.measured))
        if speeds
    ]
    return f", with {' and '.join(kinds)} ones as points" if kinds else ""


def _speeds(report: TimingReport, cpu: str, code: str, source: str) -> LinePanel:
    lines = [_predicted(report, program) for program in report.programs_of(cpu, source, code)]
    lines += [
        Line(speeds.machine, _points(speeds.per_second), Stroke.NONE, Emphasis.STRONG)
        for speeds in report.published_of(cpu)
    ]
    lines += [
        Line(f"{speeds.machine}, measured", _points(speeds.per_second), Stroke.NONE)
        for speeds in report.measured_on(cpu)
    ]
    several = f", {source}" if len(report.program_sources) > 1 else ""
    return LinePanel(
        title=f"{labelled(cpu, code)} at {report.models[cpu].megahertz:g} MHz{several}",
        x=Axis("objects", ticks=tuple(map(float, report.scenes.objects))),
        y=Axis("complete calls per second", is_logarithmic=True),
        lines=tuple(lines),
    )


def _predicted(report: TimingReport, program: ProgramTiming) -> Line:
    """A build's line: dotted if it is ruled out, dashed for a variant ("O2-inline"), else solid."""
    is_ruled_out = any(comparison.cannot_be for comparison in program.against)
    usual = Stroke.DASHED if "-" in program.build else Stroke.SOLID
    is_chosen = report.choice.is_of(program.cpu, program.build)
    return Line(
        name=program.plain_build + " *" * is_ruled_out,
        points=_points({n: size.per_second for n, size in program.sizes.items()}),
        stroke=Stroke.DOTTED if is_ruled_out else usual,
        emphasis=Emphasis.STRONG if is_chosen else Emphasis.QUIET,
        has_markers=False,
    )


def _points(speeds: ByObjects) -> tuple[tuple[float, float], ...]:
    return tuple((float(n), speed) for n, speed in sorted(speeds.items()))


def event_plot(report: TimingReport) -> Plot | None:
    """Plot the cycles of one event for each build.

    There is a panel for each event, processor and code that it executes.

    Returns:
        The plot; None if the case names no events, or their costs could not be fitted.
    """
    names = list(next(iter(report.events.fitted.values()), {}))
    rows = [
        row
        for cpu in report.models
        for code in report.codes_of(cpu)
        if (row := tuple(_costs(report, cpu, code, names)))
    ]
    if not rows:
        return None
    return Plot(
        name=EVENTS,
        title=f"Cycles of one event ({', '.join(names)}), for each build"
        + (", and as published" if report.published else ""),
        rows=tuple(rows),
        is_tabled=True,
    )


def _costs(report: TimingReport, cpu: str, code: str, names: list[str]) -> Iterator[BarPanel]:
    given = [
        (speeds.machine, speeds.event_fit, Emphasis.STRONG) for speeds in report.published_of(cpu)
    ]
    given += [
        (
            report.label(program.plain_build, program.source),
            program.event_fit,
            Emphasis.USUAL if report.choice.is_of(program.cpu, program.build) else Emphasis.QUIET,
        )
        for program in report.programs_of(cpu, code=code)
    ]
    rows = [(name, fit, emphasis) for name, fit, emphasis in given if not fit.problem]
    for name in names if rows else ():
        values = tuple(fit.cycles_of_one[name] for _, fit, _ in rows)
        yield BarPanel(
            title=f"{labelled(cpu, code)}: {name}",
            categories=tuple(label for label, _, _ in rows),
            series=(Series("", values),),
            values=Axis("cycles per event"),
            is_horizontal=True,
            emphasis=tuple(emphasis for _, _, emphasis in rows),
            references=tuple(
                ReferenceLine(value)
                for value, (_, _, emphasis) in zip(values, rows, strict=True)
                if emphasis is Emphasis.STRONG
            ),
        )
