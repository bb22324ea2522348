"""Finds what a case file still marks CHANGE: what ``macproof new`` could not know for certain."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from emu.report.limits import Limits

_MARK = re.compile(r"#.*?\bCHANGE\b:?\s*(.*)")
_KEY = re.compile(r"(\w+):")
_NO_PART_OF_A_VERDICT = "title"
_FIRST = "reference"


@dataclass(frozen=True, slots=True)
class ChangeMark:
    """A line of a case file with CHANGE in its comment.

    Attributes:
        line: the line, from 1.
        text: what the comment says behind CHANGE.
    """

    line: Annotated[int, Limits(minimum=1)]
    text: str


def change_marks(text: str) -> tuple[ChangeMark, ...]:
    """The marks in the text of a case file, those of the reference first.

    The reference says what is right. The mark of the title is left out: no verdict depends on it.
    """
    marks = sorted(_marks(text), key=lambda found: found[0] != _FIRST)
    return tuple(mark for key, mark in marks if key != _NO_PART_OF_A_VERDICT)


def _marks(text: str) -> Iterator[tuple[str, ChangeMark]]:
    """Each mark, and the key of the case that it stands in or before."""
    waiting: list[ChangeMark] = []
    key = ""
    for number, line in enumerate(text.splitlines(), 1):
        found = _KEY.match(line)
        if found is not None:
            key = found[1]
            yield from ((key, mark) for mark in waiting)
            waiting.clear()
        mark = _MARK.search(line)
        if mark is None:
            continue
        if line.startswith("#"):
            waiting.append(ChangeMark(number, mark[1].strip()))
        else:
            yield key, ChangeMark(number, mark[1].strip())
    yield from (("", mark) for mark in waiting)


def change_clause(marks: Sequence[ChangeMark]) -> str:
    """Say what is still marked, as in "the case still says CHANGE in line 12: or mpw-c".

    Returns:
        A clause; "" without marks.
    """
    if not marks:
        return ""
    first, *others = marks
    text = first.text.partition(" (")[0].rstrip(".")
    also = f"; and in line{'s'[: len(others) > 1]} {_listed(others)}" if others else ""
    return f"the case still says CHANGE in line {first.line}: {text}{also}"


def _listed(marks: Sequence[ChangeMark]) -> str:
    *most, last = (str(mark.line) for mark in marks)
    return f"{', '.join(most)} and {last}" if most else last
