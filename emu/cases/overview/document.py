"""The cases that there are as a document."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from emu.cases.overview.report import SCHEMA, CaseLocation, CasesReport, ListedCase, ReferenceKind
from emu.report.document import Document, Part, Points, Section, Table
from emu.toolchain.sources import mac_sources

_NONE = "None. macproof new NAME writes one."
_COLUMNS = ("case", "entry", "processors", "reference", "file")


def cases_document(report: CasesReport) -> Document:
    """Make the document that lists all cases."""
    count = len(report.cases)
    return Document(
        title=f"{count:,} case{'s' * (count != 1)}",
        sections=tuple(_sections(report)),
        closing=("Next: macproof verify CASE, with a word of the first column.",),
        data=report,
        schema=SCHEMA,
    )


def _sections(report: CasesReport) -> Iterator[Section]:
    kit = mac_sources()
    yield Section(
        f"Cases that come with macproof, in {kit}", (_table(report, CaseLocation.KIT, kit),)
    )
    yield Section("Cases in this folder", (_table(report, CaseLocation.HERE, Path()),))
    if report.wrong:
        yield Section("Files that cannot be used", (Points(tuple(w.why for w in report.wrong)),))


def _table(report: CasesReport, place: CaseLocation, folder: Path) -> Part:
    rows = tuple(_row(case, folder) for case in report.cases if case.place is place)
    return Table(_COLUMNS, rows, words=len(_COLUMNS)) if rows else _NONE


def _row(case: ListedCase, folder: Path) -> tuple[str, ...]:
    is_python = case.reference_kind is ReferenceKind.PYTHON
    kind = "" if is_python else f" ({case.reference_kind.value})"
    entry, cpus = ", ".join(case.entry), ", ".join(case.cpus)
    file = str(Path(case.file).relative_to(folder))
    return (case.word, entry, cpus, f"{case.reference}{kind}", file)
