"""A panel of lines, drawn, with the name of each line at its end."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from emu.report.plots.plot import Axis, Emphasis, Line, LinePanel, Stroke
from emu.report.plots.plot_style import (
    DARK,
    DASHES,
    HUES,
    INK,
    MIDDLE,
    PALE,
    PAPER,
    SMALL,
    TEXT,
    apart,
    fit,
    free_labels,
    grouped,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINE_HEIGHT = 0.175
"""Of a line of text with air, in inches."""
_AROUND = 1.6  # inches of a panel's height that are not its axes: title, ticks, titles of axes
_MANY_TICKS, _MOST_TICKS = 7, 14  # of x, at the points' own places
_MARKERS = "osD^vPX<>*phd8H"
_MARKERS_OF_POINTS = "oDsPX^v"
_STROKES: Mapping[Stroke, Any] = {
    Stroke.SOLID: "solid",
    Stroke.DASHED: (0, (5, 2)),
    Stroke.DOTTED: (0, (1, 2)),
    Stroke.NONE: "none",
}
_VARIED: Sequence[Any] = ("solid", (0, (6, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)))
_WIDTHS = {Emphasis.QUIET: 1.0, Emphasis.USUAL: 1.4, Emphasis.STRONG: 2.2}
_SIZES = {Emphasis.QUIET: 4.5, Emphasis.USUAL: 6.0, Emphasis.STRONG: 6.0}
_NARROW, _WIDE = 5.0, 1000.0
"""Highest over lowest value: below the first, ticks at 1, 2 and 5 are too few; above the second
they are too many."""


def label_of(line: Line) -> str:
    """What is written at a line's end."""
    return fit(f"{line.name}  {line.remark}" if line.remark else line.name)


def named_below(panel: LinePanel) -> list[Line]:
    """The lines whose names stand below the panel, each beside its marker.

    These are points that are not joined, and lines that end before the others do: at their ends
    other lines pass, and a leader through those would look like one of them.
    """
    last = max((line.points[-1][0] for line in panel.lines if _is_joined(line)), default=0.0)
    return [line for line in panel.lines if not _is_joined(line) or line.points[-1][0] < last]


def _is_joined(line: Line) -> bool:
    return line.stroke is not Stroke.NONE and bool(line.points)


@dataclass(frozen=True, slots=True)
class _End:
    """The last point of a line, with its line; ends are sorted from bottom to top."""

    y: float
    x: float
    line: Line


def draw_lines(
    axes: Axes, panel: LinePanel, numbers: Mapping[tuple[str, bool], int], height: float
) -> None:
    """Draw a panel of lines.

    Args:
        axes: where.
        panel: what.
        numbers: the number of each line, by its name and whether its points are joined: lines of
            one number look alike in all panels.
        height: of the panel with all around it, in inches.
    """
    ends = []
    below = named_below(panel)
    for line in panel.lines:
        points = _fit_points(line, panel)
        if points:
            look = _look(line, numbers[line.name, line.stroke is not Stroke.NONE], len(points))
            label = label_of(line) if line in below else None
            axes.plot(*zip(*points, strict=True), label=label, **look)
        if points and line not in below:
            ends.append(_End(points[-1][1], points[-1][0], line))
    _draw_references(axes, panel)
    _scale_x(axes, panel)
    _scale_y(axes, panel)
    axes.grid(True, which="major", color=PALE, linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    _name_ends(axes, panel, ends, step=LINE_HEIGHT / (height - _AROUND))
    if axes.get_legend_handles_labels()[0]:
        # Below the axes, where it covers no point.
        axes.legend(
            loc="upper left", bbox_to_anchor=(-0.02, -0.13), frameon=False, handletextpad=0.4
        )


def _draw_references(axes: Axes, panel: LinePanel) -> None:
    for reference in panel.references:
        axes.axhline(reference.value, color=MIDDLE, linewidth=0.9, linestyle=DASHES, zorder=0)
        axes.annotate(
            fit(reference.label),
            xy=(0.01, reference.value),
            xycoords=axes.get_yaxis_transform(),
            fontsize=SMALL,
            va="bottom",
        )


def _fit_points(line: Line, panel: LinePanel) -> list[tuple[float, float]]:
    """The points that have a place on the axes: on a logarithmic one, 0 has none."""
    return [
        (x, y)
        for x, y in line.points
        if (x > 0 or not panel.x.is_logarithmic) and (y > 0 or not panel.y.is_logarithmic)
    ]


def _look(line: Line, number: int, points: int) -> dict[str, Any]:
    """How a line looks, as matplotlib wants it."""
    is_strong = line.emphasis is Emphasis.STRONG
    is_varied = line.stroke is Stroke.VARIED
    colour = _colour(line, number)
    look: dict[str, Any] = {
        "color": colour,
        "linewidth": _WIDTHS[line.emphasis],
        "linestyle": _VARIED[number % len(_VARIED)] if is_varied else _STROKES[line.stroke],
        "zorder": 3 if is_strong else 2,
    }
    if line.stroke is Stroke.NONE:
        shape = _MARKERS_OF_POINTS[number % len(_MARKERS_OF_POINTS)]
        face = colour if is_strong else "none"
        return look | {
            "marker": shape,
            "markersize": 9,
            "markerfacecolor": face,
            "markeredgewidth": 1.4,
            "zorder": 5,
        }
    if line.has_markers:
        is_hollow = line.stroke is Stroke.DOTTED or (is_varied and number % 2 == 1)
        look |= {
            "marker": _MARKERS[number % len(_MARKERS)],
            "markersize": _SIZES[line.emphasis],
            "markerfacecolor": PAPER if is_hollow else colour,
        }
    elif points == 1:
        look |= {"marker": "_", "markersize": 14}
    return look


def _colour(line: Line, number: int) -> str:
    if line.family is not None:
        return HUES[line.family % len(HUES)]
    is_varied = line.stroke is Stroke.VARIED
    is_strong = line.emphasis is Emphasis.STRONG or line.stroke is Stroke.NONE
    return INK if is_strong or (is_varied and number % 2 == 0) else DARK


def _scale_x(axes: Axes, panel: LinePanel) -> None:
    from matplotlib.ticker import NullLocator

    _set_scale(axes, "x", panel.x)
    places = sorted({x for line in panel.lines for x, _ in _fit_points(line, panel)})
    ticks = list(panel.x.ticks) or (places if len(places) <= _MOST_TICKS else [])
    if ticks:
        labels = free_labels(ticks, is_logarithmic=panel.x.is_logarithmic)
        axes.set_xticks(ticks, labels, fontsize=TEXT if len(ticks) < _MANY_TICKS else SMALL)
        axes.xaxis.set_minor_locator(NullLocator())


def _scale_y(axes: Axes, panel: LinePanel) -> None:
    from matplotlib.ticker import LogLocator, MaxNLocator

    _set_scale(axes, "y", panel.y)
    low, high = axes.get_ylim()
    if panel.y.ticks:
        axes.set_yticks(panel.y.ticks)
    elif panel.y.is_logarithmic and high / low < _NARROW:
        axes.yaxis.set_major_locator(MaxNLocator(6))
    elif panel.y.is_logarithmic:
        subs = (1.0,) if high / low > _WIDE else (1.0, 2.0, 5.0)
        axes.yaxis.set_major_locator(LogLocator(10, subs=subs))
    if panel.y.is_logarithmic:
        axes.set_ylim(low / 1.1, high * 1.1)
    elif low > 0:
        axes.set_ylim(bottom=0)


def _set_scale(axes: Axes, which: str, axis: Axis) -> None:
    from matplotlib.ticker import FuncFormatter, NullFormatter

    if axis.is_logarithmic:
        axes.set(**{f"{which}scale": "log"})
    axes.set(**{f"{which}label": fit(axis.title)})
    drawn = axes.xaxis if which == "x" else axes.yaxis
    drawn.set_major_formatter(FuncFormatter(grouped))
    drawn.set_minor_formatter(NullFormatter())


def _name_ends(axes: Axes, panel: LinePanel, ends: Sequence[_End], *, step: float) -> None:
    """Write each name beside its line's end, moved apart where they would touch."""
    ordered = sorted(ends, key=lambda end: (end.y, end.x))
    wanted = [_height(axes, end, panel.y) for end in ordered]
    for place, end in zip(apart(wanted, step), ordered, strict=True):
        _annotate(axes, end, (1.05, place))


def _height(axes: Axes, end: _End, axis: Axis) -> float:
    """How high an end lies in its axes: 0 at the bottom, 1 at the top."""
    low, high = axes.get_ylim()
    if axis.is_logarithmic:
        return math.log(end.y / low) / math.log(high / low)
    return (end.y - low) / (high - low)


def _annotate(axes: Axes, end: _End, place: tuple[float, float]) -> None:
    leader = MIDDLE if end.line.family is None else _colour(end.line, 0)
    axes.annotate(
        label_of(end.line),
        xy=(end.x, end.y),
        xytext=place,
        textcoords="axes fraction",
        va="center",
        fontsize=TEXT if end.line.emphasis is not Emphasis.QUIET else SMALL,
        fontweight="bold" if end.line.emphasis is Emphasis.STRONG else "normal",
        color=INK if end.line.family is None else _colour(end.line, 0),
        arrowprops={"arrowstyle": "-", "color": leader, "linewidth": 0.6, "relpos": (0, 0.5)},
        annotation_clip=False,
    )
