"""The audit's plots: growth on logarithmic axes, and bars of how often pairs are reported."""

from __future__ import annotations

from emu.report.plots.plot import Axis, BarPanel, Line, LinePanel, Plot, Series
from posts.audit.report import AuditedPlot


def plot_of(plot: AuditedPlot) -> Plot:
    """A plot of the report. The legend tells how fast each line grows: n^2 for a square."""
    panel = _lines(plot) if plot.kind == "log-log" else _bars(plot)
    return Plot(plot.id, plot.title, ((panel,),), plot.note)


def _lines(plot: AuditedPlot) -> LinePanel:
    return LinePanel(
        plot.title,
        Axis(plot.x, is_logarithmic=True),
        Axis(plot.y, is_logarithmic=True),
        tuple(
            Line(name, tuple(values.items()), remark=_growth(plot.exponents[name]))
            for name, values in plot.series.items()
        ),
    )


def _growth(power: float | None) -> str:
    return "" if power is None else f"n^{power:.2f}"


def _bars(plot: AuditedPlot) -> BarPanel:
    places = sorted({x for values in plot.series.values() for x in values})
    return BarPanel(
        plot.title,
        tuple(map(str, places)),
        tuple(
            Series(name, tuple(values.get(place) for place in places))
            for name, values in plot.series.items()
        ),
        Axis(plot.y),
        category_title=plot.x,
    )
