"""Instructions that the engine must not execute are stopped at, or executed in its place."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import unicorn

from emu.machine import CPUS, BareMachine, Budget, GuestFault
from emu.machine.engine.hosted_engine import HostedEngine
from emu.machine.engine.stops import StopKind
from emu.machine.memory.memory import GuestMemory, MemoryRegion
from tests.machine import routines

NewMachine = Callable[..., BareMachine]

CODE, DATA, SENTINEL = 0x1000, 0x8000, 0x10FF0
RETURN = {"68000": "4e75", "68040": "4e75", "601": "4e800020"}
REFUSED = [
    ("68040", "4848", "BKPT #0"),
    ("68040", "484f", "BKPT #7"),
    ("68040", "f2a0 0002", "a conditional of the FPU with predicate 32, the last being 31"),
    ("68040", "f2ff 0000 0004", "a conditional of the FPU with predicate 63, the last being 31"),
    ("68040", "f240 7fff", "a conditional of the FPU with predicate 63, the last being 31"),
    ("68040", "f200 4800", "an FPU instruction with an extended number in D0"),  # FMOVE.X D0,FP0
    ("68040", "f207 7480", "an FPU instruction with a double number in D7"),  # FMOVE.D FP1,D7
    ("68040", "4e7a 0802", "MOVEC with control register 0x802"),
    ("68040", "4e7b ffff", "MOVEC with control register 0xfff"),
    ("601", "7c7403a6", "mtspr 20,r3, which sets RTCU"),
    ("601", "7c7503a6", "mtspr 21,r3, which sets RTCL"),
]


def with_code(machine: BareMachine, code: str) -> BareMachine:
    """A machine that has not run yet, with code of ours where `Bump` was."""
    machine.memory.write(machine.program.function("Bump"), bytes.fromhex(code))
    return machine


def test_a_trap_on_no_condition_is_passed_over_with_its_operand() -> None:
    # trapf; moveq #1,d0; trapf.w #$700a; moveq #2,d1; trapf.l #$700b720c; moveq #3,d2; trap
    engine = hosted("68040", "51fc 7001 51fa700a 7202 51fb700b720c 7403 a000")
    assert engine.run().kind is StopKind.EXCEPTION  # the trap
    index, registers = engine.index, engine.registers
    assert [registers[index[name]] for name in ("d0", "d1", "d2")] == [1, 2, 3]


@pytest.mark.parametrize("cpu", ["68000", "68040"])
def test_a_word_that_code_stores_ahead_of_itself_is_executed_as_it_is_then(cpu: str) -> None:
    """An interpreter of p-code stores the trap that it is about to call."""
    # lea place(pc),a1; move.w d1,(a1); place: $0000, which with the next word is ori.b #$7401,d0;
    # moveq #1,d2; trap
    engine = hosted(cpu, "43fa 0004 3281 0000 7401 a000")
    registers, index = engine.registers, engine.index
    for word, expected in ((0x7605, 5), (0x7606, 6)):  # moveq #5,d3; moveq #6,d3
        registers[index["pc"]], registers[index["d1"]], registers[index["d2"]] = CODE, word, 0
        assert engine.run().kind is StopKind.EXCEPTION  # the trap
        assert [registers[index[name]] for name in ("d2", "d3")] == [1, expected]


@pytest.mark.parametrize(("cpu", "code", "title"), REFUSED)
def test_what_would_bring_the_engine_down_is_named(
    new_machine: NewMachine, cpu: str, code: str, title: str
) -> None:
    nop = "4e71" if cpu == "68040" else "60000000"
    machine = with_code(new_machine(cpu), f"{nop} {code} {nop} {RETURN[cpu]}")
    with pytest.raises(GuestFault) as caught:
        machine.call("Bump")
    fault = caught.value.fault
    assert fault.kind == "engine"
    assert fault.reason == f"the engine cannot execute {title}, so this decides nothing"
    size = len(bytes.fromhex(nop))
    assert fault.location.address == machine.program.function("Bump") + size
    assert fault.location.symbol.startswith("Bump")
    assert machine.call("First") == 1, "the machine can be used again"


def test_a_68000_has_no_bkpt_and_its_engine_says_so(new_machine: NewMachine) -> None:
    machine = with_code(new_machine("68000"), "4848 4e75")
    with pytest.raises(GuestFault) as caught:
        machine.call("Bump")
    assert caught.value.fault.kind == "exception"


@pytest.mark.parametrize(
    ("cpu", "code", "result"),
    [
        # MOVE.W #$4848,D0; MOVE.W #$F2A0,D1; NOP; NOP; BRA.S *+4; BKPT #0; RTS
        ("68040", "303c 4848 323c f2a0 4e71 4e71 6002 4848 4e75", 0x4848),
        # lis r3,0x7c74; ori r3,r3,0x03a6; b *+8; mtspr 20,r3; blr
        ("601", "3c607c74 606303a6 48000008 7c7403a6 4e800020", 0x7C7403A6),
    ],
)
def test_what_only_looks_like_it_does_no_harm(
    new_machine: NewMachine, cpu: str, code: str, result: int
) -> None:
    machine = with_code(new_machine(cpu), code)
    found = machine.call("Bump")
    assert found & (0xFFFF if cpu == "68040" else -1) == result


@pytest.mark.parametrize("cpu", ["68000", "68040"])
def test_what_looks_like_it_at_an_odd_address_ends_no_run(cpu: str) -> None:
    """The engine forgets the block in front of each end, and took 1.4 times as long on a 68040."""
    # move.l #$004e9700,d0; move.l #$004e5f00,d1; rts: JSR (A7) and UNLK A7 at odd addresses
    code = "203c 004e9700 223c 004e5f00 4e75"
    registers = {"a5": routines.DATA}
    known = CPUS[cpu]
    machine = BareMachine(routines.program("m68k", {"Go": code}, registers, b""), known)
    executed = []
    for _ in range(2):
        machine.calls.run(routines.CODE, machine.pristine[np.newaxis])
        executed.append([block.address for block in machine.calls.new_code.take()])
    assert executed == [[routines.CODE], []]


@pytest.mark.parametrize("cpu", ["68000", "68040"])
def test_a_jump_to_an_odd_address_is_refused_each_time(cpu: str) -> None:
    # jmp to the second byte of the next routine, where moveq #1,d0 and rts are
    code = {"Go": f"4ef9 {routines.CODE + 65:08x}", "Odd": "ff 7001 4e75"}
    program = routines.program("m68k", code, {"a5": routines.DATA}, b"")
    machine = BareMachine(program, CPUS[cpu])
    for _ in range(3):
        batch = machine.calls.run(routines.CODE, machine.pristine[np.newaxis])
        assert batch.fault is not None
        assert not batch.completed


def test_code_that_the_program_makes_itself_is_looked_at_too() -> None:
    # BRA.S first; first: MOVE.W #$4848,place; BRA.S place; place: NOP; trap
    code = "6000 0002 33fc 4848 0000 1010 6002 4e71 4e71 a000"
    engine = hosted("68040", code)
    assert engine.run().kind is StopKind.FAULT
    assert engine.registers[engine.index["pc"]] == CODE + 0x10


def hosted(cpu: str, code: str) -> HostedEngine:
    regions = (
        MemoryRegion("code", 0, 0x4000, True, True),
        MemoryRegion("data", DATA, 0x4000, True, False),
        MemoryRegion("rom", SENTINEL & -0x1000, 0x1000, False, True),
    )
    memory = GuestMemory(regions)
    memory.write(CODE, bytes.fromhex(code))
    engine = HostedEngine(CPUS[cpu], memory, SENTINEL)
    engine.registers[engine.index["pc"]] = CODE
    return engine


@pytest.mark.parametrize("cpu", ["68000", "68040"])
def test_code_on_the_stack_is_called_where_a7_points(cpu: str) -> None:
    # Glue of MPW's File Manager pushes a trap and RTS and calls them: here MOVEQ #7,D0 and RTS.
    # move.w #$4e75,-(a7); move.w #$7007,-(a7); jsr (a7); addq.l #4,a7; moveq #5,d1; rts
    code = bytes.fromhex("3f3c4e75 3f3c7007 4e97 588f 7205 4e75")
    stack = MemoryRegion("stack", DATA, 0x1000, True, True)
    memory = GuestMemory(
        (
            MemoryRegion("code", 0, 0x4000, True, True),
            stack,
            MemoryRegion("rom", 0x10000, 0x1000, False, True),
        )
    )
    memory.write(CODE, code)
    memory.write(DATA + 0x800, SENTINEL.to_bytes(4, "big"))
    engine = HostedEngine(CPUS[cpu], memory, SENTINEL)
    index, registers = engine.index, engine.registers
    registers[index["pc"]], registers[index["a7"]] = CODE, DATA + 0x800
    assert engine.run().kind is StopKind.RETURNED
    assert [registers[index[name]] for name in ("d0", "d1", "a7")] == [7, 5, DATA + 0x804]


def test_constants_reach_the_control_registers_of_the_fpu() -> None:
    # fmove.l #$30,fpcr; fmove.l #0,fpsr; moveq #9,d1; fmove.l fpcr,d2; rts
    code = bytes.fromhex("f23c9000 00000030 f23c8800 00000000 7209 f202b000 4e75")
    memory = GuestMemory(
        (
            MemoryRegion("code", 0, 0x4000, True, True),
            MemoryRegion("stack", DATA, 0x1000, True, False),
            MemoryRegion("rom", 0x10000, 0x1000, False, True),
        )
    )
    memory.write(CODE, code)
    memory.write(DATA + 0x800, SENTINEL.to_bytes(4, "big"))
    engine = HostedEngine(CPUS["68040"], memory, SENTINEL)
    index, registers = engine.index, engine.registers
    registers[index["pc"]], registers[index["a7"]] = CODE, DATA + 0x800
    registers[index["d0"]] = 77
    assert engine.run().kind is StopKind.RETURNED
    assert [registers[index[name]] for name in ("d0", "d1", "d2")] == [77, 9, 0x30]


@pytest.mark.parametrize(("cpu", "code", "title"), REFUSED)
def test_a_hosted_program_stops_at_them(cpu: str, code: str, title: str) -> None:
    # In the first block of a run, which the engine does not report.
    engine = hosted(cpu, code)
    stop = engine.run()
    assert (stop.kind, stop.problem) == (StopKind.FAULT, f"it cannot execute {title}")
    assert engine.registers[engine.index["pc"]] == CODE


def test_code_that_python_loads_later_is_looked_at_too() -> None:
    engine = hosted("68040", "a000 4e71 a000")  # trap; NOP; trap
    assert engine.run().kind is StopKind.EXCEPTION
    engine.memory.write(CODE + 2, bytes.fromhex("f2a0"))
    engine.forget_code(CODE + 2, 2)
    engine.registers[engine.index["pc"]] = CODE + 2
    assert engine.run().kind is StopKind.FAULT


def test_places_are_forgotten_where_python_has_overwritten_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engine = hosted("68040", "f2a0 4e71 a000")
    assert engine.run().kind is StopKind.FAULT
    ends: list[list[int]] = []
    monkeypatch.setattr(unicorn.Uc, "ctl_set_exits", lambda _, exits: ends.append(list(exits)))
    engine.memory.write(CODE, bytes.fromhex("4e71"))
    engine.forget_code(CODE, 2)
    engine.forget_code(CODE, 2)
    assert [CODE in places for places in ends] == [False]


def test_where_a_heap_has_freed_something_nothing_is_searched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Blocks move at each call of the Toolbox: to search each place took half of that time."""
    engine = hosted("68040", "f2a0 4e71 a000")
    assert engine.run().kind is StopKind.FAULT
    ends: list[list[int]] = []
    monkeypatch.setattr(unicorn.Uc, "ctl_set_exits", lambda _, exits: ends.append(list(exits)))
    monkeypatch.setattr(engine.special, "_find", None)
    engine.memory.write(CODE, bytes.fromhex("4e71"))
    engine.free_places([(CODE, CODE + 2)])
    engine.free_places([(CODE, CODE + 2), (CODE + 4, CODE + 6)])
    assert [CODE in places for places in ends] == [False]


@pytest.mark.parametrize("place", [CODE + 0x200, CODE | 0xFFE])
@pytest.mark.parametrize("jumps", [False, True])
def test_what_comes_to_a_freed_place_is_looked_at_when_it_is_executed(
    place: int, jumps: bool
) -> None:
    # Trap; JMP place. At the place NOP or NOPs, and an instruction that is refused.
    engine = hosted("68040", f"a000 4ef9 {place:08x}")
    engine.memory.write(place, bytes.fromhex("4e71 4e71 a000"))
    for _ in range(2):
        engine.registers[engine.index["pc"]] = place
        assert engine.run().kind is StopKind.EXCEPTION
    engine.memory.write(place + 2, bytes.fromhex("f2a0"))
    engine.free_places([(place, place + 6)])
    engine.registers[engine.index["pc"]] = CODE + 2 if jumps else place
    assert engine.run().kind is StopKind.FAULT
    assert engine.registers[engine.index["pc"]] == place + 2


def test_the_page_before_an_end_is_looked_at_together_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The engine looks it up after a run, when new ends would free those that it walks through."""
    engine = hosted("68040", "f2a0 4e71 a000")  # an end at the first byte of its page
    engine.memory.write(CODE - 0x10, bytes.fromhex("4848"))  # BKPT, which is not reached
    ends: list[list[int]] = []
    set_exits = unicorn.Uc.ctl_set_exits

    def spy(uc: unicorn.Uc, exits: list[int]) -> None:
        ends.append(list(exits))
        set_exits(uc, exits)

    monkeypatch.setattr(unicorn.Uc, "ctl_set_exits", spy)
    assert engine.run().kind is StopKind.FAULT
    assert [{CODE, CODE - 0x10} <= set(places) for places in ends if CODE in places] == [True]


# -- the clock of the 601 ---------------------------------------------------------------------

# mfspr r4,4; mfspr r5,5; mfspr r3,5; subf r3,r5,r3; add r3,r3,r4; blr
CLOCK = "7c8402a6 7ca502a6 7c6502a6 7c651850 7c632214 4e800020"


def test_the_601s_clock_passes_and_is_the_same_in_every_call(new_machine: NewMachine) -> None:
    machine = with_code(new_machine("601"), CLOCK)
    passed = [machine.call("Bump") for _ in range(3)]
    assert passed == [1024] * 3
    routine = machine.program.function("Bump")
    before = np.repeat(machine.data.copy()[np.newaxis], 4, axis=0)
    batch = machine.calls.run(routine, before)
    assert batch.fault is None and not batch.violations
    trace, registers = machine.calls.trace(routine, before[0])
    assert trace.completed
    assert (registers["r4"], registers["r5"] % 128) == (0, 0)
    assert machine.calls.instructions(trace) == 6
    counts = machine.calls.count(routine, before).tolist()
    executed = sum(
        size // 4 * count
        for _, _, address, size, count in counts
        if address in range(routine, routine + 24)
    )
    assert executed == 6 * 4


def test_a_second_of_the_601s_clock_has_1e9_nanoseconds() -> None:
    engine = hosted("601", "7c6502a6 7c8402a6 44000002")  # mfspr r3,5; mfspr r4,4; sc
    times = iter((3_999_999_999, 4_000_000_129))
    engine.special.execution.state.now = lambda: next(times)
    assert engine.run().kind is StopKind.EXCEPTION
    assert [engine.registers[engine.index[name]] for name in ("r3", "r4")] == [
        999_999_999 & ~127,
        4,
    ]


@pytest.mark.slow
def test_a_wait_for_the_601s_clock_ends_by_the_budget(new_machine: NewMachine) -> None:
    # loop: mfspr r3,4; cmpwi r3,100; blt loop; blr: waits for 100 seconds
    machine = with_code(new_machine("601"), "7c6402a6 2c030064 4180fff8 4e800020")
    machine.budget = Budget(blocks=5000)
    with pytest.raises(GuestFault, match="did not return within"):
        machine.call("Bump")


def test_the_clock_is_read_where_counting_wants_to_know_the_time() -> None:
    engine = hosted("601", "38600001 7c8502a6 38600002 44000002")
    edges, executed = engine.count_edges()
    engine.special.execution.state.now = lambda: sum(len(code) for code in executed.code.values())
    assert engine.run().kind is StopKind.EXCEPTION
    assert engine.registers[engine.index["r4"]] == 4 & ~127
    found = [(address - CODE, size, count) for _, _, address, size, count in edges.edges().tolist()]
    assert found == [(0, 4, 1), (4, 4, 1), (8, 8, 1)]
    assert set(executed.code) == {(CODE, 4), (CODE + 4, 4), (CODE + 8, 8)}
