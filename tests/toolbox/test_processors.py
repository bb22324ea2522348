"""68K code in a program for the PowerPC, which a second processor executes."""

from __future__ import annotations

import struct

import pytest

from emu.toolbox.calls.powerpc import PowerPcDispatcher
from emu.toolbox.calls.procedure_information import ProcedureInformation
from emu.toolbox.computer.settings import Settings
from emu.toolbox.guest.findings import GuestStopError, OutOfTimeError
from emu.toolbox.macintosh import Macintosh
from tests.program import fragment_samples as sample
from tests.toolbox.conftest import do, make_mac, run_code

PASCAL, C, REGISTERS, STACK_DISPATCHED = 0, 1, 2, 14
BYTE, WORD, LONG = 1, 2, 3
_68K, _POWERPC = 0, 1
IS_RELATIVE, NEEDS_PREPARING = 1, 2


def stacked(convention: int, result: int, *sizes: int) -> int:
    """The procInfo of a routine with arguments on the stack."""
    arguments = sum(size << 6 + 2 * number for number, size in enumerate(sizes))
    return convention | result << 4 | arguments


def in_registers(result: int, where: int, *arguments: tuple[int, int]) -> int:
    """The procInfo of a routine with arguments in registers: the size and number of each."""
    placed = sum((s | r << 2) << 11 + 5 * number for number, (s, r) in enumerate(arguments))
    return REGISTERS | result << 4 | where << 6 | placed


@pytest.fixture
def mac() -> Macintosh:
    return make_mac("601")


def store(mac: Macintosh, code: str) -> int:
    raw = bytes.fromhex(code)
    place = mac.memory.new_pointer(len(raw))
    mac.guest.write(place, raw)
    return place


def powerpc(mac: Macintosh, code: str, information: int) -> int:
    """A descriptor of PowerPC code."""
    place = store(mac, code + "00000000 00000000")
    vector = place + len(bytes.fromhex(code))
    mac.guest.put32(vector, place)
    return int(do(mac, "NewRoutineDescriptor", vector, information, _POWERPC))


def call(
    mac: Macintosh,
    procedure: int,
    information: int,
    *words: int,
    by: str = "CallUniversalProc",
) -> int:
    """The result of CallUniversalProc, called by a PowerPC program."""
    assert isinstance(mac.dispatcher, PowerPcDispatcher)
    stub = mac.guest.u32(mac.dispatcher.import_address(by))
    arguments = {f"r{5 + number}": word for number, word in enumerate(words)}
    registers = run_code(
        mac, "7d8903a6 4e800420", r12=stub, r3=procedure, r4=information, **arguments
    )
    return registers["r3"]


def test_the_procedure_information_is_taken_apart() -> None:
    pascal = ProcedureInformation.of(stacked(PASCAL, WORD, BYTE, WORD, LONG))
    assert (pascal.sizes, pascal.result_size, pascal.count) == ((1, 2, 4), 2, 3)
    registers = ProcedureInformation.of(in_registers(LONG, 0, (LONG, 4), (WORD, 0)))
    assert registers.registers == ("a0", "d0")
    assert registers.sizes == (4, 2)
    assert ProcedureInformation.of(STACK_DISPATCHED).count == 4


def test_pascal_code_gets_its_arguments_and_its_result_is_told(mac: Macintosh) -> None:
    # FUNCTION (a: INTEGER; b: LONGINT): LONGINT: a word, and a long word less it.
    code = "302f0008 48c0 222f0004 9280 2f41000a 205f 5c8f 4ed0"
    information = stacked(PASCAL, LONG, WORD, LONG)
    assert call(mac, store(mac, code), information, 2, 44) == 42
    descriptor = do(mac, "NewRoutineDescriptor", store(mac, code), information, _68K)
    assert call(mac, descriptor, information, 0x10002, 44) == 42, "only the word is passed"
    assert not mac.outputs.findings


def test_c_code_gets_long_words(mac: Macintosh) -> None:
    code = "202f0004 90af0008 4e75"  # move.l 4(sp),d0; sub.l 8(sp),d0; rts
    assert call(mac, store(mac, code), stacked(C, LONG, LONG, LONG), 50, 8) == 42


def test_code_by_registers(mac: Macintosh) -> None:
    code = "d088 4e75"  # add.l a0,d0; rts
    information = in_registers(LONG, 0, (LONG, 4), (LONG, 0))
    assert call(mac, store(mac, code), information, 40, 2) == 42


def test_another_convention_is_named(mac: Macintosh) -> None:
    with pytest.raises(GuestStopError, match="called by convention 14"):
        call(mac, store(mac, "4e75 4e75"), STACK_DISPATCHED)


def test_68k_code_finds_the_program_s_a5_and_calls_the_toolbox(mac: Macintosh) -> None:
    # The result is TickCount's, and A5 is CurrentA5's: cmpa.l $904,a5; bne to an illegal word.
    code = "bbf80904 660a 42a7 a975 201f 4e75 4afc 4afc"
    assert call(mac, store(mac, code), stacked(C, LONG)) == mac.clock.ticks()


def test_68k_code_calls_the_powerpc_and_comes_back(mac: Macintosh) -> None:
    # FUNCTION (a: INTEGER; b: LONGINT): LONGINT, the difference, of the PowerPC.
    information = stacked(PASCAL, LONG, WORD, LONG)
    own = powerpc(mac, "7c641850 4e800020", information)  # subf r3,r4,r3... r3 - r4
    code = f"42a7 3f3cffff 2f3c00000005 4eb9{own:08x} 201f 4e75"
    assert call(mac, store(mac, code), stacked(C, LONG)) == 0xFFFFFFFA, "-1 less 5"
    plain = powerpc(mac, "7c632214 4e800020", stacked(C, LONG, LONG, WORD))  # add r3,r3,r4
    code = f"4878 0003 4878 0004 4eb9{plain:08x} 508f 4e75"
    assert call(mac, store(mac, code), stacked(C, LONG)) == 7
    by_registers = powerpc(mac, "7c632214 4e800020", in_registers(LONG, 0, (LONG, 4), (LONG, 1)))
    code = f"7205 307c0006 4eb9{by_registers:08x} 4e75"
    assert call(mac, store(mac, code), stacked(C, LONG)) == 11
    assert not mac.outputs.findings


def fat_resource(information: int, *routines: tuple[int, bytes]) -> bytes:
    """A descriptor with the code of each processor behind it, as a fat code resource has."""
    head = struct.pack(">HBBIBBH", 0xAAFE, 7, 0, 0, 0, 0, len(routines) - 1)
    records, code, start = b"", b"", len(head) + 20 * len(routines)
    for processor, routine in routines:
        flags = IS_RELATIVE | NEEDS_PREPARING * (processor == _POWERPC)
        place = start + len(code)
        records += struct.pack(">IBBHIII", information, 0, processor, flags, place, 0, 0)
        code += routine + bytes(-len(routine) % 4)
    return head + records + code


def fragment() -> bytes:
    """A fragment whose main routine answers the argument, and 40 of its data."""
    code = bytes.fromhex("80020008 7c630214 4e800020")  # lwz r0,8(r2); add r3,r3,r0; blr
    loader = sample.loader_section(relocations={1: sample.run(2, 1)}, main=(1, 0))
    data = struct.pack(">3I", 0, 0, 40)
    return sample.pef([sample.Section(0, code), sample.Section(1, data)], loader)


@pytest.mark.parametrize("fat", [True, False])
def test_the_code_for_the_powerpc_in_a_resource_is_connected(mac: Macintosh, fat: bool) -> None:
    information = stacked(C, LONG, LONG)
    plain = ((_68K, bytes.fromhex("7001 4e75")),) if fat else ()
    place = store(mac, fat_resource(information, *plain, (_POWERPC, fragment())).hex())
    assert call(mac, place, information, 2) == 42
    assert mac.call_guest(place, "FUNCTION Routine (a: LONGINT): LONGINT", 3) == 43
    code = f"4878 0004 4eb9{place:08x} 588f 4e75"  # pea 4; jsr place; addq.l #4,sp; rts
    assert call(mac, store(mac, code), stacked(C, LONG)) == 44


def test_the_68k_code_in_a_resource_lies_behind_its_descriptor(mac: Macintosh) -> None:
    information = stacked(C, LONG, LONG)
    code = bytes.fromhex("202f0004 5480 4e75")  # move.l 4(sp),d0; addq.l #2,d0; rts
    place = store(mac, fat_resource(information, (_68K, code)).hex())
    assert call(mac, place, information, 40) == 42


def test_code_in_a_resource_that_cannot_be_connected_is_named(mac: Macintosh) -> None:
    place = store(mac, fat_resource(stacked(C, LONG), (_POWERPC, b"no fragment")).hex())
    with pytest.raises(GuestStopError, match=r"code resource at 0x.* cannot be connected"):
        call(mac, place, stacked(C, LONG))


@pytest.mark.parametrize("by", ["CallUniversalProc", "CallOSTrapUniversalProc"])
def test_a_trap_is_called_by_its_address_and_sees_its_word(mac: Macintosh, by: str) -> None:
    new_pointer = do(mac, "NGetTrapAddress", 0xA11E, 0)
    information = in_registers(LONG, 4, (WORD, 1), (LONG, 0))  # A0 of D1 and D0
    plain = call(mac, new_pointer, information, 0xA11E, 16, by=by)
    clear = call(mac, new_pointer, information, 0xA31E, 16, by=by)  # with CLEAR
    assert do(mac, "GetPtrSize", clear) == 16
    assert mac.guest.read(plain, 16) != bytes(16) == mac.guest.read(clear, 16)


def test_a_trap_with_a_selector_is_called_by_its_address(mac: Macintosh) -> None:
    block = mac.memory.new_pointer(122, clear=True)
    dispatch = do(mac, "NGetTrapAddress", 0xA060, 0)
    information = in_registers(WORD, 0, (WORD, 1), (LONG, 0), (LONG, 4))
    assert call(mac, dispatch, information, 0xA260, 7, block) == 0  # PBGetWDInfo
    assert mac.guest.i16(block + 32) == -1  # ioWDVRefNum


def test_a_trap_without_its_word_is_called_by_its_address(mac: Macintosh) -> None:
    strip_address = do(mac, "NGetTrapAddress", 0xA055, 0)
    assert call(mac, strip_address, in_registers(LONG, 0, (LONG, 0)), 0x1234) == 0x1234


def test_a_routine_that_is_nil_is_named(mac: Macintosh) -> None:
    with pytest.raises(GuestStopError, match="CallUniversalProc was given nil"):
        call(mac, 0, stacked(C, LONG))


def test_what_the_powerpc_changes_of_68k_code_is_executed(mac: Macintosh) -> None:
    place = store(mac, "7001 4e75")
    assert call(mac, place, stacked(C, LONG)) == 1
    mac.guest.write(place, bytes.fromhex("7002"))
    assert call(mac, place, stacked(C, LONG)) == 2


def test_68k_code_that_never_ends_is_stopped() -> None:
    mac = make_mac("601", settings=Settings(timeout=0.3))
    assert isinstance(mac.dispatcher, PowerPcDispatcher)
    stub = mac.guest.u32(mac.dispatcher.import_address("CallUniversalProc"))
    mac.dispatcher.start(stub, mac.layout.stack_top, 0)
    registers, index = mac.engine.registers, mac.engine.index
    registers[index["r3"]], registers[index["r4"]] = store(mac, "60fe 4e71"), stacked(C, LONG)
    with pytest.raises(OutOfTimeError):
        mac.run()


def test_a_fault_of_68k_code_is_told_with_its_registers(mac: Macintosh) -> None:
    with pytest.raises(GuestStopError, match=r"(?s)illegal.* a7 "):
        call(mac, store(mac, "4afc 4e75"), stacked(C, LONG))
