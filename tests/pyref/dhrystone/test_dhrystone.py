"""Dhrystone's reference against what the benchmark itself publishes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyref.dhrystone.dhrystone import run
from pyref.dhrystone.dhrystone_scene import GENERATORS, SMALL, make_scene

TEXTS = ("DHRYSTONE PROGRAM, SOME STRING", "DHRYSTONE PROGRAM, 1'ST STRING")


def words(text: np.ndarray) -> str:
    return text.tobytes().rstrip(b"\0").decode()


@pytest.mark.parametrize("runs", [1, 2, 37])
def test_the_published_final_values(runs: int) -> None:
    """What version 2.1 prints at its end, as "should be"."""
    state = run(make_scene("standard", runs, 0))
    assert state.number == 5
    assert state.flag == 1
    assert chr(state.letter_1) == "A"
    assert chr(state.letter_2) == "B"
    assert state.row[8] == 7
    assert state.table[8, 7] == runs + 10
    # The current record: discriminant, choice, number, text; then the one it points to.
    assert (state.variants[0], state.choices[0], state.numbers[0]) == (0, 2, 17)
    assert (state.variants[1], state.choices[1], state.numbers[1]) == (0, 1, 18)
    assert [words(text) for text in state.texts] == [TEXTS[0]] * 2
    assert list(state.next_records) == [1, 1]
    assert (state.one, state.two, state.three, state.choice) == (5, 13, 7, 1)
    assert words(state.text_1) == TEXTS[1]
    assert words(state.text_2) == "DHRYSTONE PROGRAM, 2'ND STRING"


def test_no_runs_leave_what_was_prepared() -> None:
    state = run(make_scene("standard", 0, 0))
    assert (state.number, state.flag, state.letter_1, state.letter_2) == (0, 0, 0, 0)
    assert (len(state.numbers), state.numbers[0], state.choices[0]) == (1, 40, 2)
    assert words(state.text_2) == ""
    assert not state.row.any()
    assert state.table.sum() == state.table[8, 7] == 10


@given(st.integers(1, 40), st.integers(0, 2**32))
def test_only_a_few_places_of_the_tables_change(runs: int, seed: int) -> None:
    scene = make_scene("varied", runs, seed)
    before_row, before_table = scene.row.copy(), scene.table.copy()
    state = run(scene)
    assert (scene.row == before_row).all()
    assert (scene.table == before_table).all()  # a scene can be run again
    row, table = before_row, before_table
    row[[8, 9, 38]] = [7, 7, 8]
    table[8, [8, 9]] = 8
    table[8, 7] = 10 + runs
    table[28, 8] = 7
    assert (state.row == row).all()
    assert (state.table == table).all()


@given(st.integers(1, 60), st.integers(0, 60))
def test_one_run_is_like_another(runs: int, fewer: int) -> None:
    scene = make_scene("standard", runs, 3)
    kept = scene.keep(range(min(runs, fewer)))
    assert (kept.objects, kept.generator, kept.seed) == (min(runs, fewer), "standard", 3)
    assert run(kept).table[8, 7] == 10 + min(runs, fewer)


def test_scenes() -> None:
    a, b, other = (make_scene("varied", 5, seed) for seed in (1, 1, 2))
    assert (a.table == b.table).all()
    assert (a.table != other.table).any()
    assert a.row.shape == (SMALL,)
    assert a.table.shape == (SMALL, SMALL)
    assert not make_scene("standard", 5, 1).table.any()
    for generator in GENERATORS:
        assert make_scene(generator, 5, 1).objects == 5
    with pytest.raises(ValueError, match="unknown generator 'odd'"):
        make_scene("odd", 1, 1)
    with pytest.raises(ValueError, match="-1 runs"):
        make_scene("standard", -1, 1)
