"""Decodes the words of a 68K instruction into its operation and its operands.

It knows the integer unit's instruction set up to the 68040, without MOVEP, PACK, UNPK, TRAPcc, CAS,
CMP2, CHK2, MOVES, MOVEC and the instructions that only an operating system uses.
Source: M68000 Family Programmer's Reference Manual, sections 2 and 8.
"""

from __future__ import annotations

from emu.cycles.m68k.m68k_line_4 import decode_line_4
from emu.cycles.m68k.m68k_operands import (
    ADDRESS,
    IMMEDIATE,
    Operand,
    UndecodableError,
    Words,
    effective_address,
)
from emu.cycles.m68k.m68k_parts import (
    BRANCH,
    CALL,
    CONDITIONAL,
    LOOP,
    TRAP,
    Parts,
    address_register,
    addressed,
    data_register,
    immediate,
    size_of,
    unknown,
)


def decode_words(words: Words) -> Parts:
    """Decode an instruction.

    Raises:
        Undecodable: the instruction is not known here.
    """
    word = words.next()
    return _LINES[word >> 12](word, words)


def _line_0(word: int, words: Words) -> Parts:
    """Operations with an immediate operand, and operations on single bits."""
    names = ("ori", "andi", "subi", "addi", "", "eori", "cmpi", "")
    bits = ("btst", "bchg", "bclr", "bset")
    what = word >> 9 & 7
    if word & 0x100 or what == 4:  # the bit's number is in a register or in the next word
        if word & 0x138 == 0x108:
            raise UndecodableError("MOVEP is not timed")
        operation = bits[word >> 6 & 3]
        length = 4 if word >> 3 & 7 == 0 else 1
        source = data_register(word >> 9) if word & 0x100 else immediate(words, 2)
        count = None if word & 0x100 else source.value
        return Parts(
            operation,
            length,
            source,
            addressed(word, words, length),
            writes_destination=operation != "btst",
            count=count,
        )
    if not names[what]:
        return unknown(word, words)
    length = size_of(word)
    if word & 0x3F == 0x3C and names[what] in ("ori", "andi", "eori"):
        where = "ccr" if length == 1 else "sr"
        return Parts(f"{names[what]}.{where}", length, immediate(words, length))
    source = immediate(words, length)
    to = addressed(word, words, length)
    writes = names[what] != "cmpi"
    return Parts(names[what], length, source, to, writes_destination=writes)


def _move(word: int, words: Words) -> Parts:
    length = {1: 1, 3: 2, 2: 4}[word >> 12]
    source = addressed(word, words, length)
    to = effective_address(word >> 6 & 7, word >> 9 & 7, words, length)
    operation = "movea" if to.mode == ADDRESS else "move"
    return Parts(operation, length, source, to, reads_destination=False)


def _line_5(word: int, words: Words) -> Parts:
    """ADDQ, SUBQ, Scc, DBcc."""
    if word >> 6 & 3 == 3:
        mode = word >> 3 & 7
        if mode == 1:
            words.next()
            register = word & 7
            return Parts("dbcc", 2, None, None, late={register}, flow=LOOP)
        if mode == 7 and word & 7 > 1:
            raise UndecodableError("TRAPcc is not timed")
        return Parts("scc", 1, None, addressed(word, words, 1), reads_destination=False)
    length = size_of(word)
    operation = "subq" if word & 0x100 else "addq"
    source = Operand(IMMEDIATE, value=(word >> 9 & 7) or 8)
    return Parts(operation, length, source, addressed(word, words, length))


def _line_6(word: int, words: Words) -> Parts:
    distance = word & 0xFF
    for _ in range({0: 1, 0xFF: 2}.get(distance, 0)):
        words.next()
    length = {0: 2, 0xFF: 4}.get(distance, 1)
    condition = word >> 8 & 15
    if condition == 1:
        return Parts("bsr", length, pushes=1, flow=CALL)
    if condition == 0:
        return Parts("bra", length, flow=BRANCH)
    return Parts("bcc", length, flow=CONDITIONAL)


def _line_7(word: int, words: Words) -> Parts:
    if word & 0x100:
        return unknown(word, words)
    source = Operand(IMMEDIATE, value=word & 0xFF)
    return Parts("moveq", 4, source, data_register(word >> 9), reads_destination=False)


def _arithmetic(plain: str, word: int, words: Words) -> Parts:
    """The common form of lines 8, 9, B, C and D: a register with an effective address."""
    length = size_of(word)
    operand = addressed(word, words, length)
    register = data_register(word >> 9)
    if word & 0x100:
        return Parts(plain, length, register, operand)
    return Parts(plain, length, operand, register)


def _with_carry(operation: str, word: int, words: Words) -> Parts:
    """ADDX, SUBX, ABCD, SBCD, CMPM: registers, or memory through two address registers."""
    length = size_of(word) if operation in ("addx", "subx") else 1
    if word & 8:
        source = effective_address(4, word & 7, words, length)
        to = effective_address(4, word >> 9 & 7, words, length)
        return Parts(operation, length, source, to)
    return Parts(operation, length, data_register(word), data_register(word >> 9))


def _word_product(operation: str, word: int, words: Words) -> Parts:
    return Parts(operation, 2, addressed(word, words, 2), data_register(word >> 9))


def _line_8(word: int, words: Words) -> Parts:
    if word & 0xC0 == 0xC0:
        return _word_product("divs" if word & 0x100 else "divu", word, words)
    if word & 0x1F0 == 0x100:
        return _with_carry("sbcd", word, words)
    if word & 0x130 == 0x100:
        raise UndecodableError("PACK and UNPK are not timed")
    return _arithmetic("or", word, words)


def _line_9_d(word: int, words: Words) -> Parts:
    operation = "add" if word & 0x4000 else "sub"
    if word & 0xC0 == 0xC0:
        length = 4 if word & 0x100 else 2
        return Parts(
            operation + "a", length, addressed(word, words, length), address_register(word >> 9)
        )
    if word & 0x130 == 0x100:
        return _with_carry(operation + "x", word, words)
    return _arithmetic(operation, word, words)


def _line_b(word: int, words: Words) -> Parts:
    if word & 0xC0 == 0xC0:
        length = 4 if word & 0x100 else 2
        source = addressed(word, words, length)
        return Parts("cmpa", length, source, address_register(word >> 9), writes_destination=False)
    if word & 0x138 == 0x108:
        length = size_of(word)
        source = effective_address(3, word & 7, words, length)
        to = effective_address(3, word >> 9 & 7, words, length)
        return Parts("cmpm", length, source, to, writes_destination=False)
    parts = _arithmetic("eor" if word & 0x100 else "cmp", word, words)
    parts.writes_destination = parts.operation == "eor"
    return parts


def _line_c(word: int, words: Words) -> Parts:
    if word & 0xC0 == 0xC0:
        return _word_product("muls" if word & 0x100 else "mulu", word, words)
    if word & 0x1F0 == 0x100:
        return _with_carry("abcd", word, words)
    if word & 0x130 == 0x100:
        first = address_register(word >> 9) if word & 0x1F8 == 0x148 else data_register(word >> 9)
        second = address_register(word) if word & 8 else data_register(word)
        parts = Parts("exg", 4, first, second)
        assert first.register is not None
        parts.late.add(first.register)
        return parts
    return _arithmetic("and", word, words)


def _line_e(word: int, words: Words) -> Parts:
    names = (("asr", "asl"), ("lsr", "lsl"), ("roxr", "roxl"), ("ror", "rol"))
    left = word >> 8 & 1
    if word & 0xC0 == 0xC0:
        if word & 0x800:
            return _bit_field(word, words)
        return Parts(names[word >> 9 & 3][left], 2, None, addressed(word, words, 2), count=1)
    operation, number = names[word >> 3 & 3][left], word >> 9 & 7
    if word & 0x20:
        return Parts(operation, size_of(word), data_register(number), data_register(word))
    return Parts(operation, size_of(word), None, data_register(word), count=number or 8)


def _bit_field(word: int, words: Words) -> Parts:
    operation = (
        "bftst",
        "bfextu",
        "bfchg",
        "bfexts",
        "bfclr",
        "bfffo",
        "bfset",
        "bfins",
    )[word >> 8 & 7]
    more = words.next()
    count = None if more & 0x820 else more >> 6 & 31  # the field's offset
    register, field_operand = data_register(more >> 12), addressed(word, words, 4)
    if operation in ("bfextu", "bfexts", "bfffo"):
        return Parts(operation, 4, field_operand, register, reads_destination=False, count=count)
    writes = operation != "bftst"
    source = register if operation == "bfins" else None
    return Parts(operation, 4, source, field_operand, writes_destination=writes, count=count)


def _line_a(word: int, words: Words) -> Parts:
    return Parts("a-line", flow=TRAP)


def _line_f(word: int, words: Words) -> Parts:
    raise UndecodableError("coprocessor and cache instructions are not timed")


_LINES = (
    _line_0,
    _move,
    _move,
    _move,
    decode_line_4,
    _line_5,
    _line_6,
    _line_7,
    _line_8,
    _line_9_d,
    _line_a,
    _line_b,
    _line_c,
    _line_9_d,
    _line_e,
    _line_f,
)
