"""Makes the document of a profile. Its tables are text, which terminals do not wrap."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from emu.base.printable import one_line
from emu.cycles.profile import FunctionCost
from emu.report.document import Document, Literal, Part, Section
from emu.report.plots.numbers import ABSENT
from emu.timing.profile_report import (
    SCHEMA,
    ProfiledLine,
    ProfiledProgram,
    ProfileReport,
)
from emu.timing.profile_words import (
    NO_SYMBOL,
    given_words,
    objects_words,
    place_words,
    share_words,
)

_HOTTEST = 20
_WIDEST_SOURCE = 100


def profile_document(report: ProfileReport) -> Document:
    """Make the document of a profile alone; `profile_sections` adds a profile to another one."""
    credit = f" ({report.credit})" if report.credit else ""
    return Document(
        title=f"{report.title}{credit}: where the cycles of a call go",
        lead=(report.note,),
        sections=tuple(profile_sections(report)),
        closing=(f"Command: {one_line(shlex.join(report.command))}",),
        data=report,
        schema=SCHEMA,
    )


def profile_sections(report: ProfileReport) -> Iterator[Section]:
    """The cycles of each program by function and by source line, and what was not profiled."""
    means = f"Means of {objects_words(report)}."
    for program in report.programs:
        yield from _program(program, one_line(report.label(program)), means)
    omissions = [
        f"The text of {one_line(file.name)} is missing: {file.missing}."
        for file in report.files
        if file.missing
    ]
    omissions += [
        f"Not profiled: {one_line(omission.what)}: {one_line(omission.why)}."
        for omission in report.not_profiled
    ]
    if omissions:
        yield Section("Not profiled, or not known", tuple(omissions))


def _program(program: ProfiledProgram, name: str, means: str) -> Iterator[Section]:
    cycles, megahertz = program.cycles, program.megahertz
    shown, rest = program.lines[:_HOTTEST], program.lines[_HOTTEST:]
    parts: list[Part] = [
        f"{cycles:,.1f} cycles, {program.instructions:,.1f} instructions, "
        f"{cycles / megahertz:,.1f} microseconds of a call at {megahertz:g} MHz. {means}"
    ]
    if program.origin == "given":
        parts.append(given_words(program))
    parts.append("By function, without the functions that it calls:")
    parts.append(Literal(tuple(_functions(program.functions))))
    if program.has_lines:
        parts.append("By source line:")
        parts.append(Literal(tuple(_lines(shown))))
    else:
        parts.append(
            "This program has no line information, so cycles cannot be shown by line. Compile it "
            "with -g."
        )
    if program.has_lines and rest:
        share = share_words(sum(cost.share for cost in rest))
        parts.append(f"{share} are on {len(rest)} more lines, which --verbose shows.")
    yield Section(f"{name}: where the cycles of a call go", tuple(parts))
    if program.has_lines and rest:
        lines = Literal(tuple(_lines(rest)))
        yield Section(f"{name}: its other lines", (lines,), is_detail=True)


def _functions(functions: Sequence[FunctionCost]) -> Iterator[str]:
    heads = ("share", "cycles", "calls", "cycles each")
    yield f"{heads[0]:>7}{heads[1]:>14}{heads[2]:>12}{heads[3]:>14}  function"
    for cost in functions:
        each = ABSENT if cost.cycles_each is None else f"{cost.cycles_each:,.1f}"
        calls = f"{cost.calls:,.1f}" if cost.calls else ABSENT
        name = one_line(cost.name) if cost.name else NO_SYMBOL
        yield f"{share_words(cost.share):>7}{cost.cycles:>14,.1f}{calls:>12}{each:>14}  {name}"


def _lines(lines: Sequence[ProfiledLine]) -> Iterator[str]:
    heads = ("share", "cycles", "executed", "instructions")
    yield f"{heads[0]:>7}{heads[1]:>14}{heads[2]:>12}{heads[3]:>14}  line"
    width = max((len(place_words(cost)) for cost in lines), default=0)
    for cost in lines:
        text = one_line(cost.text)
        if len(text) > _WIDEST_SOURCE:
            text = f"{text[: _WIDEST_SOURCE - 3]}..."
        row = (
            f"{share_words(cost.share):>7}{cost.cycles:>14,.1f}{cost.executed:>12,.1f}"
            f"{cost.instructions:>14,.1f}  {place_words(cost):<{width}}  {text}"
        )
        yield row.rstrip()
