"""Stores of several words at once, of which the engine does not tell, are told all the same."""

from __future__ import annotations

import pytest

from emu.machine import CPUS
from emu.machine.engine.hosted_engine import HostedEngine
from emu.machine.engine.traced_engine import TracedEngine
from emu.machine.engine.watch.trace import Trace
from emu.machine.memory.memory import GuestMemory, MemoryRegion

CODE, DATA = 0x10000, 0x20000
LOAD = "3c80000260840012"  # lis r4,2; ori r4,r4,0x12: r4 is 0x20012
VALUES = "3ba0111138601234"  # li r29,0x1111; li r3,0x1234

STORES = {
    "stmw r29,-2(r4)": ("bfa4fffe", range(0x20010, 0x2001C)),
    "stswi r3,r4,7": ("7c643daa", range(0x20012, 0x20019)),
    "stswi r30,r4,32": ("7fc405aa", range(0x20012, 0x20032)),
    "dcbz 0,r4": ("7c0027ec", range(0x20000, 0x20020)),
    "lmw r31,2(r4)": ("bbe40002", range(0)),
}


def memory_with(code: str) -> GuestMemory:
    memory = GuestMemory(
        [
            MemoryRegion("code", CODE, 0x1000, False, True),
            MemoryRegion("data", DATA, 0x1000, True, False),
        ]
    )
    memory.write(CODE, bytes.fromhex(code))
    memory.view(DATA, 0x1000).fill(0xA5)
    return memory


def traced(memory: GuestMemory, code: str, watch: range) -> Trace:
    until = CODE + len(code) // 2
    engine = TracedEngine(CPUS["601"], memory)
    return engine.run(CODE, until, blocks=9, seconds=9, watch=watch, has_history=True)[0]


@pytest.mark.parametrize("name", STORES)
def test_a_traced_run_tells_what_was_stored(name: str) -> None:
    instruction, stored = STORES[name]
    code = LOAD + VALUES + instruction
    memory = memory_with(code)
    trace = traced(memory, code, range(DATA, DATA + 0x1000))
    assert trace.completed
    assert trace.stores == dict.fromkeys(stored, CODE + 16)
    told = memory_with(code)
    for one in trace.history:
        told.write(one.address, one.data)
    assert (told.buffer == memory.buffer).all()


@pytest.mark.parametrize("name", STORES)
def test_a_run_with_the_toolbox_tells_it_too(name: str) -> None:
    instruction, stored = STORES[name]
    code = LOAD + VALUES + instruction
    engine = HostedEngine(CPUS["601"], memory_with(code), CODE + len(code) // 2)
    engine.begin(CODE)
    with engine.watched_accesses.noting_stores(range(DATA, DATA + 0x1000)) as stores:
        engine.run()
    assert stores == dict.fromkeys(stored, CODE + 16)


def test_only_watched_addresses_count() -> None:
    code = LOAD + VALUES + STORES["stmw r29,-2(r4)"][0]
    trace = traced(memory_with(code), code, range(0x20015, 0x20016))
    assert trace.stores == {0x20015: CODE + 16} and len(trace.history) == 1
    trace = traced(memory_with(code), code, range(0x20030, 0x20031))
    assert trace.stores == {} and trace.history == ()
