"""Operands in memory of 68K instructions that Python executes: what address they have.

Source: M68000 Family Programmer's Reference Manual (M68000PM/AD), section 2.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from emu.machine.cpu.special import ProcessorState
from emu.program.instructions.m68k import operands
from emu.program.instructions.m68k.operands import Operand

_STACK_POINTER = 15


def operand_address(
    state: ProcessorState,
    operand: Operand,
    size: int,
    words: int = 0,
    updated: Mapping[int, int] = MappingProxyType({}),
) -> int:
    """The address of an operand in memory; a postincrement is left to `increment`.

    Args:
        state: the processor, whose address register a predecrement changes.
        operand: the operand.
        size: its bytes.
        words: the address of its extension words, which the program counter stands for.
        updated: what an earlier operand of the instruction adds to registers, by their numbers.
    """
    base = operand.value + (words if operand.pc else 0)
    if operand.register is not None:
        if operand.mode == operands.PREDECREMENT:
            _add(state, operand.register, -step_of(operand.register, size))
        base += state.register(register_name(operand.register)) + updated.get(operand.register, 0)
    index = 0
    if operand.index is not None:
        index = state.register(register_name(operand.index)) + updated.get(operand.index, 0)
        if not operand.is_long:
            index = signed(index, 2)
        index *= operand.scale
    if operand.indirections:
        is_postindexed = operand.mode in (operands.POSTINDEXED, operands.POSTINDEXED_OUTER)
        place = base if is_postindexed else base + index
        base = state.load(place & 0xFFFFFFFF, 4) + operand.outer
        index = index if is_postindexed else 0
    return base + index & 0xFFFFFFFF


def increment(state: ProcessorState, operand: Operand, size: int) -> None:
    """Advance the address register of a postincrement, after the operand was used."""
    if operand.mode == operands.POSTINCREMENT and operand.register is not None:
        _add(state, operand.register, step_of(operand.register, size))


def _add(state: ProcessorState, register: int, more: int) -> None:
    state.set_register(register_name(register), state.register(register_name(register)) + more)


def register_name(register: int) -> str:
    """The name of a general register, by the number that instructions have for it."""
    return f"{'da'[register >> 3]}{register & 7}"


def step_of(register: int, size: int) -> int:
    """How far a postincrement or predecrement moves: a byte of the stack takes two."""
    return 2 if register == _STACK_POINTER and size == 1 else size


def signed(value: int, size: int) -> int:
    """The lowest bytes of a number as a signed one."""
    half = 1 << 8 * size - 1
    return (value & 2 * half - 1 ^ half) - half
