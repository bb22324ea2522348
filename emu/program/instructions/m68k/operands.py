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


_TOO_SHORT = "it ends before its operands do"


class UndecodableError(Exception):
    """The words are no instruction that is known here; the message is a clause."""


class EndsEarlyError(UndecodableError):
    """There are fewer words than the instruction has."""


class NoModeError(UndecodableError):
    """There is no such addressing mode.

    Attributes:
        word: the extension word that says it; 0 if the first word does.
    """

    def __init__(self, word: int = 0) -> None:
        super().__init__("its addressing mode does not exist")
        self.word = word


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand of an instruction.

    Attributes:
        mode: one of this module's names of addressing modes.
        register: the register itself, or the register that an address is formed from; or None.
        index: the index register, or None.
        pc: whether the program counter is the base.
        value: an immediate's value, unsigned; an absolute address, unsigned; or a displacement,
            signed, which is added to the base.
        scale: what the index is multiplied by.
        is_long: whether all 32 bits of the index count, and not the lower 16, signed.
        outer: what is added to an address that was read from memory, signed.
    """

    mode: str
    register: int | None = None
    index: int | None = None
    pc: bool = False
    value: int = 0
    scale: int = 1
    is_long: bool = False
    outer: int = 0

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
    """Hands out the words of one instruction, one after the other.

    Args:
        code: its bytes, perhaps with more behind them.
        taken: how many bytes have been handed out already.

    Attributes:
        taken: how many bytes have been handed out.
    """

    def __init__(self, code: bytes, taken: int = 0) -> None:
        self._code = code
        self.taken = taken

    @property
    def second(self) -> int:
        """The word after the first one of the instruction."""
        return int.from_bytes(self._code[2:4], "big")

    def next(self) -> int:
        """The next word.

        Raises:
            EndsEarlyError: there is none.
        """
        self.skip(2)
        return int.from_bytes(self._code[self.taken - 2 : self.taken], "big")

    def peek(self) -> int:
        """The next word, which stays the next one.

        Raises:
            EndsEarlyError: there is none.
        """
        if self.taken + 2 > len(self._code):
            raise EndsEarlyError(_TOO_SHORT)
        return int.from_bytes(self._code[self.taken : self.taken + 2], "big")

    def long(self) -> int:
        """The next two words as one number."""
        return self.next() << 16 | self.next()

    def skip(self, size: int) -> None:
        """Pass over some bytes, an even number.

        Raises:
            EndsEarlyError: there are fewer.
        """
        self.taken += size
        if self.taken > len(self._code):
            raise EndsEarlyError(_TOO_SHORT)


def operand_of(word: int, words: Words, length: int, *, full: bool = True) -> Operand:
    """The operand that the lowest six bits of an instruction stand for; see `effective_address`."""
    return effective_address(word >> 3 & 7, word & 7, words, length, full=full)


def effective_address(
    mode: int, register: int, words: Words, length: int, *, full: bool = True
) -> Operand:
    """The operand that a mode and a register field stand for.

    Args:
        mode: the three bits of the mode.
        register: the three bits of the register.
        words: the words of the instruction; extension words are taken from them.
        length: bytes of the operation, for the size of an immediate.
        full: whether the processor has the full format of extension words, and scaled indexes:
            the 68020 and later.

    Raises:
        NoModeError: there is no such mode.
        EndsEarlyError: words are missing.
    """
    if mode == 0:
        return Operand(DATA, register=register)
    if mode < 5:
        name = (ADDRESS, INDIRECT, POSTINCREMENT, PREDECREMENT)[mode - 1]
        return Operand(name, register=8 + register)
    if mode == 5:
        return Operand(DISPLACEMENT, register=8 + register, value=_signed(words.next(), 16))
    if mode == 6:
        return _indexed(8 + register, words, pc=False, full=full)
    match register:
        case 0:
            return Operand(ABSOLUTE_SHORT, value=_signed(words.next(), 16) & 0xFFFFFFFF)
        case 1:
            return Operand(ABSOLUTE_LONG, value=words.long())
        case 2:
            return Operand(DISPLACEMENT, pc=True, value=_signed(words.next(), 16))
        case 3:
            return _indexed(None, words, pc=True, full=full)
        case 4:
            value = words.long() if length == 4 else words.next() & (0xFF if length == 1 else ~0)
            return Operand(IMMEDIATE, value=value)
    raise NoModeError


def _indexed(base: int | None, words: Words, *, pc: bool, full: bool) -> Operand:
    extension = words.next()
    index: int | None = extension >> 12
    scale, is_long = 1 << (extension >> 9 & 3) if full else 1, bool(extension & 0x800)
    if not (full and extension & 0x100):
        return Operand(INDEXED, base, index, pc, _signed(extension & 0xFF, 8), scale, is_long)
    size, selection = extension >> 4 & 3, extension & 7
    if extension & 0x80:
        base, pc = None, False
    if extension & 0x40:
        index = None
    if size == 0 or selection == 4 or extension & 8 or (index is None and selection > 3):
        raise NoModeError(extension)
    displacement = _displacement(size, words)
    if selection == 0:
        mode = BASE_INDEXED if size == 1 else BASE_DISPLACED
        return Operand(mode, base, index, pc, displacement, scale, is_long)
    outer = _displacement(selection & 3, words)
    if selection & 4:
        mode = POSTINDEXED if selection == 5 else POSTINDEXED_OUTER
    else:
        mode = PREINDEXED if selection == 1 else PREINDEXED_OUTER
    return Operand(mode, base, index, pc, displacement, scale, is_long, outer)


def _displacement(size: int, words: Words) -> int:
    """A displacement of the full format: none, a word or a long word."""
    if size == 1:
        return 0
    return _signed(words.next(), 16) if size == 2 else _signed(words.long(), 32)


def _signed(value: int, bits: int) -> int:
    return value - (value >> bits - 1 << bits)
