"""Operands in memory of 68K instructions that Python executes: what address they have.

Source: M68000 Family Programmer's Reference Manual (M68000PM/AD), section 2.2.
"""

from __future__ import annotations

from emu.machine.cpu.special import ProcessorState
from emu.program.instructions.m68k import operands
from emu.program.instructions.m68k.operands import Operand

_STACK_POINTER = 15


def operand_address(state: ProcessorState, operand: Operand, size: int) -> int:
    """The address of an operand in memory; a postincrement is left to `increment`.

    Args:
        state: the processor, whose address register a predecrement changes.
        operand: the operand, which does not lie at the program counter.
        size: its bytes.
    """
    base = operand.value
    if operand.register is not None:
        if operand.mode == operands.PREDECREMENT:
            _add(state, operand.register, -_step(operand.register, size))
        base += state.register(_name(operand.register))
    index = 0
    if operand.index is not None:
        index = state.register(_name(operand.index))
        if not operand.is_long:
            index = (index & 0xFFFF ^ 0x8000) - 0x8000
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
        _add(state, operand.register, _step(operand.register, size))


def _add(state: ProcessorState, register: int, more: int) -> None:
    state.set_register(_name(register), state.register(_name(register)) + more)


def _name(register: int) -> str:
    return f"{'da'[register >> 3]}{register & 7}"


def _step(register: int, size: int) -> int:
    return 2 if register == _STACK_POINTER and size == 1 else size
