"""Shifts of a word in memory: the engine confuses some, which Python executes in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.machine import CPUS, BareMachine, Batch, GuestFault
from emu.machine.calls.other_engine import MakeEngine
from emu.machine.engine.fast_engine import FastEngine
from emu.machine.engine.hosted_engine import HostedEngine
from emu.machine.engine.quirks.special import SpecialInstructions
from emu.machine.engine.stops import StopKind
from emu.machine.engine.watch.accesses import AccessKind
from emu.machine.engine.watch.call_stack import StopPoint
from emu.machine.memory.memory import GuestMemory, MemoryRegion
from tests.machine.m68k_shift_model import KINDS, X, shifted
from tests.machine.routines import CODE, DATA, program


@dataclass(frozen=True, slots=True)
class Mode:
    """An addressing mode whose operand is at `PLACE`.

    Attributes:
        operand: the lower six bits of an opcode.
        extension: its extension words.
        a1: what A1 holds before.
        d1: what D1 holds.
        left: what A1 holds afterwards.
    """

    operand: int
    extension: str
    a1: int
    d1: int
    left: int


PLACE = DATA + 0x40
MODES = {
    "(A1)": Mode(0x11, "", PLACE, 0, PLACE),
    "(A1)+": Mode(0x19, "", PLACE, 0, PLACE + 2),
    "-(A1)": Mode(0x21, "", PLACE + 2, 0, PLACE),
    "(-2,A1)": Mode(0x29, "fffe", PLACE + 2, 0, PLACE + 2),
    "(4,A1,D1.W)": Mode(0x31, "1004", PLACE + 4, 0x1FFF8, PLACE + 4),
    "(-4,A1,D1.L)": Mode(0x31, "18fc", PLACE - 0x70000, 0x70004, PLACE - 0x70000),
    "(PLACE).L": Mode(0x39, f"{PLACE:08x}", 0, 0, 0),
}
LATER_MODES = {
    "(0,A1,D1.W*4)": Mode(0x31, "1400", PLACE + 8, 0xFFFE, PLACE + 8),
    "(bd.L,A1)": Mode(0x31, "0170 ffffff00", PLACE + 0x100, 9, PLACE + 0x100),
    # The pointer to PLACE - 8 is at DATA.
    "([bd.W,A1],D1.L*2,od.W)": Mode(0x31, "1b26 fff0 0002", DATA + 16, 3, DATA + 16),
    "([0,A1,D1.L],8)": Mode(0x31, "1912 0008", DATA - 4, 4, DATA - 4),
}


def code_of(cpu: str, kind: str, way: str, mode: Mode) -> str:
    """MOVE #flags,CCR, the shift, and the flags and A1 stored at DATA + 0x50 and DATA + 0x54."""
    opcode = 0xE0C0 | KINDS[kind] << 9 | (way == "l") << 8 | mode.operand
    flags = "40f9" if cpu == "68000" else "42f9"  # MOVE SR or, from the 68010 on, MOVE CCR
    return (
        f"227c{mode.a1 & 0xFFFFFFFF:08x} 223c{mode.d1:08x} 44f9{DATA + 0x48:08x} "
        f"{opcode:04x}{mode.extension} {flags}{DATA + 0x50:08x} 23c9{DATA + 0x54:08x} 4e75"
    )


class Shifts:
    """A machine with a routine for each kind of shift, way and mode."""

    def __init__(self, cpu: str, engine: MakeEngine | None = None) -> None:
        self.modes = MODES if cpu == "68000" else {**MODES, **LATER_MODES}
        self.every = [(kind, way, mode) for kind in KINDS for way in "lr" for mode in self.modes]
        routines = {" ".join(one): code_of(cpu, *one[:2], self.modes[one[2]]) for one in self.every}
        data = (PLACE - 8).to_bytes(4, "big")
        self.machine = BareMachine(program("m68k", routines, {}, data), cpu, engine=engine)

    def batch(self, name: str, inputs: Sequence[tuple[int, int]]) -> Batch:
        """Call a routine with each word and flags."""
        images = np.repeat(self.machine.pristine[np.newaxis], len(inputs), axis=0)
        start = self.machine.data.offset(DATA)
        for image, (word, flags) in zip(images, inputs, strict=True):
            image[start + 0x40 : start + 0x42] = list(word.to_bytes(2, "big"))
            image[start + 0x49] = flags
        return self.machine.calls.run(self.machine.program.function(name), images)

    def answers(self, name: str, inputs: Sequence[tuple[int, int]]) -> list[tuple[int, int, int]]:
        """Word, flags and A1 that a routine leaves for each word and flags."""
        batch = self.batch(name, inputs)
        assert batch.fault is None and not batch.violations
        data = batch.after[:, self.machine.data.offset(DATA) :]
        return [
            (
                int.from_bytes(one[0x40:0x42].tobytes(), "big"),
                int(one[0x51]) & 0x1F,
                int.from_bytes(one[0x54:0x58].tobytes(), "big"),
            )
            for one in data
        ]

    def wrong(self, inputs: Sequence[tuple[int, int]]) -> list[str]:
        """The routines that do not do what the manual says."""
        found = []
        for kind, way, mode in self.every:
            name, a1 = f"{kind} {way} {mode}", self.modes[mode].left & 0xFFFFFFFF
            wanted = [(*shifted(kind, way, *one), a1) for one in inputs]
            if self.answers(name, inputs) != wanted:
                found.append(name)
        return found


EDGES = [0, 1, 2, 0x3FFF, 0x4000, 0x7FFF, 0x8000, 0x8001, 0xBFFF, 0xC000, 0xFFFE, 0xFFFF]
INPUTS = [(word, flags) for word in EDGES for flags in (0, X, 0x1F)]
ALL_FLAGS = range(32)


@pytest.mark.parametrize("cpu", ["68000", "68020", "68040"])
def test_every_shift_is_what_the_manual_says(cpu: str) -> None:
    assert Shifts(cpu).wrong(INPUTS) == []


SHIFTS = Shifts("68040")


@given(st.integers(0, 0xFFFF), st.sampled_from(SHIFTS.every))
def test_any_word_with_any_flags_is_shifted_as_the_manual_says(
    word: int, one: tuple[str, str, str]
) -> None:
    kind, way, mode = one
    inputs = [(word, flags) for flags in ALL_FLAGS]
    a1 = SHIFTS.modes[mode].left & 0xFFFFFFFF
    wanted = [(*shifted(kind, way, *given), a1) for given in inputs]
    assert SHIFTS.answers(" ".join(one), inputs) == wanted


def test_what_python_does_not_execute_is_seen_to_be_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model finds what the engine confuses, if nothing is done about it."""
    with monkeypatch.context() as patch:
        patch.setattr(SpecialInstructions, "scan", lambda self, page: None)
        patch.setattr(SpecialInstructions, "look", lambda self, block, code: "")
        wrong = Shifts("68000").wrong(INPUTS)
    assert wrong == [
        *(f"as l {mode}" for mode in MODES),
        *(f"as r {mode}" for mode in ("(A1)+", "(-2,A1)", "(PLACE).L")),
        *(f"ls r {mode}" for mode in ("(A1)", "-(A1)", "(4,A1,D1.W)", "(-4,A1,D1.L)")),
    ]


# -- how the rest of macproof sees them ----------------------------------------------------------

# LSR.W (DATA + 4).L by way of A0; a second one of what was just shifted; RTS
TWICE = "41f9 0003 0004 e2d0 e2d0 4e75"
STORED = CODE + 6
UNMAPPED = 0x00400000


def machine_with(code: str, cpu: str = "68000", data: str = "", **options: Any) -> BareMachine:
    return BareMachine(program("m68k", {"Shift": code}, {}, bytes.fromhex(data)), cpu, **options)


def test_a_traced_call_tells_of_its_store_and_counts_its_instructions() -> None:
    machine = machine_with(TWICE, data="00000000 8003")
    place, watch = machine.program.function("Shift"), range(DATA, DATA + 16)
    trace, _ = machine.calls.trace(place, machine.pristine, watch=watch, has_history=True)
    assert trace.completed
    assert trace.stores == dict.fromkeys((DATA + 4, DATA + 5), STORED + 2)
    told = [(one.instruction, one.address, one.data.hex()) for one in trace.history]
    assert told == [(STORED, DATA + 4, "4001"), (STORED + 2, DATA + 4, "2000")]
    assert machine.calls.instructions(trace) == 4
    counts = machine.calls.count(place, machine.pristine[np.newaxis]).tolist()
    executed = {(at, size): n for _, _, at, size, n in counts if at in range(place, place + 12)}
    assert executed == {(CODE, 6): 1, (CODE + 6, 2): 1, (CODE + 8, 2): 1, (CODE + 10, 2): 1}


def test_who_called_the_code_of_an_access_is_found() -> None:
    routines = {"Outer": f"4eb9 {CODE + 64:08x} 4e75", "Shift": TWICE}
    machine = BareMachine(program("m68k", routines, {}, b""), "68000")
    pointer = machine.calls.trace(CODE, machine.pristine)[1]["a7"]
    sought = StopPoint(CODE + 64 + 6, DATA + 4, pointer - 8)
    trace, _ = machine.calls.trace(CODE, machine.pristine, sought=sought)
    assert trace.callers is not None and trace.callers[0] == CODE + 6


def test_a_program_with_the_toolbox_tells_of_its_store() -> None:
    memory = GuestMemory(
        [
            MemoryRegion("code", CODE, 0x1000, False, True),
            MemoryRegion("data", DATA, 0x1000, True, False),
        ]
    )
    memory.write(CODE, bytes.fromhex(TWICE))
    engine = HostedEngine(CPUS["68000"], memory, CODE + 10)
    engine.begin(CODE)
    with engine.watched_accesses.noting_stores(range(DATA, DATA + 5)) as stores:
        assert engine.run().kind is StopKind.RETURNED
    assert stores == {DATA + 4: STORED + 2}


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        (UNMAPPED, f"read of 2 bytes from unmapped memory at 0x{UNMAPPED:08x}"),
        (CODE, f"write of 2 bytes to memory that may not be written at 0x{CODE:08x} (code"),
    ],
)
def test_a_wrong_operand_is_a_fault_like_any_other(place: int, reason: str) -> None:
    machine = machine_with(f"4e71 e0f9 {place:08x} 4e75")
    with pytest.raises(GuestFault) as caught:
        machine.call("Shift")
    fault = caught.value.fault
    assert fault.kind == "access" and fault.reason.startswith(reason)
    assert fault.location.address == CODE + 2


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("e0f9 0003 0001 4e75", AccessKind.MISALIGNED),
        ("41ef ff00 e0d8 4e75", AccessKind.BELOW_STACK),  # LEA -256(A7),A0; ASR.W (A0)+
        ("598f 41d7 588f 41ef fffc e0d8 4e75", AccessKind.BELOW_STACK),
    ],
)
def test_full_checks_see_its_accesses(code: str, kind: AccessKind) -> None:
    machine = machine_with(code, checked=True)
    machine.calls.run(CODE, machine.pristine[np.newaxis])
    assert machine.calls.checked is not None
    assert kind in {
        one.kind for one in machine.calls.checked.noted() if one.instruction < CODE + 64
    }


def test_what_it_stores_is_defined_from_then_on() -> None:
    # SUBQ.L #2,A7; ASL.W (A7); ASL.W (A7): only the first reads what nobody has stored.
    machine = machine_with("558f e1d7 e1d7 548f 4e75", checked=True)
    machine.calls.run(CODE, machine.pristine[np.newaxis])
    assert machine.calls.checked is not None
    undefined = [
        one for one in machine.calls.checked.noted() if one.kind is AccessKind.READ_UNDEFINED
    ]
    assert [one.instruction for one in undefined] == [CODE + 2]


def test_code_that_a_shift_changes_is_executed_as_it_is_then() -> None:
    # LEA Place,A0; MOVEQ #0,D0; MOVEQ #1,D1; Place: ASR.B #8,D2, which becomes MOVEQ #1,D0;
    # LSR.W (A0); DBRA D1,Place; RTS
    machine = machine_that_changes("41f9 0001 000a 7000 7201 e002 e2d0 51c9 fffa 4e75")
    assert machine.call("X") == 1


def test_a_stored_word_that_is_run_into_is_recognised() -> None:
    """Code stores LSR.W (A0) a little ahead of itself, as glue does with a trap."""
    # LEA (DATA).L,A0; MOVE.W #$E2D0,D1; LEA Place(PC),A1; MOVE.W D1,(A1); Place: NOP; RTS
    machine = machine_that_changes("41f9 0003 0000 323c e2d0 43fa 0004 3281 4e71 4e75")
    batch = machine.calls.run(CODE, np.repeat(machine.pristine[np.newaxis], 2, axis=0))
    start = machine.data.offset(DATA)
    assert [image[start : start + 2].tobytes().hex() for image in batch.after] == ["4001"] * 2


@pytest.mark.parametrize("place", [CODE, CODE + 0x1000])
def test_the_first_instruction_of_a_page_can_be_one(place: int) -> None:
    """The engine then asks for the page before it, where there may be no memory."""
    code = MemoryRegion("code", place, 0x1000, False, True)
    memory = GuestMemory(
        [
            MemoryRegion("gate", 0x1000, 0x1000, False, True),
            code,
            MemoryRegion("d", DATA, 0x1000, True, False),
        ]
    )
    memory.write(place, bytes.fromhex("e0f9 0003 0000 4ef9 0000 1f00"))  # ASR.W (DATA).L; JMP
    memory.write(0x1000, bytes.fromhex(f"4ef9 {place:08x}"))
    memory.write(DATA, b"\x80\0")
    engine = FastEngine(CPUS["68000"], memory)
    for shifted_to in ("c000", "e000"):
        engine.run(0x1000, 0x1F00)
        assert memory.view(DATA, 2).tobytes().hex() == shifted_to
    memory.write(0x1000, bytes.fromhex(f"4ef9 {place - 4:08x}"))
    engine.forget_code(0x1000, 6)
    engine.run(0x1000, 0x1F00)
    assert memory.view(DATA, 2).tobytes().hex() == "e000", "there is no code to come from"
    hosted = HostedEngine(CPUS["68000"], memory, 0x1F00)
    hosted.begin(place)
    assert hosted.run().kind is StopKind.RETURNED
    hosted.begin(place - 4)
    assert hosted.run().kind is StopKind.FAULT


def machine_that_changes(code: str) -> BareMachine:
    """A machine with a routine X in memory that it may change."""
    made = program("m68k", {"X": code}, {}, bytes.fromhex("8002"))
    segments = (replace(made.segments[0], writable=True), *made.segments[1:])
    return BareMachine(replace(made, segments=segments), "68000")
