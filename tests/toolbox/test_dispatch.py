"""Traps and imports lead to handlers with the right values, on both processors."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.toolbox.calls.m68k import M68kDispatcher
from emu.toolbox.calls.marshal import StackCall, push_arguments
from emu.toolbox.calls.powerpc import PowerPcDispatcher
from emu.toolbox.calls.trap_table import rom_entry, trap_number
from emu.toolbox.calls.unknown_trap import UnknownTrap
from emu.toolbox.computer.declaration import RoutineParameter, routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.findings import GuestStopError, Sureness, UnknownRoutineError
from emu.toolbox.guest.guest_types import GUEST_TYPES, Point
from emu.toolbox.guest.layout import ROM_TRAPS, LowMemory
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.all_managers import MANAGERS
from tests.toolbox.conftest import do, make_mac, run_code

# Trap words and names that no routine of a Macintosh has.
EVERYTHING, ANSWER, OS_SUM, PICK_ONE, PICK_TWO = 0xAB70, 0xAB71, 0xA0F1, 0xAB72, 0xAB72
VERSION, WHERE = 0xAB7A, 0xAB7B


class Witness(Manager):
    """Remembers what it was called with."""

    title: ClassVar[str] = "Witness"

    def __post_init__(self) -> None:
        self.seen: list[tuple[Any, ...]] = []
        self.answer: Any = 0

    @routine(
        "PROCEDURE Everything (flag: BOOLEAN; small: INTEGER; big: LONGINT; where: Point; "
        "ch: CHAR; byte: SignedByte; kind: OSType; VAR r: Rect)",
        trap=EVERYTHING,
    )
    def everything(self, *values: Any) -> None:
        self.seen.append(values)

    @routine("FUNCTION Answer (a: INTEGER): BOOLEAN", trap=ANSWER)
    def give(self, a: int) -> bool:
        self.seen.append((a,))
        return bool(self.answer)

    @routine("FUNCTION OsSum (a: LONGINT; b: LONGINT): OSErr", trap=OS_SUM, registers="D0,A0 -> D0")
    def os_sum(self, a: int, b: int) -> int:
        self.seen.append((a, b))
        return int(self.answer)

    @routine("PROCEDURE PickOne (a: INTEGER)", trap=PICK_ONE, selector=("stack", 1))
    def pick_one(self, a: int) -> None:
        self.seen.append(("one", a))

    @routine("PROCEDURE PickTwo (a: LONGINT)", trap=PICK_TWO, selector=("stack", 2))
    def pick_two(self, a: int) -> None:
        self.seen.append(("two", a))

    @routine("FUNCTION Version (a: INTEGER): NumVersion", trap=VERSION)
    def version(self, a: int) -> int:
        self.seen.append((a,))
        return 0x0310_8000

    @routine("FUNCTION Where (a: INTEGER): Cell", trap=WHERE)
    def where(self, a: int) -> Point:
        self.seen.append((a,))
        return Point(-2, 5)

    @routine(
        "FUNCTION Ten (a,b,c,d,e,f,g,h,i,j: LONGINT): LONGINT",
        architecture="powerpc",
    )
    def ten(self, *values: int) -> int:
        self.seen.append(values)
        return sum(values)


@pytest.fixture(autouse=True)
def with_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MANAGERS, "witness", Witness)


def witness(mac: Macintosh) -> Witness:
    found = mac.managers["witness"]
    assert isinstance(found, Witness)
    return found


def test_every_kind_of_argument_comes_off_the_68k_stack() -> None:
    mac = make_mac("68040")
    registers = run_code(
        mac,
        # MOVE.B #1,-(A7); MOVE.W #-2,-(A7); MOVE.L #$12345678,-(A7); MOVE.L #$FFFD0004,-(A7)
        "1f3c0001 3f3cfffe 2f3c12345678 2f3cfffd0004"
        # MOVE.W #'A',-(A7); MOVE.B #$81,-(A7); MOVE.L #'CODE',-(A7); PEA $1234; trap; RTS
        "3f3c0041 1f3c0081 2f3c434f4445 48781234 ab70 4e75",
    )
    assert witness(mac).seen == [(True, -2, 0x12345678, Point(-3, 4), 65, 0x81, "CODE", 0x1234)]
    assert registers["a7"] == mac.layout.stack_top  # the arguments are gone, and RTS's address


def test_every_kind_of_argument_comes_out_of_powerpc_registers() -> None:
    mac = make_mac("601")
    assert isinstance(mac.dispatcher, PowerPcDispatcher)
    vector = mac.dispatcher.import_address("Everything")
    stub = mac.guest.u32(vector)
    # mtctr r12; bctr, with the caller's LR left alone
    run_code(
        mac, "7d8903a6 4e800420", r12=stub, r3=1, r4=0xFFFFFFFE, r5=0x12345678,
        r6=0xFFFD0004, r7=65, r8=0x81, r9=0x434F4445, r10=0x1234,
    )  # fmt: skip
    assert witness(mac).seen == [(True, -2, 0x12345678, Point(-3, 4), 65, 0x81, "CODE", 0x1234)]


@pytest.mark.parametrize("answer", [True, False])
def test_a_boolean_result_is_in_the_high_byte_of_its_word(answer: bool) -> None:
    mac = make_mac("68040")
    witness(mac).answer = answer
    # MOVEQ #-1,D0; CLR.W -(A7); MOVE.W #7,-(A7); trap; MOVE.W (A7)+,D0; RTS
    registers = run_code(mac, "70ff 4267 3f3c0007 ab71 301f 4e75")
    assert registers["d0"] == (0xFFFF0100 if answer else 0xFFFF0000)
    assert witness(mac).seen == [(7,)]


RECORDS = pytest.mark.parametrize(
    ("name", "trap", "word"),
    [("Version", VERSION, 0x0310_8000), ("Where", WHERE, 0xFFFE_0005)],
)


@RECORDS
def test_a_record_as_result_is_on_the_68k_stack(name: str, trap: int, word: int) -> None:
    mac = make_mac("68040")
    # SUBQ.L #4,A7; MOVE.W #7,-(A7); trap; MOVE.L (A7)+,D0; RTS
    registers = run_code(mac, f"598f 3f3c0007 {trap:04x} 201f 4e75")
    assert registers["d0"] == word
    assert registers["a7"] == mac.layout.stack_top
    assert witness(mac).seen == [(7,)]


@RECORDS
def test_a_powerpc_routine_stores_a_record_as_result_where_its_caller_says(
    name: str, trap: int, word: int
) -> None:
    mac = make_mac("601")
    assert isinstance(mac.dispatcher, PowerPcDispatcher)
    stub = mac.guest.u32(mac.dispatcher.import_address(name))
    target = mac.layout.heap + mac.layout.heap_size - 0x800
    mac.guest.write(target, b"\xaa" * 8)
    registers = run_code(mac, "7d8903a6 4e800420", r12=stub, r3=target, r4=7)
    assert mac.guest.read(target, 8) == word.to_bytes(4, "big") + b"\xaa" * 4
    assert registers["r3"] == target
    assert witness(mac).seen == [(7,)]


def test_a_record_cannot_be_stored_where_there_is_no_memory() -> None:
    mac = make_mac("601")
    assert isinstance(mac.dispatcher, PowerPcDispatcher)
    stub = mac.guest.u32(mac.dispatcher.import_address("Version"))
    with pytest.raises(GuestStopError, match="0x7ffffff0"):
        run_code(mac, "7d8903a6 4e800420", r12=stub, r3=0x7FFFFFF0, r4=7)


@pytest.mark.parametrize(("answer", "flags"), [(0, "equal"), (-43, "minus"), (1, "plus")])
def test_an_os_trap_leaves_the_condition_codes_of_its_result(answer: int, flags: str) -> None:
    mac = make_mac("68040")
    witness(mac).answer = answer
    # MOVEQ #3,D0; LEA $10,A0; trap; BEQ; BMI; MOVEQ #1,D1; RTS; MOVEQ #2,D1; RTS; MOVEQ #3,D1; RTS
    registers = run_code(mac, "7003 41f80010 a0f1 670a 6b04 7201 4e75 7202 4e75 7203 4e75")
    assert witness(mac).seen == [(3, 16)]
    assert registers["d1"] == {"plus": 1, "minus": 2, "equal": 3}[flags]
    assert registers["d0"] == answer & 0xFFFFFFFF


@pytest.mark.parametrize(("load", "branch"), [("20780900", 1), ("91c8", 2)])
def test_a_toolbox_trap_with_registers_leaves_them_too(load: str, branch: int) -> None:
    """HandToHand of a handle, and of nil: World Builder's games branch on the flags after it."""
    mac = make_mac("68040")
    mac.guest.put32(0x900, mac.memory.new_handle(8))
    # MOVEA.L $900,A0 or SUBA.L A0,A0; trap; BNE; MOVEQ #1,D1; RTS; MOVEQ #2,D1; RTS
    registers = run_code(mac, f"{load} a9e1 6604 7201 4e75 7202 4e75")
    assert registers["d1"] == branch


def test_a_selector_on_the_stack_chooses_and_is_taken_off() -> None:
    mac = make_mac("68040")
    registers = run_code(
        mac,
        "3f3c0005 3f3c0001 ab72 2f3c00012345 3f3c0002 ab72 4e75",
    )
    assert witness(mac).seen == [("one", 5), ("two", 0x12345)]
    assert registers["a7"] == mac.layout.stack_top


def test_an_unknown_selector_stops() -> None:
    with pytest.raises(UnknownRoutineError, match="selector 9"):
        run_code(make_mac("68040"), "3f3c0005 3f3c0009 ab72 4e75")


def test_auto_pop_returns_to_the_callers_caller() -> None:
    mac = make_mac("68040")
    # CLR.W -(A7); MOVE.W #7,-(A7); BSR glue; MOVE.W (A7)+,D0; RTS; glue: trap with bit 10
    registers = run_code(mac, "4267 3f3c0007 6104 301f 4e75 af71")
    assert witness(mac).seen == [(7,)]
    assert registers["a7"] == mac.layout.stack_top


def test_powerpc_arguments_beyond_eight_are_on_the_stack() -> None:
    mac = make_mac("601")
    assert isinstance(mac.dispatcher, PowerPcDispatcher)
    stub = mac.guest.u32(mac.dispatcher.import_address("Ten"))
    stack_pointer = mac.layout.stack_top - 256
    mac.guest.put32(stack_pointer + 56, 9)
    mac.guest.put32(stack_pointer + 60, 10)
    registers = run_code(
        mac, "7d8903a6 4e800420", r12=stub, r1=stack_pointer,
        **{f"r{n + 2}": n for n in range(1, 9)},
    )  # fmt: skip
    assert witness(mac).seen == [tuple(range(1, 11))]
    assert registers["r3"] == 55


def test_an_unknown_trap_says_how_to_declare_it() -> None:
    with pytest.raises(UnknownRoutineError) as caught:
        run_code(make_mac("68040"), "303c1234 ab7f 4e75")
    assert "trap 0xAB7F" in str(caught.value)
    assert "@routine" in str(caught.value)
    assert "00001234" in str(caught.value)
    assert caught.value.exit_code == 4


def test_an_unknown_import_is_only_found_when_it_is_called() -> None:
    mac = make_mac("601")
    assert isinstance(mac.dispatcher, PowerPcDispatcher)
    stub = mac.guest.u32(mac.dispatcher.import_address("NobodyKnowsMe"))
    with pytest.raises(UnknownRoutineError, match="import NobodyKnowsMe"):
        run_code(mac, "7d8903a6 4e800420", r12=stub)


def test_a_wrong_a5_is_a_finding_and_the_call_is_done() -> None:
    mac = make_mac("68040")
    run_code(mac, "4267 3f3c0007 ab71 301f 4e75", a5=0x1000)
    assert witness(mac).seen == [(7,)]
    (mistake,) = mac.outputs.findings.values()
    assert (mistake.check, mistake.sureness) == ("A5", Sureness.SOME)
    assert "Answer was called with A5 0x00001000" in mistake.problem


def test_code_with_an_a5_of_its_own_has_quickdraw_globals_of_its_own() -> None:
    mac = make_mac("68040")
    world, variables, port = (mac.memory.new_pointer(256, clear=True) for _ in range(3))
    # PEA 200(A2); _InitGraf; PEA (A3); _OpenPort
    run_code(mac, "486a00c8 a86e 4853 a86f 4e75", a5=world, a2=variables, a3=port)
    assert mac.guest.u32(world) == variables + 200
    assert mac.guest.u32(variables + 200) == port
    # A copy of the pointer is as good as a call of InitGraf.
    mac.guest.put32(mac.layout.a5, variables + 200)
    assert run_code(mac, "42a7 4857 a874 201f 4e75")["d0"] == port  # GetPort


def test_a_callback_with_another_a5_leaves_the_routines_globals_as_they_were() -> None:
    mac = make_mac("68040")
    theirs, ours = (mac.memory.new_pointer(256, clear=True) for _ in range(2))
    run_code(mac, "486a00c8 a86e 4e75", a2=theirs)
    # MOVE.L A5,-(A7); MOVEA.L 4+4(A7),A5 -> the callback's argument; PEA 200(A5); _InitGraf; back
    code = bytes.fromhex("2f0d 2a6f0008 486d00c8 a86e 2a5f 205f 588f 4ed0")
    place = mac.memory.new_pointer(len(code))
    mac.guest.write(place, code)
    assert mac.quickdraw.globals == theirs + 200
    mac.call_guest(place, "PROCEDURE Draws (world: Ptr)", ours)
    assert mac.quickdraw.globals == theirs + 200
    assert mac.guest.u32(ours) == ours + 200


def test_a_routine_that_draws_nothing_takes_any_a5() -> None:
    """An interpreter keeps another A5 for itself while it releases a resource."""
    mac = make_mac("68040")
    # CLR.L -(A7); _ReleaseResource; _ResError
    run_code(mac, "42a7 a9a3 4267 a9af 301f 4e75", a5=0x1000)


def test_a_bad_address_names_the_routine_and_its_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    class Reader(Manager):
        @routine("PROCEDURE Everything2 (p: Ptr)", trap=0xAB73)
        def reads(self, address: int) -> None:
            self.guest.u32(address)

    monkeypatch.setitem(MANAGERS, "reader", Reader)
    mac = make_mac("68040")
    with pytest.raises(GuestStopError, match=r"Everything2 \(0x7f000000\): there is no memory"):
        run_code(mac, "2f3c7f000000 ab73 4e75")


def test_a_toolbox_patch_gets_the_call_and_the_original_can_be_called_from_it() -> None:
    mac = make_mac("68040")
    dispatcher = mac.dispatcher
    assert isinstance(dispatcher, M68kDispatcher)
    patch = mac.layout.heap + mac.layout.heap_size - 0x800
    original = rom_entry(trap_number(ANSWER))
    assert original >= ROM_TRAPS
    # the patch: ADDQ.W #1,4(A7) (the argument); JMP original
    mac.guest.write(patch, bytes.fromhex(f"526f0004 4ef9{original:08x}"))
    dispatcher.patches[trap_number(ANSWER)] = patch
    witness(mac).answer = True
    registers = run_code(mac, "4267 3f3c0007 ab71 301f 4e75")
    assert witness(mac).seen == [(8,)]
    assert registers["d0"] & 0xFFFF == 0x100
    assert registers["a7"] == mac.layout.stack_top


def test_an_os_patch_keeps_registers_and_sets_the_condition_codes() -> None:
    mac = make_mac("68040")
    dispatcher = mac.dispatcher
    assert isinstance(dispatcher, M68kDispatcher)
    patch = mac.layout.heap + mac.layout.heap_size - 0x800
    # MOVEQ #9,D1; MOVEQ #9,D2; SUBA.L A1,A1; MOVEQ #0,D0; RTS
    mac.guest.write(patch, bytes.fromhex("7209 7409 93c9 7000 4e75"))
    dispatcher.patches[trap_number(OS_SUM)] = patch
    # MOVEQ #5,D0; trap; BEQ +2; MOVEQ #1,D3; RTS
    registers = run_code(mac, "7005 a0f1 6702 7601 4e75", d1=11, d2=22, a1=33, d3=0)
    assert (registers["d1"], registers["d2"], registers["a1"]) == (11, 22, 33)
    assert (registers["d0"], registers["d3"]) == (0, 0)
    assert witness(mac).seen == []


def test_callbacks_on_68k() -> None:
    mac = make_mac("68040")
    place = mac.layout.heap + mac.layout.heap_size - 0x800
    # FUNCTION (a: INTEGER; b: LONGINT): INTEGER = a + b, callee pops:
    # MOVE.L (A7)+,A0; MOVE.L (A7)+,D0; ADD.W (A7)+,D0; MOVE.W D0,(A7); JMP (A0)
    mac.guest.write(place, bytes.fromhex("205f 201f d05f 3e80 4ed0"))
    before = list(mac.engine.registers)
    result = mac.call_guest(place, "FUNCTION Add (a: INTEGER; b: LONGINT): INTEGER", -5, 3)
    assert result == -2
    assert list(mac.engine.registers) == before


def test_a_callback_that_does_not_pop_is_reported() -> None:
    mac = make_mac("68040")
    before = mac.engine.registers[mac.engine.index["a7"]]
    place = mac.layout.heap + mac.layout.heap_size - 0x800
    mac.guest.write(place, bytes.fromhex("4e75"))
    mac.call_guest(place, "PROCEDURE P (a: LONGINT)", 1)
    (finding,) = mac.outputs.findings.values()
    assert (finding.check, "-4 bytes off" in finding.problem) == ("callback", True)
    assert mac.engine.registers[mac.engine.index["a7"]] == before


@pytest.mark.parametrize("descriptor", [False, True])
def test_callbacks_on_powerpc(descriptor: bool) -> None:
    mac = make_mac("601")
    place = mac.layout.heap + mac.layout.heap_size - 0x800
    # add r3,r3,r4; blr
    mac.guest.write(place, bytes.fromhex("7c632214 4e800020"))
    mac.guest.put32(place + 0x100, place)
    procedure = place + 0x100
    if descriptor:
        mac.guest.put16(place + 0x200, 0xAAFE)
        mac.guest.put32(place + 0x214, procedure)
        procedure = place + 0x200
    before = list(mac.engine.registers)
    result = mac.call_guest(procedure, "FUNCTION Add (a: INTEGER; b: LONGINT): INTEGER", -5, 3)
    assert result == -2
    assert list(mac.engine.registers) == before


@pytest.mark.parametrize(
    ("word", "d0", "stack", "name", "arguments"),
    [
        # A9E7 has its selector on the stack: LAddRow (count, row: INTEGER; list: ListHandle).
        (0xA9E7, 0, "0008 00012345 fffe 0001", "Pack0: LAddRow", "1, -2, 0x00012345"),
        # A816 has its selector in D0: the routine, and the words of its arguments above it.
        (0xA816, 0x407, "00022222 00011111", "Pack8: AECountItems", "0x00011111, 0x00022222"),
        (0xAA94, 0, "00012345", "ActivatePalette", "0x00012345"),
        (0xAB7F, 0, "0000", "", ""),
    ],
)
def test_an_unknown_trap_is_named_with_its_arguments(
    word: int, d0: int, stack: str, name: str, arguments: str
) -> None:
    mac = make_mac()
    place = mac.memory.new_pointer(32)
    mac.guest.write(place, bytes.fromhex(stack))
    call = UnknownTrap(mac.guest, word, None, d0, 0, place)
    assert call.name() == f"trap 0x{word:04X}" + (f" ({name})" if name else "")
    begins = f"arguments {arguments}; " if arguments else ""
    assert call.arguments().startswith(f"{begins}D0 {d0:08x}, A0 00000000, stack ")


def test_an_unknown_import_is_told_with_its_arguments() -> None:
    mac = make_mac("601")
    registers, index = mac.engine.registers, mac.engine.index
    for register, value in (("r3", 0xFFFE), ("r4", 5), ("r5", 0x1234)):
        registers[index[register]] = value
    assert isinstance(mac.dispatcher, PowerPcDispatcher)
    assert mac.dispatcher.known_arguments("LAddRow") == "arguments -2, 5, 0x00001234; "
    assert mac.dispatcher.known_arguments("Nobody") == ""


_A_CALL = "4267 3f3c0007 ab71 301f 4e75"


def test_a_write_to_low_memory_is_a_finding() -> None:
    mac = make_mac("68040")
    # MOVE.L #1,$A1C(absolute short) ; then a call
    run_code(mac, f"21fc00000001 0a1c {_A_CALL}")
    (finding,) = mac.outputs.findings.values()
    assert finding.check == "low memory"
    assert "MenuList (0x0a1c) to 0x1, which is no address" in finding.problem
    assert finding.routine == "Answer"


@pytest.mark.parametrize(
    "address",
    [
        *(0x282, 0x338, 0x938, 0x9CE, 0x9FA, 0xA0A, 0xA0C, 0xA20, 0xA2C, 0xA34, 0xA3C, 0xA78),
        *(0xA4A, 0xA96, 0xAE8, 0xDA0, 0xDA4, 0x2F26),
    ],
)
def test_a_global_that_inside_macintosh_lets_programs_set_is_no_finding(address: int) -> None:
    mac = make_mac("68040")
    # MOVE.W #$FF,(absolute short), whose low byte alone differs; then a call
    run_code(mac, f"{'11fc' if address == 0x938 else '31fc'} 00ff {address:04x} {_A_CALL}")
    assert not mac.outputs.findings


# MOVEQ #1,D0; RTE, and JMP; and what is no routine: zeros, and RTE at an odd address
@pytest.mark.parametrize("address", [0x08, 0x14, 0xC8, 0xFC, 0x192, 0x2C2])
@pytest.mark.parametrize(
    ("block", "offset", "is_code"),
    [("70014e73", 0, True), ("4ef900010000", 0, True), ("00", 0, False), ("004e7300", 1, False)],
)
def test_a_vector_that_leads_to_a_routine_is_unusual(
    address: int, block: str, offset: int, is_code: bool
) -> None:
    mac = make_mac("68040")
    routine = mac.memory.new_pointer(512)
    mac.guest.write(routine, bytes.fromhex(block).ljust(512, b"\0"))
    # MOVE.L #routine,vector
    run_code(mac, f"21fc {routine + offset:08x} {address:04x} {_A_CALL}")
    (finding,) = mac.outputs.findings.values()
    assert finding.check == "low memory"
    assert finding.sureness is (Sureness.UNUSUAL if is_code else Sureness.SOME)


@pytest.mark.parametrize(("value", "sureness"), [(-1, Sureness.UNUSUAL), (7, Sureness.SOME)])
def test_a_trap_for_nil_handles_is_unusual(value: int, sureness: Sureness) -> None:
    mac = make_mac("68040")
    run_code(mac, f"70{value & 0xFF:02x} 21c0 0000 {_A_CALL}")  # MOVEQ #value,D0; MOVE.L D0,0
    assert [finding.sureness for finding in mac.outputs.findings.values()] == [sureness]


def test_a_vector_that_is_put_back_is_no_mistake() -> None:
    mac = make_mac("68040")
    routine = mac.memory.new_pointer(2)
    mac.guest.write(routine, bytes.fromhex("4e73"))
    # MOVE.L $14,D3; MOVE.L #routine,$14, and a call; MOVE.L D3,$14, and another
    call = _A_CALL.removesuffix("4e75")
    run_code(mac, f"2638 0014 21fc {routine:08x} 0014 {call} 21c3 0014 {_A_CALL}")
    (finding,) = mac.outputs.findings.values()
    assert finding.sureness is Sureness.UNUSUAL


@pytest.mark.parametrize("address", [0x9CC, 0xA02, 0xA0E, 0xA84])
def test_a_neighbour_of_such_a_global_is_a_finding(address: int) -> None:
    mac = make_mac("68040")
    run_code(mac, f"31fc 1235 {address:04x} {_A_CALL}")
    assert [finding.check for finding in mac.outputs.findings.values()] == ["low memory"]


def test_what_applications_may_write_is_no_finding() -> None:
    mac = make_mac("68040")
    run_code(mac, f"31fc0001{LowMemory.MEMORY_ERROR:04x} 4267 3f3c0007 ab71 301f 4e75")
    assert not mac.outputs.findings


SCALARS = {
    "INTEGER": st.integers(-0x8000, 0x7FFF),
    "LONGINT": st.integers(-0x80000000, 0x7FFFFFFF),
    "BOOLEAN": st.booleans(),
    "CHAR": st.integers(0, 255),
    "SignedByte": st.integers(0, 255),
    "Ptr": st.integers(0, 0xFFFFFFFF),
    "Point": st.builds(Point, st.integers(-0x8000, 0x7FFF), st.integers(-0x8000, 0x7FFF)),
    "OSType": st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=4, max_size=4),
}


@given(
    st.lists(
        st.sampled_from(sorted(SCALARS)).flatmap(
            lambda name: st.tuples(st.just(name), SCALARS[name])
        ),
        max_size=9,
    )
)
def test_what_is_pushed_for_the_guest_is_what_the_toolbox_takes_off(
    values: list[tuple[str, Any]],
) -> None:
    parameters = [
        RoutineParameter(f"p{n}", GUEST_TYPES[name]) for n, (name, _) in enumerate(values)
    ]
    call = StackCall(parameters, None)
    raw = push_arguments(parameters, [value for _, value in values])
    assert len(raw) == call.size
    assert call.arguments(call.layout.unpack(raw)) == [value for _, value in values]


def test_a_callback_that_spoils_a_register_is_a_finding_on_68k() -> None:
    mac = make_mac("68040")
    place = mac.layout.heap + mac.layout.heap_size - 0x800
    mac.guest.write(place, bytes.fromhex("7801 7001 4e75"))  # MOVEQ #1,D4; MOVEQ #1,D0; RTS
    mac.call_guest(place, "PROCEDURE P")
    (finding,) = mac.outputs.findings.values()
    assert finding.check == "callback"
    assert finding.problem.endswith("changed d4")


def test_a_callback_that_spoils_a_register_is_a_finding_on_powerpc() -> None:
    mac = make_mac("601")
    place = mac.layout.heap + mac.layout.heap_size - 0x800
    mac.guest.write(place, bytes.fromhex("3a800001 38400001 38600001 4e800020"))  # r20, r2, r3
    mac.guest.put32(place + 0x100, place)
    mac.guest.put32(place + 0x104, 0)
    mac.call_guest(place + 0x100, "PROCEDURE P")
    (finding,) = mac.outputs.findings.values()
    assert finding.problem.endswith("changed r2, r20")


@pytest.mark.parametrize(
    ("cpu", "code", "checks"),
    [
        ("68040", "4e75", []),
        ("68040", "588f 2f2ffffc 4e74 0004", ["stack"]),  # returns and takes four bytes more
        ("601", "4e800020", []),
        ("601", "38210010 4e800020", ["stack"]),
        ("601", "38420010 4e800020", ["table of contents"]),
    ],
)
def test_the_registers_at_the_end_are_looked_at(cpu: str, code: str, checks: list[str]) -> None:
    mac = make_mac(cpu)
    run_code(mac, code)
    mac.dispatcher.check_end()
    assert [finding.check for finding in mac.outputs.findings.values()] == checks


def test_callbacks_inside_one_another_have_an_end() -> None:
    mac = make_mac("68040")
    place = mac.memory.new_pointer(16)
    # A grow-zone routine that asks for the same again: MOVE.L #$7FFFFFFF,D0; _NewPtr; RTS
    mac.guest.write(place, bytes.fromhex("203c7fffffff a11e 4e75"))
    do(mac, "SetGrowZone", place)
    with pytest.raises(GuestStopError, match="called back 40 deep"):
        do(mac, "NewPtr", 0x7FFFFFFF)


def test_findings_are_not_kept_without_end() -> None:
    mac = make_mac("68040")
    for address in range(1, 3001):
        mac.host.report("check", f"something is wrong at {address}")
    assert len(mac.outputs.findings) == 1001
    assert mac.outputs.findings["findings", "more than 1,000 mistakes were found"].times == 2000


def test_a_selector_without_the_size_of_its_arguments_is_known(mac_68k: Macintosh) -> None:
    """PortChanged is selector 0x40009 of QDExtensions, and some programs say 9."""
    run_code(mac_68k, "2f08 7009 ab1d 4e75", a0=0)  # MOVE.L A0,-(A7); MOVEQ #9,D0; the trap; RTS
    assert mac_68k.calls["PortChanged"] == 1


def test_a_program_may_prepare_the_resource_manager_again(mac_68k: Macintosh) -> None:
    run_code(mac_68k, "a996 4e75")
    assert mac_68k.calls["RsrcZoneInit"] == 1
