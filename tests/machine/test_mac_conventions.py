"""The calling conventions of Mac OS compilers, on routines of a few instructions."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from emu.base.errors import UsageError
from emu.machine import CPUS, BareMachine, ContractViolation
from emu.machine.abi import CALLING_CONVENTIONS, DEFAULT_CONVENTIONS
from emu.machine.abi.call_site import WORD
from emu.program import GuestType
from emu.program.model.types import Field, struct_of
from tests.machine.routines import DATA, program

M68K_ROUTINES = {
    "ReadsGlobal": "202dfffc 4e75",  # MOVE.L -4(A5),D0
    "WritesGlobal": "2b6f0004fffc 4e75",  # MOVE.L 4(A7),-4(A5)
    "UsesScratch": "7001 7202 7403 207c00000004 227c00000005 4e75",  # D0-D2, A0, A1
    "ClobbersD3": "7663 4e75",
    "ClobbersA5": "2a7c00000007 4e75",
    "TakesShort": "302f0004 48c0 4e75",  # MOVE.W 4(A7),D0; EXT.L
    "TakesCharThenLong": "102f0004 4880 48c0 d0af0006 4e75",  # byte at 4(A7), long at 6(A7)
    "TakesLongs": "202f0004 d0af0008 4e75",
    "WritesItsArgument": "3f400004 4e75",  # MOVE.W D0,4(A7)
    "WritesBehindAShort": "3f400006 4e75",  # MOVE.W D0,6(A7)
    "ReturnsPointer": "2008 203c00030010 4e75",  # in D0
}
PPC_ROUTINES = {
    "ReadsGlobal": "80620000 80630000 4e800020",  # lwz r3,0(r2); lwz r3,0(r3); blr
    "WritesGlobal": "81620000 906b0000 4e800020",  # lwz r11,0(r2); stw r3,0(r11)
    "ClobbersToc": "38400000 4e800020",
    "ClobbersR13": "39a00063 4e800020",
    "SavesIntoLinkage": "7c0802a6 90010008 7c000026 90010004 90410014 4e800020",
    "SpillsArguments": "90610018 91410034 4e800020",  # r3 to 24(r1), r10 to 52(r1)
    "WritesAboveParameters": "90610038 4e800020",  # r3 to 56(r1)
    "StackPointer": "7c230b78 4e800020",
    "TakesNine": "80610038 7c635214 4e800020",  # the ninth, at 56(r1), and r10
}


@pytest.fixture(scope="module", params=["68000", "68040"])
def m68k(request: pytest.FixtureRequest) -> BareMachine:
    """Data of 16 bytes below A5, the last long of it 1994."""
    data = bytes(12) + (1994).to_bytes(4, "big")
    made = program("m68k", M68K_ROUTINES, {"a5": DATA + 16}, data)
    return BareMachine(made, CPUS[request.param])


@pytest.fixture(scope="module")
def ppc() -> BareMachine:
    """A table of contents with one entry, for a word that is 1994."""
    data = (DATA + 4).to_bytes(4, "big") + (1994).to_bytes(4, "big")
    return BareMachine(program("powerpc", PPC_ROUTINES, {"r2": DATA}, data), CPUS["601"])


def call(machine: BareMachine, routine: str, *arguments: int | np.integer) -> int:
    """Call a routine with arguments of 32 bits, or of as many as a NumPy integer has."""
    types = [
        GuestType(str(one.dtype), "integer", one.dtype.newbyteorder(">"))
        if isinstance(one, np.integer)
        else WORD
        for one in arguments
    ]
    names = [str(number) for number in range(len(arguments))]
    site = machine.typed_site(machine.program.function(routine), names, types, WORD)
    record = np.zeros((), site.record.dtype)
    for name, argument in zip(names, arguments, strict=True):
        record[name] = argument
    return int.from_bytes(machine.call_typed(routine, site, record.tobytes()), "big")


def violation(machine: BareMachine, routine: str, *arguments: int | np.integer) -> str:
    """The one rule a call breaks."""
    with pytest.raises(ContractViolation) as caught:
        call(machine, routine, *arguments)
    machine.reset()
    (sentence,) = caught.value.violations
    return sentence


def test_a_program_says_which_convention_it_has(m68k: BareMachine, ppc: BareMachine) -> None:
    assert (m68k.convention.name, ppc.convention.name) == ("m68k-retro68", "ppc-poweropen")
    assert {c.name for c in DEFAULT_CONVENTIONS.values()} == {
        "m68k-elf",
        "ppc-sysv",
        "mips-o32",
    }
    other = CALLING_CONVENTIONS["m68k-elf"]
    assert BareMachine(m68k.program, m68k.cpu, other).convention is other


def test_globals_are_found_through_a_register(m68k: BareMachine, ppc: BareMachine) -> None:
    for machine in (m68k, ppc):
        assert machine.call("ReadsGlobal") == 1994
        machine.call("WritesGlobal", 2026)
        assert machine.call("ReadsGlobal") == 2026
        machine.reset()


def test_the_register_of_the_globals_is_kept(m68k: BareMachine, ppc: BareMachine) -> None:
    assert violation(m68k, "ClobbersA5") == (
        "register a5 was 0x00030010 and came back as 0x00000007"
    )
    assert violation(ppc, "ClobbersToc") == (
        "register r2 was 0x00030000 and came back as 0x00000000"
    )


def test_scratch_and_preserved_registers(m68k: BareMachine, ppc: BareMachine) -> None:
    m68k.call("UsesScratch")
    assert re.match("register d3 was", violation(m68k, "ClobbersD3"))
    assert re.match("register r13 was", violation(ppc, "ClobbersR13"))
    elf = BareMachine(m68k.program, m68k.cpu, CALLING_CONVENTIONS["m68k-elf"])
    assert re.match("register d2 was", violation(elf, "UsesScratch")), "only Retro68 gives D2 away"


def test_pointers_return_in_d0(m68k: BareMachine) -> None:
    assert m68k.call("ReturnsPointer") == 0x00030010


def test_narrow_arguments(m68k: BareMachine) -> None:
    assert call(m68k, "TakesShort", np.int16(-3)) == 0xFFFFFFFD
    assert call(m68k, "TakesShort", np.int16(0x7FFF)) == 0x7FFF
    assert call(m68k, "TakesCharThenLong", np.int8(-1), 100) == 99
    assert call(m68k, "TakesCharThenLong", np.uint8(200), 100) == 44
    assert call(m68k, "TakesLongs", 40, 2) == 42


def test_narrow_arguments_are_numbers_to_other_conventions(
    m68k: BareMachine, ppc: BareMachine
) -> None:
    elf = BareMachine(m68k.program, m68k.cpu, CALLING_CONVENTIONS["m68k-elf"])
    assert call(elf, "TakesLongs", np.int16(40), np.int8(2)) == 42
    assert call(ppc, "TakesNine", *range(7), np.int16(20), np.int8(3)) == 23


def test_a_routine_owns_its_arguments_and_no_more(m68k: BareMachine) -> None:
    call(m68k, "WritesItsArgument", np.int16(1))
    call(m68k, "WritesBehindAShort", np.int16(1), np.int16(2))
    assert "it wrote 2 bytes above its own stack frame, the first at 2 bytes" in violation(
        m68k, "WritesBehindAShort", np.int16(1)
    )


def test_only_routines_without_arguments_of_classic_compilers(m68k: BareMachine) -> None:
    classic = BareMachine(m68k.program, m68k.cpu, CALLING_CONVENTIONS["m68k-pascal"])
    assert classic.call("ReadsGlobal") == 1994
    classic.call("UsesScratch")
    assert re.match("register d3 was", violation(classic, "ClobbersD3"))
    with pytest.raises(UsageError, match="only routines without any can be called"):
        classic.call("TakesLongs", 1, 2)


def test_the_linkage_area_and_the_parameters_are_the_routines(ppc: BareMachine) -> None:
    ppc.call("SavesIntoLinkage")
    ppc.call("SpillsArguments", *range(8))
    ppc.call("SpillsArguments")
    assert "the first at 56 bytes above the stack pointer" in violation(
        ppc, "WritesAboveParameters", 1
    )
    ppc.call("WritesAboveParameters", *range(9))


def test_more_arguments_than_registers(ppc: BareMachine) -> None:
    assert ppc.call("TakesNine", *range(7), 1000, 994) == 1994


def test_the_stack_is_aligned(ppc: BareMachine) -> None:
    assert ppc.call("StackPointer") % 16 == 0


def test_a_register_that_the_convention_does_not_know() -> None:
    made = program("powerpc", PPC_ROUTINES, {"a5": 1}, b"")
    with pytest.raises(UsageError, match="ppc-poweropen has no register a5"):
        BareMachine(made, CPUS["601"])
    with pytest.raises(UsageError, match="no calling convention ppc-nextstep"):
        BareMachine(replace(made, convention="ppc-nextstep"), CPUS["601"])
    made = program("powerpc", PPC_ROUTINES, {"f14": 1}, b"")
    with pytest.raises(UsageError, match="no register f14"):
        BareMachine(made, CPUS["601"])


def test_a_struct_with_a_lone_float_takes_a_number_among_the_floats() -> None:
    """As Retro68's GCC has it: the struct is in general registers, the next float in f2."""
    double = GuestType("double", "float", np.dtype(">f8"))
    lone = struct_of("Lone", (Field("d", double, 0),), 8)
    form = CALLING_CONVENTIONS["ppc-poweropen"].form(CPUS["601"], [lone, double], None)
    assert [[piece.register for piece in one.pieces] for one in form.parameters] == [
        ["r3", "r4"],
        ["f2"],
    ]
