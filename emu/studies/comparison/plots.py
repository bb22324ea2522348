"""The report as a picture: calls in a second and tests over the number of objects.

A row for each kind of scenes; a panel for each processor, and one for tests. Made for print
without colours: systems differ by marker and line, and every line has its name beside its end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from emu.studies.comparison.measure import Cell
from emu.studies.comparison.report import ComparisonReport
from emu.timing.plots import apart, picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PANEL = (6.2, 4.9)  # inches
_LINE_HEIGHT = 0.175  # inches, of a line of text with air
_MARKERS = "osD^vP*Xph<>d8H"
_BLACK, _GREY, _PALE, _RULE = "black", "0.4", "0.88", "0.6"
_SMALL = 9  # points


@dataclass(frozen=True, slots=True)
class _Line:
    """A system's line.

    Attributes:
        title: the system's.
        marker: how its points look.
        can_be_chosen: whether it tells who collides, and rightly.
        is_best: whether it is the best system anywhere along the line.
        points: numbers of objects and values, ascending.
    """

    title: str
    marker: str
    can_be_chosen: bool
    is_best: bool
    points: tuple[tuple[int, float], ...]


def systems_plot(report: ComparisonReport, suffix: str) -> bytes:
    """The picture's file.

    Args:
        report: the report.
        suffix: ".png", ".svg" or ".pdf".
    """
    kinds, cpus = report.scenes.generators, list(report.processors)

    def draw(figure: Figure) -> None:
        grid = figure.subplots(len(kinds), len(cpus) + 1, squeeze=False)
        for line, kind in zip(grid, kinds, strict=True):
            for axes, cpu in zip(line, cpus, strict=False):
                clock = report.processors[cpu].megahertz
                best = report.choice.by_processor[cpu].best[kind]
                names = {one.system for one in best}
                _draw(axes, report, _lines(report, kind, names, _speed(cpu)))
                axes.set_title(f"{cpu} at {clock:g} MHz, {kind}", loc="left")
                axes.set_ylabel("calls in a second, predicted")
                rate = report.choice.rate
                axes.axhline(rate, color=_RULE, linewidth=0.9, linestyle=(0, (4, 3)), zorder=0)
                sizes = report.scenes.objects
                axes.text(sizes[0], rate, f"{rate} / s", fontsize=_SMALL, va="bottom")
            _draw(line[-1], report, _lines(report, kind, set(), lambda cell: cell.tests))
            line[-1].set_title(f"Tests, {kind}", loc="left")
            line[-1].set_ylabel("tests of two objects in a call, counted")
        figure.supxlabel(
            "objects.  Bold: the fastest system somewhere.  Hollow, dotted: does not tell who "
            "collides, or was wrong, or has a known defect.",
            fontsize=_SMALL + 1,
        )

    width, height = _PANEL
    return picture(draw, (width * (len(cpus) + 1), height * len(kinds) + 0.3), suffix)


def _speed(cpu: str) -> Callable[[Cell], float | None]:
    def find(cell: Cell) -> float | None:
        run = cell.runs.get(cpu)
        return None if run is None or run.problem else run.per_second

    return find


def _lines(
    report: ComparisonReport, kind: str, best: Set[str], value: Callable[[Cell], float | None]
) -> list[_Line]:
    found = []
    for number, one in enumerate(report.systems):
        points = [
            (cell.objects, worth)
            for cell in report.cells
            if cell.system == one.name and cell.generator == kind and not cell.refused
            for worth in [value(cell)]
            if worth is not None and worth > 0  # what is 0 has no place on a logarithmic scale
        ]
        if points:
            marker = _MARKERS[number % len(_MARKERS)]
            found.append(
                _Line(
                    title=one.title,
                    marker=marker,
                    can_be_chosen=one.can_be_chosen,
                    is_best=one.name in best,
                    points=tuple(sorted(points)),
                )
            )
    return found


def _draw(axes: Axes, report: ComparisonReport, lines: Sequence[_Line]) -> None:
    for line in lines:
        axes.plot(
            *zip(*line.points, strict=True),
            color=_BLACK if line.is_best else _GREY,
            linewidth=2.2 if line.is_best else 0.9,
            linestyle="solid" if line.can_be_chosen else (0, (1, 2)),
            marker=line.marker,
            markersize=6 if line.is_best else 4.5,
            markerfacecolor=(_BLACK if line.is_best else _GREY) if line.can_be_chosen else "white",
            zorder=3 if line.is_best else 2,
        )
    _scale(axes, report.scenes.objects)
    _name(axes, report.scenes.objects[-1], lines)


def _scale(axes: Axes, sizes: Sequence[int]) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticks(sizes, [f"{n:,}" for n in sizes], fontsize=_SMALL)
    axes.yaxis.set_major_locator(LogLocator(10))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.grid(True, which="major", color=_PALE, linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _name(axes: Axes, largest: int, lines: Sequence[_Line]) -> None:
    """Write each name to the right of its line's end, moved apart where they would touch."""
    low, high = (math.log10(value) for value in axes.get_ylim())
    ends = sorted(
        ((line.points[-1][1], line.points[-1][0], line) for line in lines), key=lambda end: end[:2]
    )
    through = [end for end in ends if end[1] == largest]
    wanted = [(math.log10(value) - low) / (high - low) for value, _, _ in through]
    step = _LINE_HEIGHT / (_PANEL[1] - 1.0)
    for place, (value, objects, line) in zip(apart(wanted, step), through, strict=True):
        axes.annotate(
            line.title,
            xy=(objects, value),
            xytext=(1.05, place),
            textcoords="axes fraction",
            va="center",
            fontsize=_SMALL,
            fontweight="bold" if line.is_best else "normal",
            arrowprops={"arrowstyle": "-", "color": _RULE, "linewidth": 0.6, "relpos": (0, 0.5)},
            annotation_clip=False,
        )
    # Lines that end early are named where no line is: below those that fall, above those that rise.
    for number, (value, objects, line) in enumerate(end for end in ends if end[1] != largest):
        is_rising = value > line.points[0][1]
        place = 0.95 - step * number if is_rising else 0.03 + step * number
        axes.annotate(
            line.title,
            xy=(objects, value),
            xytext=(0.03, place),
            textcoords="axes fraction",
            va="center",
            fontsize=_SMALL,
            fontweight="bold" if line.is_best else "normal",
            arrowprops={"arrowstyle": "-", "color": _RULE, "linewidth": 0.6},
        )
