"""The audit's pictures: growth on logarithmic axes, and bars of how often pairs are reported.

They are to be read in print and without colours: lines differ by style, markers and the name at
their ends, bars by hatching. The same series give the same bytes.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from emu.studies.audit.report import AuditedPlot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DOTS_PER_INCH = 150
_TEXT = 10  # points
_BLACK, _DARK, _MIDDLE, _PALE = "black", "0.35", "0.6", "0.88"
_LINE_STYLES: Sequence[Any] = ("solid", (0, (6, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)))
_MARKERS = "osD^vPX<>*"
_HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\")
_LABEL_STEP = 0.055  # of the axes' height


def draw(plot: AuditedPlot) -> bytes:
    """A plot of the report as a PNG file."""

    def draw_all(figure: Figure) -> None:
        axes = figure.subplots()
        if plot.kind == "log-log":
            _draw_lines(axes, plot.series, plot.exponents)
        else:
            _draw_bars(axes, plot.series)
        axes.set_title(plot.title, loc="left")
        axes.set_xlabel(plot.x)
        axes.set_ylabel(plot.y)
        if plot.note:
            figure.supxlabel(plot.note, x=0.01, ha="left", fontsize=_TEXT - 1)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)

    return _picture(draw_all, (9.2, 5.8) if plot.kind == "log-log" else (7.6, 4.4))


def _draw_lines(
    axes: Axes,
    series: Mapping[str, Mapping[int, float]],
    exponents: Mapping[str, float | None],
) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

    ends: list[tuple[float, str]] = []
    last = max(x for values in series.values() for x in values)
    for number, (name, values) in enumerate(series.items()):
        axes.plot(
            list(values),
            list(values.values()),
            color=_BLACK if number % 2 == 0 else _DARK,
            linewidth=1.4,
            linestyle=_LINE_STYLES[number % len(_LINE_STYLES)],
            marker=_MARKERS[number % len(_MARKERS)],
            markersize=6,
            markerfacecolor="white" if number % 2 else _BLACK,
        )
        power = exponents[name]
        growth = "" if power is None else f"  $n^{{{power:.2f}}}$"
        ends.append((values[max(values)], name + growth))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axes.yaxis.set_major_locator(LogLocator(10))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticks(sorted({x for values in series.values() for x in values}))
    axes.grid(True, which="major", color=_PALE, linewidth=0.8)
    axes.set_axisbelow(True)
    _label_ends(axes, ends, last)


def _label_ends(axes: Axes, ends: Sequence[tuple[float, str]], last: int) -> None:
    """Write each line's name to the right of its end, moved up where it would touch another."""
    low, high = (math.log10(value) for value in axes.get_ylim())
    lowest = -1.0
    spots = []
    for value, name in sorted(ends):
        lowest = max((math.log10(value) - low) / (high - low), lowest + _LABEL_STEP)
        spots.append((lowest, value, name))
    # What was pushed out at the top pushes the others down again.
    ceiling = 1.0 + _LABEL_STEP
    for spot, value, name in reversed(spots):
        ceiling = min(spot, ceiling - _LABEL_STEP)
        axes.annotate(
            name,
            xy=(last, value),
            xytext=(1.06, ceiling),
            textcoords="axes fraction",
            va="center",
            fontsize=_TEXT,
            arrowprops={"arrowstyle": "-", "color": _MIDDLE, "linewidth": 0.6, "relpos": (0, 0.5)},
            annotation_clip=False,
        )


def _draw_bars(axes: Axes, series: Mapping[str, Mapping[int, float]]) -> None:
    places = sorted({x for values in series.values() for x in values})
    width = 0.8 / len(series)
    for number, (name, values) in enumerate(series.items()):
        left = [index - 0.4 + width * (number + 0.5) for index in range(len(places))]
        heights = [values.get(place, 0.0) for place in places]
        bars = axes.bar(
            left,
            heights,
            width * 0.92,
            label=name,
            color=(_BLACK, "white", _MIDDLE, _PALE, "white")[number % 5],
            edgecolor=_BLACK,
            hatch=_HATCHES[number % 5],
            linewidth=0.8,
        )
        labels = [f"{height:.0f}" if height >= 0.5 else "" for height in heights]
        axes.bar_label(bars, labels, padding=2, fontsize=_TEXT - 2)
    axes.set_xticks(range(len(places)), [str(place) for place in places])
    axes.set_ylim(0, 112)
    axes.set_yticks(range(0, 101, 20))
    axes.legend(frameon=True, edgecolor=_PALE, loc="upper right")


def _picture(draw_all: Callable[[Figure], None], size: tuple[float, float]) -> bytes:
    with _style():
        from matplotlib.figure import Figure as NewFigure

        figure = NewFigure(figsize=size, layout="constrained")
        draw_all(figure)
        encoded = io.BytesIO()
        figure.savefig(encoded, format="png", dpi=_DOTS_PER_INCH, metadata={"Software": "macproof"})
    return encoded.getvalue()


@contextmanager
def _style() -> Iterator[None]:
    """How pictures look, and what makes their files the same each time."""
    import matplotlib

    settings: Any = {
        "font.family": "DejaVu Sans",
        "font.size": _TEXT,
        "axes.titlesize": _TEXT + 1,
        "axes.titleweight": "bold",
        "legend.fontsize": _TEXT - 1,
        "hatch.linewidth": 0.6,
        "savefig.facecolor": "white",
    }
    with matplotlib.rc_context(settings):
        yield
