"""Routines of random blocks and branches: what the hook counts, what hooks in Python see, and what
the routine does by its description, without any processor."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emu.cycles.base.counting import count_calls
from emu.machine import CPUS, BareMachine
from emu.machine.memory.memory import PAGE
from emu.program import Program
from emu.program.model.lines import LineTable
from emu.program.model.model import Segment
from tests.cycles.conftest import OneByOne

CODE = 0x10000
SIZE = 8 * PAGE


@dataclass(frozen=True)
class Part:
    """A part of a routine: it uses up fuel, calls perhaps, and goes to one of two others.

    Attributes:
        padding: how many instructions that do nothing.
        bit: of the state, which decides.
        there: the part to go to if the bit is set; otherwise the next one, or
        other: this one.
        calls: whether it calls a subroutine first.
        nests: whether that calls another.
    """

    padding: int
    bit: int
    there: int
    other: int | None
    calls: bool
    nests: bool


@dataclass(frozen=True)
class Routine:
    """A routine: where it lies in its first page, its parts, and how long it goes on."""

    start: int
    parts: tuple[Part, ...]
    fuel: int
    step: int


@st.composite
def routines(draw: st.DrawFn) -> Routine:
    number = draw(st.integers(1, 9))
    place = st.integers(0, number - 1)
    part = st.builds(
        Part,
        padding=st.one_of(st.integers(0, 3), st.integers(0, 700)),
        bit=st.integers(0, 14),
        there=place,
        other=st.one_of(st.none(), place),
        calls=st.booleans(),
        nests=st.booleans(),
    )
    return Routine(
        # Mostly so that something lies across the end of a page.
        start=draw(st.one_of(st.just(0), st.integers((PAGE - 200) // 4, PAGE // 4))) * 4,
        parts=tuple(draw(st.lists(part, min_size=number, max_size=number))),
        fuel=draw(st.integers(1, 60)),
        step=draw(st.integers(1, 0x7FFF)),
    )


def rotated(state: int) -> int:
    return (state << 3 | state >> 29) & 0xFFFFFFFF


def follow(routine: Routine) -> Counter[str]:
    """How often each label is passed."""
    passed = Counter({"enter": 1, "exit": 1})
    fuel, state, place = routine.fuel, 1, 0
    while True:
        part = routine.parts[place]
        passed[f"part {place}"] += 1
        if part.calls:
            passed.update(["outer", "inner", "back"] if part.nests else ["inner"])
        state = (rotated(state) + routine.step) & 0xFFFFFFFF
        fuel -= 1
        if fuel == 0:
            return passed
        if state >> part.bit & 1:
            place = part.there
        else:
            passed[f"not {place}"] += 1
            place = part.other if part.other is not None else (place + 1) % len(routine.parts)


Items = list[str | int | tuple[int, int, str]]
"""Labels, and instructions: their words, or (word, bits of the displacement, label)."""


def m68k(routine: Routine) -> tuple[Items, int]:
    """The routine for a 68K: D0 is the fuel, D1 the state."""
    items: Items = ["enter", 0x303C, routine.fuel, 0x7201]
    for number, part in enumerate(routine.parts):
        items += [f"part {number}", *[0x4E71] * part.padding]
        if part.calls:
            items.append((0x6100, 16, "outer" if part.nests else "inner"))
        items += [0xE799, 0x0681, 0, routine.step, 0x5340, (0x6700, 16, "exit")]
        items += [0x0801, part.bit, (0x6600, 16, f"part {part.there}")]
        follower = (number + 1) % len(routine.parts) if part.other is None else part.other
        if part.other is not None or follower == 0:
            items += [f"not {number}", (0x6000, 16, f"part {follower}")]
    items += ["exit", 0x4E75, "inner", 0x4E71, 0x4E75]
    items += ["outer", (0x6100, 16, "inner"), "back", 0x4E75]
    return items, 2


def powerpc(routine: Routine) -> tuple[Items, int]:
    """The routine for a PowerPC: r3 is the fuel, r4 the state, r6 and r7 keep the link register."""
    items: Items = ["enter", 0x7CC802A6, 0x38600000 | routine.fuel, 0x38800001]
    for number, part in enumerate(routine.parts):
        items += [f"part {number}", *[0x60000000] * part.padding]
        if part.calls:
            items.append((0x48000001, 26, "outer" if part.nests else "inner"))
        items += [0x5484183E, 0x38840000 | routine.step, 0x3463FFFF, (0x41820000, 16, "exit")]
        items += [0x70850000 | 1 << part.bit, (0x40820000, 16, f"part {part.there}")]
        follower = (number + 1) % len(routine.parts) if part.other is None else part.other
        if part.other is not None or follower == 0:
            items += [f"not {number}", (0x48000000, 26, f"part {follower}")]
    items += ["exit", 0x7CC803A6, 0x4E800020, "inner", 0x60000000, 0x4E800020]
    items += ["outer", 0x7CE802A6, (0x48000001, 26, "inner"), "back", 0x7CE803A6, 0x4E800020]
    return items, 4


def assemble(items: Items, unit: int, start: int) -> tuple[bytes, dict[str, int]]:
    """The code, and the addresses of its labels."""
    labels, address = {}, start
    for item in items:
        if isinstance(item, str):
            labels[item] = address
        else:
            address += 4 if isinstance(item, tuple) else unit
    code = b""
    for item in items:
        if isinstance(item, int):
            code += item.to_bytes(unit, "big")
        elif not isinstance(item, str):
            word, bits, label = item
            here = start + len(code)
            if unit == 2:
                code += word.to_bytes(2, "big")
                code += (labels[label] - here - 2 & 0xFFFF).to_bytes(2, "big")
            else:
                displacement = labels[label] - here & (1 << bits) - 4
                code += (word | displacement).to_bytes(4, "big")
    return code, labels


def machine_of(cpu: str, routine: Routine) -> tuple[BareMachine, int, dict[str, int]]:
    items, unit = (powerpc if cpu == "601" else m68k)(routine)
    start = CODE + routine.start
    code, labels = assemble(items, unit, start)
    segment = Segment("code", CODE, SIZE, bytes(routine.start) + code, True, True)
    program = Program(
        path=Path("at random"),
        architecture=CPUS[cpu].architecture,
        byte_order=">",
        segments=[segment],
        symbols=[],
        variables={},
        functions={},
        lines=LineTable(),
        has_debug_information=False,
    )
    return BareMachine(program, CPUS[cpu]), start, labels


def difference(cpu: str, routine: Routine, described: Routine | None = None) -> str:
    """What is wrong with the counts, if anything is; ``described`` is what it is said to be."""
    machine, start, labels = machine_of(cpu, routine)
    before = np.stack([machine.pristine] * 2)
    counts = count_calls(machine, start, before)
    stepped = OneByOne(machine, start, before)
    if {tuple(edge[:4]): edge[4] for edge in counts.edges.tolist()} != stepped.edges:
        return "not what hooks in Python see"
    executed: Counter[int] = Counter()
    for (address, size), count in counts.blocks().items():
        for place in range(address, address + size, 2):
            executed[place] += count
    passed = follow(described or routine)
    for label, address in labels.items():
        if executed[address] != 2 * passed[label]:
            return f"{label} is passed {2 * passed[label]} times, and counted {executed[address]}"
    seen = {a: n for a, n in stepped.instructions.items() if executed[a] != n}
    return f"instructions counted otherwise: {seen}" if seen else ""


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68000", "68040", "601"])
@settings(max_examples=10, deadline=None)
@given(routine=routines())
def test_random_routines_are_counted_right(cpu: str, routine: Routine) -> None:
    assert difference(cpu, routine) == ""


def test_a_wrong_count_would_be_seen() -> None:
    routine = Routine(0, (Part(1, 3, 0, 0, calls=True, nests=True),), fuel=9, step=77)
    assert difference("68040", routine) == ""
    other = Routine(0, routine.parts, fuel=8, step=77)
    assert difference("68040", routine, other) == "part 0 is passed 16 times, and counted 18"
