"""Shifts of a word in memory: the engine confuses some, which Python executes in its place."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.machine import CPUS, Batch, GuestFault, Machine
from emu.machine.engine import HostedEngine, StopKind
from emu.machine.memory import GuestMemory, Region
from tests.machine.m68k_shift_model import KINDS, X, shifted
from tests.machine.routines import CODE, DATA, program

# By name: mode and register, extension words, what A1 and D1 hold, and what A1 holds afterwards, the
# operand being at DATA + 0x40.
PLACE = DATA + 0x40
MODES = {
    "(A1)": (0x11, "", PLACE, 0, PLACE),
    "(A1)+": (0x19, "", PLACE, 0, PLACE + 2),
    "-(A1)": (0x21, "", PLACE + 2, 0, PLACE),
    "(-2,A1)": (0x29, "fffe", PLACE + 2, 0, PLACE + 2),
    "(4,A1,D1.W)": (0x31, "1004", PLACE + 4, 0x1FFF8, PLACE + 4),
    "(-4,A1,D1.L)": (0x31, "18fc", PLACE - 0x70000, 0x70004, PLACE - 0x70000),
    "(PLACE).L": (0x39, f"{PLACE:08x}", 0, 0, 0),
}
LATER_MODES = {
    "(0,A1,D1.W*4)": (0x31, "1400", PLACE + 8, 0xFFFE, PLACE + 8),
    "(bd.L,A1)": (0x31, "0170 ffffff00", PLACE + 0x100, 9, PLACE + 0x100),
    # The pointer to PLACE - 8 is at DATA.
    "([bd.W,A1],D1.L*2,od.W)": (0x31, "1b26 fff0 0002", DATA + 16, 3, DATA + 16),
    "([0,A1,D1.L],8)": (0x31, "1912 0008", DATA - 4, 4, DATA - 4),
}


def code_of(kind: str, way: str, mode: tuple[int, str, int, int, int]) -> str:
    """MOVE #flags,CCR, the shift, and the flags and A1 stored at DATA + 0x50 and DATA + 0x54."""
    ea, extension, a1, d1, _ = mode
    opcode = 0xE0C0 | KINDS[kind] << 9 | (way == "l") << 8 | ea
    stored, pointer = DATA + 0x50, DATA + 0x54
    return (
        f"227c{a1 & 0xFFFFFFFF:08x} 223c{d1:08x} 44f9{DATA + 0x48:08x} {opcode:04x}{extension} "
        f"40f9{stored:08x} 23c9{pointer:08x} 4e75"
    )


def shift_machine(cpu: str, engine: object = None) -> tuple[Machine, list[tuple[str, str, str]]]:
    """A machine with a routine for each kind of shift, way and mode, and the list of them."""
    modes = MODES if cpu == "68000" else {**MODES, **LATER_MODES}
    every = [(kind, way, mode) for kind in KINDS for way in "lr" for mode in modes]
    routines = {" ".join(one): code_of(*one[:2], modes[one[2]]) for one in every}
    data = (PLACE - 8).to_bytes(4, "big")
    return Machine(program("m68k", routines, {}, data), cpu, engine=engine), every  # type: ignore[arg-type]


def answers(machine: Machine, name: str, inputs: list[tuple[int, int]]) -> tuple[Batch, list[tuple[int, int, int]]]:
    """Word, flags and A1 that a routine leaves for each word and flags."""
    images = np.repeat(machine.pristine[np.newaxis], len(inputs), axis=0)
    start = machine.data.offset(DATA)
    for image, (word, flags) in zip(images, inputs, strict=True):
        image[start + 0x40 : start + 0x42] = list(word.to_bytes(2, "big"))
        image[start + 0x49] = flags
    batch = machine.run_batch(machine.program.function(name), images)
    found = [
        (
            int.from_bytes(image[start + 0x40 : start + 0x42].tobytes(), "big"),
            int(image[start + 0x51]) & 0x1F,
            int.from_bytes(image[start + 0x54 : start + 0x58].tobytes(), "big"),
        )
        for image in batch.after
    ]
    return batch, found


EDGES = [0, 1, 2, 0x3FFF, 0x4000, 0x7FFF, 0x8000, 0x8001, 0xBFFF, 0xC000, 0xFFFE, 0xFFFF]
INPUTS = [(word, flags) for word in EDGES for flags in (0, X, 0x1F)]


def disagreements(machine: Machine, every: list[tuple[str, str, str]]) -> list[object]:
    modes = {**MODES, **LATER_MODES}
    wrong: list[object] = []
    for kind, way, mode in every:
        _, found = answers(machine, f"{kind} {way} {mode}", INPUTS)
        wanted = [(*shifted(kind, way, *one), modes[mode][4] & 0xFFFFFFFF) for one in INPUTS]
        if found != wanted:
            wrong.append((kind, way, mode, [x for x in zip(INPUTS, found, wanted) if x[1] != x[2]][:1]))
    return wrong


@pytest.mark.parametrize("cpu", ["68000", "68020", "68040"])
def test_every_shift_is_what_the_manual_says(cpu: str) -> None:
    assert disagreements(*shift_machine(cpu)) == []
