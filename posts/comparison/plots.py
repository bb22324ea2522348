"""The plot of a comparison: calls in a second and tests over the number of objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set

from emu.report.plots.plot import (
    Axis,
    Emphasis,
    Line,
    LinePanel,
    Panel,
    Plot,
    ReferenceLine,
    Stroke,
)
from posts.comparison.measure import SystemResult
from posts.comparison.report import ComparedSystem, ComparisonReport

NAME = "systems"
_NOTE = (
    "Bold: the fastest system somewhere. Hollow, dotted: does not tell who collides, or was wrong, "
    "or has a known defect. One colour: systems of one kind."
)


def systems_plot(report: ComparisonReport) -> Plot:
    """The plot: a column for each kind of scenes, a row for each processor and one for tests.

    So it is no wider than a page has room for, and words in it are as large as those beside it.
    """
    columns = (_panels(report, kind) for kind in report.scenes.generators)
    rows = tuple(zip(*columns, strict=True))
    title = "Calls in a second, and tests, over the number of objects"
    return Plot(NAME, title, rows, _NOTE, is_tabled=True)


def _panels(report: ComparisonReport, kind: str) -> Iterator[Panel]:
    objects = Axis("objects", is_logarithmic=True, ticks=tuple(report.scenes.objects))
    rate = report.choice.rate
    for cpu, processor in report.processors.items():
        best = {best_system.system for best_system in report.choice.by_processor[cpu].best[kind]}
        yield LinePanel(
            f"{cpu} at {processor.megahertz:g} MHz, {kind}",
            objects,
            Axis("calls in a second, predicted", is_logarithmic=True),
            _lines(report, kind, best, _speed(cpu)),
            (ReferenceLine(rate, f"{rate} / s"),),
        )
    yield LinePanel(
        f"Tests, {kind}",
        objects,
        Axis("tests of two objects in a call, counted", is_logarithmic=True),
        _lines(report, kind, set(), lambda cell: cell.tests),
    )


def _speed(cpu: str) -> Callable[[SystemResult], float | None]:
    def find(cell: SystemResult) -> float | None:
        run = cell.runs.get(cpu)
        return None if run is None or run.problem else run.per_second

    return find


def _lines(
    report: ComparisonReport,
    kind: str,
    best: Set[str],
    value: Callable[[SystemResult], float | None],
) -> tuple[Line, ...]:
    """A line for each system that has a figure."""
    lines = []
    kinds = list(dict.fromkeys(map(_kind, report.systems)))
    for system in report.systems:
        points = sorted(
            (cell.objects, worth)
            for cell in report.cells
            if cell.system == system.name and cell.generator == kind and not cell.refused
            for worth in [value(cell)]
            if worth is not None
        )
        if points:
            family = kinds.index(_kind(system))
            lines.append(_line(system, tuple(points), family, is_best=system.name in best))
    return tuple(lines)


def _kind(system: ComparedSystem) -> str:
    """What systems have in common whose titles begin alike: "adjacent 32 half", "adjacent 64"."""
    return system.title.partition(" ")[0]


def _line(
    system: ComparedSystem, points: tuple[tuple[float, float], ...], family: int, *, is_best: bool
) -> Line:
    return Line(
        system.title,
        points,
        Stroke.SOLID if system.can_be_chosen else Stroke.DOTTED,
        Emphasis.STRONG if is_best else Emphasis.QUIET,
        family=family,
    )
