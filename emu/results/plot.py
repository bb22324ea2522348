"""Speeds as a plot: complete runs in a second over the number of objects."""

from __future__ import annotations

from collections.abc import Sequence

from emu.report.plot import Axis, Line, LinePanel, Plot, Stroke
from emu.results.words import Row


def speeds_plot(found: Sequence[Row], routine: str) -> Plot:
    """The speeds of a routine: the figures of 1994 as points, what was measured as lines.

    The speeds have a logarithmic scale, for machines differ by powers of ten.
    """
    panel = LinePanel(
        f"{routine}: complete runs in a second",
        Axis("objects"),
        Axis("complete runs in a second", is_logarithmic=True),
        tuple(map(_line, found)),
    )
    return Plot(f"speeds-{routine}", panel.title, ((panel,),))


def _line(row: Row) -> Line:
    points = tuple(sorted(row.per_second.items()))
    if row.published:
        return Line(row.machine, points, Stroke.NONE)
    return Line(row.machine, points)
