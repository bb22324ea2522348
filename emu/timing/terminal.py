"""A report on a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from emu.timing.report import Report
from emu.timing.section import Grid, Section
from emu.timing.sections import heading, sections

_STYLES = {"met": "green", "missed": "bold red", "not checked": "yellow"}
_WIDEST_NUMBER = 16


def print_report(report: Report, console: Console, *, verbose: bool = False) -> None:
    """Print the sections; those with details only if ``verbose``."""
    _say(console, f"{heading(report)}. {report['note']}")
    hidden = print_sections(sections(report), console, verbose=verbose)
    if hidden:
        _say(
            console,
            f"\n{hidden} more sections, on instructions, caches, sources and assumptions: "
            "--verbose, --markdown FILE.",
        )
    _say(console, f"Done in {report['receipt']['seconds']:.1f} s.")


def print_sections(parts: Iterable[Section], console: Console, *, verbose: bool) -> int:
    """Print sections, and say how many were left out because they are details."""
    hidden = 0
    for section in parts:
        if section.is_detail and not verbose:
            hidden += 1
            continue
        console.print()
        console.print(Text(section.title, style="bold"), soft_wrap=True)
        for text in section.before:
            _say(console, text)
        if section.grid is not None:
            console.print(_table(section.grid))
        for line in section.literal:
            console.print(Text(f"    {line}"), soft_wrap=True)
        for text in section.after:
            _say(console, f"- {text}")
    return hidden


def _table(grid: Grid) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    for index, column in enumerate(grid.columns):
        widest = max(len(row[index]) for row in (grid.columns, *grid.rows))
        is_number = index >= grid.words
        table.add_column(
            Text(column),
            justify="right" if is_number else "left",
            # Words may be broken, but not into nothing.
            min_width=widest if is_number and widest < _WIDEST_NUMBER else min(widest, 9),
        )
    for number, row in enumerate(grid.rows):
        if number and number in grid.breaks:
            table.add_section()
        table.add_row(*(Text(cell, style=_STYLES.get(cell, "")) for cell in row))
    return table


def _say(console: Console, text: str) -> None:
    """Print words as they are: no markup, no guessing at numbers, no breaking by width."""
    console.print(Text(text), soft_wrap=True)
