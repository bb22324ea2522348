"""Traced calls: what they count is checked against counting instruction by instruction."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import unicorn
from unicorn import unicorn_const

from emu.errors import MacproofError
from emu.machine import CPUS, Machine
from emu.machine.engine import models
from emu.program import read_elf

NewMachine = Callable[..., Machine]

PREBUILT = Path(__file__).parents[2] / "mac_src" / "prebuilt"
FOUR_SHIFTS = sorted(PREBUILT.glob("four-shifts-*.elf"))


def count_one_by_one(machine: Machine, routine: str, before: Any, *arguments: int) -> int:
    """Run a call once more in an engine of its own, with a hook on every instruction."""
    start, until = machine._prepare_gate(machine.program.function(routine))
    for part, memory in machine._image_pieces():
        memory[:] = before[part]
    machine._frame[:] = machine._contract.before_call(arguments)
    engine = models.open_engine(machine.cpu, models.find_model(machine.cpu))
    models.map_memory(engine, machine.memory)
    gate = machine.memory.region("gate")
    count = 0

    def on_instruction(uc: unicorn.Uc, address: int, size: int, _: object) -> None:
        nonlocal count
        count += address not in gate

    engine.hook_add(unicorn_const.UC_HOOK_CODE, on_instruction)
    engine.emu_start(start, until)
    assert machine._contract.returned(machine._frame.reshape(1, -1)).all()
    return count


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
    machine: Machine, routine: str, arguments: tuple[int, ...]
) -> None:
    trace, _ = machine.trace(machine.program.function(routine), machine.pristine, arguments)
    assert trace.completed
    expected = count_one_by_one(machine, routine, machine.pristine, *arguments)
    assert machine.instructions(trace) == expected > 0


@pytest.mark.parametrize("path", FOUR_SHIFTS, ids=lambda path: path.stem)
def test_instructions_of_a_real_routine_in_every_build(path: Path) -> None:
    machine = Machine(read_elf(path), CPUS[path.stem.split("-")[2]])
    objects = machine.globals["gObjects"]
    objects["x"][:20] = range(0, 200, 10)
    objects["y"][:20] = range(300, 100, -10)
    kind = machine.program.variable("gObjects")
    size = kind.type.dtype.itemsize
    objects["obj_link"][:19] = range(kind.address + size, kind.address + 20 * size, size)
    before = machine.image()
    routine = "_DetermineCollisions"
    trace, _ = machine.trace(machine.program.function(routine), before)
    assert trace.completed
    assert machine.globals["gCollisionArray"][:20].all(), "each object touches the next"
    expected = count_one_by_one(machine, routine, before)
    assert machine.instructions(trace) == expected > 5_000


def test_there_are_prebuilt_programs_to_count() -> None:
    assert {path.stem.split("-")[2] for path in FOUR_SHIFTS} == {"68000", "68040", "601"}


def test_block_counts(machine: Machine) -> None:
    address = machine.program.function("Recurse")
    trace, registers = machine.trace(address, machine.pristine, (9,))
    entries = sum(count for (start, _), count in trace.block_counts.items() if start == address)
    assert entries == 10
    assert trace.blocks == sum(trace.block_counts.values())
    assert len(trace.last_blocks) == 12
    assert list(registers) == list(machine.cpu.general_registers)
    again, _ = machine.trace(address, machine.pristine, (9,))
    assert again == trace, "a traced call is the same every time"


def test_a_traced_call_leaves_memory_as_the_call_did(machine: Machine) -> None:
    machine.trace(machine.program.function("Bump"), machine.pristine)
    assert machine.globals["gCounter"] == 8


def test_the_last_store_to_an_address_is_named(machine: Machine) -> None:
    routine = machine.program.function("TwoStores")
    # Of three stores the first and the last go to gSink: 10 bytes each on 68K, and on PowerPC
    # 4 each after two instructions that load addresses.
    third, second = (20, 10) if machine.cpu.name == "68040" else (16, 12)
    for name, offset in (("gSink", third), ("gCounter", second)):
        place = machine.program.variable(name).address
        watch = range(place, place + 4)
        trace, _ = machine.trace(routine, machine.pristine, watch=watch)
        assert trace.stores == dict.fromkeys(watch, routine + offset)


def test_watching_one_byte_sees_the_store_around_it(machine: Machine) -> None:
    routine = machine.program.function("TwoStores")
    place = machine.program.variable("gCounter").address + 2
    trace, _ = machine.trace(routine, machine.pristine, watch=range(place, place + 1))
    assert list(trace.stores) == [place]


def test_nothing_is_recorded_that_nobody_watches(machine: Machine) -> None:
    routine = machine.program.function("TwoStores")
    place = machine.program.variable("gTotal").address
    assert machine.trace(routine, machine.pristine)[0].stores == {}
    assert machine.trace(routine, machine.pristine, watch=range(place, place))[0].stores == {}
    assert machine.trace(routine, machine.pristine, watch=range(place, place + 8))[0].stores == {}


def test_code_that_cannot_be_decoded_is_not_left_out(m68k: Machine) -> None:
    count = m68k.cpu.count_instructions
    assert count(bytes.fromhex("4e71")) == 1
    assert count(bytes.fromhex("23fc12345678001000004e75")) == 2
    with pytest.raises(MacproofError, match="cannot be decoded from byte 2 on: ffff4e71"):
        count(bytes.fromhex("4e71ffff4e71"))
