"""Decodes 68K instructions whose first hexadecimal digit is 4; they have no common form.

Source: M68000 Family Programmer's Reference Manual, sections 2 and 8.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from emu.cycles.m68k.m68k_operands import PREDECREMENT, Words
from emu.cycles.m68k.m68k_parts import (
    CALL,
    JUMP,
    RETURN,
    TRAP,
    Decoder,
    Parts,
    address_register,
    addressed,
    data_register,
    immediate,
    size_of,
    unknown,
)


def decode_line_4(word: int, words: Words) -> Parts:
    """Decode an instruction whose first word begins with 4."""
    exact = _EXACT.get(word)
    if exact is not None:
        return exact(words)
    for mask, match, decode_one in _PATTERNS:
        if word & mask == match:
            return decode_one(word, words)
    return unknown(word, words)


def _return(operation: str, pops: int) -> Callable[[Words], Parts]:
    return lambda words: Parts(operation, pops=pops, flow=RETURN)


def _rtd(words: Words) -> Parts:
    return Parts("rtd", 0, immediate(words, 2), pops=1, flow=RETURN)


_EXACT: Mapping[int, Callable[[Words], Parts]] = MappingProxyType(
    {
        0x4AFC: lambda words: Parts("illegal", flow=TRAP),
        0x4E71: lambda words: Parts("nop"),
        0x4E73: _return("rte", 2),
        0x4E74: _rtd,
        0x4E75: _return("rts", 1),
        0x4E77: _return("rtr", 2),
    }
)


def _link(word: int, words: Words, length: int) -> Parts:
    frame = address_register(word)
    assert frame.register is not None
    source = immediate(words, length)
    return Parts("link", length, source, early={frame.register}, pushes=1)


def _unlink(word: int, words: Words) -> Parts:
    frame = address_register(word)
    assert frame.register is not None
    # The frame pointer is copied to the stack pointer, and the old frame pointer is popped.
    return Parts("unlk", 4, uses={frame.register}, late={frame.register}, pops=1)


def _user_stack(word: int, words: Words) -> Parts:
    if word & 8:
        return Parts("move.usp", 4, None, address_register(word), reads_destination=False)
    return Parts("move.usp", 4, address_register(word))


def _unary(operation: str, *, reads: bool = True, writes: bool = True) -> Decoder:
    def decode_one(word: int, words: Words) -> Parts:
        length = size_of(word)
        to = addressed(word, words, length)
        return Parts(
            operation, length, None, to, reads_destination=reads, writes_destination=writes
        )

    return decode_one


def _extend(word: int, words: Words) -> Parts:
    operation, length = {2: ("ext", 2), 3: ("ext", 4), 7: ("extb", 4)}[word >> 6 & 7]
    return Parts(operation, length, None, data_register(word))


def _move_multiple(word: int, words: Words) -> Parts:
    length = 4 if word & 0x40 else 2
    mask = words.next()
    operand = addressed(word, words, length)
    order = range(15, -1, -1) if operand.mode == PREDECREMENT else range(16)
    registers = tuple(sorted(r for bit, r in enumerate(order) if mask >> bit & 1))
    if word & 0x400:
        return Parts("movem", length, operand, late=set(registers), registers=registers)
    return Parts("movem", length, None, operand, registers=registers)


def _long_multiply(word: int, words: Words) -> Parts:
    more = words.next()
    operation = "muls" if more & 0x800 else "mulu"
    parts = Parts(operation, 4, addressed(word, words, 4), data_register(more >> 12))
    if more & 0x400:
        parts.late.add(more & 7)
    return parts


def _long_divide(word: int, words: Words) -> Parts:
    more = words.next()
    operation = "divs" if more & 0x800 else "divu"
    parts = Parts(operation, 4, addressed(word, words, 4), data_register(more >> 12))
    parts.late.add(more & 7)
    return parts


def _load_address(word: int, words: Words) -> Parts:
    return Parts("lea", 4, addressed(word, words, 4), address_register(word >> 9))


def _jump(operation: str, flow: str) -> Decoder:
    def decode_one(word: int, words: Words) -> Parts:
        return Parts(
            operation,
            0,
            None,
            addressed(word, words, 4),
            writes_destination=False,
            pushes=int(flow == CALL),
            flow=flow,
        )

    return decode_one


def _push_address(word: int, words: Words) -> Parts:
    return Parts("pea", 4, addressed(word, words, 4), pushes=1)


def _status(operation: str, *, to_status: bool) -> Decoder:
    def decode_one(word: int, words: Words) -> Parts:
        operand = addressed(word, words, 2)
        if to_status:
            return Parts(operation, 2, operand)
        return Parts(operation, 2, None, operand, reads_destination=False)

    return decode_one


def _check(word: int, words: Words) -> Parts:
    length = 2 if word & 0x80 else 4
    to = data_register(word >> 9)
    return Parts("chk", length, addressed(word, words, length), to, writes_destination=False)


# The patterns are tried in this order: a special pattern stands before a general one.
_PATTERNS: tuple[tuple[int, int, Decoder], ...] = (
    (0xFFF0, 0x4E40, lambda word, words: Parts("trap", flow=TRAP)),
    (0xFFF8, 0x4E50, lambda word, words: _link(word, words, 2)),
    (0xFFF8, 0x4E58, _unlink),
    (0xFFF0, 0x4E60, _user_stack),
    (0xFFC0, 0x4E80, _jump("jsr", CALL)),
    (0xFFC0, 0x4EC0, _jump("jmp", JUMP)),
    (0xFFF8, 0x4808, lambda word, words: _link(word, words, 4)),
    (0xFFF8, 0x4840, lambda word, words: Parts("swap", 4, None, data_register(word))),
    (0xFFC0, 0x4840, _push_address),
    (0xFFC0, 0x4800, lambda word, words: Parts("nbcd", 1, None, addressed(word, words, 1))),
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
    (0xFFC0, 0x4AC0, lambda word, words: Parts("tas", 1, None, addressed(word, words, 1))),
    (0xF1C0, 0x41C0, _load_address),
    (0xF140, 0x4100, _check),
    (0xFF00, 0x4000, _unary("negx")),
    (0xFF00, 0x4200, _unary("clr", reads=False)),
    (0xFF00, 0x4400, _unary("neg")),
    (0xFF00, 0x4600, _unary("not")),
    (0xFF00, 0x4A00, _unary("tst", writes=False)),
)
