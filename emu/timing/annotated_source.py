"""The source text of profiled programs as listings, with the cost of each line beside it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from emu.base.printable import one_line
from emu.report.document import Listing, ListingLine, Table
from emu.timing.profile_report import (
    ProfiledInstruction,
    ProfiledLine,
    ProfiledProgram,
    ProfileReport,
    SourcePlace,
)
from emu.timing.profile_words import NO_SYMBOL, place_words, share_words

FileLine = tuple[str | None, int | None]
"""A file name and a line number; both are None for code whose line is not known."""

READING = (
    "The columns beside the source: executed is how often the most frequent instruction of the "
    "line was executed, wherever the compiler moved it. It is 0 if the line has code that was not "
    "executed, and empty if the line has no code. Instr. is the number of instructions of the line "
    "that were executed. The most expensive line of each program has the longest bar. Below a line "
    "are its machine instructions; in HTML, open the line to see them."
)
_FIGURES = ("executed", "instr.", "cycles", "share")


@dataclass(frozen=True, slots=True)
class CostColumn:
    """A program of a profile, with its costs by source line.

    Attributes:
        label: the name of the program, such as "68040 O2".
        program: the profile of the program.
        lines: the cost of each source line.
        code: the instructions of each source line, by address.
        never: the source lines with code that was not executed.
        most: the largest share of a line, from 0 to 1.
        first_source: the number of the program's first source in the list of all sources.
    """

    label: str
    program: ProfiledProgram
    lines: Mapping[FileLine, ProfiledLine]
    code: Mapping[FileLine, Sequence[ProfiledInstruction]]
    never: frozenset[FileLine]
    most: float
    first_source: int


def columns_of(report: ProfileReport) -> Iterator[CostColumn]:
    """Make a column for each program. The sources of all programs are numbered from 1."""
    first = 1
    for program in report.programs:
        code: defaultdict[FileLine, list[ProfiledInstruction]] = defaultdict(list)
        for item in program.code:
            code[_place_of(item)].append(item)
        yield CostColumn(
            label=one_line(report.label(program)),
            program=program,
            lines={_place_of(line): line for line in program.lines},
            code=code,
            never=frozenset(_place_of(line) for line in program.never_executed),
            most=max((line.share for line in program.lines), default=0.0),
            first_source=first,
        )
        first += len(program.sources)


def _place_of(item: SourcePlace) -> FileLine:
    return item.file, item.line


def line_name(index: int, line: int) -> str:
    """The name by which links find a line of a source, which has an index in the report."""
    return f"{_listing_name(index)}-{line}"


def _listing_name(index: int) -> str:
    return f"source-{index}"


def source_name(number: int) -> str:
    """The name by which links find a source of cycles."""
    return f"cycles-{number}"


def source_listing(
    index: int, file: str, lines: Sequence[str], columns: Sequence[CostColumn]
) -> Listing:
    """Make the listing of a source file.

    Args:
        index: the index of the file in the report, for links.
        file: the name of the file.
        lines: its lines.
        columns: the programs.
    """
    return Listing(
        name=_listing_name(index),
        groups=tuple(column.label for column in columns),
        columns=_FIGURES,
        heading="source",
        lines=tuple(_line((file, n), text, columns) for n, text in enumerate(lines, 1)),
        quiet="no code in the program",
    )


def _line(place: FileLine, text: str, columns: Sequence[CostColumn]) -> ListingLine:
    costs = [(column, column.lines.get(place)) for column in columns]
    return ListingLine(
        text=text,
        figures=tuple(_figures(column, place) for column in columns),
        fractions=tuple(c.share / col.most if c and col.most else 0.0 for col, c in costs),
        below=tuple(
            instructions_table(column, column.code[place])
            for column in columns
            if place in column.code
        ),
    )


def _figures(column: CostColumn, place: FileLine) -> tuple[str, ...]:
    cost = column.lines.get(place)
    if cost is None:
        return ("0", "", "", "") if place in column.never else ()
    return (
        f"{cost.executed:,.1f}",
        f"{cost.instructions:,.1f}",
        f"{cost.cycles:,.1f}",
        share_words(cost.share),
    )


def instructions_table(
    column: CostColumn, items: Sequence[ProfiledInstruction], *, with_lines: bool = False
) -> Table:
    """Machine instructions of a program, with the source of each price.

    Args:
        column: the program.
        items: the instructions.
        with_lines: whether their source lines are told too.
    """
    rows, links = [], {}
    for item in items:
        number = column.first_source + item.source
        rests_on = f"{column.program.sources[item.source].kind} [{number}]"
        links[rests_on] = source_name(number)
        within = f"{one_line(item.function)}+{item.offset:#x}" if item.function else NO_SYMBOL
        words = [f"{item.address:08x}", within, one_line(item.text), one_line(item.cell), rests_on]
        figures = [f"{item.executed:,.1f}", f"{item.cycles:,.1f}"]
        figures.append(f"{item.cycles / item.executed:.2f}")
        rows.append((*words, *([place_words(item)] if with_lines else []), *figures))
    heads = ["address", "in", "instruction", "table cell", "rests on"]
    heads += ["line"] if with_lines else []
    return Table(
        columns=(*heads, "executed", "cycles", "each"),
        rows=tuple(rows),
        words=len(heads),
        title=column.label,
        links=links,
    )
