"""The parts of a 68K instruction that is being decoded, and fields that many have in common.

Source: M68000 Family Programmer's Reference Manual, section 2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from emu.cycles.m68k.m68k_operands import (
    ADDRESS,
    DATA,
    Operand,
    UndecodableError,
    Words,
    effective_address,
)

BRANCH, CONDITIONAL, LOOP, JUMP, CALL, RETURN, TRAP = (
    "branch",
    "conditional",
    "loop",
    "jump",
    "call",
    "return",
    "trap",
)
"""Kinds of control flow: BRA, Bcc, DBcc, JMP, BSR and JSR, RTS and the like, exceptions."""

_SIZES = (1, 2, 4)


@dataclass(slots=True)
class Parts:
    """An instruction while it is being decoded.

    Attributes:
        operation: the mnemonic without size and condition.
        length: bytes of the operation; 0 if the operation has no size.
        source: the operand that is read, or None.
        destination: the operand that is changed, tested or jumped to, or None.
        reads_destination: whether the destination is read.
        writes_destination: whether it is written.
        uses: further registers that addresses are formed from, beyond those of the operands.
        early: further registers that change while addresses are formed.
        late: further registers that change when the instruction is executed, beyond the
            destination.
        pushes: long words pushed on the stack.
        pops: words or long words taken from it.
        flow: the kind of control flow, or "".
        registers: the registers that a MOVEM moves.
        count: a shift's count, a bit's number or a field's offset, if the instruction has it.
    """

    operation: str
    length: int = 0
    source: Operand | None = None
    destination: Operand | None = None
    reads_destination: bool = True
    writes_destination: bool = True
    uses: set[int] = field(default_factory=set)
    early: set[int] = field(default_factory=set)
    late: set[int] = field(default_factory=set)
    pushes: int = 0
    pops: int = 0
    flow: str = ""
    registers: tuple[int, ...] = ()
    count: int | None = None


Decoder = Callable[[int, Words], Parts]
"""A function that decodes an instruction, from its first word and the words that follow it."""


def size_of(word: int) -> int:
    """The operation's length in bytes, from bits 6 and 7."""
    code = word >> 6 & 3
    if code == 3:
        raise UndecodableError("it is none of the instructions that macproof times")
    return _SIZES[code]


def data_register(number: int) -> Operand:
    """Dn as an operand; n is the lowest three bits of the number."""
    return Operand(DATA, register=number & 7)


def address_register(number: int) -> Operand:
    """An as an operand; n is the lowest three bits of the number."""
    return Operand(ADDRESS, register=8 + (number & 7))


def addressed(word: int, words: Words, length: int) -> Operand:
    """The operand that the lowest six bits of an instruction stand for."""
    return effective_address(word >> 3 & 7, word & 7, words, length)


def immediate(words: Words, length: int) -> Operand:
    """The operand in the words that come next."""
    return effective_address(7, 4, words, length)


def unknown(word: int, words: Words) -> Parts:
    """Refuse an instruction."""
    raise UndecodableError("it is none of the instructions that macproof times")
