"""The numbers of a plot as tables, for forms that cannot show it and readers who cannot see it."""

from __future__ import annotations

from emu.report.document import Table
from emu.report.plots.numbers import ABSENT, significant
from emu.report.plots.plot import BarPanel, LinePanel, Plot


def numbers_of(plot: Plot) -> tuple[Table, ...]:
    """A table for each panel: a row for each line or series, a column for each x or category."""
    return tuple(
        _of_lines(panel) if isinstance(panel, LinePanel) else _of_bars(panel)
        for row in plot.rows
        for panel in row
    )


def _of_lines(panel: LinePanel) -> Table:
    places = sorted({x for line in panel.lines for x, _ in line.points})
    has_remarks = any(line.remark for line in panel.lines)
    rows = []
    for line in panel.lines:
        values = dict(line.points)
        rest = (line.remark or ABSENT,) if has_remarks else ()
        rows.append((line.name, *(_number(values.get(x)) for x in places), *rest))
    for reference in panel.references:
        value = _number(reference.value)
        rest = (ABSENT,) if has_remarks else ()
        rows.append((reference.label, *(value for _ in places), *rest))
    return Table(
        (panel.x.title, *(f"{x:,.10g}" for x in places), *(("remark",) if has_remarks else ())),
        tuple(rows),
        title=_title(panel.title, panel.y.title),
    )


def _of_bars(panel: BarPanel) -> Table:
    """A row for each category where they stand one above another, as they do in the picture."""
    title = _title(panel.title, panel.values.title)
    names = tuple(series.name or panel.values.title for series in panel.series)
    if panel.is_horizontal:
        columns = zip(*(series.values for series in panel.series), strict=True)
        cells = (tuple(map(_number, values)) for values in columns)
        rows = tuple((name, *row) for name, row in zip(panel.categories, cells, strict=True))
        return Table((panel.category_title, *names), rows, title=title)
    rows = tuple(
        (name, *map(_number, series.values))
        for name, series in zip(names, panel.series, strict=True)
    )
    return Table((panel.category_title, *panel.categories), rows, title=title)


def _title(panel: str, values: str) -> str:
    return f"{panel}: {values}" if panel else values


def _number(value: float | None) -> str:
    if value is None:
        return ABSENT
    return f"{value:,.0f}" if value == int(value) else significant(value)
