"""The operations that instructions are lifted to: p-code, and one operation of our own.

P-code is defined by Ghidra's page "P-Code Operation Reference".

Registers and temporary values lie in spaces of bytes, the most significant byte first: on the 68K
D0 is 4 bytes at offset 0 of the register space, and D0.W is 2 bytes at offset 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum


class Space(IntEnum):
    """What a varnode is a piece of."""

    CONSTANT = 0
    REGISTER = 1
    TEMPORARY = 2
    MEMORY = 3


@dataclass(frozen=True, slots=True, order=True)
class Varnode:
    """Some bytes of a space.

    Attributes:
        space: the space.
        offset: where the first byte is; in the space of constants, the value, without a sign.
        size: the number of bytes.
    """

    space: Space
    offset: int
    size: int

    def overlaps(self, other: Varnode) -> bool:
        """Whether they have a byte in common."""
        return (
            self.space is other.space
            and self.offset < other.offset + other.size
            and other.offset < self.offset + self.size
        )


def constant(value: int, size: int) -> Varnode:
    """A constant of some bytes; of a negative value, its two's complement."""
    return Varnode(Space.CONSTANT, value & (1 << 8 * size) - 1, size)


class Opcode(StrEnum):
    """The operations.

    Branches of p-code go to a varnode in memory, which is the address of an instruction, or to a
    constant: so many operations further within the instruction, with a sign.
    Two are ours. LEAVE: where its input is not 0, the lifted code has no meaning from here on, and
    the processor itself must be asked. FLOAT_FMA, of 8 bytes: the product of two numbers plus a
    third one, rounded once.
    """

    COPY = "COPY"
    LOAD = "LOAD"
    STORE = "STORE"
    BRANCH = "BRANCH"
    CBRANCH = "CBRANCH"
    BRANCHIND = "BRANCHIND"
    CALL = "CALL"
    CALLIND = "CALLIND"
    RETURN = "RETURN"
    LEAVE = "LEAVE"
    INT_EQUAL = "INT_EQUAL"
    INT_NOTEQUAL = "INT_NOTEQUAL"
    INT_LESS = "INT_LESS"
    INT_LESSEQUAL = "INT_LESSEQUAL"
    INT_SLESS = "INT_SLESS"
    INT_SLESSEQUAL = "INT_SLESSEQUAL"
    INT_ZEXT = "INT_ZEXT"
    INT_SEXT = "INT_SEXT"
    INT_ADD = "INT_ADD"
    INT_SUB = "INT_SUB"
    INT_CARRY = "INT_CARRY"
    INT_SCARRY = "INT_SCARRY"
    INT_SBORROW = "INT_SBORROW"
    INT_2COMP = "INT_2COMP"
    INT_NEGATE = "INT_NEGATE"
    INT_XOR = "INT_XOR"
    INT_AND = "INT_AND"
    INT_OR = "INT_OR"
    INT_LEFT = "INT_LEFT"
    INT_RIGHT = "INT_RIGHT"
    INT_SRIGHT = "INT_SRIGHT"
    INT_MULT = "INT_MULT"
    INT_DIV = "INT_DIV"
    INT_REM = "INT_REM"
    INT_SDIV = "INT_SDIV"
    INT_SREM = "INT_SREM"
    BOOL_NEGATE = "BOOL_NEGATE"
    BOOL_XOR = "BOOL_XOR"
    BOOL_AND = "BOOL_AND"
    BOOL_OR = "BOOL_OR"
    FLOAT_EQUAL = "FLOAT_EQUAL"
    FLOAT_NOTEQUAL = "FLOAT_NOTEQUAL"
    FLOAT_LESS = "FLOAT_LESS"
    FLOAT_LESSEQUAL = "FLOAT_LESSEQUAL"
    FLOAT_NAN = "FLOAT_NAN"
    FLOAT_ADD = "FLOAT_ADD"
    FLOAT_SUB = "FLOAT_SUB"
    FLOAT_MULT = "FLOAT_MULT"
    FLOAT_DIV = "FLOAT_DIV"
    FLOAT_FMA = "FLOAT_FMA"
    FLOAT_NEG = "FLOAT_NEG"
    FLOAT_ABS = "FLOAT_ABS"
    FLOAT_SQRT = "FLOAT_SQRT"
    FLOAT_FLOAT2FLOAT = "FLOAT_FLOAT2FLOAT"
    FLOAT_INT2FLOAT = "FLOAT_INT2FLOAT"
    FLOAT_TRUNC = "FLOAT_TRUNC"
    PIECE = "PIECE"
    SUBPIECE = "SUBPIECE"
    POPCOUNT = "POPCOUNT"
    LZCOUNT = "LZCOUNT"


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation.

    Attributes:
        opcode: what is computed.
        output: where the result goes; None if there is none.
        inputs: what it is computed from. LOAD has the address alone, STORE address and value.
    """

    opcode: Opcode
    output: Varnode | None
    inputs: tuple[Varnode, ...]


@dataclass(frozen=True, slots=True)
class LiftedInstruction:
    """An instruction of the guest.

    Attributes:
        address: where it is.
        code: its bytes; none if nothing can be executed there.
        operations: what it does, in order.
        refusal: why it is not lifted, as a clause ("SLEIGH does not know it"); "" if it is. One
            that is not lifted consists of a LEAVE.
    """

    address: int
    code: bytes
    operations: tuple[Operation, ...]
    refusal: str = ""

    @property
    def following(self) -> int:
        """The address behind it."""
        return self.address + len(self.code)


def refused(address: int, code: bytes, why: str) -> LiftedInstruction:
    """An instruction that is not lifted; see `LiftedInstruction.refusal`."""
    leave = Operation(Opcode.LEAVE, None, (constant(1, 1),))
    return LiftedInstruction(address, code, (leave,), why)
