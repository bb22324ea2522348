"""Operands of 68K instructions: the eighteen addressing modes, decoded from their words.

Source: M68000 Family Programmer's Reference Manual, section 2.
"""

from __future__ import annotations

from dataclasses import dataclass

DATA, ADDRESS, INDIRECT, POSTINCREMENT, PREDECREMENT = "dn", "an", "ind", "postinc", "predec"
DISPLACEMENT, INDEXED = "d16", "d8x"
BASE_INDEXED, BASE_DISPLACED = "brx", "bdx"
PREINDEXED, PREINDEXED_OUTER = "pre", "pre_od"
POSTINDEXED, POSTINDEXED_OUTER = "post", "post_od"
ABSOLUTE_SHORT, ABSOLUTE_LONG, IMMEDIATE = "absw", "absl", "imm"

FULL_FORMAT = frozenset(
    {
        BASE_INDEXED,
        BASE_DISPLACED,
        PREINDEXED,
        PREINDEXED_OUTER,
        POSTINDEXED,
        POSTINDEXED_OUTER,
    }
)
"""Modes with a full extension word, which the 68000 does not have."""
EXTENDED = FULL_FORMAT | {INDEXED}
"""Modes with a brief or a full extension word."""
_INDIRECT_THROUGH_MEMORY = frozenset({PREINDEXED, PREINDEXED_OUTER, POSTINDEXED, POSTINDEXED_OUTER})


class UndecodableError(Exception):
    """The words are no instruction that is known here; the message is a clause."""


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand of an instruction.

    Attributes:
        mode: one of this module's names of addressing modes.
        register: the register itself, or the register that an address is formed from; or None.
        index: the index register, or None.
        pc: whether the program counter is the base.
        value: an immediate's value, unsigned.
    """

    mode: str
    register: int | None = None
    index: int | None = None
    pc: bool = False
    value: int = 0

    @property
    def in_memory(self) -> bool:
        """Whether it lies in memory."""
        return self.mode not in (DATA, ADDRESS, IMMEDIATE)

    @property
    def registers(self) -> frozenset[int]:
        """Registers that its address is formed from."""
        if not self.in_memory:
            return frozenset()
        return frozenset(r for r in (self.register, self.index) if r is not None)

    @property
    def updated(self) -> frozenset[int]:
        """Registers that forming its address changes."""
        if self.mode in (POSTINCREMENT, PREDECREMENT) and self.register is not None:
            return frozenset((self.register,))
        return frozenset()

    @property
    def indirections(self) -> int:
        """How many addresses are read from memory to form the operand's address."""
        return int(self.mode in _INDIRECT_THROUGH_MEMORY)


class Words:
    """Hands out the words of one instruction, one after the other."""

    def __init__(self, code: bytes) -> None:
        self._code = code
        self.taken = 0

    def next(self) -> int:
        """The next word.

        Raises:
            Undecodable: there is none.
        """
        if self.taken + 2 > len(self._code):
            raise UndecodableError("it ends before its operands do")
        self.taken += 2
        return int.from_bytes(self._code[self.taken - 2 : self.taken], "big")

    def long(self) -> int:
        """The next two words as one number."""
        return self.next() << 16 | self.next()


def effective_address(mode: int, register: int, words: Words, length: int) -> Operand:
    """The operand that a mode and a register field stand for.

    Args:
        mode: the three bits of the mode.
        register: the three bits of the register.
        words: the words of the instruction; extension words are taken from them.
        length: bytes of the operation, for the size of an immediate.

    Raises:
        Undecodable: there is no such mode.
    """
    if mode == 0:
        return Operand(DATA, register=register)
    if mode == 1:
        return Operand(ADDRESS, register=8 + register)
    if mode in (2, 3, 4):
        return Operand((INDIRECT, POSTINCREMENT, PREDECREMENT)[mode - 2], register=8 + register)
    if mode == 5:
        words.next()
        return Operand(DISPLACEMENT, register=8 + register)
    if mode == 6:
        return _indexed(8 + register, words, pc=False)
    if register == 0:
        words.next()
        return Operand(ABSOLUTE_SHORT)
    if register == 1:
        words.long()
        return Operand(ABSOLUTE_LONG)
    if register == 2:
        words.next()
        return Operand(DISPLACEMENT, pc=True)
    if register == 3:
        return _indexed(None, words, pc=True)
    if register == 4:
        value = words.long() if length == 4 else words.next() & (0xFF if length == 1 else 0xFFFF)
        return Operand(IMMEDIATE, value=value)
    raise UndecodableError("its addressing mode does not exist")


def _indexed(base: int | None, words: Words, *, pc: bool) -> Operand:
    extension = words.next()
    index: int | None = extension >> 12
    if not extension & 0x100:
        return Operand(INDEXED, base, index, pc)
    if extension & 0x80:
        base = None
    if extension & 0x40:
        index = None
    displaced = _displacement(extension >> 4 & 3, words)
    selection = extension & 7
    if selection == 0:
        return Operand(BASE_DISPLACED if displaced else BASE_INDEXED, base, index, pc)
    if selection == 4:
        raise UndecodableError("its addressing mode does not exist")
    outer = _displacement(selection & 3, words)
    if selection & 4:
        mode = POSTINDEXED_OUTER if outer else POSTINDEXED
    else:
        mode = PREINDEXED_OUTER if outer else PREINDEXED
    return Operand(mode, base, index, pc)


def _displacement(size: int, words: Words) -> bool:
    """Take the words of a displacement of the full format; whether there are any."""
    if size == 0:
        raise UndecodableError("its addressing mode does not exist")
    for _ in range(size - 1):
        words.next()
    return size > 1
