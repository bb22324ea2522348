"""Files of measured compilers: what is refused, and the arithmetic of ratios and factors."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from emu.base.errors import CaseError
from emu.cycles.validation.compiler_pairs import (
    CompilerPair,
    PairedFunction,
    compiler_pairs,
    factor_of,
    load_pairs,
)

FILE = """title: some
rule: all of them
missing: []
measured: 2026-11-28
version: "1"
pairs:
  - program: Game 1.0
    compiler: a compiler
    cpu: "68040"
    source: a disc
    functions:
      move: {calls: 3, old: 120.5, new: 100}
      undo: {calls: 1, old: 50, new: 50.0}
"""


def pair(
    *functions: tuple[float, float], program: str = "Game", cpu: str = "68040"
) -> CompilerPair:
    made = (PairedFunction(str(n), 1, old, new) for n, (old, new) in enumerate(functions))
    return CompilerPair(program, "a compiler", cpu, "a disc", tuple(made))


def write(folder: Path, text: str) -> Path:
    path = folder / "pairs.yaml"
    path.write_text(text)
    return path


def test_what_comes_along() -> None:
    known = compiler_pairs()
    assert known.pairs and known.rule and known.missing
    assert all(len(one.functions) >= 2 for one in known.pairs)
    assert len({(one.program, one.compiler, one.cpu) for one in known.pairs}) == len(known.pairs)


def test_a_file_is_read(tmp_path: Path) -> None:
    (one,) = load_pairs(write(tmp_path, FILE)).pairs
    assert one.functions[0] == PairedFunction("move", 3, 120.5, 100.0)
    assert one.functions[0].ratio == pytest.approx(1.205)
    assert one.ratio == pytest.approx(math.sqrt(1.205))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("new: 100", "new: 0.0", "line 12.*not a number above 0"),
        ("new: 100", "new: -1", "line 12"),
        ("calls: 3", "calls: 0", "line 12"),
        ('cpu: "68040"', "cpu: z80", "line 9.*z80"),
        ("    source: a disc\n", "", "the key source is missing"),
        ("rule: all of them\n", "", "the key rule is missing"),
        ("title: some", "title: some\nmore: 1", "more is not known"),
        ("      undo: {calls: 1, old: 50, new: 50.0}\n", "", "functions"),
    ],
)
def test_a_bad_file_is_refused(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert old in FILE
    with pytest.raises(CaseError, match=words):
        load_pairs(write(tmp_path, FILE.replace(old, new)))


def test_a_pair_is_there_once(tmp_path: Path) -> None:
    text = FILE + FILE.partition("pairs:\n")[2]
    with pytest.raises(CaseError, match=r"two pairs Game 1\.0, a compiler, 68040"):
        load_pairs(write(tmp_path, text))


def test_cycles_for_each_call_are_told_from_slower_code() -> None:
    """Old code that takes 0.9 of the cycles, and 8 for each call."""
    slope, each = pair(*((0.9 * new + 8, new) for new in (10, 40, 200, 1000))).per_call
    assert [slope, each] == pytest.approx([0.9, 8])
    slope, each = pair((20, 10), (20, 10)).per_call
    assert [slope, each] == pytest.approx([2, 0])


def test_a_factor_takes_each_program_once() -> None:
    """A program with many functions does not outweigh one with few."""
    many = pair(*[(200.0, 100.0)] * 8, program="many")
    few = pair((50, 100), (50, 100), program="few")
    other = pair((900, 100), (900, 100), cpu="601")
    factor = factor_of([many, few, other], "68040")
    assert factor is not None
    assert (factor.programs, factor.functions) == (2, 10)
    assert factor.mean == pytest.approx(1)
    assert factor.within == pytest.approx(1)
    assert factor.between == pytest.approx(math.exp(math.log(2) * math.sqrt(2)))
    assert factor.between is not None
    assert factor.interval == pytest.approx(factor.between**2)
    assert factor_of([many], "68000") is None
    lonely = factor_of([many], "68040")
    assert lonely is not None and lonely.between is None and lonely.interval is None
