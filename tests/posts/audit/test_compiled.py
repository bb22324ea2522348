"""Measurements with compiled code: what they give, and that wrong code gives something else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from emu.base.errors import GuestError
from emu.toolchain.builds import ALL_TARGETS
from emu.toolchain.compilers.find import missing_compilers
from posts.audit.workbench import Cost, Workbench
from posts.claims import compiled_code, scenes
from posts.trials.trial import TrialOutcome
from pyref.scene import scene_from_corners

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        bool(missing_compilers(list(ALL_TARGETS.values()), {})),
        reason="cross compilers are not installed",
    ),
]


@pytest.fixture(scope="module")
def workbench() -> Iterator[Workbench]:
    with Workbench(jobs=2) as made:
        yield made


class Tampered:
    """A workbench whose outcomes are changed on the way."""

    def __init__(
        self, workbench: Workbench, change: Callable[[TrialOutcome, bool], TrialOutcome]
    ) -> None:
        self._workbench = workbench
        self._change = change

    def start(
        self, case: str, given: Sequence[Any], defines: Sequence[str] = (), in_front: str = ""
    ) -> Callable[[], dict[str, list[TrialOutcome]]]:
        found = self._workbench.start(case, given, defines=defines, in_front=in_front)()
        return lambda: {
            cpu: [self._change(one, bool(defines)) for one in outcomes]
            for cpu, outcomes in found.items()
        }

    returned = Workbench.returned


def changed(outcome: TrialOutcome, name: str) -> TrialOutcome:
    """The outcome with one bit of a value flipped."""
    values = {key: np.array(value) for key, value in outcome.values.items()}
    flat = values[name].reshape(-1)
    flat[0] ^= 1
    return replace(outcome, values=values)


# -- what compiled code does ------------------------------------------------------------------


def test_sides(workbench: Workbench) -> None:
    found = compiled_code.sides(workbench, scenes.parted())
    assert found["compiled_objects_flagged_of_side_33"] == 6
    assert found["compiled_objects_flagged_of_side_34"] == 0
    assert found["compiled_objects_to_flag_of_side_34"] == 6


def test_sides_of_a_pair_that_is_not_parted(workbench: Workbench) -> None:
    near = {"four-shifts": [scene_from_corners([(0, 0), (d, 0)]) for d in (32, 33)]}
    found = compiled_code.sides(workbench, near)
    assert found["compiled_objects_flagged_of_side_34"] == 6


def test_flags(workbench: Workbench) -> None:
    assert compiled_code.flags(workbench, scenes.bullets()) == {"compiled_flags": 2}
    apart = {"four-shifts": [scene_from_corners([(100, 100), (130, 100)])]}
    assert compiled_code.flags(workbench, apart) == {"compiled_flags": 0}


def test_words_and_expression(workbench: Workbench) -> None:
    given = {name: cells[:2] for name, cells in scenes.cells_for_words().items()}
    found = compiled_code.words_and_expression(workbench, given)
    assert found["codes"] == 1024
    assert found["codes_where_words_differ_from_expression"] == 0
    assert found["codes_where_both_are_wrong"] == 512
    other = Tampered(workbench, lambda one, defined: changed(one, "gWords"))
    found = compiled_code.words_and_expression(other, given)  # type: ignore[arg-type]
    assert found["codes_where_words_differ_from_expression"] == 2


def test_agreement_is_lost_with_one_outcome(workbench: Workbench) -> None:
    given = {name: made[:1] for name, made in scenes.counted().items() if "halves" in name}
    found = compiled_code.agreement(workbench, given)
    assert found["compiled_calls_that_differ"] == 0
    assert found["compiled_calls"] == 6
    wrong = Tampered(workbench, lambda one, defined: replace(one, agrees=one.cpu != "601"))
    assert compiled_code.agreement(wrong, given)["compiled_calls_that_differ"] == 2  # type: ignore[arg-type]
    silent = Tampered(workbench, lambda one, defined: replace(one, agrees=None))
    assert compiled_code.agreement(silent, given)["compiled_calls_that_differ"] == 6  # type: ignore[arg-type]


def test_clearing_the_pool(workbench: Workbench) -> None:
    given = {name: made[:2] for name, made in scenes.frames().items()}
    found = compiled_code.pool_cleared_or_not(workbench, given)
    assert found == {"compiled_calls": 6, "calls_that_differ_without_clearing": 0}

    def spoil(one: TrialOutcome, defined: bool) -> TrialOutcome:
        return changed(one, "gReportCount") if defined else one

    found = compiled_code.pool_cleared_or_not(Tampered(workbench, spoil), given)  # type: ignore[arg-type]
    assert found["calls_that_differ_without_clearing"] == 6


def test_the_purge_that_clears_nothing(workbench: Workbench) -> None:
    found = compiled_code.purge_of_its_own_count(workbench, scenes.two_frames())
    assert found == {"processors": 3, "processors_where_it_never_returns": 3}


def test_pairs_of_the_maze(workbench: Workbench) -> None:
    found = compiled_code.pair_count(workbench, scenes.maze())
    assert set(found.values()) == {235}


def test_a_call_that_does_not_return_gives_no_figures(workbench: Workbench) -> None:
    down = Tampered(workbench, lambda one, defined: replace(one, crash="it went down"))
    with pytest.raises(GuestError, match="build O2: it went down"):
        compiled_code.pair_count(down, scenes.maze())  # type: ignore[arg-type]


# -- cycles -----------------------------------------------------------------------------------


class Priced:
    """A workbench that gives prepared costs."""

    published = Workbench.published

    def __init__(self, costs: Mapping[str, Mapping[str, Sequence[float]]]) -> None:
        self._costs = costs

    def costs(self, case: str, given: Sequence[Any]) -> dict[str, list[Cost]]:
        found = self._costs[case]
        return {
            cpu: [Cost(int(cycles), cycles, 1e6 / cycles) for cycles in prices]
            for cpu, prices in found.items()
        }


def test_costs_are_counted_and_scale_with_the_work(workbench: Workbench) -> None:
    pair, several = ([(40 * i, 0) for i in range(n)] for n in (2, 16))
    given = [scene_from_corners(corners) for corners in (pair, several)]
    for cpu, (few, more) in workbench.costs("four-shifts", given).items():
        assert more.instructions > few.instructions > 1000, cpu
        assert more.cycles > few.cycles
        assert more.per_second < few.per_second


def test_steadiness_sees_one_instruction() -> None:
    given = {"a-case": [None, None]}
    steady = Priced({"a-case": {"68000": [50, 50], "601": [20, 20]}})
    assert compiled_code.steady_work(steady, given)["largest_spread"] == 0  # type: ignore[arg-type]
    other = Priced({"a-case": {"68000": [50, 50], "601": [20, 21]}})
    assert compiled_code.steady_work(other, given)["largest_spread"] == 1  # type: ignore[arg-type]


def test_speeds_are_ratios_to_the_first_case() -> None:
    priced = Priced({"a-b": {"601": [10, 30], "68040": [10, 10]}, "c": {"601": [40, 40],
                     "68040": [100, 100]}})  # fmt: skip
    found = compiled_code.speeds(priced, {"a-b": [1, 2], "c": [1, 2]})  # type: ignore[arg-type]
    assert found["slowest_times_as_fast_as_c"] == 2
    assert found["fastest_times_as_fast_as_c"] == 10
    assert found["a_b_per_second_601"] == pytest.approx(1e6 / 20)


def test_steps_are_told_from_the_making_of_pairs() -> None:
    made = scenes.pair_steps()
    prices = {"collider-as-described": {"601": [1100, 1300, 5100, 5300]},
              "collider-on-array": {"601": [1100, 1280, 5100, 5300]}}  # fmt: skip
    found = compiled_code.steps_of_pairs(Priced(prices), made)  # type: ignore[arg-type]
    assert found["list_steps_per_second_of_496_pairs_601"] == pytest.approx(1e6 / 100)
    assert found["array_steps_per_second_of_496_pairs_601"] == pytest.approx(1e6 / 90)
    assert found["highest_list_over_array"] == pytest.approx(100 / 90)
    assert found["lowest_list_over_array"] == pytest.approx(1)


def test_the_table_is_laid_beside_predictions() -> None:
    given = scenes.harness()
    prices = [25e6 / {0: 611, 50: 340, 100: 189, 200: 81}[s.objects] for s in given["four-shifts"]]
    priced = Priced({"four-shifts": {"68040": prices, "601": [100.0] * len(prices)}})
    found = compiled_code.published_table(priced, given)  # type: ignore[arg-type]
    assert found["predicted_over_published_68040_200"] == pytest.approx(1)
    assert found["lowest_ratio"] == pytest.approx(1)
    assert found["highest_ratio"] == pytest.approx(800_000 / 788)
