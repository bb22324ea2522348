"""Morton codes and neighbours: the definition, two ways to a neighbour, and their limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyref.quadtree.morton import (
    NARROW,
    OFFSETS,
    SLOTS,
    WIDE,
    CodeSize,
    decode,
    encode,
    neighbours,
    neighbours_by_steps,
    step_x,
    step_y,
)

EVERY_CODE = np.arange(1 << 16)
SIZES = st.sampled_from([CodeSize(4), CodeSize(8), NARROW, WIDE])


def interleaved(x: int, y: int) -> int:
    """The definition, digit by digit."""
    digits = [f"{y:016b}"[i] + f"{x:016b}"[i] for i in range(16)]
    return int("".join(digits), 2)


@given(st.integers(0, 0xFFFF), st.integers(0, 0xFFFF))
def test_a_code_has_the_bits_of_x_and_y_in_turn(x: int, y: int):
    code = interleaved(x, y)
    assert encode(x, y, WIDE) == code
    assert decode(code, WIDE) == (x, y)


def test_known_codes():
    assert encode([0, 1, 0, 1, 2, 255, 0], [0, 0, 1, 1, 0, 255, 255]).tolist() == [
        *(0, 1, 2, 3, 4, 0xFFFF, 0xAAAA),
    ]
    assert (NARROW.mask_x, NARROW.mask_y, NARROW.cells) == (0x5555, 0xAAAA, 256)
    assert (WIDE.mask_x, WIDE.mask_y, WIDE.cells) == (0x5555_5555, 0xAAAA_AAAA, 65536)


def test_decoding_is_the_inverse_of_encoding_for_every_code():
    x, y = decode(EVERY_CODE)
    assert np.array_equal(encode(x, y), EVERY_CODE)
    assert len({*zip(x.tolist(), y.tolist(), strict=True)}) == 1 << 16


def test_slots_and_offsets_belong_together():
    words = {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1)}
    for slot, offset in zip(SLOTS, OFFSETS, strict=True):
        steps = [words[word] for word in slot.split("_")]
        assert tuple(map(sum, zip(*steps, strict=True))) == offset


@given(SIZES, st.data())
@settings(deadline=None)
def test_neighbours_by_the_definition(size: CodeSize, data: st.DataObject):
    last = size.cells - 1
    place = st.integers(0, last) | st.sampled_from([0, 1, last - 1, last])
    x, y = data.draw(place), data.draw(place)
    torus = neighbours([int(encode(x, y, size))], size)
    plane = neighbours([int(encode(x, y, size))], size, toroidal=False)
    assert torus.exists.all()
    for slot, (dx, dy) in enumerate(OFFSETS):
        column, row = x + dx, y + dy
        wrapped = encode(column % size.cells, row % size.cells, size)
        assert torus.codes[0, slot] == wrapped
        inside = 0 <= column <= last and 0 <= row <= last
        assert plane.exists[0, slot] == inside
        assert plane.codes[0, slot] == (wrapped if inside else encode(x, y, size))
        assert plane.existing[0] >> slot & 1 == inside


def test_both_ways_to_a_neighbour_agree_on_every_code():
    assert np.array_equal(neighbours_by_steps(EVERY_CODE), neighbours(EVERY_CODE).codes)


@given(st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=50))
@settings(deadline=None)
def test_both_ways_to_a_neighbour_agree_on_wide_codes(codes: list[int]):
    found = neighbours_by_steps(codes, WIDE)
    assert np.array_equal(found, neighbours(codes, WIDE).codes)
    assert found.min() >= 0
    assert found.max() < 2**32


def test_a_step_and_a_step_back():
    for step in (step_x, step_y):
        assert np.array_equal(step(step(EVERY_CODE, 1), -1), EVERY_CODE)
        assert np.array_equal(step(EVERY_CODE, 0), EVERY_CODE)
        assert not (step(EVERY_CODE, 1) == EVERY_CODE).any()


def test_a_neighbour_has_the_cell_for_its_own_neighbour():
    found = neighbours(EVERY_CODE).codes
    for slot in range(8):
        back = neighbours(found[:, slot]).codes[:, 7 - slot]
        assert np.array_equal(back, EVERY_CODE)


def test_no_cells_at_all():
    assert neighbours([]).codes.shape == (0, 8)
    assert neighbours([]).existing.shape == (0,)


@pytest.mark.parametrize("numbers", [[-1], [65536], [0.5], ["a"]])
def test_what_is_no_code_is_refused(numbers: list[object]):
    with pytest.raises(ValueError, match="code"):
        neighbours(numbers)
    with pytest.raises(ValueError, match=r"x -?|a x is"):
        encode(numbers, [0], CodeSize(32))
