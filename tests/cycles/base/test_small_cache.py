"""Misses of small caches: worked out by hand, and counted on the sequences that really ran."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping

import numpy as np
import pytest

from emu.cycles.base.counting import count_calls
from emu.cycles.base.small_cache import (
    Block,
    CacheGeometry,
    Edge,
    Misses,
    _solved,
    expected_misses,
    words_of,
)
from tests.cycles.conftest import OneByOne, four_shifts, images

OF_68020, OF_68030 = CacheGeometry(line=4, lines=64), CacheGeometry(line=16, lines=16)


def edge(before: Block | None, block: Block, count: int) -> Edge:
    return (*(before or (0, 0)), *block, count)


def loop(*blocks: Block, rounds: int) -> list[Edge]:
    """A call that runs some blocks in turn, some rounds long."""
    edges = [edge(None, blocks[0], 1)]
    for first, second in itertools.pairwise(blocks):
        edges.append(edge(first, second, rounds))
    return [*edges, edge(blocks[-1], blocks[0], rounds - 1)]


def test_a_loop_that_fits_misses_in_its_first_round_alone() -> None:
    first, second = (0x1000, 8), (0x1010, 4)
    misses = expected_misses(loop(first, second, rounds=10), OF_68020)
    assert misses[first] == pytest.approx({0x1000: 0.1, 0x1004: 0.1})
    assert misses[second] == pytest.approx({0x1010: 0.1})


def test_two_blocks_with_the_same_place_drive_each_other_out() -> None:
    first, second = (0x1000, 4), (0x1100, 4)  # 256 bytes apart
    misses = expected_misses(loop(first, second, rounds=10), OF_68020)
    assert misses[first] == {0x1000: 1.0} and misses[second] == {0x1100: 1.0}
    beside = expected_misses(loop(first, (0x1104, 4), rounds=10), OF_68020)
    assert beside[first] == pytest.approx({0x1000: 0.1})


def test_a_line_has_one_tag_but_words_that_are_valid_one_by_one() -> None:
    first, second = (0x1000, 4), (0x1104, 4)  # one line of the 68030, two places of the 68020
    misses = expected_misses(loop(first, second, rounds=10), OF_68030)
    assert misses[first] == {0x1000: 1.0} and misses[second] == {0x1104: 1.0}
    together = expected_misses(loop((0x1000, 4), (0x1004, 4), rounds=10), OF_68030)
    assert together[0x1004, 4] == pytest.approx({0x1004: 0.1})  # its line is there, it is not


def test_what_runs_between_decides_in_the_proportion_of_the_counts() -> None:
    # After the block comes itself 3 times of 4, and 1 time of 4 one that drives it out.
    block, other = (0x1000, 4), (0x1100, 4)
    edges = [edge(None, block, 1), edge(block, block, 75), edge(block, other, 25)]
    misses = expected_misses([*edges, edge(other, block, 24)], OF_68020)
    assert misses[block] == pytest.approx({0x1000: (1 + 24) / 100})


def test_blocks_that_leave_a_place_alone_are_looked_through() -> None:
    # A loop of two blocks elsewhere runs 10 times for each round; it leaves the word alone.
    block, inner, back = (0x1000, 4), (0x1020, 4), (0x1030, 4)
    edges = [edge(None, block, 1), edge(block, inner, 10), edge(inner, back, 100)]
    misses = expected_misses([*edges, edge(back, inner, 90), edge(back, block, 9)], OF_68020)
    assert misses[block] == pytest.approx({0x1000: 0.1})
    assert misses[inner] == pytest.approx({0x1020: 1 / 100})


def test_a_block_longer_than_the_cache_drives_itself_out() -> None:
    block = (0x1000, 260)
    misses = expected_misses([edge(None, block, 1), edge(block, block, 9)], OF_68020)[block]
    assert misses[0x1100] == 1.0  # it comes after 0x1000 in the same block
    assert misses[0x1000] == 1.0  # and has driven that out
    assert misses[0x1004] == pytest.approx(0.1)


def simulated(sequences: Iterable[list[Block]], geometry: CacheGeometry) -> int:
    """Misses of blocks in the order in which they ran, by a cache that is really kept."""
    missed = 0
    for sequence in sequences:
        tags: dict[int, int] = {}
        valid: dict[int, set[int]] = {}
        for block in sequence:
            for word in words_of(block):
                place, tag = geometry.place(word), geometry.tag(word)
                if tags.get(place) != tag:
                    tags[place], valid[place] = tag, set()
                missed += word not in valid[place]
                valid[place].add(word)
    return missed


def counted(misses: Misses, edges: Iterable[Edge]) -> float:
    return sum(sum(misses[address, size].values()) * n for _, _, address, size, n in edges)


@pytest.mark.parametrize(("build", "within"), [("O2", 0.02), ("period", 0.15)])
@pytest.mark.parametrize("geometry", [OF_68020, OF_68030], ids=["68020", "68030"])
def test_misses_of_a_real_routine_are_nearly_those_of_a_cache_that_is_kept(
    build: str, within: float, geometry: CacheGeometry
) -> None:
    machine, routine = four_shifts("68000", build)
    before = images(machine, 50, 1)
    edges: list[Edge] = [tuple(one) for one in count_calls(machine, routine, before).edges.tolist()]
    real = simulated(OneByOne(machine, routine, before).sequences, geometry)
    assert counted(expected_misses(edges, geometry), edges) == pytest.approx(real, rel=within)
    # Red: a cache of twice the size misses far less, and this would show it.
    larger = CacheGeometry(geometry.line, 2 * geometry.lines)
    assert counted(expected_misses(edges, larger), edges) < (1 - within) * real


def test_a_call_that_is_counted_several_times_begins_with_an_empty_cache_each_time() -> None:
    block: Block = (0x1000, 4)
    misses: Mapping[int, float] = expected_misses([edge(None, block, 7)], OF_68020)[block]
    assert misses == {0x1000: 1.0}


@pytest.mark.parametrize("seed", range(20))
def test_undecided_blocks_have_the_values_of_a_general_solver(seed: int) -> None:
    random = np.random.default_rng(seed)
    blocks = [(number, 2) for number in range(1, int(random.integers(2, 40)))]
    settled = {(100, 2): 0.0, (200, 2): 1.0}
    places = {block: place for place, block in enumerate([*blocks, *settled])}
    equations = {}
    matrix, right = np.eye(len(places)), np.zeros(len(places))
    for block, value in settled.items():
        right[places[block]] = value
    for block in blocks:
        others = random.choice(len(places), size=min(3, len(places)), replace=False)
        earlier = [list(places)[int(place)] for place in others]
        if not settled.keys() & set(earlier):
            earlier.append((200, 2))  # each loop is left at some time
        shares = random.dirichlet(np.ones(len(earlier))).tolist()
        equations[block] = dict(zip(earlier, shares, strict=True))
        for one, share in equations[block].items():
            matrix[places[block], places[one]] -= share
    expected = np.linalg.solve(matrix, right)
    found = _solved(equations, settled)
    assert found == pytest.approx({block: expected[place] for block, place in places.items()})


def test_a_program_of_many_blocks_is_solved_at_once() -> None:
    """A matrix of them would have 400 million cells."""
    blocks = [(number, 2) for number in range(1, 20_001)]
    equations = {block: {block: 0.5, before: 0.5} for before, block in itertools.pairwise(blocks)}
    assert _solved(equations, {blocks[0]: 0.25})[blocks[-1]] == pytest.approx(0.25)
