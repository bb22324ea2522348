"""Adds to a profile its sources, with the cost of each line beside it, and what they rest on."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from emu.base.printable import one_line
from emu.cases.programs.source_texts import SourceTexts
from emu.report.document import Document, Part, Points, Section, Table
from emu.timing.annotated_source import (
    READING,
    CostColumn,
    FileLine,
    columns_of,
    instructions_table,
    line_name,
    source_listing,
    source_name,
)
from emu.timing.profile_report import (
    ProfiledInstruction,
    ProfiledProgram,
    ProfileReport,
    SourcePlace,
)
from emu.timing.profile_words import NO_LINE, NO_SYMBOL, place_words, share_words

_HOTTEST = 12


def annotated(document: Document, report: ProfileReport, texts: SourceTexts) -> Document:
    """Add to a document that has a profile the annotated sources.

    Args:
        document: the document.
        report: the profile.
        texts: the text of the sources.
    """
    sections = (*document.sections, *annotated_sections(report, texts))
    return replace(document, sections=sections)


def annotated_sections(report: ProfileReport, texts: SourceTexts) -> Iterator[Section]:
    """The most expensive lines, each source with the cost of its lines, and what these rest on.

    Args:
        report: the profile.
        texts: the text of the sources.
    """
    columns = list(columns_of(report))
    if any(column.program.has_lines for column in columns):
        yield Section("Most expensive lines", (_hottest(report, columns, texts), READING))
    for index, file in enumerate(report.files):
        if file.name in texts.lines:
            listing = source_listing(index, file.name, texts.lines[file.name], columns)
            yield Section(one_line(file.name), (listing,))
    parts = tuple(_without_text(columns, texts))
    if parts:
        yield Section("Code without source text", parts)
    yield Section("Sources of the cycles", tuple(_sources(columns)), is_detail=True)
    yield Section("Assumptions of the models", tuple(_assumptions(columns)), is_detail=True)
    yield Section("The programs", (_facts(columns),), is_detail=True)


def _hottest(report: ProfileReport, columns: Sequence[CostColumn], texts: SourceTexts) -> Table:
    """The most expensive source lines, each with a link to it in its listing."""
    shares: defaultdict[FileLine, float] = defaultdict(float)
    for column in columns:
        for place, cost in column.lines.items():
            shares[place] = max(shares[place], cost.share)
    places = sorted(shares, key=lambda place: (-shares[place], place[0] or "", place[1] or 0))
    numbers = {file.name: index for index, file in enumerate(report.files)}
    rows, links = [], {}
    for file, line in places[:_HOTTEST]:
        where, text = NO_LINE, ""
        if file and line:
            where = place_words(SourcePlace(file, line))
            text = one_line(texts.line(file, line).strip())
            if file in texts.lines:
                links[where] = line_name(numbers[file], line)
        cells = [where, text]
        for column in columns:
            line_cost = column.lines.get((file, line))
            cells += (
                ["", ""]
                if line_cost is None
                else [f"{line_cost.cycles:,.1f}", share_words(line_cost.share)]
            )
        rows.append(tuple(cells))
    heads = [head for c in columns for head in (f"{c.label} cycles", f"{c.label} share")]
    return Table(("line", "source", *heads), tuple(rows), words=2, links=links)


def _without_text(columns: Sequence[CostColumn], texts: SourceTexts) -> Iterator[Part]:
    """The instructions that belong to no line of a shown source, by program and function."""
    for column in columns:
        functions: defaultdict[str, list[ProfiledInstruction]] = defaultdict(list)
        for item in column.program.code:
            if item.file not in texts.lines:
                functions[item.function or NO_SYMBOL].append(item)
        if not functions:
            continue
        costs = {name: sum(i.cycles for i in items) for name, items in functions.items()}
        cycles = sum(costs.values())
        part = share_words(cycles / column.program.cycles if cycles else 0.0)
        yield f"{column.label}: {cycles:,.1f} cycles of a call, {part} of all, by function:"
        for name in sorted(functions, key=lambda name: -costs[name]):
            table = instructions_table(column, functions[name], with_lines=True)
            title = f"{one_line(name)}: {costs[name]:,.1f} cycles"
            yield replace(table, title=title)


def _sources(columns: Sequence[CostColumn]) -> Iterator[Part]:
    yield (
        "If the price of an instruction has several sources, its cycles count for the weakest one."
    )
    rows: list[tuple[str, ...]] = []
    names: dict[int, str] = {}
    for column in columns:
        for number, source in enumerate(column.program.sources, column.first_source):
            names[len(rows)] = source_name(number)
            share = share_words(source.share)
            rows.append((f"[{number}]", column.label, source.kind, one_line(source.title), share))
    heads = ("", "program", "kind", "source", "share")
    yield Table(heads, tuple(rows), words=4, names=names)


def _assumptions(columns: Sequence[CostColumn]) -> Iterator[Part]:
    models = {column.program.cpu: column.program for column in columns}
    for program in models.values():
        yield one_line(program.model)
        yield Points(tuple(map(one_line, program.assumptions)))


def _facts(columns: Sequence[CostColumn]) -> Table:
    """The facts about the profiled programs, one column for each."""
    programs = [column.program for column in columns]
    rows = {
        "calls counted": [f"{p.calls:,}" for p in programs],
        "cycle model": [p.model for p in programs],
        "made from": [p.source for p in programs],
        "compiler": [p.compiler for p in programs],
        "flags": [_flags(p) for p in programs],
        "SHA-256": [f"{p.sha256} ({p.origin})" for p in programs],
    }
    return Table(
        columns=("", *(column.label for column in columns)),
        rows=tuple((what, *map(one_line, cells)) for what, cells in rows.items()),
        words=1 + len(columns),
    )


def _flags(program: ProfiledProgram) -> str:
    return "unknown" if program.origin == "given" else shlex.join(program.flags)
