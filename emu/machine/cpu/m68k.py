"""Motorola 68K processors.

Unicorn's public constants for 68K models do not fit its own table of models: the constant named
M68040 selects a 68060. Therefore the model is found by what it executes. 64-bit MULS.L exists on
the 68020 to 68040 and not on the 68060; MOVE16 exists only on the 68040 and 68060; the 68000 has
neither. No instruction of a program tells a 68020 from a 68030, so both have one model.
Source: M68000 Family Programmer's Reference Manual, and measurement with Unicorn 2.1.4.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from emu.base.errors import MacproofError
from emu.machine.cpu.base import (
    CacheEffect,
    ConditionalTrap,
    Cpu,
    Probe,
    Special,
    StateField,
    StateRegister,
    disassembler,
)

_REGISTERS = (*(f"d{n}" for n in range(8)), *(f"a{n}" for n in range(8)))

# QEMU's numbers for 68K exceptions, which follow the processor's vector numbers.
_INTERRUPTS = {
    2: "bus error",
    3: "address error",
    4: "illegal instruction",
    5: "division by zero",
    6: "CHK out of bounds",
    7: "TRAPV overflow",
    8: "privilege violation",
    9: "trace",
    10: "A-line instruction (Toolbox trap)",
    11: "F-line instruction (no such coprocessor instruction)",
    **{32 + number: f"TRAP #{number}" for number in range(16)},
    0x100: "RTE",
}

# A Macintosh runs applications in supervisor mode; the engine starts in user mode, where reading
# SR would end the whole process.
_SUPERVISOR = 0x2000
# USP, VBR and the other control registers are not here: no convention speaks of them, and nothing
# that runs in supervisor mode without interrupts depends on them.
_STATUS = (
    StateField("tracing of instructions", 0x8000, ("off", "on")),
    StateField("supervisor mode", _SUPERVISOR, ("off", "on")),
    StateField("interrupt mask", 0x0700),
)
_STATUS_68040 = (
    *_STATUS,
    StateField("tracing of branches", 0x4000, ("off", "on")),
    StateField("master state", 0x1000, ("off", "on")),
)
# System V ABI, Motorola 68000 processor family, "Floating-point control register".
_FLOATING_POINT = StateRegister(
    "fpcr",
    0,
    (
        StateField("rounding mode", 0x30, ("to nearest", "toward zero", "down", "up")),
        StateField("rounding precision", 0xC0, ("extended", "single", "double")),
        StateField("set of enabled floating-point exceptions", 0xFF00),
    ),
)

_TRAPV = ConditionalTrap(
    code=bytes.fromhex("4e76"),
    reported=4,
    number=7,
    test=bytes.fromhex("69024e404e41"),  # BVS.S over the next; TRAP #0; TRAP #1
    passes=32,
)


def _count_instructions(code: bytes) -> int:
    import capstone  # loaded only where instructions are counted

    decoder = capstone.Cs(capstone.CS_ARCH_M68K, capstone.CS_MODE_M68K_040)
    count = decoded = 0
    for _, size, mnemonic, _ in decoder.disasm_lite(code, 0):
        if mnemonic == "dc.w":  # Capstone does not know the word
            break
        count += 1
        decoded += size
    if decoded != len(code):
        raise MacproofError(
            f"68K code cannot be decoded from byte {decoded} on: {code[decoded:].hex()}; "
            "its instructions cannot be counted"
        )
    return count


# Words that the engine must not execute, or only with some extension words.
_MOVEC = rb"\x4e[\x7a\x7b]"
_JSR_STACK = rb"\x4e\x97"
_BKPT = rb"\x48[\x48-\x4f]"
_TRAPF = rb"\x51[\xfa-\xfc]"
_CONDITIONAL = rb"\xf2[\x40-\x7f]"  # FScc, FDBcc, FTRAPcc
_IMMEDIATE = rb"\xf2\x3c[\x84\x88\x90]\x00"  # FMOVE.L #value,FPIAR, FPSR or FPCR
_REGISTER = rb"\xf2[\x00-\x07]"  # FPU instructions with an operand in a data register
_BRANCH = rb"\xf2[\xa0-\xbf\xe0-\xff]"  # FBcc with a predicate from 32 on
# Formats that have no room in a data register.
_WIDE = {2: "an extended number", 3: "a packed number", 5: "a double number"}
# SFC, DFC, CACR, TC, ITT0, ITT1, DTT0, DTT1; USP, VBR, MSP, ISP, MMUSR, URP, SRP.
_CONTROL_REGISTERS = frozenset((*range(8), 0x800, 0x801, *range(0x803, 0x808)))


def _finder(*patterns: bytes) -> Callable[[bytes], dict[int, Special]]:
    """Finds words of these patterns that the engine must not execute: see `Cpu.special`."""
    expression = re.compile(b"(?=" + b"|".join(patterns) + b")")  # looks ahead: they may overlap

    def find(code: bytes) -> dict[int, Special]:
        found = {}
        for match in expression.finditer(code):
            at = match.start()
            # At odd addresses too: the engine executes what is there.
            special = _special(code[at : at + 4])
            if special is not None:
                found[at] = special
        return found

    return find


def _special(code: bytes) -> Special | None:
    """The instruction at the beginning, if the engine must not execute it.

    BKPT never ends. JSR (A7) pushes the return address and then goes where A7 points, that is to
    the return address; a processor goes where A7 has pointed before. FMOVE.L of a constant to a
    control register of the FPU is an address error to the engine. TRAPF, a trap on a condition that
    never holds, with no operand or one of two or four bytes, is an Scc with another operand to it.
    The others have an operand that no processor knows, and crash the engine's process.
    """
    word, extension = int.from_bytes(code[:2], "big"), int.from_bytes(code[2:], "big")
    if word == 0x4E97:
        return Special("JSR (A7)", 2, calls_stack=True)
    if word == 0xF23C:
        return Special("FMOVE.L of a constant to a control register", 8, loads_fpu=True)
    if 0x51FA <= word <= 0x51FC:
        return Special("TRAPF", (4, 6, 2)[word - 0x51FA], does_nothing=True)
    if word & 0xFFF8 == 0x4848:
        return Special(f"BKPT #{word & 7}", 2)
    if word & 0xFFFE == 0x4E7A:
        register = extension & 0xFFF
        known = register in _CONTROL_REGISTERS
        return None if known else Special(f"MOVEC with control register 0x{register:03x}", 4)
    if word & 0xFFF8 == 0xF200:
        wide = extension >> 13 in (2, 3) and _WIDE.get(extension >> 10 & 7)
        return Special(f"an FPU instruction with {wide} in D{word & 7}", 4) if wide else None
    predicate = extension & 0x3F if word & 0xFFC0 == 0xF240 else word & 0x3F
    if predicate < 0x20:
        return None
    return Special(f"a conditional of the FPU with predicate {predicate}, the last being 31", 4)


_PLANTS = re.compile(
    rb"(?=[\x41\x43\x45\x47\x49\x4b\x4d]\xfa..[\x30\x32\x34\x36\x38\x3a\x3c][\x80-\xbf])", re.S
)
_FARTHEST_PLANTED = 64


def _planted(code: bytes) -> frozenset[int]:
    """The words that LEA d(PC),An and MOVE.W operand,(An) store, a little ahead of themselves.

    So glue calls a trap whose number is computed. A processor has not yet fetched the word.
    """
    found = set()
    for match in _PLANTS.finditer(code):
        at = match.start()
        distance = int.from_bytes(code[at + 2 : at + 4], "big")
        if code[at] - 0x41 == code[at + 4] - 0x30 and 4 <= distance <= _FARTHEST_PLANTED:
            found.add(at + 2 + distance)
    return frozenset(found)


def _cache_effect(word: int) -> CacheEffect | None:
    """CINV and CPUSH, with the caches they are for: 1 data, 2 instructions, 3 both."""
    if word & 0xFF00 != 0xF400 or word & 0x18 == 0:
        return None
    caches = word >> 6 & 3
    return CacheEffect(stores=bool(word & 0x20 and caches & 1), invalidates=bool(caches & 2))


def _m68k(name: str, *, probes: tuple[bool, bool, bool], likely: int, has_fpu: bool) -> Cpu:
    bitfield, multiply, move16 = probes
    return Cpu(
        name=name,
        title=f"Motorola {name}",
        architecture="m68k",
        family="M68K",
        general_registers=_REGISTERS,
        stack_pointer="a7",
        state=(
            (StateRegister("sr", _SUPERVISOR, _STATUS_68040), _FLOATING_POINT)
            if has_fpu
            else (StateRegister("sr", _SUPERVISOR, _STATUS),)
        ),
        boot=(("sr", _SUPERVISOR),),
        models=(likely, *(n for n in range(6) if n != likely)),
        probes=(
            Probe("BFEXTU D0{0:8},D1", bytes.fromhex("e9c01008"), bitfield),
            Probe("MULS.L D0,D1:D2 (64 bits)", bytes.fromhex("4c002c01"), multiply),
            Probe("MOVE16 (A0)+,(A1)+", bytes.fromhex("f6209000"), move16),
        ),
        interrupts=_INTERRUPTS,
        interrupt_bias=0,
        has_fpu=has_fpu,
        count_instructions=_count_instructions,
        disassemble=disassembler("M68K", "M68K_040"),
        no_operation=bytes.fromhex("4e71"),
        special=_finder(
            _JSR_STACK, _MOVEC, _BKPT, _TRAPF, _IMMEDIATE, _REGISTER, _CONDITIONAL, _BRANCH
        )
        if has_fpu
        else _finder(_JSR_STACK, _MOVEC),
        planted=_planted,
        conditional_trap=_TRAPV,
        system_call=10,
        # The 68040 has caches, the 68000 has none.
        cache_effect=_cache_effect if name == "68040" else None,
        # The 68020 and later take words and long words from odd addresses.
        unwatched=("odd addresses",) if name == "68000" else (),
        aligned=1 if name == "68000" else 0,
        address_lines=24 if name == "68000" else 32,
    )


M68000 = _m68k("68000", probes=(False, False, False), likely=0, has_fpu=False)
M68020 = _m68k("68020", probes=(True, True, False), likely=1, has_fpu=True)
M68030 = _m68k("68030", probes=(True, True, False), likely=2, has_fpu=True)
M68040 = _m68k("68040", probes=(True, True, True), likely=3, has_fpu=True)
