"""What recording and verifying a port have found, as documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from emu.base.printable import one_line
from emu.port.cycles.documents import cycle_sections
from emu.port.model import INCONCLUSIVE, REFUTED, VERIFIED, FunctionVerdict
from emu.port.recording.store import RecordedRun
from emu.report.document import Document, Points, Section, Table
from emu.report.verdict_words import TONES

RECORD_SCHEMA = "macproof.port-record/1"
VERIFY_SCHEMA = "macproof.port-verify/1"


@dataclass(frozen=True, slots=True)
class RecordedFunction:
    """A function in a recorded run.

    Attributes:
        name: its name.
        place: where the old one lies.
        calls: how often it was called while it was watched.
        kept: how many of these calls were kept.
        lost: how many calls that were to be kept never returned.
    """

    name: str
    place: str
    calls: int
    kept: int
    lost: int


@dataclass(frozen=True, slots=True)
class RecordReport:
    """What a recorded run has kept.

    Attributes:
        script: the script; "" for a patient user.
        functions: the functions.
        end: why the program could not go on; "" if it came to its end.
        bytes: the size of the file of recordings.
        seconds: the processor time of the run.
    """

    script: str
    functions: tuple[RecordedFunction, ...]
    end: str
    bytes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class PortVerifyReport:
    """The verdicts of some functions of a port.

    Attributes:
        project: the port's file.
        build: the build.
        functions: the verdicts.
        kept: the names of functions that were not judged again, since nothing has changed.
        together: whether what new functions call was new, too; else it was old.
    """

    project: str
    build: str
    functions: tuple[FunctionVerdict, ...] = field(default_factory=tuple)
    kept: tuple[str, ...] = ()
    together: bool = False


def record_report(
    script: Path | None,
    names: Sequence[tuple[str, str]],
    run: RecordedRun,
    kept: dict[str, int],
    size: int,
    seconds: float,
) -> RecordReport:
    """What a run has kept.

    Args:
        script: its script.
        names: name and place of each function.
        run: the run.
        kept: how many calls of each were kept, by place.
        size: the bytes of the file of recordings.
        seconds: the processor time.
    """
    functions = tuple(
        RecordedFunction(
            name,
            place,
            run.counts.get(place, 0),
            kept.get(place, 0),
            run.never_returned.get(place, 0),
        )
        for name, place in names
    )
    return RecordReport(str(script or ""), functions, run.end, size, seconds)


def record_document(report: RecordReport) -> Document:
    """A recorded run as a document."""
    called = [one for one in report.functions if one.calls]
    rows = [
        (one.name, one.place, f"{one.calls:,}", f"{one.kept:,}", f"{one.lost:,}") for one in called
    ]
    parts: list[Section] = [
        Section("Calls", (Table(("function", "place", "calls", "kept", "lost"), tuple(rows), 2),))
    ]
    silent = [one.name for one in report.functions if not one.calls]
    if silent:
        text = f"not called: {', '.join(silent)}"
        parts.append(Section("What this script does not reach", (Points((text,)),)))
    if report.end:
        line = one_line(report.end.partition("\n")[0])
        parts.append(Section("How the run ended", (Points((line,)),)))
    kept = sum(one.kept for one in called)
    return Document(
        title=f"{kept:,} calls of {len(called)} functions kept",
        sections=tuple(parts),
        lead=(
            f"The file of recordings has {report.bytes:,} bytes; the run took "
            f"{report.seconds:.1f} s.",
        ),
        data=report,
        schema=RECORD_SCHEMA,
    )


def verify_document(report: PortVerifyReport) -> Document:
    """Verdicts as a document."""
    functions = report.functions
    counts = {
        word: sum(one.verdict == word for one in functions)
        for word in (VERIFIED, REFUTED, INCONCLUSIVE)
    }
    rows = tuple(
        (one.name, one.place, one.verdict, f"{one.calls:,}", f"{one.varied:,}") for one in functions
    )
    table = Table(("function", "place", "verdict", "calls", "varied"), rows, 3, tones=TONES)
    sections = [Section("Functions", (table,))]
    sections += cycle_sections(functions)
    reasons = tuple(f"{one.name}: {one.reason}" for one in functions if one.reason)
    if reasons:
        sections.append(Section("Differences, and why there is no verdict", (Points(reasons),)))
    remarks: dict[str, list[str]] = {}
    for one in functions:
        for text in one.remarks:
            remarks.setdefault(text, []).append(one.name)
    if remarks:
        points = tuple(f"{', '.join(names)}: {text}" for text, names in remarks.items())
        sections.append(Section("Remarks", (Points(points),)))
    lead = []
    if report.kept:
        judged = len(functions) - len(report.kept)
        lead.append(
            f"{judged} of {len(functions)} functions were judged again: those whose source, "
            "headers, calls or terms have changed since their verdicts."
        )
    if report.together:
        lead.append("What new functions call was new, too.")
    return Document(
        title=", ".join(f"{count} {word}" for word, count in counts.items() if count) or "nothing",
        sections=tuple(sections),
        lead=(
            *lead,
            "Each recorded call was made on the old and on the new function, and every byte of "
            "memory but the dead stack was compared, with the result, the registers to be "
            "preserved, and the calls of the Toolbox with their arguments.",
            "Not compared: what is drawn or played in a call of the Toolbox, which is given as "
            "the original got it.",
        ),
        data=report,
        schema=VERIFY_SCHEMA,
    )


def exit_code(report: PortVerifyReport) -> int:
    """0 if all are verified; 1 if one is refuted; 4 if one has no verdict, or there is none."""
    words = {one.verdict for one in report.functions}
    if REFUTED in words:
        return 1
    return 4 if INCONCLUSIVE in words or not words else 0
