"""A document: an outcome, sections of sentences and tables, checks, and the data it was made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeAlias

from emu.report.figure import Figure
from emu.report.plots.plot import Plot


class Tone(Enum):
    """What a word means for the reader; a renderer shows it in a colour."""

    GOOD = "good"
    BAD = "bad"
    DOUBTFUL = "doubtful"


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text.

    Attributes:
        columns: the headings.
        rows: the cells, as many in each row as there are headings.
        words: how many of the first columns hold words. The others hold numbers, which stand at
            the right edge of their column.
        breaks: the numbers of rows before which a line or a gap is shown.
        tones: for the text of a cell, how it is coloured, for example ``{"refuted": Tone.BAD}``.
        title: what stands above the table, or "".
        links: for the text of a cell, the name of what it leads to in HTML: a row of a table, a
            line of a `Listing`, or a section.
        names: for the numbers of some rows, the names by which links find them.
        choices: words of which a page offers to show those rows alone that have one; it offers to
            search and to sort the rows, too. None for a table that is read as it is.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1
    breaks: frozenset[int] = frozenset()
    tones: Mapping[str, Tone] = field(default_factory=dict)
    title: str = ""
    links: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)
    choices: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Points:
    """Sentences of which each is a point of its own."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Literal:
    """Lines that are shown exactly as they are, in type of one width: code, commands, output."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Some lines of a text, such as a source, with one of them marked.

    Attributes:
        title: the text's name, such as that of a file.
        first: the number of the first of these lines.
        lines: the lines.
        marked: the number of the line that is marked; 0 for none.
    """

    title: str
    first: int
    lines: tuple[str, ...] = field(repr=False)
    marked: int

    def numbered(self) -> Iterator[tuple[str, str, bool]]:
        """The number of each line, at the right edge of its column; its text; if it is marked."""
        width = len(str(self.first + len(self.lines) - 1))
        for number, line in enumerate(self.lines, self.first):
            yield str(number).rjust(width), line, number == self.marked

    def as_text(self) -> tuple[str, ...]:
        """The lines with their numbers, and a sign before the one that is marked."""
        rows = (
            f"{'>' if is_marked else ' '} {number}  {line}".rstrip()
            for number, line, is_marked in self.numbered()
        )
        return (self.title, *rows)


@dataclass(frozen=True, slots=True)
class ListingLine:
    """A line of a `Listing`.

    Attributes:
        text: what stands in it.
        figures: for each group of columns, the figures in them; () for a group that has none.
        fractions: for each group, how far a bar is filled behind its last figure, from 0 to 1.
        below: what the line is made of, folded away where that is possible.
    """

    text: str
    figures: tuple[tuple[str, ...], ...] = ()
    fractions: tuple[float, ...] = ()
    below: tuple[Table, ...] = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """Numbered lines of text with figures beside them, such as a source with its costs.

    Attributes:
        name: what the names of its lines begin with, of letters, digits and hyphens: line 3 of
            "source-1" is "source-1-3", and `Table.links` lead there.
        groups: the headings of the groups of columns.
        columns: the headings of the columns, which are the same in each group.
        heading: the heading of the text.
        lines: the lines, from number 1.
        quiet: what is said of many lines together that have no figures.
    """

    name: str
    groups: tuple[str, ...]
    columns: tuple[str, ...]
    heading: str
    lines: tuple[ListingLine, ...] = field(repr=False)
    quiet: str = "nothing"


@dataclass(frozen=True, slots=True)
class PngPicture:
    """A picture of pixels, as PNG; forms without pictures tell its title."""

    title: str
    png: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class PartRow:
    """Parts that stand beside each other where there is room, and else below each other.

    Attributes:
        parts: the parts, from left to right.
    """

    parts: tuple[str | Literal | Excerpt, ...]


@dataclass(frozen=True, slots=True)
class FilmFrame:
    """A picture of a film, with what led to it.

    Attributes:
        titles: what was done, a line each.
        note: when, in few words.
        png: the picture; b"" if there is none.
        findings: what was found wrong meanwhile, as sentences.
        summary: what the table has, in few words.
        table: what happened meanwhile, folded away where that is possible.
    """

    titles: tuple[str, ...]
    note: str
    png: bytes = field(repr=False)
    findings: tuple[str, ...]
    summary: str
    table: Table

    @property
    def words(self) -> str:
        """All but the table, in one line."""
        return "; ".join([*self.titles, f"{self.note}, {self.summary}", *self.findings])


@dataclass(frozen=True, slots=True)
class Film:
    """Pictures in the order of time, beside each other; forms without pictures tell the rest."""

    frames: tuple[FilmFrame, ...]


Part: TypeAlias = (
    str | Table | Points | Literal | Excerpt | Listing | Plot | Figure | PngPicture | PartRow | Film
)
"""What a section is made of, in the order of reading; a ``str`` is a paragraph."""


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a document.

    Attributes:
        title: its heading.
        parts: what it says, in the order of reading.
        is_detail: whether a terminal shows it only to those who ask for everything.
        is_folded: whether a page shows its title alone until a reader asks for it, as it does with
            every detail. For what is long and is looked up rather than read.
        name: the name by which `Table.links` find it, or "".
        is_open: whether a page shows it at once, although it is a detail for a terminal.
    """

    title: str
    parts: tuple[Part, ...]
    is_detail: bool = False
    is_folded: bool = False
    name: str = ""
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a document comes to, in a word, such as "verified".

    Attributes:
        word: the word.
        tone: whether that is good.
        caveat: what the reader must know with it, or "".
    """

    word: str
    tone: Tone
    caveat: str = ""

    def __str__(self) -> str:
        """The word with its caveat in brackets."""
        return f"{self.word} ({self.caveat})" if self.caveat else self.word


class CheckStatus(Enum):
    """What became of a check, in JUnit's words."""

    PASSED = "passed"
    FAILURE = "failure"
    ERROR = "error"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked: a test case for continuous integration.

    Attributes:
        group: what it belongs to, such as the name of a case.
        name: its own name, such as "68040 O2".
        fate: what became of it.
        message: for any other fate than ``PASSED``, what was found, the most important line first.
        properties: facts about it, by name, such as how much was compared.
    """

    group: str
    name: str
    fate: CheckStatus
    message: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Document:
    """What a command has to say.

    Attributes:
        title: the heading of the whole.
        name: the name by which a command line knows what it is about, such as a case; "" if there
            is none. It tells documents apart that stand in one file.
        sections: its parts.
        outcome: what it comes to, or None for a document that judges nothing.
        lead: paragraphs below the title.
        closing: paragraphs below the sections, such as the command that shows one part again.
        checks: what continuous integration is told, one test case each.
        seconds: how long the work took, or None if nobody has to know.
        data: what the document was made of, a dataclass, for the JSON form.
        schema: the name and version of that form, such as "macproof.report/2".
    """

    title: str
    sections: tuple[Section, ...]
    outcome: Outcome | None = None
    lead: tuple[str, ...] = ()
    closing: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    seconds: float | None = None
    data: Any = None
    schema: str = ""
    name: str = ""
