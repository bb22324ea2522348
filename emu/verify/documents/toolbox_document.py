"""Says in sentences what is known of the Toolbox after calls that asked it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from emu.cases.keys.toolbox_state import MEMBERS
from emu.machine.calls.system import ANSWERS
from emu.report.document import Points, Section
from emu.verify.report.report import ProgramResult, ToolboxCheck
from emu.verify.runs.verdicts import ToolboxNote

NOT_WATCHED = "windows, menus, events, files, resources and sound"
"""The parts of the Toolbox at which nobody looks after a call."""


def toolbox_sections(results: Sequence[ProgramResult]) -> Iterator[Section]:
    """A section about the Toolbox, if any call asked it or something of it was compared."""
    checks = [(result.name, result.toolbox) for result in results if result.toolbox is not None]
    if not checks:
        return
    points = [_summary([toolbox_check for _, toolbox_check in checks])]
    notes_of: dict[tuple[str, str], list[tuple[str, ToolboxNote, ToolboxCheck]]] = {}
    for name, check in checks:
        for note in check.left:
            notes_of.setdefault((note.kind, note.what), []).append((name, note, check))
    points += [_sentence(kind, what, notes) for (kind, what), notes in notes_of.items()]
    yield Section("Toolbox", (Points(tuple(points)),))


def toolbox_clause(results: Sequence[ProgramResult]) -> str:
    """What was left and not compared, for the line with the verdict; "" if nothing was."""
    kinds = {
        note.kind: None
        for result in results
        for note in (result.toolbox.left if result.toolbox else ())
        if note.kind != ANSWERS
    }
    parts = ", ".join(kinds)
    return f"of the Toolbox, {parts} not as before and not compared" if kinds else ""


def _summary(checks: Sequence[ToolboxCheck]) -> str:
    asked = sum(check.asked for check in checks)
    compared = checks[0].compared
    others = [part for part in MEMBERS if part not in compared]
    words = f"Calls that asked the Toolbox: {asked:,}."
    if compared:
        words += f" Compared of its state: {', '.join(compared)}."
    if others:
        words += f" Looked at and not compared: {', '.join(others)}."
    return f"{words} Not watched: {NOT_WATCHED}."


def _sentence(kind: str, what: str, notes: Sequence[tuple[str, ToolboxNote, ToolboxCheck]]) -> str:
    """For example "68040 O2: left, and not compared: a block ... (calls: 12 of 15; first: ...)"."""
    names = [name for name, _, _ in notes]
    programs = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
    _, first, check = notes[0]
    how = "not compared" if kind == ANSWERS else f"{kind} not as before, and not compared"
    calls = f"{first.calls:,}" if kind == ANSWERS else f"{first.calls:,} of {check.asked:,}"
    return f"{programs}: {how}: {what} (calls: {calls}; first: {first.spec.scene})."
