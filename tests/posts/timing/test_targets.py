"""Targets met, missed, and not checked."""

from __future__ import annotations

import pytest

from posts.timing.comparison import against
from posts.timing.fit import EventCosts
from posts.timing.targets import build_targets, fit_target, loop_target
from tests.timing.conftest import make_figures, make_prediction

RATES = {0: 1000.0, 200: 100.0}


def chosen(*ratios, cpu="68040"):
    cycles = {n: 25e6 / rate / r for (n, rate), r in zip(RATES.items(), ratios, strict=True)}
    figures = make_figures(RATES, cpu=cpu)
    one = against(make_prediction(cycles, cpu=cpu), figures)
    assert one is not None
    return [(figures, one)]


@pytest.mark.parametrize(("worst", "met"), [(0.019, True), (0.021, False)])
def test_the_fit(worst, met):
    fits = {
        "good": EventCosts({"a": 1.0}, {0: 0.0, 1: 0.0}, 0.0, 1),
        "this": EventCosts({"a": 1.0}, {0: -worst, 1: 0.0}, worst, 1),
    }
    assert fit_target(fits).met is met
    assert f"this {worst:.1%}" in fit_target(fits).found


def test_a_figure_without_a_fit_is_not_met():
    fits = {
        "good": EventCosts({"a": 1.0}, {0: 0.0, 1: 0.0}, 0.0, 1),
        "none": EventCosts.absent("too few"),
    }
    assert fit_target(fits).met is False
    assert fit_target({"none": EventCosts.absent("too few")}).met is None


@pytest.mark.parametrize(
    ("ratios", "met"),
    [
        ((1.0, 1.0), [True, True, True]),
        ((1.4, 1.4), [True, True, True]),
        ((1.41, 1.41), [True, True, False]),
        ((0.6, 0.6), [True, True, False]),
        ((1.0, 1.15), [False, True, True]),
        ((1.0, 1.3), [False, False, True]),
    ],
)
def test_the_chosen_build(ratios, met):
    assert [target.met for target in build_targets(chosen(*ratios))] == met


@pytest.mark.parametrize(("cpu", "is_met"), [("68040", False), ("601", True)])
def test_a_68040_has_a_stricter_limit_for_the_shape(cpu, is_met):
    shape, *_ = build_targets(chosen(1.0, 1.08, cpu=cpu))
    assert shape.met is is_met, shape.found


def test_without_the_chosen_build_nothing_is_claimed():
    targets = list(build_targets([]))
    assert [target.met for target in targets] == [None] * 3
    assert all("not checked" in target.found for target in targets)


def test_loops():
    assert loop_target({"a": 0.95, "b": 1.09}).met is True
    missed = loop_target({"a": 0.95, "b": 1.2})
    assert missed.met is False
    assert "1 of 2; the worst is b, 1.20" in missed.found
    assert loop_target({}).met is None


def test_what_cannot_fail_is_no_check():
    assert fit_target({"one": EventCosts({"a": 1.0}, {0: 0.0}, 0.0, 0)}).met is None
    figures = make_figures({0: 1000.0})
    one = against(make_prediction({0: 25_000.0}), figures)
    assert one is not None
    rms, worst, absolute = build_targets([(figures, one)])
    assert (rms.met, worst.met, absolute.met) == (None, None, True)
    assert "no shape" in rms.found
