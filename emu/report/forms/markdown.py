"""Documents as Markdown, with everything in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote

from emu.base.printable import one_line
from emu.report.document import (
    Document,
    Excerpt,
    Film,
    Listing,
    Literal,
    Part,
    PartRow,
    PngPicture,
    Points,
    Section,
    Table,
)
from emu.report.figure import Figure
from emu.report.listing import listing_text
from emu.report.many import tally, time_of, worst_first
from emu.report.plot_numbers import numbers_of
from emu.report.plots.plot import Plot

# What Markdown, with the tables of GitHub, takes for its own inside a line; and at its beginning.
_SPECIAL = re.compile(r"([\\`*_|<>\[\]&~])")
_FENCES = re.compile("`+")
_AT_START = re.compile(r"^(\s*|\s*\d+(?=[.)](?:\s|$)))([-+#=.)])")


def to_markdown(documents: Sequence[Document], pictures: Mapping[str, str] | None = None) -> str:
    """Documents one after another; of several, a table with their outcomes stands first.

    Args:
        documents: the documents.
        pictures: where the picture of a plot is, as the Markdown's reader finds it, by the plot's
            name; plots that are not among them have their numbers alone.
    """
    given = pictures or {}
    ordered = worst_first(documents)
    pages = [_document(document, given) for document in ordered]
    if len(ordered) > 1:
        pages.insert(0, _summary(ordered))
    return "\n\n".join("\n".join(page) for page in pages) + "\n"


def _summary(documents: Sequence[Document]) -> Iterator[str]:
    have_names = any(document.name for document in documents)
    columns = ("outcome", *(["name"] if have_names else []), "report", "time")
    rows = tuple(
        (
            str(document.outcome or ""),
            *([document.name] if have_names else []),
            document.title,
            time_of(document),
        )
        for document in documents
    )
    yield from (f"# {_text(tally(documents))}", "")
    yield from _table(Table(columns, rows, words=len(columns) - 1))


def _document(document: Document, pictures: Mapping[str, str]) -> Iterator[str]:
    outcome = f": {document.outcome}" if document.outcome else ""
    yield f"# {_text(document.title + outcome)}"
    if document.name:
        yield from ("", _text(document.name))
    for text in document.lead:
        yield from ("", _text(text))
    for section in document.sections:
        yield from ("", *_section(section, pictures))
    for text in document.closing:
        yield from ("", _text(text))


def _section(section: Section, pictures: Mapping[str, str]) -> Iterator[str]:
    yield f"## {_text(section.title)}"
    for part in section.parts:
        yield from ("", *_part(part, pictures))


def _part(part: Part, pictures: Mapping[str, str]) -> Iterator[str]:
    match part:
        case str():
            yield _text(part)
        case Points():
            yield from (f"* {_text(text)}" for text in part.texts)
        case Literal():
            yield from _literal(part.lines)
        case Excerpt():
            yield from _literal(part.as_text())
        case Listing():
            yield from _literal(tuple(listing_text(part, is_whole=True)))
        case Table():
            yield from _table(part)
        case Plot():
            yield from _plot(part, pictures)
        case Figure():
            yield _text(str(part))
        case PartRow():
            for one in part.parts:
                yield from ("", *_part(one, pictures))
        case Film():
            yield from (f"* {_text(frame.words)}" for frame in part.frames)
        case PngPicture():
            yield f"A picture, which --html shows: {_inline(part.title)}."


def _literal(text: Sequence[str]) -> Iterator[str]:
    """Lines in a fence that is longer than any in them."""
    lines = [one_line(line) for line in text]
    longest = max((len(run) for line in lines for run in _FENCES.findall(line)), default=0)
    fence = "`" * max(3, longest + 1)
    yield from (fence, *lines, fence)


def _table(table: Table) -> Iterator[str]:
    if table.title:
        yield from (f"**{_text(table.title)}**", "")
    yield _row(map(_inline, table.columns))
    yield _row("---" if index < table.words else "--:" for index in range(len(table.columns)))
    yield from (_row(map(_inline, row)) for row in table.rows)


def _plot(plot: Plot, pictures: Mapping[str, str]) -> Iterator[str]:
    """The picture, or its title, and below it the numbers if no table has them."""
    title = _inline(plot.title)
    link = pictures.get(plot.name)
    if link is not None:
        yield f"![{title}]({quote(link, safe='/:', errors='surrogateescape')})"
    else:
        yield f"A plot, which --html shows: {title}." if plot.is_tabled else f"**{title}**"
    for table in () if plot.is_tabled else numbers_of(plot):
        yield from ("", *_table(table))
    if plot.note:
        yield from ("", _text(plot.note))


def _row(cells: Iterator[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _text(text: str) -> str:
    """Words that begin a line."""
    return _AT_START.sub(r"\1\\\2", _inline(text))


def _inline(text: str) -> str:
    """Words as they are, in one line: what Markdown would take for its own is escaped."""
    return _SPECIAL.sub(r"\\\1", one_line(text.replace("\n", " ")))
