"""What follows from figures, on figures made up for the purpose."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posts.comparison.contender import Contender
from posts.comparison.judge import (
    AGREE,
    CLOSE,
    DISAGREE,
    INCONCLUSIVE,
    all_round,
    best_of,
    crossovers,
    cycles_of,
    eligible,
    most_objects,
    verdict_of_cells,
)
from posts.comparison.measure import ProcessorCost, SystemResult
from posts.comparison.system import System, SystemForm

CYCLES = {"square": {n: float(n * n) for n in (10, 100)}, "line": {10: 200.0, 100: 2000.0}}
"""Equal at 20 objects."""


def system(name: str, **changes: str) -> System:
    contender = Contender(title=name, scene="a:b", tests="tests", collided="flags")
    return System(replace(contender, **changes), SystemForm(Path(name), name, {}), None, True, True)


def cell(name: str, objects: int = 10, **changes: object) -> SystemResult:
    run = ProcessorCost(instructions=1.0, cycles=100.0, comparisons=1000)
    made = SystemResult(
        name, "uniform", objects, scenes=1, tests=1.0, colliding=5, runs={"601": run}
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def test_the_best_and_where_it_changes():
    best = best_of(CYCLES)
    assert [(one.objects, one.system, one.cycles) for one in best] == [
        (10, "square", 100.0),
        (100, "line", 2000.0),
    ]
    (change,) = crossovers(best, CYCLES)
    assert (change.before, change.after, change.low, change.high) == ("square", "line", 10, 100)
    assert change.at == pytest.approx(20)


def test_no_crossing_is_told_where_one_takes_no_more():
    cycles = {"small": {10: 1.0}, "large": {10: 2.0, 100: 20.0}}
    (change,) = crossovers(best_of(cycles), cycles)
    assert change.at is None
    assert crossovers(best_of({"large": cycles["large"]}), cycles) == []


@pytest.mark.parametrize(("factor", "is_close"), [(1 + CLOSE, True), (1.001 + CLOSE, False)])
def test_as_good_is_within_a_part(factor, is_close):
    (best,) = best_of({"a": {10: 1000.0}, "b": {10: 1000.0 * factor}})
    assert best.close == (("b",) if is_close else ())


def test_one_for_everything_is_the_least_bad_at_worst():
    found = all_round({"uniform": CYCLES, "clustered": {"line": {10: 300.0}, "square": {10: 99.0}}})
    assert found is not None
    assert (found.system, found.generator, found.objects) == ("line", "clustered", 10)
    assert found.ratio == pytest.approx(300 / 99)
    # Whoever does not take all of them is none for everything.
    found = all_round({"uniform": {"line": CYCLES["line"], "square": {10: 100.0}}})
    assert found is not None and found.system == "line"
    assert all_round({"uniform": {"a": {10: 1.0}, "b": {20: 1.0}}}) is None


@given(st.floats(0.5, 3), st.floats(1, 1e4))
def test_most_objects_of_a_power_of_n(power, factor):
    cycles = {n: factor * n**power for n in (10, 50, 200)}
    how, objects = most_objects(cycles, factor * 100**power)
    assert how == "at"
    assert objects == pytest.approx(100)
    assert most_objects(cycles, factor * 9**power) == ("fewer than", 10)
    assert most_objects(cycles, math.inf) == ("more than", 200)


def test_cycles_leave_out_what_failed():
    cells = [cell("a"), cell("b", runs={"601": ProcessorCost(problem="it faulted", is_wrong=True)})]
    cells += [replace(cell("a", 20), generator="clustered")]
    assert cycles_of(cells, "601", "uniform") == {"a": {10: 100.0}}
    assert cycles_of(cells, "68040", "uniform") == {}


WRONG = {
    "missed": {"missed": 1},
    "invented": {"invented": 1},
    "wrong": {"runs": {"601": ProcessorCost(problem="it is wrong", is_wrong=True)}},
    "crashed": {"runs": {"601": ProcessorCost(problem="the engine's process went down")}},
}


@pytest.mark.parametrize("kind", WRONG)
def test_whoever_was_wrong_anywhere_is_not_chosen(kind):
    systems = [system("a"), system("b")]
    cells = [cell("a"), cell("b"), cell("b", 20, **WRONG[kind])]
    assert eligible(systems, [cell("a"), cell("b")]) == ("a", "b")
    assert eligible(systems, cells) == ("a",)
    expected = INCONCLUSIVE if kind == "crashed" else DISAGREE
    assert verdict_of_cells(systems, cells) == expected


def test_a_known_defect_excuses_wrong_answers_and_nothing_else():
    systems = [system("a", defect="it has one")]
    assert eligible(systems, [cell("a")]) == ()
    assert verdict_of_cells(systems, [cell("a", missed=1)]) == AGREE
    assert verdict_of_cells(systems, [cell("a", **WRONG["wrong"])]) == DISAGREE


def test_the_blind_and_those_that_took_nothing_are_not_chosen():
    systems = [system("a", collided="", blind="it has no eyes"), system("b")]
    assert (
        eligible(systems, [cell("a"), SystemResult("b", "uniform", 10, refused="too many")]) == ()
    )


def test_nothing_compared_is_no_agreement():
    refused = SystemResult("b", "uniform", 10, refused="too many")
    assert verdict_of_cells([system("b")], [refused]) == INCONCLUSIVE
    assert verdict_of_cells([system("b")], [refused, cell("b", 5)]) == AGREE
