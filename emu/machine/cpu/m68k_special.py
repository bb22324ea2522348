"""The instructions of the 68K that the engine must not execute, and those that are noted.

`forms` is the table. An instruction that Unicorn 2.1.4 executes wrongly gets a row there, with a
function that executes it on a `ProcessorState`.

Sources: M68000 Family Programmer's Reference Manual (M68000PM/AD), section 4; measurement.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from emu.machine.cpu.m68k_decimal import decimal_forms
from emu.machine.cpu.m68k_digits import packed_forms
from emu.machine.cpu.m68k_misread import compare_bounds
from emu.machine.cpu.m68k_operands import increment, operand_address
from emu.machine.cpu.m68k_system import privileged_forms
from emu.machine.cpu.special import (
    Execute,
    ProcessorState,
    SpecialInstruction,
    SpecialPattern,
)
from emu.program.instructions.m68k import forms as table
from emu.program.instructions.m68k.instruction_words import read_instruction
from emu.program.instructions.m68k.operands import Operand, UndecodableError, Words, operand_of

_CHECKING = b"".join(rb"\x%02x" % byte for byte in range(0x08, 0x100, 0x10))
"""The second words of CHK2 begin so, and those of CMP2 do not."""
_X_AND_C, _N, _Z, _V = 0x11, 8, 4, 2
# Formats that have no room in a data register.
_WIDE = {2: "an extended number", 3: "a packed number", 5: "a double number"}


@functools.cache
def forms(*, is_68000: bool) -> tuple[SpecialPattern, ...]:
    """The special instructions of a 68000, or of a processor from the 68020 on."""
    both = (
        SpecialPattern(rb"\x4e\x97", _jsr_stack),
        SpecialPattern(rb"\x4e\x5f", _unlink_stack),
        # ASR, with every second mode, and with an index, which `misread` turns into one of these;
        # ASL; LSR, with the other modes.
        SpecialPattern(rb"\xe0[\xd8-\xdf\xe8-\xf9]", _shift(full=not is_68000)),
        SpecialPattern(rb"\xe1[\xd0-\xf9]", _shift(full=not is_68000)),
        SpecialPattern(rb"\xe2[\xd0-\xd7\xe0-\xe7\xf0-\xf7]", _shift(full=not is_68000)),
        *decimal_forms(is_68000=is_68000),
        *privileged_forms(is_68000=is_68000),
    )
    if is_68000:
        return both
    return (
        *both,
        *packed_forms(),
        SpecialPattern(table.pattern_of("bkpt"), _bkpt),
        SpecialPattern(rb"\x51[\xfa-\xfc]", _trapf),
        SpecialPattern(rb"[\x00\x02\x04][\xd0-\xd7\xe8-\xfb][" + _CHECKING + rb"]\x00", _chk2),
        SpecialPattern(rb"\xf2\x3c[\x84\x88\x90]\x00", _fpu_constant),
        SpecialPattern(rb"\xf2[\x00-\x07]", _fpu_register),
        SpecialPattern(rb"\xf2[\x40-\x7f\xa0-\xbf\xe0-\xff]", _fpu_conditional),
    )


def _word(code: bytes, at: int = 0) -> int:
    return int.from_bytes(code[at : at + 2], "big")


# -- shifts of a word in memory by one ---------------------------------------------------------


def _shift(*, full: bool) -> Callable[[bytes], SpecialInstruction | None]:
    """ASR, ASL and LSR of a word in memory.

    The engine takes bit 3 of the word, which belongs to the addressing mode, for bit 9, which tells
    ASR from LSR. It never sets V after ASL, which a change of the highest bit does.
    """

    def recognise(code: bytes) -> SpecialInstruction | None:
        word, words = _word(code), Words(code, 2)
        form = table.find_form(word)
        if form is None or table.mode_of(word) not in form.modes:
            return None
        try:
            operand = operand_of(word, words, 2, full=full)
        except UndecodableError:
            return None
        return SpecialInstruction(
            f"{form.mnemonic.upper()} of a word in memory",
            words.taken,
            execute(form.mnemonic, operand, words.taken),
            is_wrong_in_qemu=True,
        )

    def execute(name: str, operand: Operand, size: int) -> Execute:
        def run(state: ProcessorState, at: int) -> int:
            address = operand_address(state, operand, 2)
            before = state.load(address, 2)
            carry = before >> 15 if name == "asl" else before & 1
            after = before << 1 & 0xFFFF if name == "asl" else before >> 1
            if name == "asr":
                after |= before & 0x8000
            state.store(address, 2, after)
            increment(state, operand, 2)
            flags = _X_AND_C * carry | _N * (after >> 15) | _Z * (after == 0)
            if name == "asl" and (before ^ after) & 0x8000:
                flags |= _V
            state.set_status(state.status() | flags)
            return at + size

        return run

    return recognise


# -- other instructions ------------------------------------------------------------------------


def _chk2(code: bytes) -> SpecialInstruction | None:
    """CHK2 (An): the engine changes An where the register is within its bounds."""
    try:
        return compare_bounds(read_instruction(code, full=True), code)
    except UndecodableError:
        return None


def _jsr_stack(code: bytes) -> SpecialInstruction:
    """JSR (A7) goes where A7 has pointed; the engine goes where the return address lies."""

    def run(state: ProcessorState, at: int) -> int:
        target = state.register("a7")
        state.store(target - 4 & 0xFFFFFFFF, 4, at + 2)
        state.set_register("a7", target - 4)
        return target

    return SpecialInstruction("JSR (A7)", 2, run)


def _unlink_stack(code: bytes) -> SpecialInstruction:
    """UNLK A7: A7 is what lies on top; the engine adds 4 to it."""

    def run(state: ProcessorState, at: int) -> int:
        state.set_register("a7", state.load(state.register("a7"), 4))
        return at + 2

    return SpecialInstruction("UNLK A7", 2, run)


def _trapf(code: bytes) -> SpecialInstruction:
    """A trap on a condition that never holds; the engine takes it for an Scc."""
    size = (4, 6, 2)[code[1] - 0xFA]
    return SpecialInstruction("TRAPF", size, lambda state, at: at + size)


def _bkpt(code: bytes) -> SpecialInstruction:
    """BKPT, which never ends in the engine."""
    return SpecialInstruction(f"BKPT #{code[1] & 7}", 2)


def _fpu_constant(code: bytes) -> SpecialInstruction:
    """FMOVE.L of a constant to a control register, an address error to the engine; by way of D0."""

    def run(state: ProcessorState, at: int) -> int:
        kept = state.register("d0")
        state.set_register("d0", state.fetch(at + 4, 4))
        state.run(b"\xf2\0" + state.fetch(at + 2, 2).to_bytes(2, "big"))  # FMOVE.L D0,register
        state.set_register("d0", kept)
        if state.fetch(at + 2, 2) & 0x0800:  # FPSR
            state.is_float_status_stale = False
        return at + 8

    return SpecialInstruction("FMOVE.L of a constant to a control register", 8, run)


def _fpu_register(code: bytes) -> SpecialInstruction | None:
    """An operand with no room in a data register, which crashes the engine's process."""
    extension = _word(code, 2)
    wide = extension >> 13 in (2, 3) and _WIDE.get(extension >> 10 & 7)
    return (
        SpecialInstruction(f"an FPU instruction with {wide} in D{code[1] & 7}", 4) if wide else None
    )


def _fpu_conditional(code: bytes) -> SpecialInstruction | None:
    """FScc, FDBcc, FTRAPcc or FBcc; a condition from 32 on crashes the engine's process."""
    predicate = (_word(code, 2) if _word(code) & 0xFFC0 == 0xF240 else _word(code)) & 0x3F
    if predicate < 0x20:
        return None
    return SpecialInstruction(
        f"a conditional of the FPU with predicate {predicate}, the last being 31", 4
    )
