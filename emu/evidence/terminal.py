"""A report on a terminal: the table a person reads, and why to believe it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from emu.evidence.report import Report
from emu.evidence.words import (
    believe,
    borrowed,
    caveats,
    failures,
    instructions,
    line,
    row,
    summary,
)

_STYLES = {"verified": "green", "refuted": "bold red", "inconclusive": "yellow"}


def print_report(report: Report, console: Console, *, verbose: bool = False) -> None:
    """Print the table, the first failures, what was not run, and the verdict."""
    case = report["receipt"]["case"]
    title = case["title"] + (f" ({case['credit']})" if case["credit"] else "")
    replaced = report["receipt"]["source"]["replaced_by"]
    heading = Text(f"{title}: {replaced}" if replaced else title)
    table = Table(title=heading, title_justify="left")
    for column in ("CPU", "build", "verdict", "scenes", "values compared", "instructions"):
        right = column in ("scenes", "values compared", "instructions")
        table.add_column(column, justify="right" if right else "left", no_wrap=True)
    previous = None
    for result in report["results"]:
        if previous not in (None, result["cpu"]):
            table.add_section()
        previous = result["cpu"]
        cells = [Text(cell) for cell in row(result)]
        cells[2].stylize(_STYLES[result["verdict"]])
        table.add_row(*cells)
    console.print(table)
    for text in failures(report, whole=verbose):
        _say(console, text)
    for text in instructions(report):
        _say(console, text)
    _say(console, f"Where they came from: {report['receipt']['programs']}.")
    for text in borrowed(report):
        _say(console, text)
    for item in report["not_run"]:
        _say(console, f"Not run: {item['what']}: {item['why']}.")
    _say(console, believe(report))
    verdict = Text(f"{report['verdict']} in {report['receipt']['seconds']:.1f} s")
    verdict.stylize(_STYLES[report["verdict"]])
    caveat = caveats(report)
    console.print(verdict.append(f" ({caveat})" if caveat else ""), soft_wrap=True)


def print_line(report: Report, console: Console, *, verbose: bool = False) -> None:
    """Print what came of a case in a line, as one of many."""
    verdict = report["verdict"]
    text = Text.assemble((f"{verdict:<12}", _STYLES[verdict]), " ", line(report))
    console.print(text, soft_wrap=True)
    if verbose:
        _say(console, believe(report))


def print_summary(reports: Sequence[Report], console: Console) -> None:
    """Print what came of many cases together, and what was not run in any of them."""
    for text in summary(reports):
        _say(console, text)


def _say(console: Console, text: str) -> None:
    """Print words as they are: no markup, no guessing at numbers, no breaking by width."""
    console.print(Text(text), soft_wrap=True)
