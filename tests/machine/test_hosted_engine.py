"""A whole program from stop to stop: what stops it, what the host sees, and how it goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

from emu.machine.cpu import CPUS
from emu.machine.engine.hosted_engine import HostedEngine
from emu.machine.engine.stops import StopKind
from emu.machine.memory.memory import GuestMemory, MemoryRegion

CODE, DATA, ROM = 0x1000, 0x8000, 0x10000
SENTINEL = ROM + 0xFF0
REGIONS = (
    MemoryRegion("code", 0, 0x4000, True, True),
    MemoryRegion("data", DATA, 0x4000, True, False),
    MemoryRegion("rom", ROM, 0x1000, False, True),
)
Start = Callable[[str, str], HostedEngine]


@pytest.fixture
def start() -> Start:
    def begin(cpu: str, code: str) -> HostedEngine:
        memory = GuestMemory(REGIONS)
        memory.write(CODE, bytes.fromhex(code))
        engine = HostedEngine(CPUS[cpu], memory, SENTINEL)
        engine.registers[engine.index["pc"]] = CODE
        engine.registers[engine.index["a7" if cpu != "601" else "r1"]] = DATA + 0x2000
        return engine

    return begin


def register(engine: HostedEngine, name: str) -> int:
    return int(engine.registers[engine.index[name]])


@pytest.mark.parametrize("cpu", ["68000", "68040"])
def test_consecutive_traps_stop_at_their_words_and_nothing_after_is_executed(
    start: Start, cpu: str
) -> None:
    # MOVEQ #1,D0; trap; trap; ADDQ.L #1,D0; trap
    engine = start(cpu, "7001 a850 a851 5280 a852")
    seen = []
    for _ in range(3):
        stop = engine.run()
        assert (stop.kind, stop.number) == (StopKind.EXCEPTION, 10)
        seen.append((register(engine, "pc") - CODE, register(engine, "d0")))
        engine.registers[engine.index["pc"]] += 2
    assert seen == [(2, 1), (4, 1), (8, 2)]


def test_condition_codes_survive_a_stop(start: Start) -> None:
    # MOVEQ #5,D0; CMPI.W #5,D0; trap; BEQ.S +2; MOVEQ #1,D1; trap
    engine = start("68040", "7005 0c400005 a850 6702 7201 a851")
    engine.run()
    engine.registers[engine.index["pc"]] += 2
    engine.run()
    assert register(engine, "d1") == 0


def test_a_system_call_stops_behind_it(start: Start) -> None:
    # li r3,7; sc; addi r3,r3,1; sc
    engine = start("601", "38600007 44000002 38630001 44000002")
    stop = engine.run()
    assert (stop.kind, stop.number) == (StopKind.EXCEPTION, 8)
    assert (register(engine, "pc"), register(engine, "r3")) == (CODE + 8, 7)
    engine.registers[engine.index["r3"]] = 41
    engine.run()
    assert register(engine, "r3") == 42


@pytest.mark.parametrize(
    ("code", "access", "reason", "address"),
    [
        ("20390000f000", "read", "unmapped memory", 0xF000),
        ("23c000010000", "write", "memory that may not be written", ROM),
        ("4ef900008000", "fetch", "memory that may not be executed", DATA),
        ("4ef900006000", "fetch", "unmapped memory", 0x6000),
    ],
)
def test_a_bad_access_is_named(
    start: Start, code: str, access: str, reason: str, address: int
) -> None:
    stop = start("68040", code).run()
    assert stop.kind is StopKind.FAULT
    assert stop.bad_access is not None
    assert (stop.bad_access.access, stop.bad_access.reason) == (access, reason)
    assert stop.bad_access.address == address


def test_the_sentinel_ends_a_run(start: Start) -> None:
    assert start("68040", f"4ef9{SENTINEL:08x}").run().kind is StopKind.RETURNED


def test_a_watched_instruction_is_stopped_at_every_time(start: Start) -> None:
    # MOVEQ #0,D0; loop: ADDQ.L #1,D0; BRA.S loop
    engine = start("68040", "7000 5280 60fc")
    engine.watch(CODE + 2)
    counts = []
    for _ in range(3):
        assert engine.run().kind is StopKind.WATCHED
        counts.append(register(engine, "d0"))
    assert counts == [0, 1, 2]
    engine.unwatch(CODE + 2)
    while register(engine, "d0") < 1000:  # a stop may come before the run has begun
        threading.Timer(0.01, engine.stop).start()
        assert engine.run().kind is StopKind.ASKED


def test_a_run_that_was_asked_to_stop_goes_on(start: Start) -> None:
    # loop: ADDQ.L #1,D0; CMPI.L #20000000,D0; BNE.S loop; trap
    engine = start("68040", "5280 0c8001312d00 66f6 a850")
    asked, is_over = 0, threading.Event()

    def keep_asking() -> None:
        while not is_over.wait(0.002):
            engine.stop()

    thread = threading.Thread(target=keep_asking)
    thread.start()
    while (stop := engine.run()).kind is StopKind.ASKED:
        asked += 1
    is_over.set()
    thread.join()
    assert stop.kind is StopKind.EXCEPTION
    assert register(engine, "d0") == 20_000_000
    assert asked, "it was never stopped, so nothing was tested"


# In each loop an instruction changes what it depends on: doing it twice makes a difference.
# loop: lwz r12,0(r12); addi r3,r3,1; cmpw r3,r4; bne loop; sc
CHASE = "818c0000 38630001 7c032000 4082fff4 44000002"
# loop: ADDQ.L #1,(A0); ADDQ.L #1,D0; CMP.L D0,D1; BNE.S loop; trap
INCREMENT = "5290 5280 b280 66f8 a850"
ROUNDS, RING = 3_000_000, 1009


@pytest.mark.parametrize("cpu", ["601", "68040"])
def test_a_stop_is_between_instructions(start: Start, cpu: str) -> None:
    """The engine itself stops in the middle of an instruction and later begins it again."""
    engine = start(cpu, CHASE if cpu == "601" else INCREMENT)
    words = engine.memory.view(DATA, 4 * RING).view(">u4")
    if cpu == "601":  # each word leads to the next, the last to the first
        words[:] = DATA + 4 * ((np.arange(RING) + 1) % RING)
    before = {"r12": DATA, "r4": ROUNDS} if cpu == "601" else {"a0": DATA, "d1": ROUNDS}
    for name, value in before.items():
        engine.registers[engine.index[name]] = value
    ended = threading.Event()

    def stop_often() -> None:
        while not ended.wait(0.0002):
            engine.stop()

    stopper = threading.Thread(target=stop_often)
    stopper.start()
    asked = 0
    while (stop := engine.run()).kind is StopKind.ASKED:
        asked += 1
    ended.set()
    stopper.join()
    assert stop.kind is StopKind.EXCEPTION
    assert asked > 10, "it was hardly ever stopped, so nothing was tested"
    if cpu == "601":
        assert register(engine, "r12") == DATA + 4 * (ROUNDS % RING)
    else:
        assert words[0] == ROUNDS


def test_code_that_the_host_overwrites_is_executed_as_it_is_now(start: Start) -> None:
    memory_code = "7001 a850"
    engine = start("68040", memory_code)
    engine.run()
    engine.memory.write(CODE, bytes.fromhex("7002"))
    engine.forget_code(CODE, 2)
    engine.registers[engine.index["pc"]] = CODE
    engine.run()
    assert register(engine, "d0") == 2


def test_code_is_forgotten_where_only_its_second_page_has_changed(start: Start) -> None:
    engine = start("68040", "4e71")
    engine.memory.write(0x1FFE, bytes.fromhex("7001 7207 a850"))
    for value in (7, 8):
        engine.memory.write(0x2000, bytes([0x72, value]))
        engine.forget_code(0x2000, 2)
        engine.registers[engine.index["pc"]] = 0x1FFE
        engine.run()
        assert register(engine, "d1") == value


def test_to_forget_what_was_never_executed_makes_no_code_of_it(start: Start) -> None:
    engine = start("68040", "7001 a850")
    engine.run()
    engine.forget_code(0x2800, 0x100)
    engine.forget_code(CODE, 0x1000)
    engine.forget_code(CODE + 2, 0)
    assert [engine.pages.has_code(page) for page in (0x1000, 0x2000)] == [True, False]


def test_a_run_that_begins_at_a_watched_instruction_stops_there(start: Start) -> None:
    engine = start("68040", "7001 a850")
    engine.watch(CODE)
    assert engine.run().kind is StopKind.WATCHED
    assert engine.run().kind is StopKind.EXCEPTION  # what it has stopped at is passed
    engine.registers[engine.index["pc"]] = CODE
    assert engine.run().kind is StopKind.WATCHED


@pytest.mark.parametrize("counts", [False, True])
def test_a_limit_of_code_ends_a_run_at_the_same_place_each_time(start: Start, counts: bool) -> None:
    """ADDQ.L #1,D0; BRA.S back: a round of 4 bytes. How long that takes is of no matter."""
    rounds = []
    for _ in range(2):
        engine = start("68040", "5280 60fc")
        if counts:
            engine.count_edges()[0].expect_prices(np.inf, 1.0)
        engine.limit_code(40_000)
        assert engine.run().kind is StopKind.ASKED
        assert engine.code_left <= 0
        rounds.append(register(engine, "d0"))
        engine.limit_code(400)
        assert engine.run().kind is StopKind.ASKED
        assert register(engine, "d0") == rounds[-1] + 100
    assert rounds == [10_000, 10_000]


def test_an_instruction_that_python_executes_counts_as_much_code(start: Start) -> None:
    # MOVEP.L D0,0(A0); BRA.S back
    engine = start("68040", "01c80000 60fa")
    engine.registers[engine.index["a0"]] = DATA
    engine.limit_code(400_000)
    assert engine.run().kind is StopKind.ASKED
    assert engine.code_left <= 0


def test_a_stop_before_instructions_of_the_fpu_that_python_executes_is_a_stop(start: Start) -> None:
    """UMBRAPHILE never ended: the stop was put off to a block, and none came."""
    # FMOVE.L FPSR,D0; loop: FABS.X FP1,FP3, twice; ADDQ.L #1,D1; BRA.S loop
    engine = start("68040", "f200a800 f2000598 f2000598 5281 60f4")
    for _ in range(20):
        engine.limit_code(90_000)
        before = register(engine, "d1")
        assert engine.run().kind is StopKind.ASKED
        assert engine.code_left <= 0
        assert 0 < register(engine, "d1") - before < 20
    counted = register(engine, "d1")
    for _ in range(20):
        engine.stop()
        assert engine.run().kind is StopKind.ASKED
    assert register(engine, "d1") - counted < 20
