"""The fit by events against data made from known costs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posts.timing.fit import fit_events
from tests.timing.conftest import EVENTS

COSTS = st.floats(1, 500)


def cycles_of(visits, insertions, pairs):
    return {
        n: visits * e["visits"] + insertions * e["insertions"] + pairs * e["pairs"]
        for n, e in EVENTS.items()
    }


@given(COSTS, COSTS, COSTS)
def test_known_costs_are_found(visits, insertions, pairs):
    fit = fit_events(EVENTS, cycles_of(visits, insertions, pairs))
    found = [fit.cycles_of_one[name] for name in ("visits", "insertions", "pairs")]
    assert found == pytest.approx([visits, insertions, pairs], rel=1e-6)
    assert fit.worst < 1e-9
    assert fit.spare_figures == 1


def test_the_squares_of_relative_errors_are_least():
    cycles = {n: value * (1.05 if n == 100 else 1) for n, value in cycles_of(102, 112, 180).items()}
    fit = fit_events(EVENTS, cycles)
    best = sum(error**2 for error in fit.errors.values())
    assert 0 < fit.worst < 0.05
    rows = np.array([[e[name] for name in fit.cycles_of_one] for e in EVENTS.values()], dtype=float)
    wanted = np.array(list(cycles.values()))
    for index in range(3):
        for factor in (0.99, 1.01):
            costs = np.array(list(fit.cycles_of_one.values()))
            costs[index] *= factor
            assert ((rows @ costs / wanted - 1) ** 2).sum() > best


def test_what_three_events_do_not_explain_is_an_error():
    fit = fit_events(EVENTS, {0: 40_000, 50: 20_000, 100: 90_000, 200: 30_000})
    assert fit.worst > 0.1


def test_the_published_figures_are_fitted_as_research_found():
    # Research of 2026 gives 102, 112 and 180 cycles and 1.4 % at worst.
    published = {n: 25e6 / rate for n, rate in {0: 611, 50: 340, 100: 189, 200: 81}.items()}
    fit = fit_events(EVENTS, published)
    assert fit.cycles_of_one["visits"] == pytest.approx(102, abs=2)
    assert fit.cycles_of_one["insertions"] == pytest.approx(112, abs=4)
    assert fit.cycles_of_one["pairs"] == pytest.approx(180, abs=4)
    assert fit.worst < 0.02


@pytest.mark.parametrize(
    ("events", "cycles", "problem"),
    [
        ({}, {0: 1.0}, "no events"),
        (EVENTS, {7: 1.0}, "no events"),
        (EVENTS, {0: 1.0, 50: 2.0}, "2 numbers of objects are too few"),
        ({n: {"a": n, "b": 2 * n} for n in (1, 2, 3)}, {1: 5.0, 2: 6.0, 3: 7.0}, "the proportions"),
        ({n: {"a": n, "b": 0} for n in (1, 2, 3)}, {1: 5.0, 2: 6.0, 3: 7.0}, "there are no b"),
    ],
)
def test_costs_that_cannot_be_told_are_not_told(events, cycles, problem):
    fit = fit_events(events, cycles)
    assert fit.problem is not None and problem in fit.problem
    assert not fit.cycles_of_one
    assert fit.worst == 0
