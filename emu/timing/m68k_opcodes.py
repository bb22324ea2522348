"""68K opcodes: from the words of an instruction to its operation and its operands.

Decoded is the integer unit's instruction set up to the 68040, but for MOVEP, PACK, UNPK, TRAPcc,
CAS, CMP2, CHK2, MOVES, MOVEC and what only an operating system uses.
Source: M68000 Family Programmer's Reference Manual, sections 2 and 8.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from emu.timing.m68k_operands import (
    ADDRESS,
    DATA,
    IMMEDIATE,
    PREDECREMENT,
    Operand,
    Undecodable,
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
        length: bytes of the operation; 0 where there is none.
        source: the operand that is read, or None.
        destination: the operand that is changed, tested or jumped to, or None.
        reads_destination: whether the destination is read.
        writes_destination: whether it is written.
        uses: registers that addresses are formed from, beside those of the operands.
        early: registers that forming addresses changes, beside those of the operands.
        late: registers that execution changes, beside the destination.
        pushes: long words pushed on the stack.
        pops: words or long words taken from it.
        flow: the kind of control flow, or "".
        registers: those that a MOVEM moves.
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


_Decoder = Callable[[int, Words], Parts]


def decode_words(words: Words) -> Parts:
    """Decode an instruction.

    Raises:
        Undecodable: it is none that is decoded here.
    """
    word = words.next()
    return _LINES[word >> 12](word, words)


def _size(word: int) -> int:
    """The length in bits 6 and 7."""
    code = word >> 6 & 3
    if code == 3:
        raise Undecodable("it is none of the instructions that macproof times")
    return _SIZES[code]


def _data(number: int) -> Operand:
    return Operand(DATA, register=number & 7)


def _address(number: int) -> Operand:
    return Operand(ADDRESS, register=8 + (number & 7))


def _ea(word: int, words: Words, length: int) -> Operand:
    return effective_address(word >> 3 & 7, word & 7, words, length)


def _immediate(words: Words, length: int) -> Operand:
    return effective_address(7, 4, words, length)


def _unknown(word: int, words: Words) -> Parts:
    raise Undecodable("it is none of the instructions that macproof times")


def _line_0(word: int, words: Words) -> Parts:
    """Immediate operations and bits."""
    names = ("ori", "andi", "subi", "addi", "", "eori", "cmpi", "")
    bits = ("btst", "bchg", "bclr", "bset")
    what = word >> 9 & 7
    if word & 0x100 or what == 4:  # a bit, by number in a register or in the next word
        if word & 0x138 == 0x108:
            raise Undecodable("MOVEP is not timed")
        operation = bits[word >> 6 & 3]
        length = 4 if word >> 3 & 7 == 0 else 1
        source = _data(word >> 9) if word & 0x100 else _immediate(words, 2)
        count = None if word & 0x100 else source.value
        return Parts(
            operation,
            length,
            source,
            _ea(word, words, length),
            writes_destination=operation != "btst",
            count=count,
        )
    if not names[what]:
        return _unknown(word, words)
    length = _size(word)
    if word & 0x3F == 0x3C and names[what] in ("ori", "andi", "eori"):
        where = "ccr" if length == 1 else "sr"
        return Parts(f"{names[what]}.{where}", length, _immediate(words, length))
    source = _immediate(words, length)
    to = _ea(word, words, length)
    writes = names[what] != "cmpi"
    return Parts(names[what], length, source, to, writes_destination=writes)


def _move(word: int, words: Words) -> Parts:
    length = {1: 1, 3: 2, 2: 4}[word >> 12]
    source = _ea(word, words, length)
    to = effective_address(word >> 6 & 7, word >> 9 & 7, words, length)
    operation = "movea" if to.mode == ADDRESS else "move"
    return Parts(operation, length, source, to, reads_destination=False)


def _line_4(word: int, words: Words) -> Parts:
    """Everything that fits nowhere else."""
    exact = _LINE_4_EXACT.get(word)
    if exact is not None:
        return exact(words)
    for mask, match, decode_one in _LINE_4:
        if word & mask == match:
            return decode_one(word, words)
    return _unknown(word, words)


def _return(operation: str, pops: int) -> Callable[[Words], Parts]:
    return lambda words: Parts(operation, pops=pops, flow=RETURN)


def _rtd(words: Words) -> Parts:
    return Parts("rtd", 0, _immediate(words, 2), pops=1, flow=RETURN)


_LINE_4_EXACT: dict[int, Callable[[Words], Parts]] = {
    0x4AFC: lambda words: Parts("illegal", flow=TRAP),
    0x4E71: lambda words: Parts("nop"),
    0x4E73: _return("rte", 2),
    0x4E74: _rtd,
    0x4E75: _return("rts", 1),
    0x4E77: _return("rtr", 2),
}


def _link(word: int, words: Words, length: int) -> Parts:
    frame = _address(word)
    assert frame.register is not None
    source = _immediate(words, length)
    return Parts("link", length, source, early={frame.register}, pushes=1)


def _unlink(word: int, words: Words) -> Parts:
    frame = _address(word)
    assert frame.register is not None
    # The stack pointer comes from the frame pointer, the frame pointer from memory.
    return Parts("unlk", 4, uses={frame.register}, late={frame.register}, pops=1)


def _user_stack(word: int, words: Words) -> Parts:
    if word & 8:
        return Parts("move.usp", 4, None, _address(word), reads_destination=False)
    return Parts("move.usp", 4, _address(word))


def _unary(operation: str, *, reads: bool = True, writes: bool = True) -> _Decoder:
    def decode_one(word: int, words: Words) -> Parts:
        length = _size(word)
        to = _ea(word, words, length)
        return Parts(
            operation, length, None, to, reads_destination=reads, writes_destination=writes
        )

    return decode_one


def _extend(word: int, words: Words) -> Parts:
    operation, length = {2: ("ext", 2), 3: ("ext", 4), 7: ("extb", 4)}[word >> 6 & 7]
    return Parts(operation, length, None, _data(word))


def _move_multiple(word: int, words: Words) -> Parts:
    length = 4 if word & 0x40 else 2
    mask = words.next()
    operand = _ea(word, words, length)
    order = range(15, -1, -1) if operand.mode == PREDECREMENT else range(16)
    registers = tuple(sorted(r for bit, r in enumerate(order) if mask >> bit & 1))
    if word & 0x400:
        return Parts("movem", length, operand, late=set(registers), registers=registers)
    return Parts("movem", length, None, operand, registers=registers)


def _long_multiply(word: int, words: Words) -> Parts:
    more = words.next()
    operation = "muls" if more & 0x800 else "mulu"
    parts = Parts(operation, 4, _ea(word, words, 4), _data(more >> 12))
    if more & 0x400:
        parts.late.add(more & 7)
    return parts


def _long_divide(word: int, words: Words) -> Parts:
    more = words.next()
    operation = "divs" if more & 0x800 else "divu"
    parts = Parts(operation, 4, _ea(word, words, 4), _data(more >> 12))
    parts.late.add(more & 7)
    return parts


def _load_address(word: int, words: Words) -> Parts:
    return Parts("lea", 4, _ea(word, words, 4), _address(word >> 9))


def _jump(operation: str, flow: str) -> _Decoder:
    def decode_one(word: int, words: Words) -> Parts:
        return Parts(
            operation,
            0,
            None,
            _ea(word, words, 4),
            writes_destination=False,
            pushes=int(flow == CALL),
            flow=flow,
        )

    return decode_one


def _push_address(word: int, words: Words) -> Parts:
    return Parts("pea", 4, _ea(word, words, 4), pushes=1)


def _status(operation: str, *, to_status: bool) -> _Decoder:
    def decode_one(word: int, words: Words) -> Parts:
        operand = _ea(word, words, 2)
        if to_status:
            return Parts(operation, 2, operand)
        return Parts(operation, 2, None, operand, reads_destination=False)

    return decode_one


def _check(word: int, words: Words) -> Parts:
    length = 2 if word & 0x80 else 4
    to = _data(word >> 9)
    return Parts("chk", length, _ea(word, words, length), to, writes_destination=False)


# Tried in this order: the more special patterns stand before those that contain them.
_LINE_4: tuple[tuple[int, int, _Decoder], ...] = (
    (0xFFF0, 0x4E40, lambda word, words: Parts("trap", flow=TRAP)),
    (0xFFF8, 0x4E50, lambda word, words: _link(word, words, 2)),
    (0xFFF8, 0x4E58, _unlink),
    (0xFFF0, 0x4E60, _user_stack),
    (0xFFC0, 0x4E80, _jump("jsr", CALL)),
    (0xFFC0, 0x4EC0, _jump("jmp", JUMP)),
    (0xFFF8, 0x4808, lambda word, words: _link(word, words, 4)),
    (0xFFF8, 0x4840, lambda word, words: Parts("swap", 4, None, _data(word))),
    (0xFFC0, 0x4840, _push_address),
    (0xFFC0, 0x4800, lambda word, words: Parts("nbcd", 1, None, _ea(word, words, 1))),
    (0xFFF8, 0x4880, _extend),
    (0xFFF8, 0x48C0, _extend),
    (0xFFF8, 0x49C0, _extend),
    (0xFB80, 0x4880, _move_multiple),
    (0xFFC0, 0x4C00, _long_multiply),
    (0xFFC0, 0x4C40, _long_divide),
    (0xFFC0, 0x40C0, _status("move.from.sr", to_status=False)),
    (0xFFC0, 0x42C0, _status("move.from.ccr", to_status=False)),
    (0xFFC0, 0x44C0, _status("move.to.ccr", to_status=True)),
    (0xFFC0, 0x46C0, _status("move.to.sr", to_status=True)),
    (0xFFC0, 0x4AC0, lambda word, words: Parts("tas", 1, None, _ea(word, words, 1))),
    (0xF1C0, 0x41C0, _load_address),
    (0xF140, 0x4100, _check),
    (0xFF00, 0x4000, _unary("negx")),
    (0xFF00, 0x4200, _unary("clr", reads=False)),
    (0xFF00, 0x4400, _unary("neg")),
    (0xFF00, 0x4600, _unary("not")),
    (0xFF00, 0x4A00, _unary("tst", writes=False)),
)


def _line_5(word: int, words: Words) -> Parts:
    """ADDQ, SUBQ, Scc, DBcc."""
    if word >> 6 & 3 == 3:
        mode = word >> 3 & 7
        if mode == 1:
            words.next()
            register = word & 7
            return Parts("dbcc", 2, None, None, late={register}, flow=LOOP)
        if mode == 7 and word & 7 > 1:
            raise Undecodable("TRAPcc is not timed")
        return Parts("scc", 1, None, _ea(word, words, 1), reads_destination=False)
    length = _size(word)
    operation = "subq" if word & 0x100 else "addq"
    source = Operand(IMMEDIATE, value=(word >> 9 & 7) or 8)
    return Parts(operation, length, source, _ea(word, words, length))


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
        return _unknown(word, words)
    source = Operand(IMMEDIATE, value=word & 0xFF)
    return Parts("moveq", 4, source, _data(word >> 9), reads_destination=False)


def _arithmetic(plain: str, word: int, words: Words) -> Parts:
    """The common form of lines 8, 9, B, C and D: a register with an effective address."""
    length = _size(word)
    operand = _ea(word, words, length)
    register = _data(word >> 9)
    if word & 0x100:
        return Parts(plain, length, register, operand)
    return Parts(plain, length, operand, register)


def _with_carry(operation: str, word: int, words: Words) -> Parts:
    """ADDX, SUBX, ABCD, SBCD, CMPM: registers, or memory through two address registers."""
    length = _size(word) if operation in ("addx", "subx") else 1
    if word & 8:
        source = effective_address(4, word & 7, words, length)
        to = effective_address(4, word >> 9 & 7, words, length)
        return Parts(operation, length, source, to)
    return Parts(operation, length, _data(word), _data(word >> 9))


def _word_product(operation: str, word: int, words: Words) -> Parts:
    return Parts(operation, 2, _ea(word, words, 2), _data(word >> 9))


def _line_8(word: int, words: Words) -> Parts:
    if word & 0xC0 == 0xC0:
        return _word_product("divs" if word & 0x100 else "divu", word, words)
    if word & 0x1F0 == 0x100:
        return _with_carry("sbcd", word, words)
    if word & 0x130 == 0x100:
        raise Undecodable("PACK and UNPK are not timed")
    return _arithmetic("or", word, words)


def _line_9_d(word: int, words: Words) -> Parts:
    operation = "add" if word & 0x4000 else "sub"
    if word & 0xC0 == 0xC0:
        length = 4 if word & 0x100 else 2
        return Parts(operation + "a", length, _ea(word, words, length), _address(word >> 9))
    if word & 0x130 == 0x100:
        return _with_carry(operation + "x", word, words)
    return _arithmetic(operation, word, words)


def _line_b(word: int, words: Words) -> Parts:
    if word & 0xC0 == 0xC0:
        length = 4 if word & 0x100 else 2
        source = _ea(word, words, length)
        return Parts("cmpa", length, source, _address(word >> 9), writes_destination=False)
    if word & 0x138 == 0x108:
        length = _size(word)
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
        first = _address(word >> 9) if word & 0x1F8 == 0x148 else _data(word >> 9)
        second = _address(word) if word & 8 else _data(word)
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
        return Parts(names[word >> 9 & 3][left], 2, None, _ea(word, words, 2), count=1)
    operation, number = names[word >> 3 & 3][left], word >> 9 & 7
    if word & 0x20:
        return Parts(operation, _size(word), _data(number), _data(word))
    return Parts(operation, _size(word), None, _data(word), count=number or 8)


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
    register, field_operand = _data(more >> 12), _ea(word, words, 4)
    if operation in ("bfextu", "bfexts", "bfffo"):
        return Parts(operation, 4, field_operand, register, reads_destination=False, count=count)
    writes = operation != "bftst"
    source = register if operation == "bfins" else None
    return Parts(operation, 4, source, field_operand, writes_destination=writes, count=count)


def _line_a(word: int, words: Words) -> Parts:
    return Parts("a-line", flow=TRAP)


def _line_f(word: int, words: Words) -> Parts:
    raise Undecodable("coprocessor and cache instructions are not timed")


_LINES = (
    _line_0,
    _move,
    _move,
    _move,
    _line_4,
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
