"""A report as Markdown, with everything in it."""

from __future__ import annotations

from collections.abc import Iterable

from emu.base.printable import printable
from emu.timing.report import Report
from emu.timing.section import Grid, Section
from emu.timing.sections import heading, sections


def to_markdown(report: Report) -> str:
    """All sections, details too."""
    return document(f"{heading(report)}: predicted speeds", report["note"], sections(report))


def document(title: str, note: str, parts: Iterable[Section]) -> str:
    """A title, a paragraph and sections."""
    lines = [f"# {_text(title)}", "", _text(note)]
    for section in parts:
        lines += ["", *_section(section)]
    return printable("\n".join(lines)) + "\n"


def _section(section: Section) -> list[str]:
    lines = [f"## {_text(section.title)}"]
    for text in section.before:
        lines += ["", _text(text)]
    if section.grid is not None:
        lines += ["", *_grid(section.grid)]
    if section.literal:
        lines += ["", *(f"    {line}" for line in section.literal)]
    if section.after:
        lines += ["", *(f"* {_text(text)}" for text in section.after)]
    return lines


def _grid(grid: Grid) -> list[str]:
    rules = ["---" if index < grid.words else "--:" for index in range(len(grid.columns))]
    rows = [grid.columns, tuple(rules), *grid.rows]
    return [
        "| " + " | ".join(cell if row is rows[1] else _text(cell) for cell in row) + " |"
        for row in rows
    ]


def _text(text: str) -> str:
    """Words as they are: what Markdown would take for its own is escaped."""
    for character in "\\*|<`":
        text = text.replace(character, f"\\{character}")
    return text.replace("\n", " ")
