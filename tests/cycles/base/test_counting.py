"""Counts of the native hook against counts made block by block and instruction by instruction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from emu.base.errors import GuestError, UsageError
from emu.cycles.base.counting import EDGE, Counts, count_calls
from emu.machine import CPUS, BareMachine, Budget, GuestFault
from emu.machine.engine.fast_engine import FastEngine
from emu.machine.engine.watch.edges import EdgeCounter, TooManyEdgesError
from emu.machine.memory.memory import PAGE, GuestMemory, MemoryRegion
from emu.program import Program
from emu.program.model.lines import LineTable
from emu.program.model.model import Segment
from tests.cycles.conftest import OneByOne, calls_machine, four_shifts, images
from tests.rows import slow_but

BUILDS = ["O0", "O1", "O2", "Os", "period", "O2-macros"]


@pytest.mark.parametrize("build", slow_but(["O2"], BUILDS))
@pytest.mark.parametrize("cpu", ["68000", "68040", "601"])
def test_counts_are_those_of_single_steps(cpu: str, build: str) -> None:
    machine, routine = four_shifts(cpu, build)
    before = images(machine, 60, 3)
    counts = count_calls(machine, routine, before)
    stepped = OneByOne(machine, routine, before)
    edges = {tuple(edge[:4]): edge[4] for edge in counts.edges.tolist()}
    assert edges == stepped.edges
    assert counts.blocks() == Counter(b for sequence in stepped.sequences for b in sequence)
    instructions = sum(
        count * machine.cpu.count_instructions(counts.code[block])
        for block, count in counts.blocks().items()
    )
    assert instructions == sum(stepped.instructions.values()) > 1000
    assert counts.calls == 3
    assert len(counts.edges) == len(edges)


@pytest.mark.parametrize("cpu", ["68000", "68040", "601"])
@pytest.mark.parametrize(
    ("routine", "arguments"), [("Recurse", (37,)), ("Busy", (11,)), ("MoveObjects", ())]
)
def test_routines_with_arguments_are_counted(
    cpu: str, routine: str, arguments: tuple[int, ...]
) -> None:
    machine = calls_machine("68040" if cpu == "68000" else cpu)
    address, before = machine.program.function(routine), machine.pristine[np.newaxis]
    counts = count_calls(machine, machine.site_of_words(address, *arguments), before)
    stepped = OneByOne(machine, address, before, arguments)
    edges = {tuple(edge[:4]): edge[4] for edge in counts.edges.tolist()}
    assert executed_bytes(edges) == executed_bytes(stepped.edges)
    assert jumps(edges) == jumps(stepped.edges)


def executed_bytes(edges: Mapping[tuple[int, int, int, int], int]) -> Counter[int]:
    """How often each byte of code was executed, wherever blocks are divided.

    An instruction that macproof executes in the engine's place is a block of its own. It is one in
    MoveObjects on the 601, since a word of data behind the code looks like one that sets FPSCR.
    """
    return Counter(
        {
            address: sum(n for (*_, at, long), n in edges.items() if at <= address < at + long)
            for (*_, start, size) in edges
            for address in range(start, start + size)
        }
    )


def jumps(edges: Mapping[tuple[int, int, int, int], int]) -> Counter[tuple[int, int]]:
    """How often a block went on elsewhere than behind itself: where it ended, and where it went."""
    found: Counter[tuple[int, int]] = Counter()
    for (start, size, target, _), count in edges.items():
        if start + size != target:
            found[start + size, target] += count
    return found


def test_counts_agree_with_a_trace_and_with_themselves() -> None:
    machine, routine = four_shifts("68040", "O1")
    before = images(machine, 20, 1)
    trace, _ = machine.calls.trace(routine, before[0])
    gate = machine.memory.region("gate")
    traced = {b: n for b, n in trace.block_counts.items() if b[0] not in gate}
    one = count_calls(machine, routine, before)
    assert one.blocks() == traced
    many = count_calls(machine, routine, np.repeat(before, 70, axis=0))
    assert many.calls == 70
    assert many.blocks() == {block: 70 * count for block, count in traced.items()}


def test_the_code_is_that_of_the_program() -> None:
    machine, routine = four_shifts("601", "O2")
    counts = count_calls(machine, routine, images(machine, 5, 1))
    assert counts.code.keys() == counts.blocks().keys()
    first = counts.edges[counts.edges["previous"] == 0]
    assert first["address"].tolist() == [routine] and first["count"].tolist() == [1]
    for (address, size), data in counts.code.items():
        assert data == machine.memory.view(address, size).tobytes()


def test_counts_can_be_added() -> None:
    machine, routine = four_shifts("68000", "Os")
    before = images(machine, 30, 4)
    parts = [count_calls(machine, routine, before[n : n + 2]) for n in (0, 2)]
    both, whole = parts[0] + parts[1], count_calls(machine, routine, before)
    assert both.calls == 4
    assert sorted(both.edges.tolist()) == sorted(whole.edges.tolist())
    assert both.code == whole.code


def test_counts_of_different_programs_cannot_be_added() -> None:
    edges = np.zeros(0, dtype=EDGE)
    one, other = (Counts(1, edges, {(0x1000, 2): code}) for code in (b"NO", b"no"))
    with pytest.raises(UsageError, match="different programs"):
        one + other


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68040", "601"])
@pytest.mark.parametrize(
    ("routine", "arguments", "kind"),
    [
        ("Endless", (), "budget"),
        ("EndlessWork", (), "budget"),
        ("Peek", (0x00400000,), "access"),
        ("CallAddress", (0x00400000,), "access"),
        ("Illegal", (), "exception"),
    ],
)
def test_calls_that_do_not_return_are_faults(
    cpu: str, routine: str, arguments: tuple[int, ...], kind: str
) -> None:
    machine = calls_machine(cpu)
    machine.budget = Budget(blocks=20_000, patience=0.02)
    machine.reset()
    address, before = machine.program.function(routine), np.stack([machine.pristine] * 2)
    with pytest.raises(GuestFault) as caught:
        count_calls(machine, machine.site_of_words(address, *arguments), before)
    assert caught.value.fault.kind == kind
    # What comes after a fault is counted right.
    machine.budget = Budget()
    test_routines_with_arguments_are_counted(cpu, "Busy", (3,))


@pytest.mark.slow
def test_a_call_that_takes_longer_than_the_clock_allows_is_counted_whole() -> None:
    machine = calls_machine("68040")
    machine.budget = Budget(patience=0.0005)
    before, address = machine.pristine[np.newaxis], machine.program.function("Busy")
    site = machine.site_of_words(address, 200_000)
    slow = count_calls(machine, site, before)
    machine.budget = Budget(patience=10.0)
    assert slow.edges.tolist() == count_calls(machine, site, before).edges.tolist()
    machine.budget = Budget()


# -- the table ---------------------------------------------------------------------------------

CODE = 0x1000


def engine_with(code: bytes, most: int) -> tuple[FastEngine, EdgeCounter, GuestMemory]:
    memory = GuestMemory([MemoryRegion("code", CODE, 0x4000, True, True)])
    memory.write(CODE, code)
    engine = FastEngine(CPUS["68040"], memory)
    return engine, engine.count_edges(most), memory


def chain(length: int) -> bytes:
    """As many branches to the next instruction, and a NOP: each branch is a block."""
    return bytes.fromhex("60000002") * length + bytes.fromhex("4e71")


def test_a_full_table_is_an_error_and_not_a_loss() -> None:
    engine, counter, _ = engine_with(chain(64), 64)
    end = CODE + 4 * 64
    engine.run(CODE, end)
    assert len(counter.edges()) == 64
    engine, counter, _ = engine_with(chain(65), 64)
    engine.run(CODE, end + 4)
    with pytest.raises(TooManyEdgesError, match="more than 64 ways"):
        counter.edges()
    with pytest.raises(TooManyEdgesError):
        counter.price_new(lambda edge: 1.0)
    counter.clear()
    assert len(counter.edges()) == 0


def test_a_table_that_is_nearly_full_still_finds_its_edges() -> None:
    engine, counter, memory = engine_with(chain(63), 64)
    for _ in range(5):
        engine.run(CODE, CODE + 4 * 63)
    # One more: from the last block of one run to the first of the next.
    assert memory.regions
    assert counter.edges()["count"].tolist() == [1, *[5] * 62, 4]


# ADDQ.W #1,D1, which the routine makes ADDQ.W #2,D1 before it comes to it; RTS
CHANGES_ITSELF = "31fc 5441 1008 4e71 5241 4e75"


def test_a_routine_that_changes_its_own_code_is_not_counted() -> None:
    code = Segment("code", CODE, PAGE, bytes.fromhex(CHANGES_ITSELF), True, True)
    program = Program(
        path=Path("changes"),
        architecture="m68k",
        byte_order=">",
        segments=[code],
        symbols=[],
        variables={},
        functions={},
        lines=LineTable(),
        has_debug_information=False,
    )
    machine = BareMachine(program, CPUS["68040"])
    before = machine.pristine[np.newaxis]
    with pytest.raises(GuestError, match="changes its own code at 0x00001000"):
        count_calls(machine, CODE, before)
    # What is on the same page and remains as it was is counted.
    assert count_calls(machine, CODE + 10, before).blocks() == {(CODE + 10, 2): 1}


@pytest.mark.parametrize("change", ["count", "edge", "size"])
def test_a_wrong_count_would_be_seen(change: str) -> None:
    machine, routine = four_shifts("68040", "O2")
    before = images(machine, 10, 1)
    counts = count_calls(machine, routine, before)
    edges = counts.edges.copy()
    edges[3][{"count": "count", "edge": "previous", "size": "size"}[change]] += 2
    assert {tuple(e[:4]): e[4] for e in edges.tolist()} != OneByOne(machine, routine, before).edges
