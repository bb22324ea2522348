"""A document on a terminal."""

from __future__ import annotations

import io

from rich import box
from rich.cells import cell_len
from rich.console import Console, JustifyMethod
from rich.table import Table as RichTable
from rich.text import Text

from emu.base.printable import one_line
from emu.report.document import (
    Document,
    Excerpt,
    Film,
    Listing,
    Literal,
    Outcome,
    Part,
    PartRow,
    PngPicture,
    Points,
    Section,
    Table,
    Tone,
)
from emu.report.figure import Figure
from emu.report.listing import listing_text
from emu.report.plots.plot import Plot

_STYLES = {Tone.GOOD: "green", Tone.BAD: "bold red", Tone.DOUBTFUL: "yellow"}
_WIDEST_NUMBER = 16
_NARROWEST_WORDS = 9
_MOST_TITLES = 5
_PADDING = 3  # a blank at either side of a column, and one between two


def print_document(document: Document, console: Console, *, verbose: bool = False) -> None:
    """Print a document; the outcome comes last, where the reader looks.

    Args:
        document: what to print.
        console: where.
        verbose: whether sections with details are printed too. If not, their number is told.
    """
    say(console, document.title)
    for text in document.lead:
        say(console, text)
    hidden = [s.title for s in document.sections if s.is_detail and not verbose]
    for section in document.sections:
        if verbose or not section.is_detail:
            _print_section(section, console, verbose=verbose)
    if hidden:
        more = len(hidden) - _MOST_TITLES
        rest = f" and {more} more" if more > 0 else ""
        titles = ", ".join(hidden[:_MOST_TITLES])
        say(console, f"\nWith --verbose also: {titles}{rest}.")
    for text in document.closing:
        say(console, text)
    if document.outcome is not None:
        line = Text.assemble((document.outcome.word, _STYLES[document.outcome.tone]))
        if document.seconds is not None:
            line.append(f" in {document.seconds:.1f} s")
        if document.outcome.caveat:
            line.append(f" ({document.outcome.caveat})")
        console.print(line, soft_wrap=True)
    elif document.seconds is not None:
        say(console, f"Done in {document.seconds:.1f} s.")


def text_of(document: Document, *, width: int = 100) -> str:
    """A document as it is printed, without colours, where a line has room for ``width`` letters."""
    text = io.StringIO()
    print_document(document, Console(file=text, width=width, color_system=None))
    return text.getvalue()


def print_line(outcome: Outcome, text: str, console: Console) -> None:
    """Print what one of many documents comes to: the word, in a column of its own, and a text."""
    word = (f"{outcome.word:<12}", _STYLES[outcome.tone])
    console.print(Text.assemble(word, " ", text), soft_wrap=True)


def say(console: Console, text: str) -> None:
    """Print words as they are: no markup, no guessing at numbers, no breaking by width."""
    console.print(Text(text), soft_wrap=True)


def _print_section(section: Section, console: Console, *, verbose: bool) -> None:
    console.print()
    console.print(Text(section.title, style="bold"), soft_wrap=True)
    pictures = [one_line(part.title) for part in section.parts if isinstance(part, PngPicture)]
    if pictures:
        what = "A picture" if len(pictures) == 1 else f"{len(pictures)} pictures"
        say(console, f"{what}, which --html shows: {', '.join(pictures)}.")
    for part in section.parts:
        _print_part(part, console, verbose=verbose)


def _print_part(part: Part, console: Console, *, verbose: bool) -> None:
    match part:
        case str():
            say(console, part)
        case Points():
            for text in part.texts:
                say(console, f"- {text}")
        case Literal():
            for line in part.lines:
                say(console, f"    {line}")
        case Excerpt():
            for line in part.as_text():
                say(console, f"    {one_line(line)}")
        case Listing():
            for line in listing_text(part, is_whole=verbose):
                say(console, line)
        case Table():
            console.print(_table(part, console.width))
        case Plot():
            say(console, f"A plot, which --html shows: {part.title}.")
        case Figure():
            say(console, str(part))
        case PartRow():
            for one in part.parts:
                _print_part(one, console, verbose=verbose)
        case Film():
            for frame in part.frames:
                say(console, f"- {frame.words}")
        case PngPicture():
            pass  # all of a section are named together


def _table(table: Table, screen: int) -> RichTable:
    drawn = RichTable(
        box=box.SIMPLE_HEAD, title=Text(table.title) if table.title else None, title_justify="left"
    )
    for index, (column, width) in enumerate(
        zip(table.columns, _widths(table, screen), strict=True)
    ):
        justify: JustifyMethod = "right" if index >= table.words else "left"
        drawn.add_column(Text(column), justify=justify, width=width, overflow="fold")
    for number, row in enumerate(table.rows):
        if number and number in table.breaks:
            drawn.add_section()
        drawn.add_row(*(Text(cell, style=_style(cell, table)) for cell in row))
    return drawn


def _widths(table: Table, screen: int) -> list[int]:
    """How wide each column is: as its cells are; where that is too much, the widest are narrowed.

    Between its words a cell may be broken into lines. Inside a word it is broken only where the
    screen is too narrow for the longest word of every column.
    """
    wanted, words = [], []
    for index in range(len(table.columns)):
        cells = [row[index] for row in (table.columns, *table.rows)]
        wanted.append(max(cell_len(line) for cell in cells for line in cell.split("\n")))
        is_whole = index >= table.words and wanted[-1] < _WIDEST_NUMBER
        longest = max(cell_len(word) for cell in cells for word in cell.split() or [""])
        words.append(wanted[-1] if is_whole else longest)
    broken = [min(width, _NARROWEST_WORDS) for width in words]
    room = screen - _PADDING * len(wanted) - 1
    for least in (words, broken):
        for most in range(max(wanted), 0, -1):
            widths = [max(min(w, most), low) for w, low in zip(wanted, least, strict=True)]
            if sum(widths) <= room:
                return widths
    return broken


def _style(cell: str, table: Table) -> str:
    tone = table.tones.get(cell)
    return "" if tone is None else _STYLES[tone]
