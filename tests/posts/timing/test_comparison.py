"""Scale, shape, limits and ratios of predictions with known answers."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.cases.keys.parts import ChosenCode
from posts.timing.bounds import least_cycles
from posts.timing.comparison import (
    FAR,
    TOO_FEW,
    TOO_MANY,
    Spread,
    against,
    cross_ratios,
    variations,
)
from tests.timing.conftest import make_figures, make_prediction

RATES = {0: 1000.0, 50: 500.0, 100: 250.0, 200: 100.0}
CYCLES = {n: 25e6 / rate for n, rate in RATES.items()}


def times(factor):
    return {n: each * factor for n, each in CYCLES.items()}


def test_a_perfect_prediction_has_no_error():
    one = against(make_prediction(CYCLES), make_figures(RATES))
    assert one is not None
    assert one.scale == pytest.approx(1)
    assert one.shape_rms == pytest.approx(0)
    assert one.ratios == pytest.approx(dict.fromkeys(RATES, 1))


@given(st.floats(0.1, 10))
def test_a_factor_is_scale_and_no_shape_error(factor):
    one = against(make_prediction(times(1 / factor)), make_figures(RATES))
    assert one is not None
    assert one.scale == pytest.approx(factor)
    assert one.shape_worst == pytest.approx(0, abs=1e-9)
    assert list(one.errors_with_scale_of_smallest) == [50, 100, 200]
    assert max(map(abs, one.errors_with_scale_of_smallest.values())) == pytest.approx(0, abs=1e-9)


def test_a_bent_prediction_has_a_shape_error():
    spread = Spread.of({0: 1.0, 100: 4.0})
    assert spread.scale == pytest.approx(2)
    assert spread.errors == pytest.approx({0: -0.5, 100: 1.0})
    assert spread.rms == pytest.approx(math.sqrt((0.25 + 1) / 2))
    assert spread.worst == pytest.approx(1)
    assert spread.held_out == pytest.approx({100: 3.0})


def test_only_figures_of_its_processor_and_sizes_count():
    prediction = make_prediction({0: 25_000.0, 7: 1.0})
    assert against(prediction, make_figures(RATES, cpu="601")) is None
    assert against(prediction, make_figures({50: 1.0})) is None
    one = against(prediction, make_figures(RATES))
    assert one is not None
    assert list(one.ratios) == [0]


def test_figures_too_fast_for_the_processor_rule_a_build_out():
    many = make_prediction(CYCLES, instructions=max(CYCLES.values()) + 1)
    one = against(many, make_figures(RATES))
    assert one is not None
    assert [reason.kind for reason in one.cannot_be] == [TOO_FEW] * 4
    reason = one.cannot_be[0]
    assert (reason.objects, reason.limit) == (0, 1)
    assert reason.left < 1


@pytest.mark.parametrize(("factor", "count"), [(FAR * 0.99, 0), (FAR * 1.01, 4)])
def test_figures_far_too_slow_for_the_model_rule_a_build_out(factor, count):
    one = against(make_prediction(times(1 / factor)), make_figures(RATES))
    assert one is not None
    assert [reason.kind for reason in one.cannot_be] == [TOO_MANY] * count


def test_the_least_that_processors_need():
    mix = {"add": 60.0, "lwz": 20.0, "bne": 15.0, "crxor": 3.0, "fadd": 2.0}
    assert least_cycles("601", mix).cycles == 80
    assert least_cycles("68040", mix).cycles == 100
    assert least_cycles("68000", mix).cycles == 400
    assert least_cycles("z80", mix).cycles == 0


def test_a_changed_model_is_told_by_its_cycles_and_its_scale():
    prediction = make_prediction(CYCLES, varied={"slower": 1.25})
    (one,) = variations(prediction, make_figures(RATES))
    assert (one.what, one.cycles) == ("slower", pytest.approx(1.25))
    assert one.scale == pytest.approx(0.8)
    (alone,) = variations(prediction, None)
    assert (alone.scale, alone.shape_rms, alone.shape_worst) == (None, None, None)


def test_machines_are_compared_by_like_builds():
    fast = make_figures({n: 10 * r for n, r in RATES.items()}, machine="fast", cpu="601")
    predictions = [
        make_prediction(CYCLES),
        make_prediction(CYCLES, build="O2"),
        make_prediction(times(0.5), cpu="601"),
        make_prediction(times(0.5), cpu="601", source="other.cpp"),
    ]
    (one,) = cross_ratios(predictions, [fast, make_figures(RATES)])
    assert (one.faster, one.slower) == ("fast", "an old machine")
    assert one.published == pytest.approx(dict.fromkeys(RATES, 10))
    (predicted,) = one.predicted
    assert (predicted.build, predicted.source) == ("period", "own.cpp")
    assert predicted.ratios == pytest.approx(dict.fromkeys(RATES, 2))


def test_the_chosen_builds_are_compared_whatever_code_they_have():
    slow = replace(make_figures(RATES), code=ChosenCode("68000", "why", "since"))
    fast = make_figures({n: 10 * r for n, r in RATES.items()}, machine="fast", cpu="601")
    predictions = [
        make_prediction(times(2), build="period, 68000 code"),
        make_prediction(times(2), build="O2, 68000 code"),
        make_prediction(CYCLES, cpu="601"),
        make_prediction(CYCLES, cpu="601", build="O2"),
    ]
    (one,) = cross_ratios(predictions, [fast, slow])
    assert [(p.build, p.source) for p in one.predicted] == [("period, 68000 code", "own.cpp")]


def test_machines_of_one_processor_are_not_compared():
    assert not list(cross_ratios([], [make_figures(RATES), make_figures(RATES)]))
