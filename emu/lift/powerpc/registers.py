"""Registers of the PowerPC, where SLEIGH has them, and the fields of an instruction's word.

The carry, overflow and summary overflow of XER are bytes apart. Each of the eight fields of the
condition register is a byte, too, of which the lower four bits count.
"""

from __future__ import annotations

from dataclasses import dataclass

from emu.lift.pcode.operations import Space, Varnode

_GENERAL, _FLOAT, _CONDITIONS = 0x0000, 0x4000, 0x0900


def general(number: int) -> Varnode:
    """A general register."""
    return Varnode(Space.REGISTER, _GENERAL + 4 * number, 4)


def floating(number: int) -> Varnode:
    """A floating-point register, as a number of double precision."""
    return Varnode(Space.REGISTER, _FLOAT + 16 * number, 8)


def condition(number: int) -> Varnode:
    """A field of the condition register: 8 less, 4 greater, 2 equal, 1 overflow or unordered."""
    return Varnode(Space.REGISTER, _CONDITIONS + number, 1)


SUMMARY_OVERFLOW = Varnode(Space.REGISTER, 0x400, 1)
OVERFLOW = Varnode(Space.REGISTER, 0x401, 1)
CARRY = Varnode(Space.REGISTER, 0x403, 1)
XER = Varnode(Space.REGISTER, 0x1004, 4)
"""The whole register, of which the three highest bits are never looked at."""


@dataclass(frozen=True, slots=True)
class Word:
    """The word of an instruction.

    Attributes:
        bits: the word.
    """

    bits: int

    @property
    def primary(self) -> int:
        """The opcode."""
        return self.bits >> 26

    @property
    def extended(self) -> int:
        """The second opcode, in instructions of the opcodes 19, 31 and 63."""
        return self.bits >> 1 & 0x3FF

    @property
    def d(self) -> int:
        """The field of rD, rS and frD."""
        return self.bits >> 21 & 31

    @property
    def a(self) -> int:
        """The field of rA and frA."""
        return self.bits >> 16 & 31

    @property
    def b(self) -> int:
        """The field of rB and frB."""
        return self.bits >> 11 & 31

    @property
    def c(self) -> int:
        """The field of frC."""
        return self.bits >> 6 & 31

    @property
    def immediate(self) -> int:
        """The constant in the lower half, with its sign."""
        return (self.bits & 0xFFFF ^ 0x8000) - 0x8000

    @property
    def has_record(self) -> bool:
        """Whether the result goes to the condition register, too."""
        return bool(self.bits & 1)

    @property
    def has_overflow(self) -> bool:
        """Whether an instruction of opcode 31 sets the flags of overflow."""
        return bool(self.bits & 0x400)
