"""A panel of bars, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emu.report.plots.numbers import significant
from emu.report.plots.plot import BarPanel, Emphasis
from emu.report.plots.plot_style import DARK, DASHES, INK, MIDDLE, PALE, PAPER, SMALL, fit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import BarContainer

_SHADES = {Emphasis.QUIET: MIDDLE, Emphasis.USUAL: DARK, Emphasis.STRONG: INK}
_FACES = (INK, PAPER, MIDDLE, PALE, PAPER)
_HATCHES = ("", "////", "----", "xxxx", "\\\\\\\\")
_WIDTH = 0.8  # of the bars of one category, where categories are 1 apart


def draw_bars(axes: Axes, panel: BarPanel, *, has_names: bool) -> None:
    """Draw a panel of bars.

    Args:
        axes: where.
        panel: what.
        has_names: whether the names of the categories are written.
    """
    width = _WIDTH / len(panel.series)
    for number, series in enumerate(panel.series):
        first = -_WIDTH / 2 + width * (number + 0.5)
        places = [index + first for index in range(len(panel.categories))]
        lengths = [value or 0.0 for value in series.values]
        bars = (
            axes.barh(places, lengths, height=width * 0.92)
            if panel.is_horizontal
            else axes.bar(places, lengths, width=width * 0.92)
        )
        bars.set_label(fit(series.name))
        _shade(bars, panel, number)
        axes.bar_label(
            bars,
            [_label(value, len(panel.series)) for value in series.values],
            padding=3,
            fontsize=SMALL if len(panel.series) == 1 else SMALL - 1,
            bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.8},
        )
    _draw_references(axes, panel)
    _name_categories(axes, panel, has_names=has_names)
    if len(panel.series) > 1:
        axes.legend(
            loc="upper left", bbox_to_anchor=(-0.02, -0.13), frameon=False, ncols=3, fontsize=SMALL
        )


def _shade(bars: BarContainer, panel: BarPanel, number: int) -> None:
    if len(panel.series) == 1:
        emphasis = panel.emphasis or (Emphasis.USUAL,) * len(panel.categories)
        for bar, shade in zip(bars.patches, emphasis, strict=True):
            bar.set_facecolor(_SHADES[shade])
        return
    for bar in bars.patches:
        bar.set(
            facecolor=_FACES[number % len(_FACES)],
            edgecolor=INK,
            linewidth=0.8,
            hatch=_HATCHES[number % len(_HATCHES)],
        )


def _label(value: float | None, series: int) -> str:
    """The number at a bar's end; bars that stand close together have whole numbers, and no 0."""
    if value is None:
        return ""
    return significant(value) if series == 1 else f"{value:.0f}" if value >= 0.5 else ""


def _draw_references(axes: Axes, panel: BarPanel) -> None:
    draw = axes.axvline if panel.is_horizontal else axes.axhline
    for reference in panel.references:
        draw(reference.value, color=INK, linewidth=0.9, linestyle=DASHES, zorder=0)


def _name_categories(axes: Axes, panel: BarPanel, *, has_names: bool) -> None:
    places = list(range(len(panel.categories)))
    names = [fit(name) if has_names else "" for name in panel.categories]
    if panel.is_horizontal:
        axes.set_yticks(places, names)
        axes.invert_yaxis()
        axes.margins(x=0.2, y=0.02)
        axes.set_xlabel(fit(panel.values.title))
        axes.set_ylabel(fit(panel.category_title))
        axes.tick_params(left=False)
        axes.spines["left"].set_visible(False)
    else:
        axes.set_xticks(places, names)
        axes.margins(y=0.12)
        axes.set_xlabel(fit(panel.category_title))
        axes.set_ylabel(fit(panel.values.title))
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    if panel.values.ticks:
        (axes.set_xticks if panel.is_horizontal else axes.set_yticks)(panel.values.ticks)
