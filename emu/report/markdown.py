"""Documents as Markdown, with everything in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from emu.base.printable import one_line
from emu.report.document import Document, Literal, Part, Points, Section, Table

# What Markdown, with the tables of GitHub, takes for its own inside a line; and at its beginning.
_SPECIAL = re.compile(r"([\\`*_|<>\[\]&~])")
_AT_START = re.compile(r"^(\s*\d*)([-+#=.)])")


def to_markdown(documents: Sequence[Document]) -> str:
    """Documents one after another; the outcome stands in each title."""
    return "\n\n".join("\n".join(_document(document)) for document in documents) + "\n"


def _document(document: Document) -> Iterator[str]:
    outcome = f": {document.outcome}" if document.outcome else ""
    yield f"# {_text(document.title + outcome)}"
    for text in document.lead:
        yield from ("", _text(text))
    for section in document.sections:
        yield from ("", *_section(section))
    for text in document.closing:
        yield from ("", _text(text))


def _section(section: Section) -> Iterator[str]:
    yield f"## {_text(section.title)}"
    for part in section.parts:
        yield from ("", *_part(part))


def _part(part: Part) -> Iterator[str]:
    match part:
        case str():
            yield _text(part)
        case Points():
            yield from (f"* {_text(text)}" for text in part.texts)
        case Literal():
            yield from (f"    {one_line(line)}" for line in part.lines)
        case Table():
            if part.title:
                yield from (f"**{_text(part.title)}**", "")
            yield _row(map(_text, part.columns))
            yield _row("---" if index < part.words else "--:" for index in range(len(part.columns)))
            yield from (_row(map(_text, row)) for row in part.rows)


def _row(cells: Iterator[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _text(text: str) -> str:
    """Words as they are, in one line: what Markdown would take for its own is escaped."""
    escaped = _SPECIAL.sub(r"\\\1", one_line(text.replace("\n", " ")))
    return _AT_START.sub(r"\1\\\2", escaped)
