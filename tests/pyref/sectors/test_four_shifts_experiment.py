"""The experiment with a scripted clock: what is printed, and when the printed form goes wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyref.sectors.four_shifts_experiment import judge_flags, play, play_as_printed
from pyref.sectors.four_shifts_experiment_scene import make_launch, scripted_launch
from pyref.streams import Stream
from tests.examples import examples

WORDS = [100, 2000, 31000, 17, 9000]


def test_iterations_by_hand():
    """Each is one reading of a clock that goes on by a second; 30 are the length of a test."""
    launch = scripted_launch(WORDS, step=1_000_000, run_objects=5, seconds=9)
    printed, mended = play_as_printed(launch), play(launch)
    # End at 32; while: 3; scene: 4, 5, so end at 33; detections at 6 to 32; at 33 it is over.
    assert printed.numbers.tolist() == [5, 27, 32_000_000]
    assert printed.seed == 1_000_000
    assert mended.numbers.tolist() == [5, 29, 32_000_000]
    assert mended.seed == 9


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(400_000, 5_000_000))
def test_the_mended_form_does_not_care_when_it_is(start: int, step: int):
    def numbers(at: int) -> list[int]:
        return play(scripted_launch(WORDS, start=at, step=step, run_objects=3)).numbers.tolist()

    assert numbers(start) == numbers(0)
    assert numbers(0)[1] > 0


@pytest.mark.parametrize(("pause", "iterations"), [(2_000_000_000, 27), (2_120_000_000, 0)])
def test_the_printed_clock_ends_after_35_minutes(pause: int, iterations: int):
    launch = scripted_launch(WORDS, step=1_000_000, pause=pause, run_objects=5)
    assert play_as_printed(launch).numbers[1] == iterations
    assert play(launch).numbers[1] == 29


def test_a_late_experiment_can_end_just_before_the_clock_turns_negative():
    """A scene is made, which moves the end, and then it is over."""
    left = play_as_printed(make_launch("late", 64, 1996))
    assert (len(left.corners), left.numbers[1]) == (left.numbers[0], 0)
    later = replace(make_launch("late", 64, 1996), pause=make_launch("late", 64, 1996).pause + 2)
    assert len(play_as_printed(later).corners) == 0


def test_without_iterations_nothing_was_looked_at():
    left = play_as_printed(scripted_launch(WORDS, step=1_000_000, pause=2_120_000_000))
    assert left.detection is None
    assert (len(left.flags), len(left.sector_links), left.sector_heads.shape) == (0, 0, (0, 9))
    assert left.corners.shape == (0, 2)


def test_time_can_run_out_before_a_scene_was_looked_at():
    stale = 0
    words = Stream(3).below(37, 32768)[:, 0]
    for tick_step in range(30, 36):
        launch = scripted_launch(words, run_objects=60, step=16_666 * tick_step)
        for form, most in ((play_as_printed, 1), (play, 0)):
            left = form(launch)
            seen = {"gObjects.x": left.x, "gObjects.y": left.y, "gCollisionArray": left.flags}
            wrong = judge_flags([launch], [seen])["flagged_wrongly"]
            stale += wrong > 0
            assert most or not wrong
    assert stale > 0


GENERATORS = ["quick", "slow", "exact", "near_a_million", "corners", "late", "too_many"]


@pytest.mark.parametrize("generator", GENERATORS)
def test_both_clocks_show_the_same(generator: str):
    for seed in range(10):
        launch = make_launch(generator, 64, seed)
        assert launch.objects == 64
        assert launch.step == 16_666 * launch.tick_step % 2**32
        assert launch.tick_start == launch.tick_step
        assert launch.jitter == 16_666 * launch.tick_jitter % 2**32
        assert launch.pause == 16_666 * launch.tick_pause % 2**32
    several = play(make_launch("slow", 64, 3)).numbers[1]
    assert several > 50, "more than one scene"


def test_a_reading_falls_on_the_end():
    """30 seconds are 16 steps: 3 readings before a detection, and 13 detections in them."""
    launch = scripted_launch(WORDS, step=30_000_000 // 16, run_objects=5)
    assert play_as_printed(launch).numbers[1] == 13
    steps = {make_launch("exact", 64, seed).step for seed in range(120)}
    assert sum(30_000_000 % step == 0 for step in steps) == 10


def test_every_second_step_of_a_clock_is_longer():
    """The readings after the first: 2, 5, 7, 10, 12 ... for 2 and a jitter of 1, in millions."""
    launch = scripted_launch(WORDS, step=2_000_000, jitter=1_000_000, run_objects=5)
    # Mended: begun at 0, a scene from 2 to 5, so ended at 33: detections at 7, 10, ... 32, 35.
    assert play(launch).numbers.tolist() == [5, 12, 37_000_000]
    # Printed: 2, end at 5 + 30; asked at 7; scene 10 to 12, so end at 37; detections before 15,
    # 17 ... 35; at 37 it is over.
    assert play_as_printed(launch).numbers[1] == 9


def test_objects_of_corners_are_in_corners():
    corners = np.concatenate(
        [play_as_printed(make_launch("corners", 400, seed)).corners for seed in range(5)]
    )
    assert ((corners < 40) | (corners >= (599, 449))).all()
    assert len({(x > 320, y > 240) for x, y in corners.tolist()}) == 4


@pytest.mark.parametrize(
    ("step", "rates"),
    [
        (1_000_000, b"1100000\x000.906\0"),  # 29 detections in 32 seconds
        (913_900, b"1000000\x001.00\0"),  # 999,578 and 1.000422
        (914_600, b"1000000\x001.00\0"),  # 1,000,344 and 0.99966
        (16_666 * 12, b"207000\x004.84\0"),  # 148 detections in 153 steps
        (307_200, b"320000\x003.13\0"),  # 96 detections in 100 steps: 3.125
        (12_800_000, b"32000000\x000.0313\0"),  # 2 in 5
        (30_000_000, b"120000000\x000.00833\0"),  # one in four steps
    ],
)
def test_rates_have_three_digits(step: int, rates: bytes):
    left = play(scripted_launch(WORDS, step=step, run_objects=3))
    assert left.rates == left.texts.tobytes() == rates
    assert left.text_length == len(rates)


@settings(max_examples=examples(200), deadline=None)
@given(st.integers(10**6, 10**8 - 1))
def test_a_rate_is_as_good_as_three_digits(step: int):
    left = play(scripted_launch(WORDS, step=step, run_objects=1))
    _, iterations, spent = left.numbers.tolist()
    each, rate = (float(text) for text in left.rates.split(b"\0")[:2])
    assert abs(each / (spent / iterations) - 1) <= 0.005
    assert abs(rate / (1e6 * iterations / spent) - 1) <= 0.005


def test_an_experiment_ends_exactly_between_two_scenes():
    launch = scripted_launch(WORDS, step=588_200, jitter=72, run_objects=3)
    assert play(launch).numbers[1] == 50
    longer = scripted_launch(WORDS, step=588_200, jitter=70, run_objects=3)
    assert play(longer).numbers[1] == 51
    three = scripted_launch(WORDS, step=743_852, jitter=684, run_objects=3)
    assert play(three).numbers.tolist() == [3, 40, 32_000_000]


def test_more_objects_than_there_is_room_for_are_refused():
    counts = {make_launch("too_many", 64, seed).run_objects for seed in range(40)}
    assert min(counts) == 201
    left = play(make_launch("too_many", 64, 1))
    assert (left.number_count, left.text_length, len(left.corners)) == (0, 0, 0)
    assert left.seed == left.last_seed


def test_scenes_are_on_the_screen_and_linked():
    left = play(make_launch("quick", 64, 5))
    assert ((left.corners >= 0) & (left.corners < (639, 479))).all()
    assert left.links.tolist() == [*range(1, len(left.corners)), -1]
    assert np.array_equal(left.flags, left.detection.flags if left.detection else [])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("never", 1, 1), "unknown generator"),
        (("quick", 0, 1), "1 to 2048"),
        (("quick", 4000, 1), "1 to 2048"),
    ],
)
def test_what_makes_no_launch(arguments: tuple[str, int, int], words: str):
    with pytest.raises(ValueError, match=words):
        make_launch(*arguments)
    with pytest.raises(ValueError, match="0 to 32767"):
        scripted_launch([1], run_objects=32768)
    with pytest.raises(ValueError, match="32 bits"):
        scripted_launch([1], start=2**32)


def test_what_a_form_refuses():
    with pytest.raises(ValueError, match="15 bits"):
        play_as_printed(scripted_launch([40_000]))
    for count in (0, 201):
        with pytest.raises(ValueError, match="1 to 200 objects"):
            play_as_printed(scripted_launch([1], run_objects=count))
    with pytest.raises(ValueError, match="a clock that goes"):
        play(scripted_launch([1], step=0))
    with pytest.raises(ValueError, match="rand has to return at least one number"):
        scripted_launch([1]).keep([])
    assert scripted_launch([1, 2, 3]).keep([0, 2]).words.tolist() == [1, 3]
