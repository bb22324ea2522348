"""The check itself, broken on purpose."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import macproof
from emu.base.processes.workers import Workers
from emu.cases.case import Case
from emu.search.selfcheck import checker
from emu.search.selfcheck.checker import BrokenCheckFate, altered, break_check
from emu.verify.scenes.scene_plan import plan_scenes
from emu.verify.scenes.scene_spec import SceneSpec
from tests.small_cases import SmallCases
from tests.verify.small_cases import SmallCase
from tests.verify.test_calls_of_functions import KEYS, OBSERVE, PYTHON, RIGHT

SOURCE = """
int gValues[10], gCount, gSum;
extern "C" void Run(void)
{
    gSum = 0;
    for (int i = 0; i < gCount; i++)
        gSum += gValues[i];
}
"""


@pytest.fixture
def cases(tmp_path: Path) -> SmallCases:
    return SmallCases(tmp_path)


def broken(cases: SmallCases, case: Case) -> dict[str, BrokenCheckFate]:
    programs = [cases.subject(case, "601", "O1")]
    with Workers(1) as workers:
        found = break_check(case, programs, plan_scenes(case, 4, 1), workers)
    assert {one.program for one in found} == {"601 O1"}
    return {one.name: one.seen for one in found}


def sums(
    cases: SmallCases, reference: str = "return answer(total=int(scene.values.sum()))"
) -> Case:
    return cases.make(SOURCE, reference, "{gSum: total}")


@pytest.mark.slow
def test_every_way_to_break_the_check_is_seen(cases: SmallCases) -> None:
    assert broken(cases, sums(cases)) == {
        "nothing is observed": BrokenCheckFate.SEEN,
        "the reference says a wrong total": BrokenCheckFate.SEEN,
        "the reference answers for another seed": BrokenCheckFate.SEEN,
    }


def test_calls_of_functions_are_broken_too(tmp_path: Path, compilers: Callable[..., None]) -> None:
    compilers("68040")
    case = SmallCase(tmp_path, RIGHT, f"{KEYS}{OBSERVE}expect\n", PYTHON).case
    programs = macproof.programs_of(case, cpus=["68040"], builds=["O2"])
    with Workers(1) as workers:
        found = break_check(case, programs, plan_scenes(case, 4, 1), workers)
    assert {one.seen for one in found} == {BrokenCheckFate.SEEN, BrokenCheckFate.REFUSED}
    assert "the reference says a wrong calls of visit.count" in [one.name for one in found]


@pytest.mark.slow
def test_a_case_whose_answers_are_all_the_same_is_told(cases: SmallCases) -> None:
    case = cases.make(
        SOURCE.replace("gSum += gValues[i]", "gSum += 0 * gValues[i] + 3"),
        "return answer(total=3 * len(scene.values))",
        "{gSum: total}",
    )
    assert broken(cases, case)["the reference answers for another seed"] is BrokenCheckFate.NOT_DONE


@pytest.mark.slow
def test_a_comparison_that_sees_nothing_is_not_good_enough(
    cases: SmallCases, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checker, "_differing", lambda bound, scenes, answers: [])
    case = sums(cases)
    program = cases.subject(case, "601", "O1")
    found = checker._break_one(case.known_case, program, plan_scenes(case, 4, 1)[:1])
    assert [one.seen for one in found] == [
        BrokenCheckFate.SEEN,
        BrokenCheckFate.UNSEEN,
        BrokenCheckFate.UNSEEN,
    ]


def test_broken_answers_meet_buffers_at_odd_addresses_too(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    """A routine that says where its buffer lies is right there alone where verification lays it."""
    compilers("68040")
    keys = (
        "call: Low\narguments: {bytes: {points_to: octets, count: 8}}\n"
        "observe: {return: low}\nreference: small:expect\n"
    )
    python = """
Numbers.octets = property(lambda self: (self.values % 256).astype(np.uint8))


def expect(scene):
    return SimpleNamespace(low=int(scene.seed % 3 == 0))
"""
    source = "long Low(const unsigned char *bytes) { return (long) bytes & 1; }"
    case = SmallCase(tmp_path, source, keys, python).case
    (program,) = macproof.programs_of(case, cpus=["68040"], builds=["O2"]).subjects
    with Workers(1) as workers:
        broken_checks = break_check(case, [program], [SceneSpec("any", 5, 3)], workers)
    assert {check.name: check.seen for check in broken_checks[1:]} == {
        "the reference says a wrong low": BrokenCheckFate.SEEN,
        "the reference answers for another seed": BrokenCheckFate.SEEN,
    }


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        (True, False),
        (6, 7),
        (-1, -2),
        (-1.0, 1.0),
        (float("nan"), 0.0),
        ("abc", "`bc"),
        (b"bcd", b"ccd"),
        ([object, 4, 5], [object, 5, 5]),
        (np.array([3, 3, 8]), np.array([8, 3, 8])),
        (np.array([True, True]), np.array([False, True])),
        (np.int16(4), 5),
    ],
)
def test_one_value_is_altered(value: Any, wrong: Any) -> None:
    assert repr(altered(value)) == repr(wrong)


@pytest.mark.parametrize("value", ["", [], np.array([]), None, object()])
def test_what_holds_no_value_is_not_altered(value: Any) -> None:
    assert altered(value) is None


def test_a_masked_value_is_not_what_is_altered() -> None:
    masked = np.ma.MaskedArray([1, 2, 3], [True, False, False])
    assert altered(masked).tolist() == [None, 3, 3]
