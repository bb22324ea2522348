"""Trap addresses: what is there, what is not, and patches."""

from __future__ import annotations

import pytest

from emu.toolbox.calls.m68k import M68kDispatcher
from emu.toolbox.calls.powerpc import PowerPcDispatcher
from emu.toolbox.calls.trap_table import rom_entry, trap_number
from emu.toolbox.computer.settings import Settings
from emu.toolbox.guest.findings import GuestStopError, Sureness
from emu.toolbox.macintosh import Macintosh
from tests.toolbox.conftest import do, make_mac, run_code

UNIMPLEMENTED = rom_entry(trap_number(0xA89F))


def patches(mac: Macintosh) -> dict[int, int]:
    assert isinstance(mac.dispatcher, M68kDispatcher)
    return mac.dispatcher.patches


@pytest.mark.parametrize(
    ("name", "trap", "word"),
    [
        ("GetOSTrapAddress", 0xA055, 0xA055),
        ("GetOSTrapAddress", 0x55, 0xA055),
        ("GetToolTrapAddress", 0xA9F0, 0xA9F0),
        ("GetToolTrapAddress", 0x1F0, 0xA9F0),
        ("GetTrapAddress", 0x1E, 0xA11E),
        ("GetTrapAddress", 0x1F0, 0xA9F0),
    ],
)
def test_a_known_trap_has_an_address_of_its_own(
    mac: Macintosh, name: str, trap: int, word: int
) -> None:
    assert do(mac, name, trap) == rom_entry(trap_number(word)) != UNIMPLEMENTED


def test_an_unknown_trap_is_unimplemented(mac: Macintosh) -> None:
    assert do(mac, "GetToolTrapAddress", 0xA89F) == UNIMPLEMENTED
    assert do(mac, "GetToolTrapAddress", 0xABEE) == UNIMPLEMENTED
    assert do(mac, "GetOSTrapAddress", 0xA0FE) == UNIMPLEMENTED


def test_traps_by_type_on_powerpc() -> None:
    mac = make_mac("601")
    assert do(mac, "NGetTrapAddress", 0xA860, 1) == rom_entry(trap_number(0xA860))
    assert do(mac, "NGetTrapAddress", 0xA055, 0) == rom_entry(trap_number(0xA055))


_POWERPC, _68K = 1, 0


def powerpc_routine(mac: Macintosh, code: str, information: int, isa: int = _POWERPC) -> int:
    """The address of a routine descriptor of PowerPC code."""
    raw = bytes.fromhex(code)
    place = mac.memory.new_pointer(len(raw) + 8, clear=True)
    mac.guest.write(place, raw + place.to_bytes(4, "big"))
    return int(do(mac, "NewRoutineDescriptor", place + len(raw), information, isa))


def call_import(mac: Macintosh, name: str, **registers: int) -> int:
    """Call a routine as a program does that imports it; its result."""
    assert isinstance(mac.dispatcher, PowerPcDispatcher)
    stub = mac.guest.u32(mac.dispatcher.import_address(name))
    return run_code(mac, "7d8903a6 4e800420", r12=stub, **registers)["r3"]  # mtctr r12; bctr


def test_a_powerpc_patch_is_called_and_goes_on_to_the_original() -> None:
    mac = make_mac("601")
    own = do(mac, "NGetTrapAddress", 0xA975, 1)
    patch = powerpc_routine(mac, "38600007 4e800020", 0x30)  # li r3,7; blr
    do(mac, "NSetTrapAddress", patch, 0xA975, 1)
    assert do(mac, "NGetTrapAddress", 0xA975, 1) == patch
    assert call_import(mac, "TickCount") == 7
    # The routine itself, which the patch would call, is reached by the address before.
    assert call_import(mac, "CallUniversalProc", r3=own, r4=0x30) == mac.clock.ticks()
    mac.traps.finish()
    (found,) = mac.outputs.findings.values()  # System 7 takes it back
    assert (found.check, found.sureness) == ("patches", Sureness.UNUSUAL)
    do(mac, "NSetTrapAddress", own, 0xA975, 1)
    assert call_import(mac, "TickCount") == mac.clock.ticks()


def test_universal_procedures_get_their_arguments() -> None:
    mac = make_mac("601")
    # FUNCTION (a, ..., i: LONGINT): LONGINT of nine arguments, the first less the last: the last
    # is on the stack, behind the linkage area and eight words.
    nine = powerpc_routine(mac, "80810038 7c641850 4e800020", 0x3FFFF << 6 | 0x30)
    stack = mac.layout.stack_top - 256
    mac.guest.put32(stack + 24 + 4 * 10, 30)
    assert (
        call_import(mac, "CallUniversalProc", r3=nine, r4=0x3FFFF << 6 | 0x30, r5=72, r1=stack)
        == 42
    )


def test_a_patch_of_68k_code_is_refused_in_a_powerpc_program() -> None:
    mac = make_mac("601")
    old = do(mac, "NewRoutineDescriptor", mac.memory.new_pointer(4, clear=True), 0x30, _68K)
    do(mac, "NSetTrapAddress", old, 0xA975, 1)
    with pytest.raises(GuestStopError, match="is of 68K code"):
        call_import(mac, "TickCount")


def test_a_patch_is_called_and_can_be_taken_back(mac_68k: Macintosh) -> None:
    mac = mac_68k
    patch = mac.memory.new_pointer(4)
    mac.guest.write(patch, bytes.fromhex("70074e75"))  # moveq #7,d0; rts
    own = do(mac, "GetOSTrapAddress", 0xA055)
    do(mac, "SetOSTrapAddress", patch, 0xA055)
    assert do(mac, "GetOSTrapAddress", 0xA055) == patch
    assert run_code(mac, "7001 a055 4e75")["d0"] == 7
    do(mac, "SetOSTrapAddress", own, 0xA055)
    assert patches(mac) == {}
    assert run_code(mac, "7001 a055 4e75")["d0"] == 1


def test_a_toolbox_patch_goes_on_to_the_traps_own_routine(mac_68k: Macintosh) -> None:
    mac = mac_68k
    own = do(mac, "GetToolTrapAddress", 0xA975)
    patch = mac.memory.new_pointer(8)
    # addq.l #1,d7; jmp (the trap's own routine)
    mac.guest.write(patch, bytes.fromhex("52874ef9") + own.to_bytes(4, "big"))
    do(mac, "SetToolTrapAddress", patch, 0xA975)
    registers = run_code(mac, "42a7 a975 201f 4e75", d7=0)  # clr.l -(a7); _TickCount; pop d0
    assert registers["d7"] == 1
    assert registers["d0"] == mac.clock.ticks()


def test_setting_back_an_unknown_trap_removes_its_patch(mac_68k: Macintosh) -> None:
    mac = mac_68k
    before = do(mac, "GetToolTrapAddress", 0xABEE)
    do(mac, "SetToolTrapAddress", 0x1000, 0xABEE)
    do(mac, "SetToolTrapAddress", before, 0xABEE)
    assert patches(mac) == {}


def test_a_patch_that_is_left_is_found(mac_68k: Macintosh) -> None:
    mac = mac_68k
    do(mac, "SetToolTrapAddress", 0x1000, 0xA9C8)
    do(mac, "SetOSTrapAddress", 0x1000, 0xA055)
    do(mac, "SetOSTrapAddress", rom_entry(0x55), 0xA055)
    mac.traps.finish()
    (finding,) = mac.outputs.findings.values()
    assert (finding.check, finding.sureness) == ("patches", Sureness.SOME)
    assert "trap 0xA9C8" in finding.problem


@pytest.mark.parametrize(("depth", "is_there"), [(1, False), (8, True)])
def test_32_bit_quickdraw_is_known_by_a_trap(depth: int, is_there: bool) -> None:
    mac = make_mac("68040", settings=Settings(depth=depth))
    unimplemented = do(mac, "GetToolTrapAddress", 0xA89F)
    assert (do(mac, "GetToolTrapAddress", 0xAB03) != unimplemented) is is_there
