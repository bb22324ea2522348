"""The experiment with a scripted clock: what is printed, and when the printed form goes wrong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyref.four_shifts_experiment import (
    judge_flags,
    make_launch,
    play,
    play_as_printed,
    scripted_launch,
)
from pyref.scene import Stream

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


@pytest.mark.parametrize("generator", ["quick", "slow", "late"])
def test_both_clocks_show_the_same(generator: str):
    for seed in range(10):
        launch = make_launch(generator, 64, seed)
        assert launch.objects == 64
        assert launch.step == 16_666 * launch.tick_step
        assert launch.tick_start == launch.tick_step
        assert launch.pause == 16_666 * launch.tick_pause % 2**32
    several = play(make_launch("slow", 64, 3)).numbers[1]
    assert several > 50, "more than one scene"


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
    with pytest.raises(ValueError, match="0 to 200"):
        scripted_launch([1], run_objects=201)
    with pytest.raises(ValueError, match="32 bits"):
        scripted_launch([1], start=2**32)


def test_what_a_form_refuses():
    with pytest.raises(ValueError, match="15 bits"):
        play_as_printed(scripted_launch([40_000]))
    with pytest.raises(ValueError, match="an object"):
        play_as_printed(scripted_launch([1], run_objects=0))
    with pytest.raises(ValueError, match="a clock that goes"):
        play(scripted_launch([1], step=0))
    with pytest.raises(ValueError, match="rand has to give something"):
        scripted_launch([1]).keep([])
    assert scripted_launch([1, 2, 3]).keep([0, 2]).words.tolist() == [1, 3]
