"""Seeds hashed in bulk: bit for bit what NumPy's SeedSequence and PCG64 make of each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import PCG64, SeedSequence

from pyref.seeds import pcg64, seed_words

EDGES = [0, 1, 255, 256, 1994, 2**31, 2**32 - 1, 2**32, 2**33 + 5, 2**63, 2**64 - 256, 2**64 - 1]
SEEDS = st.integers(0, 2**64 - 1)


@given(st.lists(SEEDS, min_size=1))
def test_the_words_are_those_of_seed_sequence(seeds: list[int]):
    for some in (EDGES, seeds):
        wanted = [SeedSequence(seed).generate_state(4, np.uint64) for seed in some]
        assert seed_words(np.array(some, np.uint64)).tolist() == np.stack(wanted).tolist()


@pytest.mark.parametrize("seed", EDGES)
def test_a_seed_at_the_edge_of_a_block_begins_as_in_numpy(seed: int):
    found, wanted = pcg64(seed), PCG64(seed)
    assert found.state == wanted.state
    assert found.random_raw(100).tolist() == wanted.random_raw(100).tolist()


@given(SEEDS)
def test_any_seed_begins_as_in_numpy(seed: int):
    assert pcg64(seed).random_raw(3).tolist() == PCG64(seed).random_raw(3).tolist()


def test_two_of_a_seed_do_not_share_their_state():
    first, second = pcg64(7), pcg64(7)
    assert first.random_raw(5).tolist() == second.random_raw(5).tolist()


def test_no_other_words_are_made_of_them():
    words = pcg64(7).seed_seq
    for number, kind in ((4, np.uint32), (8, np.uint64)):
        with pytest.raises(ValueError, match="4 words of 64 bits"):
            words.generate_state(number, kind)
