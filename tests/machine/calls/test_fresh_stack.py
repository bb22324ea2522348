"""Each call finds the whole stack as its surroundings say, whatever calls before it have stored."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emu.machine import CPUS, BareMachine
from emu.machine.calls.execution.fresh_stack import FreshStack
from emu.machine.memory import layout
from emu.machine.memory.memory import PAGE
from emu.machine.memory.surroundings import Surroundings
from tests.machine.routines import CODE, DATA, program

CHASE = {
    # lea DATA,a0; lea DATA+0xc0,a1; move.l (a0)+,d0; then d0 times: movea.l (a0)+,a2;
    # move.l (a2),(a1)+; move.l (a0)+,(a2)
    "m68k": "41f900030000 43f9000300c0 2018 6006 2458 22d2 2498 51c8fff8 4e75",
    # The same with r3 for a0, r4 for a1, CTR for d0 and r6 for a2.
    "powerpc": "3c600003 388300bc 80a30000 3863fffc 7ca903a6 84c30008 80e60000 94e40004 80e30004"
    "90e60000 4200ffec 4e800020",
}
"""Reads the long word at each address of a table, and stores another one there."""
UNPACK = "2079 00030000 2279 00030004 2479 00030008 8388 0000 23d2 000300c0 4e75"
"""UNPK -(a0),-(a1), which Python executes; then the long word at (a2) is kept."""
MOST = 12
ROOM = layout.STACK_SIZE - layout.FRAME_SIZE - 0x100
"""The bytes of the stack below the frame and the return address."""


@dataclass(frozen=True)
class Store:
    """The offset in the stack of a long word that is read, and what is stored there then."""

    offset: int
    value: int


STORES = st.lists(
    st.builds(
        Store,
        st.one_of(
            st.integers(0, ROOM - 4),
            st.integers(1, ROOM // PAGE).map(lambda page: page * PAGE - 2),  # on two pages
        ),
        st.integers(0, 2**32 - 1),
    ),
    min_size=1,
    max_size=MOST,
)


@functools.cache
def machine(cpu: str) -> BareMachine:
    """One machine for all examples, so that each begins with what the last has left."""
    known = CPUS[cpu]
    routines = {"Chase": CHASE[known.architecture]}
    if known.architecture == "m68k":
        routines["Unpack"] = UNPACK
    registers = {"a5": DATA} if known.architecture == "m68k" else {"r2": DATA}
    return BareMachine(program(known.architecture, routines, registers, b"\0" * 256), known)


def surroundings(seed: int) -> Surroundings:
    stack = np.random.default_rng(seed).integers(0, 256, layout.STACK_SIZE, np.uint8)
    return Surroundings(stack, np.zeros(256, np.uint32))


def image(bare: BareMachine, words: list[int]) -> np.ndarray:
    """An image with words at the beginning of data."""
    whole = bare.pristine.copy()
    start = bare.data.offset(DATA)
    laid = np.array(words, ">u4").view(np.uint8)
    whole[start : start + len(laid)] = laid
    return whole


def words_read(bare: BareMachine, after: np.ndarray, count: int) -> list[int]:
    start = bare.data.offset(DATA) + 0xC0
    return after[start : start + 4 * count].view(">u4").tolist()


def run(cpu: str, batch: list[list[Store]], seed: int) -> list[list[int]]:
    """What each call of a batch reads, each with a stack of its own."""
    bare = machine(cpu)
    base = bare.memory.region("stack").address
    images = [
        image(bare, [len(stores), *(n for s in stores for n in (base + s.offset, s.value))])
        for stores in batch
    ]
    around = [surroundings(seed + number) for number in range(len(batch))]
    done = bare.calls.run(CODE, np.array(images), surroundings=around)
    assert done.fault is None
    return [
        words_read(bare, after, len(stores))
        for after, stores in zip(done.after, batch, strict=True)
    ]


def expected(batch: list[list[Store]], seed: int) -> list[list[int]]:
    """The same by a stack in Python."""
    found = []
    for number, stores in enumerate(batch):
        stack = surroundings(seed + number).stack.tobytes()
        whole, read = bytearray(stack), []
        for store in stores:
            place = slice(store.offset, store.offset + 4)
            read.append(int.from_bytes(whole[place], "big"))
            whole[place] = store.value.to_bytes(4, "big")
        found.append(read)
    return found


@pytest.mark.parametrize("cpu", ["68000", "68040", "601"])
@given(batches=st.lists(st.lists(STORES, min_size=1, max_size=4), min_size=1, max_size=3))
@settings(deadline=None)
def test_every_call_finds_the_stack_that_it_is_given(cpu: str, batches: list[list[list[Store]]]):
    if cpu == "68000":  # it has no long words at odd addresses
        batches = [
            [[Store(one.offset & -2, one.value) for one in stores] for stores in batch]
            for batch in batches
        ]
    machine.cache_clear()  # no page has been touched yet
    for seed, batch in enumerate(batches):
        assert run(cpu, batch, 10 * seed) == expected(batch, 10 * seed)


def test_a_page_that_is_not_laid_when_it_is_touched_shows(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(FreshStack, "touch", lambda stack, address: None)
    machine.cache_clear()
    batch = [[Store(100, 1)], [Store(100, 2)]]
    assert run("68040", batch, 0) != expected(batch, 0)
    machine.cache_clear()


def test_a_call_that_faults_leaves_the_next_its_own_stack():
    machine.cache_clear()
    bare = machine("68040")
    wild = image(bare, [1, 0x7FFF0000, 1])
    assert bare.calls.run(CODE, wild[np.newaxis], surroundings=[surroundings(5)]).fault is not None
    batch = [[Store(5000, 7), Store(60, 8)], [Store(5000, 9), Store(60, 10)]]
    assert run("68040", batch, 20) == expected(batch, 20)


@pytest.mark.parametrize("is_stored", [False, True])
def test_an_instruction_that_python_executes_touches_pages_too(is_stored: bool):
    """One byte 0xAB becomes 0x0A0B, from the stack to data or from data to the stack."""
    machine.cache_clear()
    bare, offset = machine("68040"), 3 * PAGE
    routine = bare.program.function("Unpack")
    place, around = bare.memory.region("stack").address + offset, surroundings(1)
    before, after = (place + 1, DATA + 0xA2) if not is_stored else (DATA + 0x81, place + 2)
    whole = image(bare, [before, after, after - 2])
    whole[bare.data.offset(DATA) + 0x80] = 0x5C
    done = bare.calls.run(routine, whole[np.newaxis], surroundings=[around])
    (read,) = words_read(bare, done.after[0], 1)
    byte = 0x5C if is_stored else int(around.stack[offset])
    behind = around.stack[offset + 2 : offset + 4].tobytes() if is_stored else b"\0\0"
    assert read == int.from_bytes(bytes([byte >> 4, byte & 15]) + behind, "big")


def test_only_the_pages_that_calls_touch_are_laid_again():
    bare = machine("601")
    memory = bare.memory.region("stack")
    view = bare.memory.view(memory.address, memory.size)
    stack = FreshStack(memory, view, is_told=True)
    view[:] = 0
    with stack:
        stack.begin(np.full(layout.STACK_SIZE, 1, np.uint8))
        assert np.flatnonzero(view)[0] == layout.STACK_SIZE - PAGE
        stack.touch(memory.address - 1)
        stack.touch(memory.end)
        stack.touch(memory.address + 2 * PAGE + 5)
        assert np.flatnonzero(view)[0] == 2 * PAGE
        stack.begin(np.full(layout.STACK_SIZE, 2, np.uint8))
        stack.touch(memory.address + 2 * PAGE)
    assert (view[2 * PAGE :] == 2).all()
    stack.touch(memory.address)  # whoever runs now has laid all of it
    assert not view[: 2 * PAGE].any()
    stack.lay_all()
    stack.begin(np.full(layout.STACK_SIZE, 3, np.uint8))
    assert (view == 3).all()
