"""The cells, headings and columns of the tables in the annotated page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from emu.base.printable import one_line
from emu.timing.profile_report import (
    ProfiledInstruction,
    ProfiledLine,
    ProfiledProgram,
    ProfileReport,
    SourcePlace,
)
from emu.timing.profile_words import share_words

FileLine = tuple[str | None, int | None]
"""A file name and a line number; both are None for code whose line is not known."""


@dataclass(frozen=True, slots=True)
class Column:
    """A program of the report, with its costs by source line.

    Attributes:
        label: the name of the program, such as "68040 O2".
        program: the profile of the program.
        lines: the cost of each source line.
        code: the instructions of each source line, by address.
        never: the source lines with code that was not executed.
        most: the largest share of a line, from 0 to 1.
        first_source: the number of the program's first source in the page's list of all sources.
    """

    label: str
    program: ProfiledProgram
    lines: Mapping[FileLine, ProfiledLine]
    code: Mapping[FileLine, Sequence[ProfiledInstruction]]
    never: frozenset[FileLine]
    most: float
    first_source: int


def columns_of(report: ProfileReport) -> Iterator[Column]:
    """Make a column for each program. The sources of all programs are numbered from 1."""
    first = 1
    for program in report.programs:
        code: defaultdict[FileLine, list[ProfiledInstruction]] = defaultdict(list)
        for item in program.code:
            code[place_of(item)].append(item)
        yield Column(
            label=report.label(program),
            program=program,
            lines={place_of(line): line for line in program.lines},
            code=code,
            never=frozenset(place_of(line) for line in program.never_executed),
            most=max((line.share for line in program.lines), default=0.0),
            first_source=first,
        )
        first += len(program.sources)


def place_of(item: SourcePlace) -> FileLine:
    """The file and the line of an item; both are None if they are not known."""
    return item.file, item.line


def head_rows(
    columns: Sequence[Column],
    numbers: Sequence[str],
    *,
    left: Sequence[str],
    right: Sequence[str] = (),
) -> str:
    """Write two rows of headings: the programs, and below each the headings of its numbers.

    Args:
        columns: the programs.
        numbers: the headings of the numbers of each program.
        left: the headings of the columns before those of the programs.
        right: the headings of the columns after them.
    """
    groups = "".join(
        f'<th class="group first" colspan="{len(numbers)}">{escaped(c.label)}</th>' for c in columns
    )
    heads = "".join(
        f'<th class="{"share-head" if head == "share" else "n"}{" first" if not index else ""}">'
        f"{head}</th>"
        for _ in columns
        for index, head in enumerate(numbers)
    )
    before = "".join(f"<th>{head}</th>" for head in left)
    after = "".join(f"<th>{head}</th>" for head in right)
    return (
        f"<thead><tr>{'<td></td>' * len(left)}{groups}{'<td></td>' * len(right)}</tr>\n"
        f"<tr>{before}{heads}{after}</tr></thead>\n"
    )


def share_cell(part: float, most: float) -> str:
    """A cell with a share as a percentage, and a bar that is full if the share is ``most``."""
    bar = f' style="--part:{part / most:.3f}"' if part and most else ""
    return f'<td class="share"{bar}><span class="n">{share_words(part)}</span></td>'


def escaped(text: str) -> str:
    """A text for HTML, between tags or in quotes: escaped, in one line, without control codes."""
    return escape(one_line(text))
