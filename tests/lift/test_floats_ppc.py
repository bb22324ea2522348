"""Floating point of the 601 as it is lifted, against exact numbers that are rounded once."""

from __future__ import annotations

import pytest

from emu.lift.interpreter import LeftError
from tests.lift.float_cases_ppc import FLOAT_CASES, FloatCase
from tests.lift.lifted_ppc import LiftedInstruction601

_STATES = 400


@pytest.mark.parametrize("case", FLOAT_CASES, ids=lambda case: case.name)
def test_results_are_rounded_once(case: FloatCase) -> None:
    lifted, numbers = LiftedInstruction601(case.word), case.numbers()
    asked = 0
    for _ in range(_STATES):
        a, b, c = next(numbers), next(numbers), next(numbers)
        lifted.set({"f2": a, "f3": b, "f4": c})
        try:
            lifted.step()
        except LeftError:
            continue
        asked += 1
        found = lifted.get("f1") & case.decided
        assert f"{found:016x}" == f"{case.wanted(a, b, c):016x}", f"{a:016x} {b:016x} {c:016x}"
    assert asked > 0.9 * _STATES
