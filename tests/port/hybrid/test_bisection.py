"""Which of many names cause a difference."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from emu.port.hybrid.bisection import smallest_cause

NAMES = [f"f{number}" for number in range(37)]


@pytest.mark.parametrize(
    "guilty", [{"f0"}, {"f36"}, {"f17"}, {"f3", "f30"}, {"f5", "f6", "f20"}, set(NAMES)]
)
def test_names_that_act_together_are_found(guilty: set[str]) -> None:
    assert set(smallest_cause(NAMES, guilty.issubset)) == guilty


def test_one_name_is_found_by_halving() -> None:
    runs: list[Sequence[str]] = []

    def differs(names: Sequence[str]) -> bool:
        runs.append(names)
        return "f29" in names

    assert smallest_cause(NAMES, differs) == ("f29",)
    assert len(runs) <= 12


def test_of_two_that_differ_alone_one_is_found() -> None:
    assert len(smallest_cause(NAMES, lambda names: "f4" in names or "f33" in names)) == 1
