"""Instructions are counted exactly, whatever stops the engine meanwhile, and can be stopped at."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import pytest

from emu.base.errors import MacproofError
from emu.machine.cpu import CPUS
from emu.machine.engine.hooks.instruction_counter import InstructionCounter, WatchedWord
from emu.machine.engine.hosted_engine import HostedEngine
from emu.machine.engine.stops import Stop, StopKind
from emu.machine.memory.memory import GuestMemory, MemoryRegion
from emu.toolbox.computer.settings import Settings
from emu.toolbox.loader import load
from tests.conftest import ROOT

CODE, DATA, ROM = 0x1000, 0x8000, 0x10000
SENTINEL = ROM + 0xFF0
REGIONS = (
    MemoryRegion("code", 0, 0x4000, True, True),
    MemoryRegion("data", DATA, 0x4000, True, False),
    MemoryRegion("rom", ROM, 0x1000, False, True),
)
MAC_PROGRAMS = ROOT / "tests/programs/mac/prebuilt"
CPU_NAMES = ["68000", "68040", "601"]
ROUNDS = 300


@dataclass(slots=True)
class Looping:
    """A loop with a store, a trap, and an instruction that Python executes; it ends by a trap."""

    engine: HostedEngine
    counter: InstructionCounter
    special: int
    """The address of the instruction that Python executes."""
    store: int
    behind: int
    """How far from the program counter of a stop at a trap the program goes on."""
    seen: list[int] = field(default_factory=list)

    def run(self, disturb: Callable[[], None] = lambda: None) -> int:
        """Run to the end; the count."""
        registers, pc = self.engine.registers, self.engine.index["pc"]
        rounds = 0
        while rounds <= ROUNDS:
            disturb()
            stop = self.engine.run()
            self.seen.append(registers[pc])
            if stop.kind is StopKind.EXCEPTION:
                rounds += 1
                registers[pc] += self.behind
            else:
                assert stop.kind in (StopKind.ASKED, StopKind.WATCHED), stop
        return self.counter.count


def looping(cpu: str) -> Looping:
    memory = GuestMemory(REGIONS)
    if cpu == "601":
        # li r3,0; addi r3,r3,1; mfrtcu r4; stw r3,0(r5); sc; cmpwi r3,ROUNDS; bne; sc
        text = "38600000 38630001 7c8402a6 90650000 44000002 2c03%04x 4082ffec 44000002"
        special, store = CODE + 8, CODE + 12
    else:
        # MOVEQ #0,D0; ADDQ.L #1,D0; ASR.W (A0); MOVE.W D0,(A0); trap; CMPI.L; BNE.S; trap
        text = "7000 5280 e0d0 3080 a850 0c800000%04x 66f0 a851"
        special, store = CODE + 4, CODE + 6
    memory.write(CODE, bytes.fromhex(text % ROUNDS))
    engine = HostedEngine(CPUS[cpu], memory, SENTINEL)
    loop = Looping(engine, engine.count_instructions(), special, store, 2 * (cpu != "601"))
    engine.registers[engine.index["pc"]] = CODE
    engine.registers[engine.index["r5" if cpu == "601" else "a0"]] = DATA
    return loop


@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_each_instruction_is_counted_once(cpu: str) -> None:
    loop = looping(cpu)
    assert loop.run() == 1 + 6 * ROUNDS + 1
    assert len(loop.seen) == ROUNDS + 1


@pytest.mark.parametrize("cpu", CPU_NAMES)
@pytest.mark.parametrize("is_watched", [False, True])
def test_stops_at_any_time_change_no_count(cpu: str, is_watched: bool) -> None:
    loop = looping(cpu)
    if is_watched:
        loop.engine.watch(loop.store)
        loop.engine.watch(loop.special)
    is_over = threading.Event()

    def stop() -> None:
        while not is_over.is_set():
            loop.engine.stop()

    thread = threading.Thread(target=stop)
    thread.start()
    try:
        assert loop.run() == 1 + 6 * ROUNDS + 1
    finally:
        is_over.set()
        thread.join()
    assert len(loop.seen) > ROUNDS + 1 + is_watched * ROUNDS  # it was stopped


@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_a_limit_stops_before_each_instruction(cpu: str) -> None:
    loop, random = looping(cpu), Random(cpu)
    counts: list[int] = []

    def go_further() -> None:
        if loop.counter.count == loop.counter.limit:
            counts.append(loop.counter.count)
        if loop.counter.limit is None or loop.counter.count == loop.counter.limit:
            loop.counter.limit = loop.counter.count + random.choice([1, 1, 2, 7])

    assert loop.run(go_further) == 1 + 6 * ROUNDS + 1
    assert len(counts) > ROUNDS
    assert loop.special in loop.seen  # before what Python executes, too


@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_breakpoints_and_changed_bytes_stop_it(cpu: str) -> None:
    loop = looping(cpu)
    counter, memory = loop.counter, loop.engine.memory
    place = memory.host_address(DATA)
    counter.set_points([loop.special], [WatchedWord(place, 0xFFFF << (16 * (cpu == "601")), 0)])
    registers, pc = loop.engine.registers, loop.engine.index["pc"]
    assert loop.engine.run().kind is StopKind.ASKED
    assert (registers[pc], counter.count, counter.has_changes()) == (loop.special, 2, False)
    counter.pass_points()
    assert loop.engine.run().kind is StopKind.ASKED
    assert (counter.count, counter.has_changes()) == (4, True)  # behind the store
    counter.set_points([], [])
    assert loop.run() == 1 + 6 * ROUNDS + 1


def test_what_several_words_are_stored_at_once_by_is_seen() -> None:
    """Stmw r28,0(r5), of which the engine's hooks on accesses do not tell; sc."""
    memory = GuestMemory(REGIONS)
    memory.write(CODE, bytes.fromhex("bf850000 44000002"))
    engine = HostedEngine(CPUS["601"], memory, SENTINEL)
    counter = engine.count_instructions()
    for name, value in (("pc", CODE), ("r5", DATA), ("r30", 0xFF)):
        engine.registers[engine.index[name]] = value
    counter.set_points([], [WatchedWord(memory.host_address(DATA + 8), (1 << 64) - 1, 0)])
    assert engine.run().kind is StopKind.ASKED
    assert (counter.count, counter.has_changes()) == (1, True)


@pytest.mark.parametrize("cpu", ["68000", "68040"])
def test_privileged_instructions_are_noted_all_the_same(cpu: str) -> None:
    # MOVE #$2700,SR; MOVEQ #1,D0; MOVE #$2000,SR; trap; MOVE #$2000,SR, which is not reached
    memory = GuestMemory(REGIONS)
    memory.write(CODE, bytes.fromhex("46fc2700 7001 46fc2000 a850 46fc2000"))
    engine = HostedEngine(CPUS[cpu], memory, SENTINEL)
    counter = engine.count_instructions()
    engine.registers[engine.index["pc"]] = CODE
    assert engine.run().kind is StopKind.EXCEPTION
    assert set(engine.special.execution.privileged) == {CODE, CODE + 6}
    assert counter.count == 4


@pytest.mark.parametrize("cpu", ["68000", "68040"])
def test_a_look_at_the_flags_changes_nothing(cpu: str) -> None:
    # MOVEQ #9,D0; SUBQ.L #4,D0; ADDX.L D1,D1; ROXL.L #3,D2; CMP.L D0,D1; BHI.S +2; ADDQ.L #5,D2
    # BVC.S +2; NOT.L D1; ADDQ.L #1,D3; CMPI.L #200,D3; BNE.S back; trap
    text = "7009 5980 d381 e7b2 b280 6202 5a82 6802 4681 5283 0c83000000c8 66e8 a850"

    def run(looks: bool) -> list[int]:
        memory = GuestMemory(REGIONS)
        memory.write(CODE, bytes.fromhex(text))
        engine = HostedEngine(CPUS[cpu], memory, SENTINEL)
        counter = engine.count_instructions()
        engine.registers[engine.index["pc"]] = CODE
        flags = set()
        stop = Stop(StopKind.ASKED)
        while stop.kind is StopKind.ASKED:
            counter.limit = counter.count + 1
            stop = engine.run()
            if looks:
                flags.add(engine.flags() & 0x1F)
        assert stop.kind is StopKind.EXCEPTION
        assert len(flags) > 5 or not looks
        return [counter.count, *engine.registers]

    assert run(looks=True) == run(looks=False)


def _run_mac(
    cpu: str, program: str, *, stops: bool = False, counts: bool = True
) -> tuple[int, list[str], bytes]:
    folder = "601" if cpu == "601" else "68000"
    mac = load(MAC_PROGRAMS / folder / f"{program}.bin", cpu, settings=Settings(keep_log=True))
    counter = mac.engine.count_instructions() if counts else None
    is_over, random = threading.Event(), Random(7)

    def stop() -> None:
        while not is_over.wait(random.random() / 2000):
            mac.engine.stop()

    thread = threading.Thread(target=stop)
    if stops:
        thread.start()
    try:
        mac.run()
    except MacproofError as error:  # nobody clicks
        assert "quit" in str(error) or "wait" in str(error), error
    finally:
        is_over.set()
        if stops:
            thread.join()
    assert mac.log is not None
    count = 0 if counter is None else counter.count
    return count, [str(call) for call in mac.log.calls], mac.guest.memory.buffer.tobytes()


@pytest.mark.parametrize(
    "program",
    ["drawing", *(pytest.param(name, marks=pytest.mark.slow) for name in ("callbacks", "floats"))],
)
@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_a_whole_program_counts_the_same_each_time(cpu: str, program: str) -> None:
    counted = _run_mac(cpu, program)
    assert counted[0] > 2000
    assert _run_mac(cpu, program, stops=True) == counted
    assert _run_mac(cpu, program, counts=False)[1:] == counted[1:]
