"""Listings as lines of text, and which of their lines are shown or put away together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from emu.base.printable import one_line
from emu.report.document import Listing, Table

_MANY = 20  # as many lines without figures, or more, are put away together
_NEAR = 6  # but never those that are so near to a line with figures
_GAP, _SPACE = "   ", "  "  # between groups, and between columns


def stretches(listing: Listing) -> Iterator[range]:
    """The numbers of the lines of a listing, in ranges: more than one line is put away together."""
    shown = {
        near
        for number, line in enumerate(listing.lines, 1)
        if any(line.figures) or line.below
        for near in range(number - _NEAR, number + _NEAR + 1)
    }
    first, last = 1, len(listing.lines)
    while first <= last:
        end = first
        while end <= last and end not in shown:
            end += 1
        if end - first < _MANY:
            end = max(end, first + 1)
            yield from (range(number, number + 1) for number in range(first, end))
        else:
            yield range(first, end)
        first = end


def quiet_words(listing: Listing, lines: range) -> str:
    """What is said of lines that are put away: "lines 11 to 59: no code in the program"."""
    return f"lines {lines[0]} to {lines[-1]}: {listing.quiet}"


def listing_text(listing: Listing, *, is_whole: bool) -> Iterator[str]:
    """A listing as lines of text.

    Args:
        listing: the listing.
        is_whole: whether lines that are put away, and what lines are made of, are there too.
    """
    names = list(map(one_line, listing.groups))
    widths = [_widths(listing, group, len(name)) for group, name in enumerate(names)]
    number_width = max(len("line"), len(str(len(listing.lines))))
    groups = [name.ljust(_together(each)) for name, each in zip(names, widths, strict=True)]
    heads = [listing.columns] * len(listing.groups)
    yield _GAP.join((" " * number_width, *groups)).rstrip()
    yield _row("line".rjust(number_width), heads, widths, listing.heading)
    for lines in stretches(listing):
        if len(lines) > 1 and not is_whole:
            yield _row(" " * number_width, (), widths, f"({quiet_words(listing, lines)})")
            continue
        for number in lines:
            line = listing.lines[number - 1]
            beside = str(number).rjust(number_width)
            yield _row(beside, line.figures, widths, one_line(line.text))
            for table in line.below if is_whole else ():
                yield from (f"{' ' * number_width}{_GAP}{row}" for row in _table(table))


def _widths(listing: Listing, group: int, least: int) -> list[int]:
    """How wide the columns of a group are, which are at least so wide together."""
    figures = [line.figures[group] for line in listing.lines if line.figures[group : group + 1]]
    rows = [listing.columns, *filter(None, figures)]
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    widths[0] += max(0, least - _together(widths))
    return widths


def _together(widths: Sequence[int]) -> int:
    return sum(widths) + len(_SPACE) * (len(widths) - 1)


def _row(
    number: str, figures: Sequence[Sequence[str]], widths: Sequence[Sequence[int]], text: str
) -> str:
    parts = [number]
    for group, each in enumerate(widths):
        cells = figures[group] if group < len(figures) and figures[group] else [""] * len(each)
        parts.append(_SPACE.join(cell.rjust(w) for cell, w in zip(cells, each, strict=True)))
    return _GAP.join((*parts, text)).rstrip()


def _table(table: Table) -> Iterator[str]:
    """A table whose columns are as wide as their cells."""
    rows = [tuple(map(one_line, row)) for row in (table.columns, *table.rows)]
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    if table.title:
        yield one_line(table.title)
    for row in rows:
        cells = [
            cell.ljust(width) if index < table.words else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield _SPACE.join(cells).rstrip()
