"""Vectors of a 68000 on lifted code: what is right, left, not asked and wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.engines.conformity.single_step import read_single_steps
from tests.engines.conformity.single_step_file import WrittenVector, write_single_steps
from tests.lift.compare import compare_with_vectors, compared
from tests.lift.lifted_vectors import LEFT, NOT_ASKED, RIGHT, ask_lifted, form_of_vector

# ADD.W D1,D0: 1 and 2 are 3, and X, N, Z, V and C are cleared.
ADD = WrittenVector(
    "add", [0xD041], {"d0": 0x10001, "d1": 2, "sr": 0x271F}, {"d0": 0x10003, "sr": 0x2700}
)
WRONG_SUM = WrittenVector("sum", [0xD041], {"d0": 1, "d1": 2}, {"d0": 4})
WRONG_FLAG = WrittenVector("flag", [0xD041], {"d0": 1, "d1": 2}, {"d0": 3, "sr": 0x2701})
# MOVE.L 16(A0,D1.W),(A1): the scale is ignored.
INDEX = WrittenVector(
    "index",
    [0x22B0, 0x1610],
    {"a0": 0x2000, "d1": 4, "a1": 0x3000},
    memory={0x2014: 0x1234, 0x2016: 0x5678},
    stored={0x3000: 0x1234, 0x3002: 0x5678},
)
TRAP = WrittenVector("trap", [0x4E41], exception=33)
ODD = WrittenVector("odd", [0x3010], {"a0": 0x2001}, exception=3, memory={0x2000: 1, 0x2002: 2})
NO_TRAP = WrittenVector("nop", [0x4E71], exception=33)
STRAY = WrittenVector("stray", [0x3080], {"a0": 0x2000}, {"sr": 0x2704})


@pytest.mark.parametrize(
    ("written", "outcome"),
    [
        (ADD, RIGHT),
        (INDEX, RIGHT),
        (TRAP, LEFT),
        (ODD, NOT_ASKED),
        (WRONG_SUM, "d0"),
        (WRONG_FLAG, "CF"),
        (NO_TRAP, "it must take exception 33"),
        (STRAY, "a store to 002000 a store to 002001"),
    ],
)
def test_outcomes(tmp_path: Path, written: WrittenVector, outcome: str) -> None:
    path = write_single_steps(tmp_path / "ADD.w.json.bin", [written])
    (vector,) = read_single_steps(path)
    assert ask_lifted(vector) == outcome


def test_a_form_with_a_mistake_is_not_listed(tmp_path: Path) -> None:
    write_single_steps(tmp_path / "ADD.w.json.bin", [ADD, WRONG_SUM])
    write_single_steps(tmp_path / "MOVE.l.json.bin", [INDEX] * 4)
    tallies, lines = compare_with_vectors(tmp_path, 0)
    assert list(lines) == ["ADD.w: {'right': 1, 'wrong': 1}", "MOVE.l: {'right': 4}"]
    assert compared("68000", tallies, []).forms == {"move.l X,I": 4}
    assert tallies["add.w D,Dx"].examples == ["sum: d0"]


def test_the_form_of_a_vector(tmp_path: Path) -> None:
    (vector,) = read_single_steps(write_single_steps(tmp_path / "a.json.bin", [INDEX]))
    assert form_of_vector(vector) == "move.l X,I"
