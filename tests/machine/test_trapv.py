"""TRAPV, which the engine takes for an illegal instruction: it traps only where V is set."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from emu.machine import CPUS, BareMachine, Budget, GuestFault
from emu.machine.cpu import Cpu
from emu.machine.engine.hosted_engine import HostedEngine
from emu.machine.engine.stops import StopKind
from emu.machine.memory.memory import GuestMemory, MemoryRegion
from tests.machine.routines import program

ROUTINES = {
    # MOVEQ #5,D0; SUBQ.L #6,D0; TRAPV; SCS D0 (carry); EXT.W; EXT.L; RTS
    "Passes": "7005 5d80 4e76 55c0 4880 48c0 4e75",
    # MOVE.L #$7FFFFFFF,D0; ADDQ.L #1,D0; TRAPV; MOVEQ #0,D0; RTS
    "Traps": "203c7fffffff 5280 4e76 7000 4e75",
    # MOVE.W #n,D1; MOVEQ #0,D0; loop: ADDQ.L #1,D0; TRAPV; DBRA D1,loop; RTS
    "Loops": "323c01ff 7000 5280 4e76 51c9fffa 4e75",
    # loop: TRAPV; BRA.S loop, with V clear
    "Endless": "4200 4e76 60fc",
    "Illegal": "4afc 4e75",
}


@pytest.fixture(params=["68000", "68040"])
def cpu(request: pytest.FixtureRequest) -> Cpu:
    return CPUS[request.param]


@pytest.fixture
def machine(cpu: Cpu) -> BareMachine:
    return BareMachine(program("m68k", ROUTINES, {}, b""), cpu)


def test_without_overflow_nothing_happens(machine: BareMachine) -> None:
    """And no flag or register is changed: the carry of the subtraction is seen afterwards."""
    assert machine.call("Passes") == 0xFFFFFFFF
    assert machine.call("Loops") == 512
    trace, registers = machine.calls.trace(machine.program.function("Loops"), machine.pristine)
    assert trace.completed
    assert registers["d0"] == 512
    # Two of the gate; the beginning, up to TRAPV; DBRA; ADDQ and TRAPV; RTS.
    assert trace.blocks == 2 + 1 + 512 + 511 + 1
    assert machine.calls.instructions(trace) == 2 + 3 * 512 + 1


def test_with_overflow_it_traps(machine: BareMachine) -> None:
    with pytest.raises(GuestFault) as caught:
        machine.call("Traps")
    fault = caught.value.fault
    assert (fault.kind, fault.reason) == ("exception", "processor exception: TRAPV overflow")
    assert (fault.location.symbol, fault.location.offset) == ("Traps", 8)
    assert fault.registers["d0"] == 0x80000000


def test_an_illegal_instruction_is_one(machine: BareMachine) -> None:
    with pytest.raises(GuestFault, match="illegal instruction"):
        machine.call("Illegal")


def test_a_loop_of_it_keeps_to_the_budget(machine: BareMachine) -> None:
    machine.budget = Budget(blocks=500, patience=0.01)
    with pytest.raises(GuestFault) as caught:
        machine.call("Endless")
    assert caught.value.fault.reason == "it did not return within 500 blocks"
    assert machine.call("Passes") == 0xFFFFFFFF


def test_calls_that_are_counted(machine: BareMachine) -> None:
    before = machine.pristine[np.newaxis]
    edges = machine.calls.count(machine.program.function("Loops"), before)
    start = machine.program.function("Loops")
    assert edges["count"][edges["address"] == start + 10].sum() == 512


@pytest.mark.parametrize("counts", [False, True])
def test_stops_in_a_loop_of_it(cpu: Cpu, counts: bool) -> None:
    """A stop may come while the engine finds out whether it traps."""
    memory = GuestMemory(
        [
            MemoryRegion("code", 0x1000, 0x1000, True, True),
            MemoryRegion("rom", 0x4000, 0x1000, False, True),
        ]
    )
    # loop: ADDQ.L #1,(A0); TRAPV; DBRA D1,loop; A-line trap
    memory.write(0x1000, bytes.fromhex("5290 4e76 51c9fffa a850"))
    engine = HostedEngine(cpu, memory, 0x4FF0)
    if counts:
        engine.count_edges()
    for name, value in (("pc", 0x1000), ("a0", 0x1800), ("d1", 4999)):
        engine.registers[engine.index[name]] = value
    ended, asked = threading.Event(), 0

    def stop_often() -> None:
        while not ended.wait(0.0001):
            engine.stop()

    stopper = threading.Thread(target=stop_often)
    stopper.start()
    while (stop := engine.run()).kind is StopKind.ASKED:
        asked += 1
    ended.set()
    stopper.join()
    assert (stop.kind, stop.number) == (StopKind.EXCEPTION, 10)
    assert asked > 5, "it was hardly ever stopped, so nothing was tested"
    assert memory.view(0x1800, 4).tobytes() == (5000).to_bytes(4, "big")


@pytest.mark.parametrize("overflow", [False, True])
def test_a_whole_program(cpu: Cpu, overflow: bool) -> None:
    memory = GuestMemory(
        [
            MemoryRegion("code", 0x1000, 0x1000, True, True),
            MemoryRegion("rom", 0x4000, 0x1000, False, True),
        ]
    )
    # MOVEQ #5,D0; SUBQ.L #6,D0 or ADD.L #$80000000,D0 twice; TRAPV; A-line trap
    code = "203c80000000 d080 4e76 a850" if overflow else "7005 5d80 4e76 a850"
    memory.write(0x1000, bytes.fromhex(code))
    engine = HostedEngine(cpu, memory, 0x4FF0)
    engine.registers[engine.index["pc"]] = 0x1000
    stop = engine.run()
    assert stop.kind is StopKind.EXCEPTION
    place = engine.registers[engine.index["pc"]]
    assert (stop.number, place) == ((7, 0x1008) if overflow else (10, 0x1006))
