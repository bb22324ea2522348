"""What is noted of an engine's accesses to memory, instruction by instruction."""

from __future__ import annotations

import pytest
import unicorn
from unicorn import unicorn_const

from emu.machine.cpu import CPUS
from emu.machine.engine.base.models import find_model, map_memory, open_engine, register_id
from emu.machine.engine.watch.accesses import (
    NO_POISON,
    REPLACED,
    UNDEFINED,
    Accesses,
    AccessKind,
    ByteReplacement,
    StackPlace,
)
from emu.machine.memory.memory import GuestMemory, MemoryRegion

CODE, DATA, STACK = 0x1000, 0x2000, 0x4000
PLACE = DATA + 0x40
REGIONS = (
    MemoryRegion("code", CODE, 0x1000, writable=False, executable=True),
    MemoryRegion("data", DATA, 0x1000, writable=True, executable=False),
    MemoryRegion("stack", STACK, 0x1000, writable=True, executable=False),
)


class Bench:
    """A processor whose pointer register (A0 or r4) leads to undefined memory."""

    def __init__(self, cpu: str, code: str, pointer: int = PLACE) -> None:
        self.memory = GuestMemory(REGIONS)
        self.memory.write(CODE, bytes.fromhex(code))
        self.engine = open_engine(CPUS[cpu], find_model(CPUS[cpu]))
        map_memory(self.engine, self.memory)
        self.accesses = Accesses(CPUS[cpu], self.memory, StackPlace(STACK, STACK + 0x800, 0))
        self.accesses.shadow[:] = UNDEFINED
        self.accesses.attach(self.engine)
        self.accesses.begin(3, NO_POISON)
        names = ("a0", "a7") if cpu.startswith("68") else ("r4", "r1")
        for name, value in zip(names, (pointer, STACK + 0x800), strict=True):
            self.engine.reg_write(register_id(CPUS[cpu], name), value)
        self.size = len(bytes.fromhex(code))

    def run(self) -> list[tuple[AccessKind, int, int]]:
        self.engine.emu_start(CODE, CODE + self.size)
        return [(one.kind, one.address, one.size) for one in self.accesses.noted()]

    def defined(self) -> list[int]:
        shadow = self.accesses.shadow
        return [int(place) + CODE - PLACE for place in (shadow & UNDEFINED == 0).nonzero()[0]]


STORES = {
    "move.b d0,(a0)": ("68000", "1080", 1),
    "movem.l d0-d1,(a0)": ("68040", "48d00003", 8),
    "stw r3,0(r4)": ("601", "90640000", 4),
    "stfd f1,0(r4)": ("601", "d8240000", 8),
    "stmw r29,0(r4)": ("601", "bfa40000", 12),
    "stswi r3,r4,7": ("601", "7c643daa", 7),
    "dcbz 0,r4": ("601", "7c0027ec", 32),
}


@pytest.mark.parametrize("name", STORES)
def test_a_store_makes_its_bytes_defined(name: str) -> None:
    cpu, code, size = STORES[name]
    bench = Bench(cpu, code)
    assert bench.run() == []
    assert bench.defined() == list(range(size))


LOADS = {
    "move.l (a0),d0": ("68040", "2010", 4),
    "lwz r3,0(r4)": ("601", "80640000", 4),
    "lmw r31,0(r4)": ("601", "bbe40000", 4),
}


@pytest.mark.parametrize("name", LOADS)
def test_a_load_of_undefined_bytes_is_noted_and_can_find_others(name: str) -> None:
    cpu, code, size = LOADS[name]
    bench = Bench(cpu, code)
    bench.accesses.replace(ByteReplacement(0x00, 0xFF))
    assert bench.run() == [(AccessKind.READ_UNDEFINED, PLACE, size)]
    assert bench.memory.view(PLACE, 5).tolist() == [0xFF] * size + [0] * (5 - size)
    assert (bench.accesses.shadow & REPLACED != 0).sum() == size
    assert bench.accesses.noted()[0].call == 3


@pytest.mark.parametrize(("cpu", "is_noted"), [("68000", True), ("68040", False)])
def test_odd_addresses_are_noted_of_a_68000(cpu: str, is_noted: bool) -> None:
    noted = Bench(cpu, "2080", PLACE + 1).run()
    assert noted == [(AccessKind.MISALIGNED, PLACE + 1, 4)] * is_noted


def test_the_digest_tells_addresses_apart() -> None:
    digests = []
    for pointer in (PLACE, PLACE, PLACE + 2):
        bench = Bench("68040", "2080", pointer)
        bench.run()
        digests.append(bench.accesses.digest)
    assert digests[0] == digests[1] != digests[2]


@pytest.mark.parametrize("code", ["bfa40000", "bba40000", "7c643daa", "7c0027ec"])
def test_the_engine_does_not_report_accesses_of_several_words(code: str) -> None:
    """If it does one day, `multiple_hook` must go: each would be noted twice."""
    engine = open_engine(CPUS["601"], find_model(CPUS["601"]))
    engine.mem_map(CODE, 0x4000)
    engine.mem_write(CODE, bytes.fromhex(code))
    engine.reg_write(register_id(CPUS["601"], "r4"), PLACE)
    seen: list[int] = []

    def note(uc: unicorn.Uc, kind: int, address: int, *_: object) -> None:
        seen.append(address)

    engine.hook_add(unicorn_const.UC_HOOK_MEM_READ | unicorn_const.UC_HOOK_MEM_WRITE, note)
    engine.emu_start(CODE, CODE + 4)
    assert seen == []
