"""Arithmetic of several bytes with X that the engine does wrongly: ABCD, SBCD, NBCD, ADDX, SUBX.

The engine moves A7 by one for a byte of ADDX and SUBX, and the processor by two. Its carry out of
decimal digits is not the processor's.

Source: M68000 Family Programmer's Reference Manual (M68000PM/AD), section 4; what a 68000 makes of
digits above 9, which the manual leaves undefined, was found in vectors of SingleStepTests.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from emu.machine.cpu.m68k_operands import increment, operand_address, register_name
from emu.machine.cpu.special import ProcessorState, SpecialInstruction, SpecialPattern
from emu.program.instructions.m68k import forms as table
from emu.program.instructions.m68k.instruction_words import InstructionWords, read_instruction
from emu.program.instructions.m68k.operands import (
    DATA,
    PREDECREMENT,
    Operand,
    UndecodableError,
)

_X, _N, _Z, _V, _C = 16, 8, 4, 2, 1
_X_AND_C = _X | _C


@dataclass(frozen=True, slots=True)
class _Sum:
    """A byte, and the flags that come with it."""

    value: int
    carry: bool
    overflow: bool


_OTHERS = rb"[\xd1\xd3\xd5\xd7\xd9\xdb\xdd\x91\x93\x95\x97\x99\x9b\x9d]"
"""The first bytes of ADDX.B and SUBX.B whose destination is not A7."""


def decimal_forms(*, is_68000: bool) -> tuple[SpecialPattern, ...]:
    """The instructions, as `emu.machine.cpu.m68k_special.forms` has them."""
    two = rb"[\xc1\xc3\xc5\xc7\xc9\xcb\xcd\xcf\x81\x83\x85\x87\x89\x8b\x8d\x8f][\x00-\x0f]"
    return (
        SpecialPattern(two, _recognise_two),
        SpecialPattern(table.pattern_of("nbcd"), _nbcd(full=not is_68000)),
        # ADDX.B and SUBX.B with A7 as one of the operands.
        SpecialPattern(_OTHERS + rb"\x0f", _recognise_two),
        SpecialPattern(rb"[\xdf\x9f][\x08-\x0f]", _recognise_two),
    )


def _add_decimal(target: int, source: int, extend: int) -> _Sum:
    low = (target & 15) + (source & 15) + extend
    plain = (target & 0xF0) + (source & 0xF0) + low
    value = plain + 6 if low > 9 else plain
    carry = value & 0x3F0 > 0x90
    value += 0x60 * carry
    return _Sum(value & 0xFF, carry, bool(~plain & value & 0x80))


def _subtract_decimal(target: int, source: int, extend: int) -> _Sum:
    plain = target - source - extend
    borrow = 6 * ((target & 15) - (source & 15) - extend < 0)
    value = plain - borrow - 0x60 * (plain < 0)
    return _Sum(value & 0xFF, plain - borrow < 0, bool(plain & ~value & 0x80))


def _add(target: int, source: int, extend: int) -> _Sum:
    value = target + source + extend
    return _Sum(value & 0xFF, value > 0xFF, bool(~(target ^ source) & (target ^ value) & 0x80))


def _subtract(target: int, source: int, extend: int) -> _Sum:
    value = target - source - extend
    return _Sum(value & 0xFF, value < 0, bool((target ^ source) & (target ^ value) & 0x80))


_Arithmetic = Callable[[int, int, int], _Sum]
_OPERATIONS: dict[int, tuple[str, _Arithmetic]] = {
    0xC: ("ABCD", _add_decimal),
    0x8: ("SBCD", _subtract_decimal),
    0xD: ("ADDX.B", _add),
    0x9: ("SUBX.B", _subtract),
}


def _recognise_two(code: bytes) -> SpecialInstruction | None:
    """An instruction of two data registers, or of two bytes in memory with predecrement."""
    name, arithmetic = _OPERATIONS[code[0] >> 4]
    mode = PREDECREMENT if code[1] & 8 else DATA
    source, target = (
        Operand(mode, (number & 7) + (8 if mode == PREDECREMENT else 0))
        for number in (code[1], code[0] >> 1)
    )

    def run(state: ProcessorState, at: int) -> int:
        status = state.status_and_flags()
        operand = _load(state, source)
        place, value = _place(state, target)
        _finish(state, place, arithmetic(value, operand, status >> 4 & 1), status)
        return at + 2

    return SpecialInstruction(name, 2, run, is_wrong_in_qemu=name.endswith("X.B"))


def _nbcd(*, full: bool) -> Callable[[bytes], SpecialInstruction | None]:
    def recognise(code: bytes) -> SpecialInstruction | None:
        try:
            words = read_instruction(code, full=full)
        except UndecodableError:
            return None
        return SpecialInstruction("NBCD", words.size, execute(words))

    def execute(words: InstructionWords) -> Callable[[ProcessorState, int], int]:
        operand = words.operands[0].operand

        def run(state: ProcessorState, at: int) -> int:
            status = state.status_and_flags()
            place, value = _place(state, operand)
            _finish(state, place, _subtract_decimal(0, value, status >> 4 & 1), status)
            increment(state, operand, 1)
            return at + words.size

        return run

    return recognise


def _place(state: ProcessorState, operand: Operand) -> tuple[str | int, int]:
    """Where a byte is, a data register or an address, and the byte."""
    if operand.mode == DATA and operand.register is not None:
        name = register_name(operand.register)
        return name, state.register(name) & 0xFF
    address = operand_address(state, operand, 1)
    return address, state.load(address, 1)


def _load(state: ProcessorState, operand: Operand) -> int:
    return _place(state, operand)[1]


def _finish(state: ProcessorState, place: str | int, result: _Sum, status: int) -> None:
    """Store a result and set the flags; Z stays as it is if the result is 0."""
    if isinstance(place, str):
        state.set_register(place, state.register(place) & ~0xFF | result.value)
    else:
        state.store(place, 1, result.value)
    flags = status & _Z * (result.value == 0) | _N * (result.value >> 7)
    flags |= _V * result.overflow | _X_AND_C * result.carry
    state.set_status(status & 0xFF00 | flags)
