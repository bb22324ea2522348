"""What the tables of an annotated page are made of."""

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
"""File name and line number, both None for code whose line is not known."""


@dataclass(frozen=True, slots=True)
class Column:
    """A program of the report, with what it has on each line at hand.

    Attributes:
        label: its name among the programs.
        program: its part of the report.
        lines: costs by place.
        code: instructions by place, in the order of addresses.
        never: places with code that was never executed.
        most: the largest share that a line has.
        first_source: the number of its first source in the list of sources.
    """

    label: str
    program: ProfiledProgram
    lines: Mapping[FileLine, ProfiledLine]
    code: Mapping[FileLine, Sequence[ProfiledInstruction]]
    never: frozenset[FileLine]
    most: float
    first_source: int


def columns_of(report: ProfileReport) -> Iterator[Column]:
    """The programs of a report; their sources are numbered through."""
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
    """File and line of a part of the report; None for both where they are not known."""
    return item.file, item.line


def head_rows(
    columns: Sequence[Column],
    numbers: Sequence[str],
    *,
    left: Sequence[str],
    right: Sequence[str] = (),
) -> str:
    """Two rows of headings: the programs, and under each its columns of numbers."""
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
    """A cell with a share and a bar for it, full at ``most``."""
    bar = f' style="--part:{part / most:.3f}"' if part and most else ""
    return f'<td class="share"{bar}><span class="n">{share_words(part)}</span></td>'


def escaped(text: str) -> str:
    """A text as it may stand in a page, between tags or in quotes."""
    return escape(one_line(text))
