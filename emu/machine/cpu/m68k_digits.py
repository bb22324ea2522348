"""PACK and UNPK of the 68020 and later, which the engine takes for another instruction.

That is an OR with an operand that OR cannot have: it changes another register, and the engine goes
on with the adjustment as if it were an instruction.

Source: M68000 Family Programmer's Reference Manual (M68000PM/AD), section 4, PACK and UNPK.
"""

from __future__ import annotations

from collections.abc import Iterator

from emu.machine.cpu.m68k_operands import operand_address, register_name
from emu.machine.cpu.special import ProcessorState, SpecialInstruction, SpecialPattern
from emu.program.instructions.m68k.operands import PREDECREMENT, Operand

_WORD = 0xFFFF
_IN_MEMORY = 8  # the bit that tells -(Ay),-(Ax) from Dy,Dx


def packed_forms() -> Iterator[SpecialPattern]:
    """The two instructions, as `emu.machine.cpu.m68k_special.forms` has them."""
    yield SpecialPattern(rb"[\x81\x83\x85\x87\x89\x8b\x8d\x8f][\x40-\x4f\x80-\x8f]", _recognise)


def _recognise(code: bytes) -> SpecialInstruction:
    in_memory = bool(code[1] & _IN_MEMORY)
    first = 8 if in_memory else 0
    source, target = first + (code[1] & 7), first + (code[0] >> 1 & 7)
    packs = code[1] < 0x80

    def run(state: ProcessorState, at: int) -> int:
        adjustment = state.fetch(at + 2, 2)
        value = _read(state, source, 2 if packs else 1, in_memory=in_memory)
        if packs:
            value += adjustment
            value = value >> 4 & 0xF0 | value & 0x0F
        else:
            value = (value << 4 & 0x0F00 | value & 0x0F) + adjustment & _WORD
        _write(state, target, 1 if packs else 2, value, in_memory=in_memory)
        return at + 4

    return SpecialInstruction("PACK" if packs else "UNPK", 4, run, is_wrong_in_qemu=True)


def _read(state: ProcessorState, register: int, size: int, *, in_memory: bool) -> int:
    """The lower bytes of a register, or bytes before an address, the lowest one first."""
    if not in_memory:
        return state.register(register_name(register)) & (1 << 8 * size) - 1
    operand = Operand(PREDECREMENT, register)
    return sum(state.load(operand_address(state, operand, 1), 1) << 8 * n for n in range(size))


def _write(state: ProcessorState, register: int, size: int, value: int, *, in_memory: bool) -> None:
    if in_memory:
        operand = Operand(PREDECREMENT, register)
        for n in range(size):
            state.store(operand_address(state, operand, 1), 1, value >> 8 * n & 0xFF)
    else:
        name, mask = register_name(register), (1 << 8 * size) - 1
        state.set_register(name, state.register(name) & ~mask | value)
