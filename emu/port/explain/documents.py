"""The explanation of a refuted function as a document."""

from __future__ import annotations

from collections.abc import Iterator

from emu.port.explain.explanation import PortExplanation
from emu.report.document import Document, Literal, Part, Points, Section, Table

EXPLAIN_SCHEMA = "macproof.port-explanation/1"


def explanation_document(explained: PortExplanation) -> Document:
    """An explanation as a document."""
    sections = [
        Section("What it does differently first", tuple(_first(explained))),
        Section("The call", tuple(_call(explained))),
    ]
    if explained.source:
        lines = tuple(
            f"{_sign(one.is_first)} {one.count or '':>6} {one.number:5}  {one.text}".rstrip()
            for one in explained.source
        )
        text = "How often the call came to each line of the new source:"
        sections.append(Section("The new function", (text, Literal(lines))))
    if explained.old:
        lines = tuple(
            f"{_sign(one.is_first)} {one.place:18} {one.text}".rstrip() for one in explained.old
        )
        sections.append(Section("The original there", (Literal(lines),)))
    sections.append(Section("Again", (Literal((explained.command,)),)))
    return Document(
        title=f"{explained.function}, {explained.place}: {explained.sentence}",
        sections=tuple(sections),
        data=explained,
        schema=EXPLAIN_SCHEMA,
    )


def _sign(is_first: bool) -> str:
    return ">" if is_first else " "


def _first(explained: PortExplanation) -> Iterator[Part]:
    yield Points((*explained.first, *explained.accesses))
    if explained.remark:
        yield f"Not told: {explained.remark}."


def _call(explained: PortExplanation) -> Iterator[Part]:
    number = f"Recorded call {explained.call}"
    yield f"{number} with {explained.changes}." if explained.changes else f"{number}, as it was."
    rows = tuple((one.declaration, one.value) for one in explained.arguments)
    if rows:
        yield Table(("argument", "value"), rows, words=2)
    else:
        yield "It has no arguments."
