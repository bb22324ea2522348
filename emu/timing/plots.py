"""Makes plots of a timing report: speed over number of objects, and cycles of each event."""

from __future__ import annotations

from collections.abc import Iterator

from emu.report.plot import (
    Axis,
    BarPanel,
    Emphasis,
    Line,
    LinePanel,
    Plot,
    Reference,
    Series,
    Stroke,
)
from emu.timing.report import TimingReport
from emu.timing.report_parts import ByObjects, ProgramTiming

SPEEDS, EVENTS = "speeds", "events"
"""The names of the plots."""

_RULED_OUT = "* and dotted: cannot be the program that was timed."


def speed_plot(report: TimingReport) -> Plot:
    """Plot calls per second over the number of objects; one panel for each processor and source."""
    rows = tuple(
        tuple(_speeds(report, cpu, source) for cpu in report.models)
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


def _speeds(report: TimingReport, cpu: str, source: str) -> LinePanel:
    lines = [_predicted(report, program) for program in report.programs_of(cpu, source)]
    lines += [
        Line(one.machine, _points(one.per_second), Stroke.NONE, Emphasis.STRONG)
        for one in report.published_of(cpu)
    ]
    lines += [
        Line(f"{one.machine}, measured", _points(one.per_second), Stroke.NONE)
        for one in report.measured_on(cpu)
    ]
    several = f", {source}" if len(report.program_sources) > 1 else ""
    return LinePanel(
        title=f"{cpu} at {report.models[cpu].megahertz:g} MHz{several}",
        x=Axis("objects", ticks=tuple(map(float, report.scenes.objects))),
        y=Axis("complete calls per second", is_logarithmic=True),
        lines=tuple(lines),
    )


def _predicted(report: TimingReport, program: ProgramTiming) -> Line:
    """A build's line: dotted if it is ruled out, dashed for a variant ("O2-inline"), else solid."""
    is_ruled_out = any(one.cannot_be for one in program.against)
    usual = Stroke.DASHED if "-" in program.build else Stroke.SOLID
    return Line(
        name=program.build + " *" * is_ruled_out,
        points=_points({n: size.per_second for n, size in program.sizes.items()}),
        stroke=Stroke.DOTTED if is_ruled_out else usual,
        emphasis=Emphasis.STRONG if program.build == report.choice.build else Emphasis.QUIET,
        has_markers=False,
    )


def _points(speeds: ByObjects) -> tuple[tuple[float, float], ...]:
    return tuple((float(n), speed) for n, speed in sorted(speeds.items()))


def event_plot(report: TimingReport) -> Plot | None:
    """Plot the cycles of one event for each build; one panel for each event and processor.

    Returns:
        The plot; None if the case names no events, or their costs could not be fitted.
    """
    names = list(next(iter(report.events.fitted.values()), {}))
    rows = [row for cpu in report.models if (row := tuple(_costs(report, cpu, names)))]
    if not rows:
        return None
    return Plot(
        name=EVENTS,
        title=f"Cycles of one event ({', '.join(names)}), for each build"
        + (", and as published" if report.published else ""),
        rows=tuple(rows),
        is_tabled=True,
    )


def _costs(report: TimingReport, cpu: str, names: list[str]) -> Iterator[BarPanel]:
    given = [(one.machine, one.event_fit, Emphasis.STRONG) for one in report.published_of(cpu)]
    given += [
        (
            report.label(program.build, program.source),
            program.event_fit,
            Emphasis.USUAL if program.build == report.choice.build else Emphasis.QUIET,
        )
        for program in report.programs_of(cpu)
    ]
    rows = [(name, fit, emphasis) for name, fit, emphasis in given if not fit.problem]
    for name in names if rows else ():
        values = tuple(fit.cycles_of_one[name] for _, fit, _ in rows)
        yield BarPanel(
            title=f"{cpu}: {name}",
            categories=tuple(label for label, _, _ in rows),
            series=(Series("", values),),
            values=Axis("cycles per event"),
            is_horizontal=True,
            emphasis=tuple(emphasis for _, _, emphasis in rows),
            references=tuple(
                Reference(value)
                for value, (_, _, emphasis) in zip(values, rows, strict=True)
                if emphasis is Emphasis.STRONG
            ),
        )
