"""What a case file still marks CHANGE."""

from __future__ import annotations

import pytest

from emu.cases.change_marks import ChangeMark, change_clause, change_marks

TEXT = """title: Add # CHANGE: what it does
# CHANGE: what goes in
arguments: {n: CHANGE}
reference:
  convention: mpw-c # CHANGE: or think-c-16 (its callers remove 2 bytes)
  # CHANGE: start
observe: [return] # no CHANGED word
"""


def test_those_of_the_reference_come_first() -> None:
    assert change_marks(TEXT) == (
        ChangeMark(5, "or think-c-16 (its callers remove 2 bytes)"),
        ChangeMark(6, "start"),
        ChangeMark(2, "what goes in"),
    )


@pytest.mark.parametrize(
    ("marks", "clause"),
    [
        ([], ""),
        ([5], "the case still says CHANGE in line 5: or mpw-c"),
        ([5, 2], "the case still says CHANGE in line 5: or mpw-c; and in line 2"),
        ([5, 2, 9], "the case still says CHANGE in line 5: or mpw-c; and in lines 2 and 9"),
    ],
)
def test_the_clause_names_every_line(marks: list[int], clause: str) -> None:
    assert change_clause([ChangeMark(line, "or mpw-c (why).") for line in marks]) == clause
