"""Finds the branches of routines: conditional ones, and jumps into other routines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from emu.program.instructions.disassembly import Code
from emu.program.instructions.m68k.forms import CONDITIONAL, LOOP
from emu.program.model.model import Program


@dataclass(frozen=True, slots=True)
class Branch:
    """An instruction that goes on elsewhere, by a jump or a call.

    Attributes:
        address: where it is.
        end: the address at which execution goes on if it does not jump; on MIPS that is behind
            the instruction after it, which is executed in any case.
        target: where it goes; None if a register says so.
        is_conditional: whether it depends on a condition.
    """

    address: int
    end: int
    target: int | None
    is_conditional: bool


def branches_between(program: Program, start: int, end: int) -> Iterator[Branch]:
    """The branches of the code from ``start`` to ``end``, by address.

    Unconditional branches to an address in a register, such as returns, are left out.
    """
    if program.architecture == "m68k":
        yield from _m68k_branches(program, start, end)
        return
    find = powerpc_branch if program.architecture == "powerpc" else _mips_branch
    yield from _branches_of_words(program, start, end, find)


def _m68k_branches(program: Program, start: int, end: int) -> Iterator[Branch]:
    # MC68000 Family Programmer's Reference Manual, 1992: Bcc, DBcc, FBcc, BSR, JMP, JSR.
    code = Code(program)
    for instruction in code.routine(start, end):
        if instruction.is_trap or not instruction.valid:
            continue
        for target in code.targets(instruction):
            is_conditional = instruction.flow in (CONDITIONAL, LOOP)
            yield Branch(instruction.address, instruction.end, target, is_conditional)


def _branches_of_words(
    program: Program, start: int, end: int, find: Callable[[int, int], Branch | None]
) -> Iterator[Branch]:
    order = "big" if program.byte_order == ">" else "little"
    for segment in program.segments:
        if not segment.executable:
            continue
        for address in range(max(start, segment.address), min(end, segment.end) - 3, 4):
            place = address - segment.address
            word = int.from_bytes(segment.data[place : place + 4], order)  # type: ignore[arg-type]
            branch = find(address, word)
            if branch is not None:
                yield branch


def powerpc_branch(address: int, word: int) -> Branch | None:
    """Decode a word of PowerPC code as a branch; None if it is none, or has no fixed target.

    Source: PowerPC User Instruction Set Architecture, section 2.4: a BO of 1x1xx branches always.

    Args:
        address: where it is.
        word: its 32 bits.
    """
    kind, start = word >> 26, 0 if word & 2 else address
    is_conditional = word >> 21 & 0b10100 != 0b10100
    if kind == 18:
        return Branch(address, address + 4, start + _signed(word & 0x03FFFFFC, 26), False)
    if kind == 16:
        return Branch(address, address + 4, start + _signed(word & 0xFFFC, 16), is_conditional)
    if kind == 19 and word >> 1 & 0x3FF in (16, 528) and is_conditional:  # bclr, bcctr
        return Branch(address, address + 4, None, True)
    return None


def _mips_branch(address: int, word: int) -> Branch | None:
    # MIPS32 Architecture, volume II: the instruction in the delay slot belongs to the branch.
    kind, first, second = word >> 26, word >> 21 & 31, word >> 16 & 31
    target = address + 4 + 4 * _signed(word & 0xFFFF, 16)
    if kind in (2, 3):  # J, JAL
        return Branch(
            address, address + 8, (address + 4) & 0xF0000000 | (word & 0x3FFFFFF) << 2, False
        )
    if kind in (4, 5, 6, 7, 20, 21, 22, 23):
        always = (kind in (4, 20) and first == second) or (kind in (6, 22) and not first)
        return Branch(address, address + 8, target, not always)
    if kind == 1 and second in (0, 1, 2, 3, 16, 17, 18, 19):
        return Branch(address, address + 8, target, bool(first) or not second & 1)
    return None


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value
