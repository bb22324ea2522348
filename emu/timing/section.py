"""The parts of a readable report: a heading, sentences, a grid of cells. And how numbers look."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Grid:
    """A table.

    Attributes:
        columns: the headings.
        rows: the cells, as many in each as there are headings.
        breaks: the rows before which a reader's eye should rest.
        words: how many of the first columns are words; the others are numbers.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    breaks: frozenset[int] = frozenset()
    words: int = 1


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the report.

    Attributes:
        title: its heading.
        grid: its table, or None.
        before: sentences above the table.
        after: sentences below it, each a point of its own.
        is_detail: whether only those want it who ask for everything.
        literal: lines to be shown exactly as they are.
    """

    title: str
    grid: Grid | None = None
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    is_detail: bool = False
    literal: tuple[str, ...] = ()


def significant(number: float) -> str:
    """A number with three digits that count, and no more behind a point than they need."""
    size = abs(number)
    if size >= 1000:
        return f"{number:,.0f}"
    if size >= 99.95:
        return f"{number:.0f}"
    if size >= 9.995:
        return f"{number:.1f}"
    return f"{number:.2f}" if size >= 0.1 or number == 0 else f"{number:.2g}"


def percent(part: float) -> str:
    """A part of one as a percentage with one place."""
    return f"{100 * part:.1f}%"


def signed_percent(part: float) -> str:
    """A deviation as a percentage with its sign."""
    return f"{100 * part:+.1f}%"
