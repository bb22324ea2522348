"""Builds the operations of an instruction of the 68K: its operands, its flags, usual arithmetic."""

from __future__ import annotations

from dataclasses import dataclass

from emu.lift.pcode.builder import OperationBuilder
from emu.lift.pcode.operations import Opcode, Operation, Space, Varnode, constant
from emu.program.instructions.m68k import operands
from emu.program.instructions.m68k.forms import InstructionForm
from emu.program.instructions.m68k.operands import Operand, Words, operand_of

X, N, Z, V, C = (Varnode(Space.REGISTER, 0x43 + n, 1) for n in range(5))
"""The flags, each a byte that is 0 or 1, where SLEIGH has them."""

FALSE, TRUE = constant(0, 1), constant(1, 1)
_STACK_POINTER = 15


def general(number: int, size: int = 4) -> Varnode:
    """The lower bytes of a register: D0 to D7 are 0 to 7, A0 to A7 are 8 to 15."""
    return Varnode(Space.REGISTER, 4 * number + 4 - size, size)


@dataclass(frozen=True, slots=True)
class OperandPlace:
    """Where an operand is.

    Attributes:
        held: the register or the constant itself; of one in memory, its address.
        in_memory: whether it is in memory.
        size: its bytes.
    """

    held: Varnode
    in_memory: bool
    size: int


class M68kBuilder(OperationBuilder):
    """Builds one instruction.

    Args:
        address: where the instruction is.
        code: its bytes, perhaps with more behind them.
        form: which one it is.
        full: whether the processor has the full format of extension words, and scaled indexes.
    """

    def __init__(self, address: int, code: bytes, form: InstructionForm, *, full: bool) -> None:
        super().__init__()
        self.address = address
        self.form = form
        self.words = Words(code)
        self.word = self.words.next()
        self.full = full

    @property
    def size(self) -> int:
        """Bytes of the operation."""
        return self.form.size

    @property
    def first(self) -> int:
        """The register that bits 0 to 2 name."""
        return self.word & 7

    @property
    def second(self) -> int:
        """The register that bits 9 to 11 name."""
        return self.word >> 9 & 7

    # -- operands ----------------------------------------------------------------------------

    def operand(self, size: int) -> OperandPlace:
        """The operand that the lower six bits stand for; its extension words are the next ones.

        A register is changed here by postincrement and predecrement.

        Raises:
            UndecodableError: there is no such mode, or words are missing.
        """
        at = self.address + self.words.taken
        return self.place(operand_of(self.word, self.words, size, full=self.full), at, size)

    def place(self, operand: Operand, at: int, size: int) -> OperandPlace:
        """Where an operand is; see `operand`.

        Args:
            operand: the operand.
            at: the address of its first extension word.
            size: its bytes.
        """
        register = operand.register or 0
        match operand.mode:
            case operands.DATA | operands.ADDRESS:
                return OperandPlace(general(register, size), in_memory=False, size=size)
            case operands.IMMEDIATE:
                return OperandPlace(constant(operand.value, size), in_memory=False, size=size)
            case operands.ABSOLUTE_SHORT | operands.ABSOLUTE_LONG:
                return OperandPlace(constant(operand.value, 4), in_memory=True, size=size)
            case operands.POSTINCREMENT:
                address = self.value(Opcode.COPY, general(register))
                self._move(register, size)
                return OperandPlace(address, in_memory=True, size=size)
            case operands.PREDECREMENT:
                self._move(register, -size)
                address = self.value(Opcode.COPY, general(register))
                return OperandPlace(address, in_memory=True, size=size)
        return OperandPlace(self._formed(operand, at), in_memory=True, size=size)

    def _move(self, register: int, by: int) -> None:
        """Move an address register past an operand; the stack pointer stays even."""
        if register == _STACK_POINTER and by in (1, -1):
            by *= 2
        self.put(general(register), Opcode.INT_ADD, general(register), constant(by, 4))

    def _formed(self, operand: Operand, at: int) -> Varnode:
        """An address made of a base, an index, and perhaps an address in memory."""
        if operand.pc:
            address = constant(at + operand.value, 4)
        elif operand.register is None:
            address = constant(operand.value, 4)
        else:
            address = self.add(general(operand.register), operand.value)
        if operand.indirections:
            is_post = operand.mode in (operands.POSTINDEXED, operands.POSTINDEXED_OUTER)
            if not is_post:
                address = self._with_index(address, operand)
            address = self.load(address, 4)
            if is_post:
                address = self._with_index(address, operand)
            return self.add(address, operand.outer)
        return self._with_index(address, operand)

    def _with_index(self, address: Varnode, operand: Operand) -> Varnode:
        if operand.index is None:
            return address
        index = general(operand.index)
        if not operand.is_long:
            index = self.signed(general(operand.index, 2), 4)
        scaled = self.shift_left(index, constant(operand.scale.bit_length() - 1, 4))
        return self.add(address, scaled)

    def read(self, place: OperandPlace) -> Varnode:
        """What an operand is now, as a value that later changes do not touch."""
        if place.in_memory:
            return self.load(place.held, place.size)
        return self.value(Opcode.COPY, place.held)

    def write(self, place: OperandPlace, value: Varnode) -> None:
        """Put a value of its size into an operand."""
        if place.in_memory:
            self.store(place.held, value)
        else:
            self.put(place.held, Opcode.COPY, value)

    def go(self, opcode: Opcode, target: Varnode) -> None:
        """Go on elsewhere, by BRANCHIND, CALLIND or RETURN."""
        self.append(Operation(opcode, None, (target,)))

    # -- arithmetic --------------------------------------------------------------------------

    def add(self, value: Varnode, other: Varnode | int) -> Varnode:
        """A sum."""
        if isinstance(other, int):
            other = constant(other, value.size)
        return self.value(Opcode.INT_ADD, value, other)

    def subtract(self, value: Varnode, other: Varnode) -> Varnode:
        """A difference."""
        return self.value(Opcode.INT_SUB, value, other)

    def shift_left(self, value: Varnode, count: Varnode) -> Varnode:
        """A value shifted left."""
        return self.value(Opcode.INT_LEFT, value, count)

    def shift_right(self, value: Varnode, count: Varnode) -> Varnode:
        """A value shifted right, zeros follow."""
        return self.value(Opcode.INT_RIGHT, value, count)

    def both(self, value: Varnode, other: Varnode) -> Varnode:
        """The bits that are set in both."""
        return self.value(Opcode.INT_AND, value, other)

    def either(self, value: Varnode, other: Varnode) -> Varnode:
        """The bits that are set in one of them."""
        return self.value(Opcode.INT_OR, value, other)

    def unsigned(self, value: Varnode, size: int) -> Varnode:
        """A value in more bytes, without a sign."""
        return self.value(Opcode.INT_ZEXT, value, size=size) if size > value.size else value

    def signed(self, value: Varnode, size: int) -> Varnode:
        """A value in more bytes, with its sign."""
        return self.value(Opcode.INT_SEXT, value, size=size) if size > value.size else value

    def lower(self, value: Varnode, size: int) -> Varnode:
        """The lower bytes of a value."""
        return self.piece(value, 0, size)

    def piece(self, value: Varnode, above: int, size: int) -> Varnode:
        """Bytes of a value that stand above so many others."""
        return self.value(Opcode.SUBPIECE, value, constant(above, 4), size=size)

    def bit(self, value: Varnode, number: int) -> Varnode:
        """A bit as a condition."""
        return self.differs(self.both(value, constant(1 << number, value.size)))

    def is_negative(self, value: Varnode) -> Varnode:
        """Whether the uppermost bit is set."""
        return self.value(Opcode.INT_SLESS, value, constant(0, value.size), size=1)

    def is_zero(self, value: Varnode) -> Varnode:
        """Whether a value is 0."""
        return self.value(Opcode.INT_EQUAL, value, constant(0, value.size), size=1)

    def differs(self, value: Varnode, other: Varnode | None = None) -> Varnode:
        """Whether two values differ, or one is not 0."""
        other = constant(0, value.size) if other is None else other
        return self.value(Opcode.INT_NOTEQUAL, value, other, size=1)

    def less(self, value: Varnode, other: Varnode) -> Varnode:
        """Whether a value is smaller, without signs."""
        return self.value(Opcode.INT_LESS, value, other, size=1)

    # -- flags -------------------------------------------------------------------------------

    def set_flag(self, flag: Varnode, value: Varnode) -> None:
        """Set a flag as a condition says."""
        self.put(flag, Opcode.COPY, value)

    def set_result(self, value: Varnode) -> None:
        """Set N and Z as a result says."""
        self.set_flag(N, self.is_negative(value))
        self.set_flag(Z, self.is_zero(value))

    def set_moved(self, value: Varnode) -> None:
        """Set N and Z as a result says, and clear V and C."""
        self.set_result(value)
        self.set_flag(V, FALSE)
        self.set_flag(C, FALSE)
