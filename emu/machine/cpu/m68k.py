"""Motorola 68K processors.

Unicorn's public constants for 68K models do not fit its own table of models: the constant named
M68040 selects a 68060. Therefore the model is found by what it executes. 64-bit MULS.L exists on
the 68020 to 68040 and not on the 68060; MOVE16 exists only on the 68040 and 68060; the 68000 has
neither. No instruction of a program tells a 68020 from a 68030, so both have one model.
Source: M68000 Family Programmer's Reference Manual, and measurement with Unicorn 2.1.4.
"""

from __future__ import annotations

import functools
import re

from emu.base.errors import MacproofError
from emu.machine.cpu.base import (
    CacheEffect,
    Cpu,
    Probe,
    StateField,
    StateRegister,
    disassembler,
)
from emu.machine.cpu.m68k_float import STATUS_INSTRUCTIONS
from emu.machine.cpu.m68k_misread import ADDRESS_ERROR, misread
from emu.machine.cpu.m68k_special import forms
from emu.machine.cpu.special import finder
from emu.program.instructions.m68k.forms import find_form

_REGISTERS = (*(f"d{n}" for n in range(8)), *(f"a{n}" for n in range(8)))

# QEMU's numbers for 68K exceptions, which follow the processor's vector numbers.
_INTERRUPTS = {
    2: "bus error",
    3: "address error",
    4: "illegal instruction",
    5: "division by zero",
    6: "CHK out of bounds (exception 6)",
    7: "TRAPV overflow",
    8: "privilege violation",
    9: "trace",
    10: "A-line instruction (Toolbox trap)",
    11: "F-line instruction (no such coprocessor instruction)",
    **{
        number: f"floating-point exception ({what})"
        for number, what in enumerate(
            (
                "branch or set on no number",
                "inexact result",
                "division by zero",
                "underflow",
                "operand error",
                "overflow",
                "signalling NaN",
            ),
            48,
        )
    },
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


_PLANTS = re.compile(
    rb"[\x41\x43\x45\x47\x49\x4b\x4d]\xfa..[\x30\x32\x34\x36\x38\x3a\x3c][\x80-\xbf]", re.S
)
_FARTHEST_PLANTED = 64


def _planted(code: bytes) -> frozenset[int]:
    """The words that LEA d(PC),An and MOVE.W operand,(An) store, a little ahead of themselves.

    So glue calls a trap whose number is computed. A processor has not yet fetched the word.
    """
    places = set()
    # Most pages have few bytes of the second kind, which are found ten times as fast by themselves.
    second = code.find(b"\xfa", 1)
    while second > 0:
        at, second = second - 1, code.find(b"\xfa", second + 1)
        if not _PLANTS.match(code, at):
            continue
        distance = int.from_bytes(code[at + 2 : at + 4], "big")
        if code[at] - 0x41 == code[at + 4] - 0x30 and 4 <= distance <= _FARTHEST_PLANTED:
            places.add(at + 2 + distance)
    return frozenset(places)


def _cache_effect(word: int) -> CacheEffect | None:
    """CINV and CPUSH, with the caches they are for: 1 data, 2 instructions, 3 both."""
    form = find_form(word)
    if form is None or not form.mnemonic.startswith(("cinv", "cpush")):
        return None
    caches, stores = word >> 6 & 3, form.mnemonic.startswith("cpush")
    return CacheEffect(stores=bool(stores and caches & 1), invalidates=bool(caches & 2))


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
        special=finder(forms(is_68000=name == "68000")),
        floats=STATUS_INSTRUCTIONS if has_fpu else None,
        planted=_planted,
        misread=functools.partial(misread, is_68000=name == "68000"),
        misread_as=frozenset({ADDRESS_ERROR, 4, 11}),
        read_status=bytes.fromhex("40c0" if name == "68000" else "42c0"),  # MOVE SR or CCR,D0
        branch=lambda distance: bytes([0x60, distance - 2 & 0xFF]),  # BRA.S
        odd_fetch=ADDRESS_ERROR,
        system_call=10,
        # The 68040 has caches, the 68000 has none.
        cache_effect=_cache_effect if name == "68040" else None,
        # The 68020 and later take words and long words from odd addresses.
        unwatched=("odd addresses",) if name == "68000" else (),
        aligned=1 if name == "68000" else 0,
        page_margin=32,  # the longest instruction, as QEMU's translator has it
        address_lines=24 if name == "68000" else 32,
    )


M68000 = _m68k("68000", probes=(False, False, False), likely=0, has_fpu=False)
M68020 = _m68k("68020", probes=(True, True, False), likely=1, has_fpu=True)
M68030 = _m68k("68030", probes=(True, True, False), likely=2, has_fpu=True)
M68040 = _m68k("68040", probes=(True, True, True), likely=3, has_fpu=True)
