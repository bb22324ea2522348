"""What an exported case has of a function's recorded calls, as a document."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from emu.port.carry.export import ExportedCase
from emu.port.carry.rooms import CasePlace
from emu.report.document import Document, Points, Section, Table

EXPORT_SCHEMA = "macproof.port-export/1"


@dataclass(frozen=True, slots=True)
class ExportedValue:
    """A place of an exported case.

    Attributes:
        name: the parameter, the global, what a pointer leads to, or "return".
        type: its type; "" of a pointer that leads to nothing, to a function or into a global.
        kind: what it is: "argument", "global", "result", or what the pointer leads to.
        is_given: whether scenes fill it.
        is_compared: whether it is compared.
        most: how many elements a pointer leads to at most.
    """

    name: str
    type: str
    kind: str
    is_given: bool
    is_compared: bool
    most: int


@dataclass(frozen=True, slots=True)
class DroppedCalls:
    """Recorded calls that are not in a case.

    Attributes:
        reason: why, as a clause.
        count: how many.
    """

    reason: str
    count: int


@dataclass(frozen=True, slots=True)
class ExportReport:
    """An exported case.

    Attributes:
        function: the function.
        place: where the old one lies.
        folder: the folder of the case.
        recorded: how many calls of the function are kept.
        exported: how many of them are scenes of the case.
        dropped: the others.
        values: what the case fills and compares.
        remarks: what else is to be known.
    """

    function: str
    place: str
    folder: str
    recorded: int
    exported: int
    dropped: tuple[DroppedCalls, ...]
    values: tuple[ExportedValue, ...]
    remarks: tuple[str, ...]


def export_document(case: ExportedCase) -> Document:
    """An exported case as a document."""
    report = ExportReport(
        case.function,
        case.place,
        case.folder.as_posix(),
        case.recorded,
        case.exported,
        tuple(DroppedCalls(reason, count) for reason, count in case.dropped.items()),
        tuple(map(_value, case.rooms)),
        case.remarks,
    )
    rows = tuple(
        (v.name, v.type, v.kind, _yes(v.is_given), _yes(v.is_compared)) for v in report.values
    )
    table = Table(("value", "type", "what it is", "given", "compared"), rows, 5)
    sections = [Section("Values of a call", (table,))]
    if report.dropped:
        lines = tuple(f"{one.count:,}: {one.reason}" for one in report.dropped)
        sections.append(Section("Calls that are left out", (Points(lines),)))
    if report.remarks:
        sections.append(Section("Remarks", (Points(report.remarks),)))
    return Document(
        title=f"{report.exported:,} of {report.recorded:,} recorded calls of {case.function}",
        sections=tuple(sections),
        lead=(
            f"They are scenes of a case in {report.folder}.",
            "The case has typed values alone: it needs neither the original nor its memory.",
            f"Next: {shlex.join(('macproof', 'verify', report.folder))}",
        ),
        data=report,
        schema=EXPORT_SCHEMA,
    )


def _value(room: CasePlace) -> ExportedValue:
    return ExportedValue(
        room.place,
        "" if room.type is None else room.type.name,
        room.kind,
        bool(room.filled or room.index),
        bool(room.observed),
        room.most,
    )


def _yes(answer: object) -> str:
    return "yes" if answer else "no"
