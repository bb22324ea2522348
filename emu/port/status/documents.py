"""The functions of a port, and how far it is, as documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from emu.base.printable import one_line
from emu.port.model import IN_LIBRARY, NOT_BEGUN, REFUTED
from emu.port.status.listing import disassembly, named_program
from emu.port.status.table import (
    DONE,
    SCHEMA,
    PortedFunction,
    PortStatus,
    Survey,
    find_row,
)
from emu.report.document import (
    Columns,
    Document,
    Excerpt,
    Literal,
    Part,
    Points,
    Section,
    Table,
)
from emu.report.verdict_words import TONES

_COLUMNS = ("place", "function", "state", "bytes", "callers", "reached")
_SEVERAL = 6


def functions_document(survey: Survey, disassembled: Sequence[str] = ()) -> Document:
    """The functions of the old program, and what to port next.

    Args:
        survey: the port.
        disassembled: names or places of functions to be shown beside their new source.

    Raises:
        CaseError: there is no such function.
    """
    status = survey.status
    if disassembled:
        sections = [_function_section(survey, find_row(status, name)) for name in disassembled]
    else:
        own = [row for row in status.functions if row.state != IN_LIBRARY]
        library = [row for row in status.functions if row.state == IN_LIBRARY]
        sections = [
            Section("Functions", (_function_table(own),)),
            Section("What to port next", tuple(_next_parts(status))),
            Section("What each calls and uses", (_facts_table(status),), is_detail=True),
            Section("The compiler's library, glue and start-up code", (_function_table(library),)),
        ]
    count = len(status.functions)
    return Document(
        title=f"{count:,} functions of {survey.project.original.name}",
        sections=tuple(sections),
        lead=(summary(status),),
        closing=tuple(_hints(status)),
        data=status,
        schema=SCHEMA,
    )


def status_document(survey: Survey) -> Document:
    """How far a port is, with a part for each function that somebody has begun."""
    status = survey.status
    begun = [row for row in status.functions if row.place in survey.excerpts or row.verdict]
    refuted = [row for row in status.functions if row.state == REFUTED]
    links = {row.place: f"function-{number}" for number, row in enumerate(begun)}
    sections = [Section("State", (_totals_table(status),))]
    if refuted:
        texts = tuple(f"{row.label}: {_reason(row)}" for row in refuted)
        sections.append(Section("Refuted", (Points(texts),)))
    sections.append(Section("What to port next", tuple(_next_parts(status))))
    sections.append(
        Section("Functions", (_function_table(status.functions, links),), is_detail=False)
    )
    sections += [_function_section(survey, row, links[row.place]) for row in begun]
    return Document(
        title=f"The port of {survey.project.original.name}",
        sections=tuple(sections),
        lead=(summary(status),),
        closing=tuple(_hints(status)),
        data=status,
        schema=SCHEMA,
    )


def summary(status: PortStatus) -> str:
    """How far it is, in a sentence."""
    own = [row for row in status.functions if row.state != IN_LIBRARY]
    done = [row for row in own if row.state in DONE]
    size, all_ = sum(row.size for row in done), sum(row.size for row in own)
    share = f", {100 * size / all_:.1f}%" if all_ else ""
    return (
        f"{len(done):,} of {len(own):,} functions are verified or proved: {size:,} of {all_:,} "
        f"bytes{share}."
    )


def _hints(status: PortStatus) -> Iterator[str]:
    yield from status.unplaced
    if status.next:
        yield f'macproof port functions --disassemble "{status.next[0]}" shows the first of them.'


def _totals_table(status: PortStatus) -> Table:
    rows = tuple((t.state, f"{t.functions:,}", f"{t.bytes:,}") for t in status.totals)
    return Table(("state", "functions", "bytes"), rows, tones=TONES)


def _function_table(rows: Sequence[PortedFunction], links: dict[str, str] | None = None) -> Part:
    if not rows:
        return "None."
    return Table(
        _COLUMNS,
        tuple(_cells(row) for row in rows),
        words=3,
        tones=TONES,
        links=links or {},
        is_searchable=True,
    )


def _cells(row: PortedFunction) -> tuple[str, ...]:
    verdict = row.verdict
    reached = f"{verdict.reached} of {verdict.blocks}" if verdict and verdict.blocks else ""
    return (
        row.place,
        one_line(row.new_name or row.name),
        row.state,
        f"{row.size:,}",
        f"{len(row.callers)}",
        reached,
    )


def _facts_table(status: PortStatus) -> Table:
    """What each function calls and uses."""
    labels = {row.place: row.label for row in status.functions}
    columns = ("function", "calls", "Toolbox and libraries", "globals", "floating point")
    rows = []
    for row in status.functions:
        called = [labels.get(place, place) for place in row.callees]
        lists = (called, [*row.toolbox, *row.imports], row.globals)
        cells = (one_line(", ".join(names)) for names in lists)
        rows.append((one_line(row.label), *cells, row.floating_point))
    return Table(columns, tuple(rows), words=5)


def _next_parts(status: PortStatus) -> Iterator[Part]:
    rows = {row.place: row for row in status.functions}
    if not status.next:
        yield "Nothing is left."
        return
    yield "Leaves come first: all that they call is done. Of these, those that most others call."
    cells = []
    for place in status.next:
        row = rows[place]
        missing = [
            rows[one].label for one in row.callees if one != place and rows[one].state not in DONE
        ]
        cells.append(
            (
                one_line(row.label),
                place,
                one_line(", ".join(missing[:_SEVERAL])),
                f"{row.size:,}",
                f"{len(row.callers)}",
            )
        )
    columns = ("function", "place", "calls what is not done", "bytes", "callers")
    yield Table(columns, tuple(cells), words=3)


def _reason(row: PortedFunction) -> str:
    return (row.verdict.reason if row.verdict else "") or "no reason was kept"


def _function_section(survey: Survey, row: PortedFunction, name: str = "") -> Section:
    """All that is known of a function: its verdict, its facts, old code beside new source."""
    old = next(one for one in survey.functions.functions if one.place == row.place)
    lines = tuple(one_line(line) for line in disassembly(named_program(survey), old))
    excerpt = survey.excerpts.get(row.place)
    new: str | Excerpt = "There is no new source of it yet."
    if excerpt is not None:
        new = Excerpt(f"{row.file}, line {row.line}", excerpt.first, excerpt.lines, 0)
    parts: list[Part] = [Points(tuple(_facts(survey.status, row)))]
    parts.append(Columns((Literal(lines), new)))
    label = row.label if row.label == row.place else f"{row.label}, {row.place}"
    return Section(f"{label}: {row.state}", tuple(parts), is_folded=bool(name), name=name)


def _facts(status: PortStatus, row: PortedFunction) -> Iterator[str]:
    labels = {one.place: one.label for one in status.functions}
    verdict = row.verdict
    if verdict is not None:
        yield f"{row.state}{': ' + verdict.reason if verdict.reason else ''}"
        yield (
            f"{verdict.calls:,} recorded and {verdict.varied:,} changed calls; {verdict.reached:,} "
            f"of {verdict.blocks:,} blocks of the old function reached"
        )
        if verdict.unreached:
            yield f"no call reached {', '.join(verdict.unreached)}"
        yield from verdict.remarks
    yield f"{row.size:,} bytes" + (f", {row.kind}" if row.kind else "")
    for title, names in (
        ("called by", [labels.get(place, place) for place in row.callers]),
        ("calls", [labels.get(place, place) for place in row.callees]),
        ("Toolbox", list(row.toolbox)),
        ("other libraries", list(row.imports)),
        ("globals", list(row.globals)),
        ("floating point", [row.floating_point] if row.floating_point else []),
    ):
        if names:
            yield f"{title}: {', '.join(names)}"
    if row.state == NOT_BEGUN:
        yield f"to begin it, write // FUNCTION: {row.place} above a function of the new source"
