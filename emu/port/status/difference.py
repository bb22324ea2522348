"""What became better or worse between two statuses of a port."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import InputError
from emu.port.model import IN_LIBRARY, INCONCLUSIVE, NOT_BEGUN, PROVED, REFUTED, STUBBED, VERIFIED
from emu.port.status.table import SCHEMA, PortedFunction, PortStatus
from emu.report.document import Section, Table
from emu.report.json_form import read_json
from emu.report.verdict_words import TONES

_RANKS = {
    PROVED: 5,
    VERIFIED: 4,
    INCONCLUSIVE: 3,
    REFUTED: 2,
    STUBBED: 1,
    NOT_BEGUN: 0,
}
BETTER, WORSE = "better", "worse"


@dataclass(frozen=True, slots=True)
class StateChange:
    """A function whose state, or whose coverage by calls, is another than before.

    Attributes:
        place: where the old function lies.
        label: its name.
        before: what it was.
        now: what it is.
        is_worse: whether less is known of it, or known to be right, than before.
    """

    place: str
    label: str
    before: str
    now: str
    is_worse: bool


def read_status(path: Path) -> PortStatus:
    """The status that an earlier ``macproof port status --json`` has written.

    Raises:
        InputError: it is damaged, or is another report.
    """
    found = read_json(path, PortStatus, SCHEMA)
    if len(found) != 1:
        raise InputError(path, f"it holds {len(found)} reports, not one")
    return found[0]


def changes(before: PortStatus, now: PortStatus) -> list[StateChange]:
    """What is another now; functions that are worse come first.

    Raises:
        InputError: the two are about different programs.
    """
    if before.digest != now.digest:
        raise InputError(
            Path(now.original), f"the earlier status is about another program, {before.original}"
        )
    earlier = {row.place: row for row in before.functions}
    found = [
        change
        for row in now.functions
        if row.place in earlier and (change := _change(earlier[row.place], row)) is not None
    ]
    return sorted(found, key=lambda change: not change.is_worse)


def _change(before: PortedFunction, now: PortedFunction) -> StateChange | None:
    ranks = _RANKS.get(before.state), _RANKS.get(now.state)
    words = before.state, now.state
    if before.state == now.state:
        reached = _reached(before), _reached(now)
        if now.state == IN_LIBRARY or reached[0] == reached[1]:
            return None
        ranks = reached
        words = (_coverage(before), _coverage(now))
    old, new = (rank if rank is not None else _RANKS[NOT_BEGUN] for rank in ranks)
    return StateChange(now.place, now.label, words[0], words[1], new < old)


def _reached(row: PortedFunction) -> int:
    return row.verdict.reached if row.verdict is not None else 0


def _coverage(row: PortedFunction) -> str:
    return f"{row.state}, {_reached(row)} blocks reached"


def change_section(found: Sequence[StateChange]) -> Section:
    """The changes as a part of a document."""
    if not found:
        return Section("Since before", ("Nothing has changed.",))
    worse = sum(change.is_worse for change in found)
    rows = tuple(
        (c.label, c.place, c.before, c.now, WORSE if c.is_worse else BETTER) for c in found
    )
    table = Table(
        ("function", "place", "before", "now", ""),
        rows,
        words=5,
        tones=TONES,
    )
    return Section("Since before", (f"{worse} worse, {len(found) - worse} better.", table))
