"""Shifted grids: the exhaustive numbers, and that the searches see what is wrong."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posts.claims.shifts import FOUR, count_missed, largest_side, sufficient_shifts
from tests.examples import examples


@pytest.mark.parametrize(
    ("side", "cases", "missed"),
    [(30, 14_258_176, 0), (33, 17_305_600, 0), (34, 18_386_944, 34_288)],
)
def test_four_shifts_are_proved_by_every_case(side: int, cases: int, missed: int) -> None:
    found = count_missed(64, side, FOUR)
    assert (found.cases, found.missed) == (cases, missed)


@pytest.mark.slow
def test_the_largest_side_is_half_a_sector_and_one() -> None:
    assert largest_side(64, FOUR, limit=40) == 33
    assert largest_side(16, [(0, 0), (0, 8), (8, 0), (8, 8)]) == 9


def test_a_counterexample_is_parted_by_every_shift() -> None:
    found = count_missed(64, 34, FOUR)
    assert found.example is not None
    first, second = found.example
    assert max(abs(a - b) for a, b in zip(first, second, strict=True)) < 34
    for shift in FOUR:
        cells = [
            tuple((p + s) // 64 for p, s in zip(c, shift, strict=True)) for c in (first, second)
        ]
        assert cells[0] != cells[1]


@pytest.mark.parametrize(
    ("shifts", "percent"),
    [
        (FOUR[:1], 40.77),
        (FOUR[:2], 23.04),
        ((FOUR[0], FOUR[2]), 23.04),
        ((FOUR[0], FOUR[3]), 10.62),
        *[(three, 5.31) for three in combinations(FOUR, 3)],
    ],
)
def test_fewer_shifts_miss_a_share(shifts: tuple[tuple[int, int], ...], percent: float) -> None:
    assert 100 * count_missed(64, 30, shifts).share == pytest.approx(percent, abs=0.005)


@pytest.mark.parametrize(
    ("sector", "side", "count", "is_enough"),
    [
        (64, 30, 2, False),
        (64, 2, 2, False),
        (128, 2, 2, False),
        (64, 30, 3, False),
        (64, 22, 3, True),
        (64, 23, 3, False),
        (86, 30, 3, False),
        (87, 30, 3, True),
        (64, 1, 1, True),
        (64, 2, 1, False),
    ],
)
def test_which_choices_of_shifts_there_are(
    sector: int, side: int, count: int, is_enough: bool
) -> None:
    assert (sufficient_shifts(sector, side, count) > 0) == is_enough


def test_the_three_shifts_of_a_wide_sector_do() -> None:
    assert count_missed(87, 30, [(0, 0), (29, 29), (58, 58)]).missed == 0
    assert count_missed(86, 30, [(0, 0), (29, 29), (57, 57)]).missed > 0


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 4), st.integers(1, 4), st.integers(1, 3))
def test_the_search_by_axes_is_the_search_by_cases(sector: int, side: int, count: int) -> None:
    places = list(product(range(sector), repeat=2))
    choices = product(places, repeat=count - 1)
    plainly = sum(count_missed(sector, side, [(0, 0), *choice]).missed == 0 for choice in choices)
    assert sufficient_shifts(sector, side, count) == plainly


@settings(max_examples=examples(40), deadline=None)
@given(
    st.integers(2, 7),
    st.integers(1, 6),
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=3),
)
def test_missed_cases_are_those_of_a_plain_loop(
    sector: int, side: int, shifts: list[tuple[int, int]]
) -> None:
    missed = 0
    for x, y, dx, dy in product(range(sector), range(sector), *[range(1 - side, side)] * 2):
        missed += not any(
            (x + sx) // sector == (x + dx + sx) // sector
            and (y + sy) // sector == (y + dy + sy) // sector
            for sx, sy in shifts
        )
    assert count_missed(sector, side, shifts).missed == missed


@pytest.mark.parametrize("count", [0, 4])
def test_other_numbers_of_shifts_are_refused(count: int) -> None:
    with pytest.raises(ValueError, match="1, 2 or 3 shifts"):
        sufficient_shifts(64, 30, count)
