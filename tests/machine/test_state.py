"""State of the processor: no call sees what another has left, and none leaves what it must not."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from emu.machine import (
    CPUS,
    PLAIN,
    BareMachine,
    Batch,
    ContractViolation,
    GuestFault,
    Surroundings,
)
from tests.machine.routines import DATA, program

SHOWN = f"{DATA:08x}"
CHANGED = f"{DATA + 4:08x}"


def m68k(read: str, change: str, write: str) -> str:
    """68K code that stores D0 as read, changes it, writes it, reads it again and stores it."""
    return f"{read} 23c0{SHOWN} {change} {write} {read} 23c0{CHANGED} 4e75"


def control(number: str) -> str:
    """68K code for a control register of MOVEC; the bits changed exist in all of them."""
    return m68k(f"4e7a{number}", "0a80 80008001", f"4e7b{number}")


def ppc(read: str, change: str, write: str) -> str:
    """PowerPC code that does the same with r3; r4 is DATA."""
    return f"3c800003 {read} 90640000 {change} {write} {read} 90640004 4e800020"


def special(number: int) -> str:
    """PowerPC code for a special-purpose register."""
    field = (number & 31) << 16 | (number >> 5) << 11
    return ppc(f"{0x7C6002A6 | field:08x}", "68630101", f"{0x7C6003A6 | field:08x}")


def mips(read: str, change: str, write: str) -> str:
    """MIPS code that does the same with t0; t1 is DATA."""
    slow = "00000000"  # a register of a coprocessor can be used one instruction later
    show = f"3c090003 {read} {slow} ad280000 {change} {write} {slow}"
    return f"{show} {read} {slow} ad280004 03e00008 00000000"


M68000_STATE = {
    "usp": m68k("4e68 2008", "5280", "2040 4e60"),
    "condition codes": m68k("40c0", "0a40 001f", "44c0"),
    "interrupt mask": m68k("40c0", "0a40 0700", "46c0"),
}
M68040_STATE = M68000_STATE | {
    "sfc": control("0000"),
    "dfc": control("0001"),
    "cacr": control("0002"),
    "urp": control("0806"),
    "dtt0": control("0006"),
    "vbr": control("0801"),
    "fpcr": m68k("f200b000", "0a80 00000010", "f2009000"),
    "fpsr": m68k("f200a800", "0a80 0f0000f8", "f2008800"),
    "fp0": m68k("f2006000", "7007", "f2004000"),
}
PPC_STATE = {
    "mq": special(0),
    "xer": special(1),
    "dsisr": special(18),
    "dar": special(19),
    "sdr1": special(25),
    "srr0": special(26),
    **{f"sprg{n}": special(272 + n) for n in range(4)},
    "sr": ppc("7c6004a6", "68630101", "7c6001a4"),
    "cr": ppc("7c600026", "68630101", "7c6ff120"),
    "fpscr sticky": ppc("fc00048e d8040008 8064000c", "60000000", "ffe0004c"),
    "fpscr rounding": ppc("fc00048e d8040008 8064000c", "60000000", "ff80110c"),
    "f0": ppc("d8040008 80640008", "68630101 90640008", "c8040008"),
    # A store that is conditional on a reservation shows whether there was one.
    "reservation": "3c800003 7c60212d 7c600026 90640000"
    "7c602028 7c60212d 7c600026 90640004 7c602028 4e800020",
    "msr": ppc("7c6000a6", "68638000", "7c600124"),
}
MIPS_STATE = {
    "lo": mips("00004012", "39080101", "01000013"),
    "hi": mips("00004010", "39080101", "01000011"),
    "fcsr": mips("4448f800", "39080001", "44c8f800"),
    "f0": mips("44080000", "39080101", "44880000"),
    "status": mips("40086000", "39080001", "40886000"),
    "epc": mips("40087000", "39080101", "40887000"),
}
STATE = {"68000": M68000_STATE, "68040": M68040_STATE, "601": PPC_STATE, "mips": MIPS_STATE}


@functools.cache
def machine_with(cpu: str) -> BareMachine:
    architecture = CPUS[cpu].architecture
    return BareMachine(program(architecture, STATE[cpu], {}, bytes(256)), CPUS[cpu])


def run(machine: BareMachine, routine: str) -> Batch:
    """Three calls that begin alike."""
    before = np.tile(machine.pristine, (3, 1))
    batch = machine.calls.run(machine.program.function(routine), before)
    assert batch.fault is None
    return batch


@pytest.mark.parametrize(
    ("cpu", "state"), [(cpu, state) for cpu, states in STATE.items() for state in states]
)
def test_no_call_sees_what_another_has_left(cpu: str, state: str) -> None:
    machine = machine_with(cpu)
    batch = run(machine, state)
    start = machine.data.offset(DATA)
    words = np.ascontiguousarray(batch.after[:, start : start + 8]).view(">u4")
    assert np.all(words[:, 0] != words[:, 1]), "it was not changed, so nothing was tested"
    assert np.all(words == words[0])
    machine.calls.trace(machine.program.function(state), machine.pristine)
    assert np.array_equal(machine.data.copy(), batch.after[0]), (
        "the traced engine begins as the fast"
    )


def test_what_other_routines_have_left_is_not_seen() -> None:
    """So the order of calls, and what calls share a process, make no difference."""
    for cpu, states in STATE.items():
        alone, shared = {}, machine_with(cpu)
        for state in states:
            fresh = BareMachine(shared.program, shared.cpu)
            alone[state] = run(fresh, state).after
        for state in [*reversed(states), *states]:
            assert np.array_equal(run(shared, state).after, alone[state]), (cpu, state)


@pytest.mark.parametrize(
    ("cpu", "state", "bits"),
    [
        ("68000", "condition codes", 0x1F),
        ("68040", "condition codes", 0x1F),
        ("601", "cr", 0xFFFFFFFF),
        ("601", "xer", 0xE0000000),
    ],
)
def test_flags_are_promised_to_no_routine(cpu: str, state: str, bits: int) -> None:
    """The carry with which a routine begins is another in other surroundings."""
    machine = machine_with(cpu)
    around = [
        Surroundings(PLAIN.stack, np.full(256, word, dtype=np.uint32)) for word in (0, 0xFFFFFFFF)
    ]
    before = np.tile(machine.pristine, (2, 1))
    batch = machine.calls.run(machine.program.function(state), before, around)
    assert batch.fault is None
    start = machine.data.offset(DATA)
    seen = np.ascontiguousarray(batch.after[:, start : start + 4]).view(">u4")[:, 0]
    assert (seen & bits).tolist() == [0, bits]


# -- what a routine must leave as it was -----------------------------------------------------------

M68K_RULES = {
    "interrupt mask": ("46fc 2700 4e75", "the interrupt mask was 0x0 and came back as 0x7"),
    # MOVEA.L A7,A0; MOVE A0,USP; MOVE #0,SR
    "supervisor": ("204f 4e60 46fc 0000 4e75", "the supervisor mode was on and came back as off"),
    "tracing": ("46fc a000 4e75", "the tracing of instructions was off and came back as on"),
}
M68040_RULES = M68K_RULES | {
    "tracing of branches": (
        "46fc 6000 4e75",
        "the tracing of branches was off and came back as on",
    ),
    # MOVEA.L A7,A0; MOVEC A0,MSP; MOVE #$3000,SR
    "master": ("204f 4e7b8803 46fc 3000 4e75", "the master state was off and came back as on"),
    "rounding": (
        "7010 f2009000 4e75",
        "the rounding mode was to nearest and came back as toward zero",
    ),
    "precision": (
        "7040 f2009000 4e75",
        "the rounding precision was extended and came back as single",
    ),
    "exceptions": (
        "303c 0400 f2009000 4e75",
        "the set of enabled floating-point exceptions was 0x0 and came back as 0x4",
    ),
}
PPC_RULES = {
    "rounding": ("ff80110c", "the rounding mode was to nearest and came back as toward zero"),
    "non-IEEE": ("ff80410c", "the non-IEEE mode was off and came back as on"),
    "exceptions": (
        "ff00810c",
        "the set of enabled floating-point exceptions was 0x0 and came back as 0x10",
    ),
}
PPC_RULES = {name: (f"{code} 4e800020", words) for name, (code, words) in PPC_RULES.items()} | {
    # mfmsr r3; ori r3,r3,...; mtmsr r3
    name: (f"7c6000a6 6063{bit} 7c600124 4e800020", words)
    for name, bit, words in (
        ("interrupts", "8000", "the external interrupt enable was off and came back as on"),
        ("translation", "0030", "the address translation was 0x0 and came back as 0x3"),
        ("machine checks", "1000", "the machine check enable was off and came back as on"),
    )
}
MIPS_RULES = {
    "rounding": (
        "24080001 44c8f800 03e00008 00000000",
        "the rounding mode was to nearest and came back as toward zero",
    ),
    "interrupts": (
        "40086000 35080001 40886000 03e00008 00000000",
        "the interrupt enable was off and came back as on",
    ),
}
RULES = {"68000": M68K_RULES, "68040": M68040_RULES, "601": PPC_RULES, "mips": MIPS_RULES}


@pytest.mark.parametrize(
    ("cpu", "rule"), [(cpu, rule) for cpu, rules in RULES.items() for rule in rules]
)
def test_a_state_that_is_not_restored_breaks_the_contract(cpu: str, rule: str) -> None:
    code, words = RULES[cpu][rule]
    machine = BareMachine(program(CPUS[cpu].architecture, {rule: code}, {}, b""), CPUS[cpu])
    with pytest.raises(ContractViolation) as caught:
        machine.call(rule)
    first, *others = caught.value.violations
    assert first == words
    assert all(one.startswith("it executed ") and "privileged" in one for one in others)


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ("00000000", "floating point unavailable"),
        ("00006000", "program interrupt (illegal instruction or trap)"),
    ],
    ids=["no floating point", "problem state"],
)
def test_a_return_to_a_caller_that_cannot_go_on(state: str, reason: str) -> None:
    code = f"3860{state[4:]} 7c600124 4e800020"  # li r3,...; mtmsr r3
    machine = BareMachine(program("powerpc", {"Leaves": code}, {}, b""), CPUS["601"])
    with pytest.raises(GuestFault) as caught:
        machine.call("Leaves")
    assert caught.value.fault.reason == (
        f"it returned, but left its caller unable to go on: {reason}"
    )
    assert caught.value.fault.kind == "exception"
