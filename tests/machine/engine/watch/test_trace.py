"""Traced calls: what they count is checked against counting instruction by instruction."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import unicorn
from unicorn import unicorn_const

from emu.base.errors import MacproofError
from emu.machine import CPUS, BareMachine
from emu.machine.cpu import MIPS
from emu.machine.engine.base import models
from emu.program import read_elf

NewMachine = Callable[..., BareMachine]

PREBUILT = Path(__file__).parents[4] / "mac_src" / "prebuilt"
FOUR_SHIFTS = sorted(PREBUILT.glob("four-shifts-6*.elf"))


def count_one_by_one(machine: BareMachine, routine: str, before: Any, *arguments: int) -> int:
    """Run a call once more in an engine of its own, with a hook on every instruction."""
    site = machine.site_of_words(machine.program.function(routine), *arguments)
    start, until = machine.calls.prepare(site, before)
    engine = models.open_engine(machine.cpu, models.find_model(machine.cpu))
    models.map_memory(engine, machine.memory)
    gate = machine.memory.region("gate")
    count = 0

    def on_instruction(uc: unicorn.Uc, address: int, size: int, _: object) -> None:
        nonlocal count
        count += address not in gate

    engine.hook_add(unicorn_const.UC_HOOK_CODE, on_instruction)
    engine.emu_start(start, until)
    assert machine.calls.has_returned()
    return count


def test_a_prepared_call_has_not_come_back_before_it_is_made(machine: BareMachine) -> None:
    routine = machine.program.function("Take0")
    start, until = machine.calls.prepare(routine, machine.pristine)
    assert not machine.calls.has_returned()
    machine.calls.trace(routine, machine.pristine)
    assert machine.calls.has_returned()
    assert machine.calls.prepare(routine, machine.pristine) == (start, until)
    assert not machine.calls.has_returned()


@pytest.mark.parametrize(
    ("routine", "arguments"),
    [
        ("Take0", ()),
        ("Take10", tuple(range(10))),
        ("MoveObjects", ()),
        ("Recurse", (37,)),
        ("Busy", (11,)),
        ("Divide", (100, 7)),
        ("ClobbersFloat", ()),
    ],
)
def test_instructions_are_counted_right(
    machine: BareMachine, routine: str, arguments: tuple[int, ...]
) -> None:
    site = machine.site_of_words(machine.program.function(routine), *arguments)
    trace, _ = machine.calls.trace(site, machine.pristine)
    assert trace.completed
    expected = count_one_by_one(machine, routine, machine.pristine, *arguments)
    assert machine.calls.instructions(trace) == expected > 0


@pytest.mark.parametrize("path", FOUR_SHIFTS, ids=lambda path: path.stem)
def test_instructions_of_a_real_routine_in_every_build(path: Path) -> None:
    machine = BareMachine(read_elf(path), CPUS[path.stem.split("-")[2]])
    objects = machine.globals["gObjects"]
    objects["x"][:20] = range(0, 200, 10)
    objects["y"][:20] = range(300, 100, -10)
    kind = machine.program.variable("gObjects")
    size = kind.type.dtype.itemsize
    objects["obj_link"][:19] = range(kind.address + size, kind.address + 20 * size, size)
    before = machine.data.copy()
    routine = "_DetermineCollisions"
    trace, _ = machine.calls.trace(machine.program.function(routine), before)
    assert trace.completed
    assert machine.globals["gCollisionArray"][:20].all(), "each object touches the next"
    expected = count_one_by_one(machine, routine, before)
    assert machine.calls.instructions(trace) == expected > 5_000


def test_there_are_prebuilt_programs_to_count() -> None:
    assert {path.stem.split("-")[2] for path in FOUR_SHIFTS} == {"68000", "68040", "601"}


def test_block_counts(machine: BareMachine) -> None:
    address = machine.program.function("Recurse")
    trace, registers = machine.calls.trace(machine.site_of_words(address, 9), machine.pristine)
    entries = sum(count for (start, _), count in trace.block_counts.items() if start == address)
    assert entries == 10
    assert trace.blocks == sum(trace.block_counts.values())
    assert len(trace.last_blocks) == 12
    assert list(registers) == list(machine.cpu.general_registers)
    again, _ = machine.calls.trace(machine.site_of_words(address, 9), machine.pristine)
    assert again == trace, "a traced call is the same every time"


def test_a_traced_call_leaves_memory_as_the_call_did(machine: BareMachine) -> None:
    machine.calls.trace(machine.program.function("Bump"), machine.pristine)
    assert machine.globals["gCounter"] == 8


def test_the_last_store_to_an_address_is_named(machine: BareMachine) -> None:
    routine = machine.program.function("TwoStores")
    # Of three stores the first and the last go to gSink: 10 bytes each on 68K, and on PowerPC
    # 4 each after two instructions that load addresses. On MIPS the last is in a delay slot.
    third, second = {"68040": (20, 10), "601": (16, 12), "mips": (20, 12)}[machine.cpu.name]
    for name, offset in (("gSink", third), ("gCounter", second)):
        place = machine.program.variable(name).address
        watch = range(place, place + 4)
        trace, _ = machine.calls.trace(routine, machine.pristine, watch=watch)
        assert trace.stores == dict.fromkeys(watch, routine + offset)


def test_watching_one_byte_sees_the_store_around_it(machine: BareMachine) -> None:
    routine = machine.program.function("TwoStores")
    place = machine.program.variable("gCounter").address + 2
    trace, _ = machine.calls.trace(routine, machine.pristine, watch=range(place, place + 1))
    assert list(trace.stores) == [place]


def test_stores_in_delay_slots_are_seen_and_disturb_nothing(mips: BareMachine) -> None:
    """A hook on memory accesses would have the engine lose the branch."""
    place = mips.program.variable("gObjects").address
    routine = mips.program.function("FillInSlots")
    site = mips.site_of_words(routine, place, 6, 0x77)
    watch = range(place + 1, place + 4)
    trace, _ = mips.calls.trace(site, mips.pristine, watch=watch)
    assert trace.completed
    assert trace.stores == dict.fromkeys(watch, routine + 16)
    image = mips.data.copy()
    start = mips.data.offset(place)
    assert image[start : start + 7].tolist() == [0x77] * 6 + [0]
    batch = mips.calls.run(site, mips.pristine[None])
    assert (batch.after[0] == image).all()


def test_stores_that_are_not_aligned(mips: BareMachine) -> None:
    """SWL and SWR change part of a word each: three bytes and one."""
    place = mips.program.variable("gSink").address
    routine = mips.program.function("StoresUnaligned")
    trace, _ = mips.calls.trace(
        mips.site_of_words(routine, 0x01020304), mips.pristine, watch=range(place, place + 8)
    )
    assert trace.stores == {
        **dict.fromkeys(range(place + 1, place + 4), routine + 8),
        place + 4: routine + 16,
    }
    assert mips.memory.view(place, 6).tolist()[1:5] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("word", "stored"),
    [
        (0xA0820003, range(0x103, 0x104)),  # sb v0,3(a0)
        (0xA482FFFE, range(0xFE, 0x100)),  # sh v0,-2(a0)
        (0xAC820004, range(0x104, 0x108)),  # sw v0,4(a0)
        (0xE4820000, range(0x100, 0x104)),  # swc1 f2,0(a0)
        (0xF4820008, range(0x108, 0x110)),  # sdc1 f2,8(a0)
        (0xE0820000, range(0x100, 0x104)),  # sc v0,0(a0)
        (0x4C851008, range(0x140, 0x144)),  # swxc1 f2,a1(a0)
        (0x4C851009, range(0x140, 0x148)),  # sdxc1 f2,a1(a0)
        (0x8C820000, range(0)),  # lw v0,0(a0)
        (0x4C850080, range(0)),  # lwxc1 f2,a1(a0)
        (0x24820001, range(0)),  # addiu v0,a0,1
        (0, range(0)),
    ],
)
def test_which_instructions_store(word: int, stored: range) -> None:
    numbers = {4: 0x100, 5: 0x40}
    assert MIPS.stored is not None
    found = MIPS.stored(word.to_bytes(4, "big"), lambda number: numbers.get(number, 0))
    assert list(found) == list(stored)


def test_nothing_is_recorded_that_nobody_watches(machine: BareMachine) -> None:
    routine = machine.program.function("TwoStores")
    place = machine.program.variable("gTotal").address
    assert machine.calls.trace(routine, machine.pristine)[0].stores == {}
    assert machine.calls.trace(routine, machine.pristine, watch=range(place, place))[0].stores == {}
    assert (
        machine.calls.trace(routine, machine.pristine, watch=range(place, place + 8))[0].stores
        == {}
    )


def test_code_that_cannot_be_decoded_is_not_left_out(m68k: BareMachine) -> None:
    count = m68k.cpu.count_instructions
    assert count(bytes.fromhex("4e71")) == 1
    assert count(bytes.fromhex("23fc12345678001000004e75")) == 2
    with pytest.raises(MacproofError, match="cannot be decoded from byte 2 on: ffff4e71"):
        count(bytes.fromhex("4e71ffff4e71"))
