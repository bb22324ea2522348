"""A plot as data: panels of lines or of bars. What draws it is in `emu.report.plots.plot_files`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


class Emphasis(Enum):
    """How much a line or a bar is to be seen: thin or grey, as usual, or thick and black."""

    QUIET = "quiet"
    USUAL = "usual"
    STRONG = "strong"


class Stroke(Enum):
    """How the points of a line are joined."""

    SOLID = "solid"
    DASHED = "dashed"
    DOTTED = "dotted"
    """With hollow points. For what is shown but cannot be chosen; the plot's note says why."""
    NONE = "none"
    """Points alone, named below the panel and not at the end of a line."""
    VARIED = "varied"
    """Another stroke than that of the line before."""


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis.

    Attributes:
        title: what is counted along it.
        is_logarithmic: whether equal lengths are equal factors. Points with a number of 0 or less
            are then left out.
        ticks: where numbers stand along it. The drawer chooses them if there are none.
    """

    title: str
    is_logarithmic: bool = False
    ticks: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """A line, or points that are not joined.

    Attributes:
        name: its name, which is written beside its end. Lines of one name look alike in all
            panels of a plot.
        points: x and y of each, in ascending order of x.
        stroke: how they are joined.
        emphasis: how much it is to be seen.
        has_markers: whether each point has a marker.
        remark: what is written after the name, such as "n^1.98", or "".
        family: a number for lines that belong together. They have one colour, and differ from each
            other by marker and stroke as all lines do; None is black or grey.
    """

    name: str
    points: tuple[tuple[float, float], ...]
    stroke: Stroke = Stroke.VARIED
    emphasis: Emphasis = Emphasis.USUAL
    has_markers: bool = True
    remark: str = ""
    family: int | None = None


@dataclass(frozen=True, slots=True)
class ReferenceLine:
    """A value to which others are compared: a dashed line across the panel.

    Attributes:
        value: where it stands on the axis of values.
        label: what is written at it, or "".
    """

    value: float
    label: str = ""


@dataclass(frozen=True, slots=True)
class LinePanel:
    """A panel with lines.

    Attributes:
        title: its heading.
        x: the axis from left to right.
        y: the axis from bottom to top.
        lines: what is drawn.
        references: values of y to which the lines are compared.
    """

    title: str
    x: Axis
    y: Axis
    lines: tuple[Line, ...]
    references: tuple[ReferenceLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Series:
    """Bars that belong together.

    Attributes:
        name: what they are; it is shown where a panel has several series.
        values: the length of each bar, one for each category of the panel; None for no bar.
    """

    name: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class BarPanel:
    """A panel with a bar, or a group of bars, for each category.

    Attributes:
        title: its heading.
        categories: the names of the categories.
        series: the bars.
        values: the axis along which they grow. It is never logarithmic.
        category_title: what the categories are, or "".
        is_horizontal: whether the bars grow to the right and the categories stand one above
            another. Panels of one row share the names at the left of the first.
        emphasis: for each category, how much it is to be seen; none if all are alike. It counts
            only where there is one series: several differ by hatching.
        references: values to which the bars are compared.
    """

    title: str
    categories: tuple[str, ...]
    series: tuple[Series, ...]
    values: Axis
    category_title: str = ""
    is_horizontal: bool = False
    emphasis: tuple[Emphasis, ...] = ()
    references: tuple[ReferenceLine, ...] = ()


Panel: TypeAlias = LinePanel | BarPanel


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot.

    Attributes:
        name: a short name that tells it from others of a document and is fit for a file, such as
            "speeds".
        title: what it shows, in words; also for those who cannot see it.
        rows: its panels, row by row, of the same number in each row.
        note: what must be known to read it, or "".
        is_tabled: whether tables of the document have its numbers already. Markdown then does not
            tell them again.
    """

    name: str
    title: str
    rows: tuple[tuple[Panel, ...], ...]
    note: str = ""
    is_tabled: bool = False
