"""The log of accesses: each once, loads before stores, in both processors."""

from __future__ import annotations

from emu.machine.cpu import CPUS
from emu.machine.engine.hosted_engine import HostedEngine
from emu.machine.engine.watch.access_log import AccessLog
from emu.machine.memory.memory import GuestMemory, MemoryRegion

CODE, DATA, ROM = 0x1000, 0x8000, 0x10000
SENTINEL = ROM + 0xFF0
REGIONS = (
    MemoryRegion("code", 0, 0x4000, True, True),
    MemoryRegion("data", DATA, 0x4000, True, False),
    MemoryRegion("rom", ROM, 0x1000, False, True),
)


def logged(cpu: str, code: str, registers: dict[str, int]) -> tuple[HostedEngine, AccessLog]:
    memory = GuestMemory(REGIONS)
    memory.write(CODE, bytes.fromhex(code))
    engine = HostedEngine(CPUS[cpu], memory, SENTINEL)
    log = engine.log_accesses()
    run(engine, registers)
    return engine, log


def run(engine: HostedEngine, registers: dict[str, int]) -> None:
    for name, value in {**registers, "pc": CODE}.items():
        engine.registers[engine.index[name]] = value
    engine.run()


def seen(log: AccessLog) -> list[tuple[int, ...]]:
    return [(place - DATA, size, stores) for place, size, stores in log.take().tolist()]


# move.w (a0),d0; move.w (a0),d0; move.l d0,4(a0); move.b 5(a0),d1; move.b (a0),d1; trap
M68K = "3010 3010 21400004 12280005 1210 a850"


def test_each_access_is_logged_once_and_what_was_stored_is_no_input() -> None:
    engine, log = logged("68040", M68K, {"a0": DATA})
    assert seen(log) == [(0, 2, False), (4, 4, True), (0, 1, False)]
    run(engine, {"a0": DATA + 0x100})
    assert seen(log) == [(0x100, 2, False), (0x104, 4, True), (0x100, 1, False)]
    run(engine, {"a0": DATA})
    assert len(seen(log)) == 3, "the log has forgotten the first run"
    assert not log.is_full


def test_several_words_of_one_powerpc_instruction() -> None:
    # lmw r29,0(r3); stmw r30,16(r3); lwz r4,16(r3); sc
    _, log = logged("601", "bba30000 bfc30010 80830010 44000002", {"r3": DATA})
    assert seen(log) == [
        (0, 4, False), (4, 4, False), (8, 4, False), (16, 4, True), (20, 4, True),
    ]  # fmt: skip


def test_more_accesses_than_there_is_room_for_are_told() -> None:
    memory = GuestMemory([*REGIONS[:1], MemoryRegion("data", 0x100000, 0x20000, True, False)])
    # loop: clr.b (a0)+; subq.l #1,d0; bne loop; trap
    memory.write(CODE, bytes.fromhex("4218 5380 66fa a850"))
    engine = HostedEngine(CPUS["68040"], memory, SENTINEL)
    log = engine.log_accesses()
    run(engine, {"a0": 0x100000, "d0": 70_000})
    assert log.is_full
    assert len(log.take()) == 1 << 16
    assert not log.is_full
    run(engine, {"a0": 0x100000, "d0": 5})
    assert len(log.take()) == 5
