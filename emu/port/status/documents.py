"""The functions of a port, and how far it is, as documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from emu.base.printable import one_line
from emu.port.model import IN_LIBRARY, PROVED, REFUTED, STUBBED, VERIFIED
from emu.port.status.difference import StateChange, change_section
from emu.port.status.sheets import FunctionSheets
from emu.port.status.table import (
    DONE,
    SCHEMA,
    PortedFunction,
    PortStatus,
    Survey,
    find_row,
)
from emu.report.document import (
    Check,
    CheckStatus,
    Document,
    Part,
    Points,
    Section,
    Table,
)
from emu.report.verdict_words import TONES

_COLUMNS = ("place", "function", "state", "bytes", "callers", "reached")
_SEVERAL = 6
_FATES = {
    PROVED: CheckStatus.PASSED,
    VERIFIED: CheckStatus.PASSED,
    REFUTED: CheckStatus.FAILURE,
    STUBBED: CheckStatus.SKIPPED,
    IN_LIBRARY: CheckStatus.SKIPPED,
}


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
        sheets = FunctionSheets(survey)
        sections = [sheets.section(find_row(status, name)) for name in disassembled]
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


def status_document(survey: Survey, found: Sequence[StateChange] | None = None) -> Document:
    """How far a port is, with a part for each function that somebody has begun.

    Args:
        survey: the port.
        found: what has changed since an earlier status; None if nobody asked for that.
    """
    status = survey.status
    begun = [row for row in status.functions if row.place in survey.excerpts or row.verdict]
    refuted = [row for row in status.functions if row.state == REFUTED]
    links = {row.place: f"function-{number}" for number, row in enumerate(begun)}
    sections = [] if found is None else [change_section(found)]
    sections.append(Section("State", (_totals_table(status),)))
    if refuted:
        texts = tuple(f"{row.label}: {_reason(row)}" for row in refuted)
        sections.append(Section("Refuted", (Points(texts),)))
    sections.append(Section("What to port next", tuple(_next_parts(status))))
    sections.append(
        Section(
            "Functions", (_function_table(status.functions, links),), is_detail=True, is_open=True
        )
    )
    sheets = FunctionSheets(survey)
    sections += [sheets.section(row, links[row.place]) for row in begun]
    return Document(
        title=f"The port of {survey.project.original.name}",
        sections=tuple(sections),
        lead=(summary(status),),
        closing=tuple(_hints(status)),
        checks=tuple(_check(row, survey.project.original.name) for row in begun),
        data=status,
        schema=SCHEMA,
    )


def _check(row: PortedFunction, group: str) -> Check:
    """A function as continuous integration is told of it."""
    why = row.verdict.reason if row.verdict else ""
    message = "" if row.state in DONE else f"{row.state}: {why}".removesuffix(": ")
    return Check(group, row.label, _FATES.get(row.state, CheckStatus.ERROR), message)


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
        choices=tuple(dict.fromkeys(row.state for row in rows)),
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
        left = sum(row.state not in DONE for row in status.functions)
        verify = f" {left:,} are not verified: macproof port verify judges them." if left else ""
        yield f"All functions are begun.{verify}"
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
                place,
                one_line(row.new_name or row.name),
                one_line(", ".join(missing[:_SEVERAL])),
                f"{row.size:,}",
                f"{len(row.callers)}",
            )
        )
    columns = ("place", "function", "calls what is not done", "bytes", "callers")
    yield Table(columns, tuple(cells), words=3)


def _reason(row: PortedFunction) -> str:
    return (row.verdict.reason if row.verdict else "") or "no reason was kept"
