"""Oracles: who agrees with whom about the scenes of a case."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.cases.programs.selection import Selection
from emu.report.document import CheckStatus, Tone
from emu.verify.documents.calibration_document import calibration_document
from emu.verify.runs.oracle_matrix import PYTHON
from emu.verify.runs.oracles import Oracles, ask_oracles

CPUS = ("68040", "601")


def programs(case: Case) -> Selection:
    return programs_of(case, cpus=list(CPUS), builds=["O2"], use="prebuilt")


def outcome(found: Oracles) -> tuple[Tone, CheckStatus]:
    document = calibration_document((), [found], command=["macproof"], seconds=1.0)
    assert document.outcome is not None
    return document.outcome.tone, document.checks[0].fate


@pytest.mark.slow
def test_programs_agree_with_the_reference() -> None:
    case = load_case("four-shifts")
    found = ask_oracles(case, programs(case).subjects, 6, 1)
    assert found.matrix.oracles == ("68040 unicorn", "601 unicorn", PYTHON)
    assert {(pair.both, pair.alike) for pair in found.matrix.pairs} == {(6, 6)}
    assert outcome(found) == (Tone.GOOD, CheckStatus.PASSED)


@pytest.mark.slow
def test_the_matrix_of_68k_powerpc_host_and_python(macproof: Callable[..., Any]) -> None:
    words = ("--cpu", "68040", "--cpu", "601", "--engine", "unicorn", "--engine", "host")
    done = macproof("calibrate", *words, "--case", "four-shifts", "--scenes", 5)
    assert done.code == 0, done.err
    for name in ("68040 unicorn", "601 unicorn", "host", "Python"):
        (row,) = re.findall(rf"(?m)^ +\d {name} .*", done.out)
        assert row.count("5 of 5") == 3


@pytest.mark.slow
def test_a_mistake_of_both_processors_is_told_from_one_of_an_engine(tmp_path: Path) -> None:
    """The programs are of another case, whose objects collide at another distance."""
    case = load_case("four-shifts-test-of-two")
    other = load_case("four-shifts-test-of-two-corrected")
    right = programs(case).subjects
    wrong = [replace(one, declared=None) for one in programs(other).subjects]
    found = ask_oracles(case, wrong, 30, 1)
    alike = {pair.oracles: pair.alike for pair in found.matrix.pairs}
    assert alike["68040 unicorn", "601 unicorn"] == 30
    assert alike["601 unicorn", PYTHON] < 30
    assert outcome(found) == (Tone.BAD, CheckStatus.FAILURE)
    assert ask_oracles(case, right, 30, 1).matrix.agree
