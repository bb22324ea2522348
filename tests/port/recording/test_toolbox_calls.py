"""Calls of the Toolbox as they are kept, and which addresses stand for which."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from emu.port.recording.spans import cell_changes, changes, pieces
from emu.port.recording.toolbox_calls import (
    LocalAddresses,
    ToolboxAnswer,
    decode,
    encode,
)
from emu.toolbox.guest.guest_types import Point

WORDS = st.integers(0, 0xFFFFFFFF)
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(1 << 31), 0xFFFFFFFF),
    st.text(max_size=4),
    st.binary(max_size=8),
    st.builds(Point, st.integers(-32768, 32767), st.integers(-32768, 32767)),
)
PIECES = st.lists(st.tuples(WORDS, st.binary(max_size=8)), max_size=3).map(tuple)
ANSWERS = st.builds(
    ToolboxAnswer,
    st.text(min_size=1, max_size=12),
    st.lists(VALUES, max_size=4).map(tuple),
    VALUES,
    PIECES,
    PIECES,
    st.dictionaries(st.integers(0, 40), WORDS, max_size=3),
    WORDS,
)


@given(st.lists(ANSWERS, max_size=4))
def test_calls_are_read_as_they_were_kept(answers: list[ToolboxAnswer]) -> None:
    assert decode(encode(answers)) == tuple(answers)


@given(
    st.binary(min_size=64, max_size=64), st.dictionaries(st.integers(0, 63), st.integers(0, 255))
)
def test_changes_are_exactly_the_bytes_that_differ(content: bytes, new: dict[int, int]) -> None:
    before = np.frombuffer(content, dtype=np.uint8)
    after = before.copy()
    for place, value in new.items():
        after[place] = value
    found = {at for start, size in changes(before, after, 100) for at in range(start, start + size)}
    assert found == {100 + n for n in range(64) if before[n] != after[n]}


def test_what_was_written_first_is_no_reading() -> None:
    assert pieces([(10, 4), (12, 4)], [(13, 1)]) == [range(10, 13), range(14, 16)]


STACK, DATA, NEW = range(1000, 2000), range(5000, 6000), range(9000, 9900)


def test_a_local_stands_for_a_local_and_a_constant_for_one_of_the_new_functions() -> None:
    local = LocalAddresses(STACK, [DATA], NEW)
    assert local.takes(1500, 1480)
    assert local.places(1508) == [1488]
    assert local.target(1508) == 1488
    assert local.takes(5100, 9040)
    assert local.places(5104) == [9044, 5104]
    assert local.target(5104) == 5104  # nobody writes into a constant
    assert local.takes(7, 7)


def test_another_global_or_number_stands_for_none() -> None:
    local = LocalAddresses(STACK, [DATA], NEW)
    assert not local.takes(5100, 5200)
    assert not local.takes(20_000, 1500)
    assert not local.takes(3, 4)
    assert not local.takes(1500, 20_000)


def test_a_local_of_an_earlier_call_counts_less() -> None:
    local = LocalAddresses(STACK, [DATA], NEW)
    assert local.takes(1500, 1400)
    local.begin_call()
    assert local.takes(1496, 1500)
    assert local.places(1500) == [1504, 1400]
    assert local.cuts(1490, 20) == [0, 6, 20]


def test_bytes_of_an_unknown_local_are_nowhere() -> None:
    local = LocalAddresses(STACK, [DATA], NEW)
    assert local.places(1500) == []
    assert local.target(1500) is None


def test_numbers_that_may_be_addresses_of_locals_are_found_wherever_they_lie() -> None:
    stack = range(0x0EF_FF00, 0x0F1_0100)
    locals_ = LocalAddresses(stack, (), range(0))
    words = (0x0EF_FF00, 0x0F0_1234, 0x0F1_0100, 0x00F0_00F0, 0x0EF_FEFF, 0x0F1_00FF, 7)
    data = b"".join(word.to_bytes(4, "big") + b"\x00\xf0" for word in words)
    for first in (0, 1):
        expected = {
            (at, old)
            for at in range(first, len(data) - 3, 2)
            if (old := int.from_bytes(data[at : at + 4], "big")) in stack
        }
        assert set(locals_.addresses_in(data, first)) == expected
    assert len(set(locals_.addresses_in(data, 0))) > 3


@given(
    st.binary(min_size=64, max_size=64), st.dictionaries(st.integers(0, 63), st.integers(0, 255))
)
def test_changes_of_cells_are_the_bytes_of_rows_that_differ(
    content: bytes, new: dict[int, int]
) -> None:
    memory = np.frombuffer(content, dtype=np.uint8).copy()
    cells = memory.reshape(4, 16)[1:, 4:12].view(">u2")
    before = cells.copy()
    for place, value in new.items():
        memory[place] = value
    spans = cell_changes(before, cells, 100 + 20)
    found = {at for start, size in spans for at in range(start, start + size)}
    seen = [row * 16 + column for row in (1, 2, 3) for column in range(4, 12)]
    assert found == {100 + n for n in seen if content[n] != memory[n]}
