"""What the engine takes for exceptions or does wrongly is executed as the manual says.

What they must do stands in the M68000 Family Programmer's Reference Manual, sections 2 and 4, and
in the PowerPC 601 RISC Microprocessor User's Manual, chapter 10.
"""

from __future__ import annotations

import pytest

from emu.machine import CPUS, BareMachine, GuestFault
from tests.machine.routines import program

ROUTINES = {
    # MOVE.L #$11223344,-(A7); MOVEQ #2,D1; MOVEQ #0,D0; MOVE.W 0(A7,D1.W),D0 with bit 8 set;
    # ADDQ.L #4,A7; RTS
    "Index": "2f3c11223344 7202 7000 30371100 588f 4e75",
    # The same with bits 8 to 10, and PC as the base: the word behind RTS
    "PcIndex": "7202 7000 303b1704 4e75 1234 5678",
    # MOVEA.L A7,A0; CLR.L -(A7); MOVE.W #$1234,-(A7); MOVEA.L A7,A1; MOVEQ #0,D1;
    # MOVE.W (A1)+,0(A1,D1.W) with bit 8 set; MOVE.L (A1),D0; MOVEA.L A0,A7; RTS
    "Moved": "204f 42a7 3f3c1234 224f 7200 33991100 2011 2e48 4e75",
    # MOVEQ #0,D1; JSR 4(PC,D1.W) with bit 8 set, to MOVEQ #7,D0; RTS
    "Jump": "7200 4ebb1104 4e75 7007 4e75",
    # MOVEQ #$55,D0; ANDI.B #$FF0F,D0; RTS
    "Immediate": "7055 0200ff0f 4e75",
    # MOVEQ #4,D0; BTST #$7F02,D0; SNE D0; RTS
    "Bit": "7004 08007f02 56c0 4e75",
    # MOVEQ #0,D0; BSR to MOVE.W #$11,-(A7) and RTR; SCS D0; RTS
    "Rtr": "7000 6106 55c0 4e75 4e71 3f3c0011 4e77",
    # MOVEQ #9,D0; MOVEQ #1,D1; MOVE #0,CCR; ABCD D1,D0; RTS
    "Decimal": "7009 7201 44fc0000 c101 4e75",
    # MOVEA.L A7,A1; MOVEA.L A7,A0; ADDX.B -(A0),-(A7); MOVE.L A1,D0; SUB.L A7,D0;
    # MOVEA.L A1,A7; RTS
    "Addx": "224f 204f df08 2009 908f 2e49 4e75",
    # MOVEQ #1,D0; MOVE.L A7,-(A7); UNLK A7; RTS
    "Unlink": "7001 2f0f 4e5f 4e75",
    # MOVEQ #0,D0; MOVE #$3000,SR; MOVE SR,D0; MOVE #$2000,SR; RTS
    "Status": "7000 46fc3000 40c0 46fc2000 4e75",
    # LEA 3(PC),A0; JMP (A0)
    "Odd": "41fa0003 4ed0 4e75 4e75",
    # MOVE #0,CCR; Bcc by -1: BCS, which is not taken; MOVEQ #1,D0; BCC, which is; RTS
    "NotTaken": "44fc0000 65ff 7001 4e75",
    "Taken": "44fc0000 64ff 7001 4e75",
    # MOVE.L #$00020005,-(A7); MOVEQ #n,D0; CMP2.W (A7),D0; SCS D0; ADDQ.L #4,A7; RTS
    "Inside": "2f3c00020005 7003 02d70000 55c0 588f 4e75",
    "Outside": "2f3c00020005 7009 02d70000 55c0 588f 4e75",
    # The same with CHK2
    "Checked": "2f3c00020005 7009 02d70800 588f 4e75",
    # MOVEA.L A7,A0; MOVE.W #$1030,-(A7); MOVEA.L A7,A1; MOVEQ #$20,D1; CHK2.B (A1),D1;
    # MOVE.L A0,D0; SUB.L A1,D0; MOVEA.L A0,A7; RTS
    "Kept": "204f 3f3c1030 224f 7220 00d11800 2008 9089 2e48 4e75",
    # FETOXM1 FP0; RTS
    "Fetoxm1": "f2000008 4e75",
}
BOTH = {"Immediate": 5, "Bit": 0xFF, "Rtr": 0xFF, "Decimal": 0x10, "Addx": 2, "Unlink": 1}
ONLY_68000 = {
    "Index": 0x3344,
    "PcIndex": 0x5678,
    "Moved": 0x12340000,
    "Jump": 7,
    "NotTaken": 1,
}


def machine_of(cpu: str) -> BareMachine:
    return BareMachine(program("m68k", ROUTINES, {}, b""), CPUS[cpu])


@pytest.fixture(scope="module")
def plus() -> BareMachine:
    return machine_of("68000")


@pytest.fixture(scope="module")
def quadra() -> BareMachine:
    return machine_of("68040")


@pytest.mark.parametrize(("name", "result"), (BOTH | ONLY_68000).items())
def test_a_68000_executes_them(plus: BareMachine, name: str, result: int) -> None:
    assert plus.call(name) == result
    trace, registers = plus.calls.trace(plus.program.function(name), plus.pristine)
    assert (trace.completed, registers["d0"]) == (True, result)


def test_the_status_register_of_a_68000_has_no_other_bits(plus: BareMachine) -> None:
    trace, registers = plus.calls.trace(plus.program.function("Status"), plus.pristine)
    assert (trace.completed, registers["d0"]) == (True, 0x2000)
    assert set(trace.privileged.values()) == {"MOVE to SR"}


@pytest.mark.parametrize(
    ("name", "result"), (BOTH | {"Inside": 0, "Outside": 0xFF, "Kept": 2}).items()
)
def test_a_68040_executes_them(quadra: BareMachine, name: str, result: int) -> None:
    assert quadra.call(name) == result
    trace, registers = quadra.calls.trace(quadra.program.function(name), quadra.pristine)
    assert (trace.completed, registers["d0"]) == (True, result)


@pytest.mark.parametrize(("cpu", "name"), [("68000", "Odd"), ("68040", "Odd"), ("68000", "Taken")])
def test_code_at_an_odd_address_is_an_address_error(cpu: str, name: str) -> None:
    with pytest.raises(GuestFault) as caught:
        machine_of(cpu).call(name)
    assert caught.value.fault.kind == "exception"
    assert caught.value.fault.reason == "processor exception: address error"


def test_chk2_outside_its_bounds_traps(quadra: BareMachine) -> None:
    with pytest.raises(GuestFault, match="CHK out of bounds") as caught:
        quadra.call("Checked")
    assert caught.value.fault.location.offset == 8


def test_what_the_engine_does_not_have_is_its_fault(quadra: BareMachine) -> None:
    with pytest.raises(GuestFault) as caught:
        quadra.call("Fetoxm1")
    fault = caught.value.fault
    assert (fault.kind, fault.location.symbol) == ("engine", "Fetoxm1")
    assert "the engine cannot execute FETOXM1" in fault.reason


def test_cmp2_is_illegal_on_a_68000(plus: BareMachine) -> None:
    with pytest.raises(GuestFault, match="illegal instruction"):
        plus.call("Inside")


def test_clcs_tells_the_size_of_a_line() -> None:
    routines = {"Line": "7c6c0426 4e800020", "Wrong": "7c600426 4e800020"}  # clcs r3,12; clcs r3,0
    machine = BareMachine(program("powerpc", routines, {}, b""), CPUS["601"])
    assert machine.call("Line") == 64
    with pytest.raises(GuestFault, match="operand 0 names no cache"):
        machine.call("Wrong")
