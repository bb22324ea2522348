"""The flags of a PowerPC's XER can be read and written, although the engine's interface cannot."""

from __future__ import annotations

import itertools

import pytest

from emu.machine.cpu import CPUS
from emu.machine.engine.base.models import find_model, open_engine, register_id
from emu.machine.engine.quirks.extended_flags import ExtendedFlags
from emu.machine.memory.memory import PAGE

CPU = CPUS["601"]


@pytest.mark.parametrize("flags", list(itertools.product((0, 1), repeat=3)))
def test_flags_that_are_written_are_read_by_code_and_by_us(flags: tuple[int, ...]) -> None:
    engine = open_engine(CPU, find_model(CPU))
    engine.mem_map(PAGE, PAGE)
    engine.mem_write(PAGE, bytes.fromhex("7c6102a6 7c8103a6"))  # mfxer r3; mtxer r4
    xer = ExtendedFlags(engine, CPU)
    xer.read()
    xer.write(bytes(flags))
    engine.emu_start(PAGE, PAGE + 4)
    value = engine.reg_read(register_id(CPU, "r3"))
    assert tuple(value >> bit & 1 for bit in (31, 30, 29)) == flags == tuple(xer.read())
    engine.reg_write(register_id(CPU, "r4"), ~value & 0xE0000000)
    engine.emu_start(PAGE + 4, PAGE + 8)
    assert tuple(xer.read()) == tuple(1 - flag for flag in flags)
