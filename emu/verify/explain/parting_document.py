"""Makes the section on where two executions of a scene part."""

from __future__ import annotations

from collections.abc import Iterator

from emu.report.document import Literal, Part, Points, Section, Table
from emu.verify.explain.divergence_point import (
    DivergencePoint,
    DivergentExecution,
    SideBySide,
    StoredValue,
)

_IN_A_LINE = 4  # registers


def parting_sections(compared: SideBySide | None) -> tuple[Section, ...]:
    """The section on two executions; none if there is only one."""
    if compared is None:
        return ()
    return (Section(f"{compared.one} beside {compared.other}", tuple(_parts(compared))),)


def _parts(compared: SideBySide) -> Iterator[Part]:
    if compared.problem:
        yield f"The two were not compared: {compared.problem}."
        return
    stores = " and ".join(f"{count:,}" for count in compared.stores)
    parting = compared.parting
    if parting is None:
        yield (
            f"The two leave the same in every variable, after {stores} stores: both are wrong in "
            "the same way, or what differs has no name."
        )
        return
    yield (
        f"The two part at {parting.place}. Of {stores} stores to variables, this is the first one "
        f"with a value that only one of them has; in the end {parting.differing} "
        f"{'values differ' if parting.differing != 1 else 'value differs'}."
    )
    yield Points(tuple(map(_words, (parting.one, parting.other))))
    yield from _stores_before(parting)
    for side in (parting.one, parting.other):
        if side.stored is not None:
            yield f"Registers of {side.name} just before this store:"
            yield Literal(tuple(_registers(side.stored)))


def _words(side: DivergentExecution) -> str:
    if side.stored is None:
        return f"{side.name} stores nothing else there; it holds {side.value}."
    return f"{side.name} stores {side.value} at {_where(side.stored)}."


def _where(stored: StoredValue) -> str:
    return f"{stored.location}{f', in {stored.call}' if stored.call else ''}"


def _stores_before(parting: DivergencePoint) -> Iterator[Part]:
    """What the two stored before; what both did is in one row."""
    execution, other = parting.one, parting.other
    rows: dict[tuple[str, str], list[str]] = {}
    for column, side in enumerate((execution, other)):
        for stored in side.before:
            row = rows.setdefault((stored.place, stored.value), ["", ""])
            row[column] = _where(stored).partition(" ")[2]
    if rows:
        yield "The stores before that:"
        head = ("stored in", "value", f"{execution.name} at", f"{other.name} at")
        yield Table(head, tuple((*key, *row) for key, row in rows.items()), words=0)


def _registers(stored: StoredValue) -> Iterator[str]:
    words = [f"{name:>3} {value:08x}" for name, value in stored.registers.items()]
    for first in range(0, len(words), _IN_A_LINE):
        yield "  ".join(words[first : first + _IN_A_LINE])
