"""Rows that differ in a bit that matters are found, and no others."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.base.masks import Mask


@given(st.integers(1, 40), st.integers(0, 300), st.integers(0, 2**32), st.sampled_from([0, 1, 8]))
def test_rows_that_differ(size: int, rows: int, seed: int, holes: int):
    random = np.random.default_rng(seed)
    bits = random.choice(
        np.array([0, 0xFF, 0x0F], np.uint8), size, p=[holes / 20, 0.6, 0.4 - holes / 20]
    )
    one = random.integers(0, 256, (rows, size), dtype=np.uint8)
    other = one.copy()
    for row in range(0, rows, 2):
        other[row, random.integers(size)] ^= np.uint8(1 << random.integers(8))
    wanted = ((one ^ other) & bits).any(axis=1)
    assert Mask(bits).differing(one, other).tolist() == wanted.tolist()


@pytest.mark.parametrize("size", [1 << 18, 4096, 24, 7])
def test_each_bit_counts(size: int):
    bits = np.full(size, 0xFF, np.uint8)
    one = np.zeros((3, size), np.uint8)
    for place in (0, size // 2, size - 1):
        other = one.copy()
        other[1, place] = 0x80
        assert Mask(bits).differing(one, other).tolist() == [False, True, False]
        bits[place] = 0x7F
        assert not Mask(bits).differing(one, other).any()
