"""What macproof can use on this computer as a document."""

from __future__ import annotations

from collections.abc import Iterator

from emu.doctor.report import NOT_READY, SCHEMA, DoctorReport, Facility, State
from emu.report.document import Check, CheckStatus, Document, Points, Section, Table
from emu.report.verdict_words import TONES, verdict_outcome

_FATES = {
    State.PRESENT: CheckStatus.PASSED,
    State.MISSING: CheckStatus.SKIPPED,
    State.NEEDED: CheckStatus.FAILURE,
}


def doctor_document(report: DoctorReport) -> Document:
    """Make the document of an examination. It has a JUnit check for each facility."""
    return Document(
        title=f"macproof {report.version} on {report.system}",
        outcome=verdict_outcome(report.verdict, _caveat(report)),
        sections=tuple(_sections(report)),
        checks=tuple(map(_check, report.facilities)),
        data=report,
        schema=SCHEMA,
    )


def _caveat(report: DoctorReport) -> str:
    if report.verdict == NOT_READY:
        needed = [facility.name for facility in report.facilities if facility.state is State.NEEDED]
        return f"macproof verify cannot run: {', '.join(needed)}"
    count = sum(facility.state is State.MISSING for facility in report.facilities)
    return f"{count} missing, which the main job does not need" if count else ""


def _sections(report: DoctorReport) -> Iterator[Section]:
    for group in dict.fromkeys(facility.group for facility in report.facilities):
        facilities = [facility for facility in report.facilities if facility.group == group]
        present = tuple(
            (facility.name, facility.state.value, facility.detail)
            for facility in facilities
            if not facility.cost
        )
        table = [Table(("what", "state", "version or place"), present, words=3, tones=TONES)]
        lacks = tuple(
            f"{facility.name} ({facility.state.value}): without it, {facility.cost}. "
            f"{_sentence(facility.detail)}"
            for facility in facilities
            if facility.cost
        )
        parts = (*(table if present else ()), *((Points(lacks),) if lacks else ()))
        yield Section(group[0].upper() + group[1:], parts)


def _check(facility: Facility) -> Check:
    message = f"{_sentence(facility.detail)} Without it, {facility.cost}." if facility.cost else ""
    return Check(f"doctor.{facility.group}", facility.name, _FATES[facility.state], message)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"
