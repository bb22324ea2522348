"""Each scene finds another Macintosh, as far as the case does not fix it."""

from __future__ import annotations

import pytest

import macproof
from emu.toolbox.single_calls.environment import USUAL, environment_of
from emu.verify.scenes.fills import environment_of as number_of
from tests.verify.toolbox.conftest import Asking

NUMBER = "arguments: {x: number}\nobserve: {return: twice}"
TWICE = "twice=2 * scene.number"


@pytest.mark.parametrize(
    "condition",
    [
        "Random() == 16807",
        pytest.param("TickCount() < 40000L", marks=pytest.mark.slow),
        pytest.param("(short) TickCount() >= 0", marks=pytest.mark.slow),
        pytest.param("(ReadDateTime(&date), date / 31556952) == 90", marks=pytest.mark.slow),
        pytest.param("(GetPort(&port), port->portRect.right) == 512", marks=pytest.mark.slow),
        pytest.param("(GetPort(&port), port->pnLoc.h) == 0", marks=pytest.mark.slow),
        pytest.param("NewPtr(100) < NewPtr(100)", marks=pytest.mark.slow),
        pytest.param("NewPtr(100) + 112 == NewPtr(100)", marks=pytest.mark.slow),
        pytest.param("*(unsigned char *) NewPtr(4) == 0xd5", marks=pytest.mark.slow),
    ],
)
def test_what_is_right_on_one_macintosh_only_is_refuted(asking: Asking, condition: str) -> None:
    body = f"long date; GrafPtr port; return {condition} ? 2L * x : 0;"
    assert asking.verify(f"long Go(short x) {{ {body} }}", NUMBER, TWICE).verdict == "refuted"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fixed", "condition"),
    [
        ("{random_seed: 1}", "Random() == 16807"),
        ("{ticks: number}", "TickCount() == x"),
        ("{date: 86400}", "(ReadDateTime(&date), date) == 86400"),
        ("{screen: [512, 342]}", "(GetPort(&port), port->portRect.right) == 512"),
    ],
)
def test_a_case_can_fix_it(asking: Asking, fixed: str, condition: str) -> None:
    body = f"long date; GrafPtr port; return {condition} ? 2L * x : 0;"
    keys = f"{NUMBER}\nenvironment: {fixed}"
    assert asking.verify(f"long Go(short x) {{ {body} }}", keys, TWICE).verdict == "verified"


def test_a_misspelled_part_is_refused_with_its_line(asking: Asking) -> None:
    with pytest.raises(macproof.CaseError, match=r"line \d+: .*tick"):
        asking.write("", f"{NUMBER}\nenvironment: {{tick: 5}}", TWICE)


def test_environments_differ_and_one_of_four_is_the_usual() -> None:
    numbers = [number_of(seed) for seed in range(200)]
    assert numbers.count(0) == 50
    found = [environment_of(number) for number in set(numbers)]
    assert environment_of(0) == USUAL
    for name in ("random_seed", "ticks", "date", "pen", "order"):
        assert len({getattr(one, name) for one in found}) == len(found), name
    assert all(0 < one.random_seed < 0x7FFFFFFF for one in found)


def test_the_ends_of_a_heap_are_drawn_and_repeat() -> None:
    one = environment_of(5)
    first, again = ([next(ends) for _ in range(40)] for ends in (one.ends(), one.ends()))
    assert first == again
    assert 10 < sum(first) < 30
    assert list(USUAL.ends()) == []
