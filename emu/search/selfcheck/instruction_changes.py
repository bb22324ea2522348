"""Small mistakes in single instructions: of the 68K and of PowerPC.

The fields are those of the M68000 Family Programmer's Reference Manual (M68000PM/AD) and of the
PowerPC User Instruction Set Architecture, book I. An instruction stays as long as it is, so all
others keep their places.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from emu.program.instructions.m68k.forms import (
    EFFECTIVE_ADDRESS,
    InstructionForm,
    find_form,
    forms,
    mode_of,
)

_LINE_4 = 0x4
Changes: TypeAlias = Iterator[tuple[str, bytes]]
"""Kinds of change, and what becomes of the instruction."""

_CONDITIONAL = frozenset({"bcc", "scc", "dbcc", "trapcc"})
_PAIRS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "arithmetic": (
        *(("add", "sub"), ("adda", "suba"), ("addx", "subx"), ("addi", "subi"), ("addq", "subq")),
        *(("mulu", "divu"), ("muls", "divs")),
    ),
    "bitwise": (("and", "or"), ("andi", "ori"), ("andi.ccr", "ori.ccr"), ("andi.sr", "ori.sr")),
    "shift": (("asl", "asr"), ("lsl", "lsr"), ("roxl", "roxr"), ("rol", "ror")),
    "unary": (("neg", "not"),),
}
"""By the kind of change, operations that take each other's place."""

_OTHERS: Mapping[str, tuple[str, str]] = {
    one: (kind, other)
    for kind, pairs in _PAIRS.items()
    for pair in pairs
    for one, other in (pair, pair[::-1])
}


def m68k_changes(code: bytes) -> Changes:
    """The changes of one 68K instruction."""
    word = int.from_bytes(code[:2], "big")
    form = find_form(word)
    if form is not None:
        yield from _m68k_operation(form, word, code[2:])
        yield from _m68k_constant(form, word, code)
    nothing = b"\x4e\x71" * (len(code) // 2)
    if code != nothing:
        yield "removal", nothing


def _m68k_operation(form: InstructionForm, word: int, rest: bytes) -> Changes:
    """The changes of what an instruction does with its operands."""
    if form.operation in _CONDITIONAL:
        yield "condition", (word ^ 0x0100).to_bytes(2, "big") + rest
    if form.operation in _OTHERS:
        kind, other = _OTHERS[form.operation]
        for bits in _differences(form, other):
            yield kind, (word ^ bits).to_bytes(2, "big") + rest


@functools.cache
def _differences(form: InstructionForm, other: str) -> tuple[int, ...]:
    """The one bit in which another operation with the same operands differs; none if none does."""
    return tuple(
        form.value ^ each.value
        for each in forms()
        if (each.operation, each.mask) == (other, form.mask)
        and (form.value ^ each.value).bit_count() == 1
    )


def _m68k_constant(form: InstructionForm, word: int, code: bytes) -> Changes:
    """The changes of a constant: one of a few bits grows by 1, the last bit of others changes."""
    if form.value >> 12 == _LINE_4:  # these are frames and limits: LINK, RTD, STOP, CHK
        return
    at = 2
    for field in form.fields:
        if field.place in ("#3", "n3"):
            yield "constant", _with_field(word, 9, 3, 1) + code[2:]
        elif field.place == "#8":
            yield "constant", _with_field(word, 0, 8, 1) + code[2:]
        elif field.place in ("#", "n16"):
            yield "constant", _last_bit(code, at + field.size)
        elif field.place == EFFECTIVE_ADDRESS and mode_of(word) == "#" and form.size:
            yield "constant", _last_bit(code, at + max(form.size, 2))
        at += field.size


def _with_field(word: int, at: int, bits: int, more: int) -> bytes:
    """A word in which a field of some bits, counted from the lowest bit, is higher."""
    mask = (1 << bits) - 1
    value = ((word >> at & mask) + more) & mask
    return (word & ~(mask << at) | value << at).to_bytes(2, "big")


def _last_bit(code: bytes, end: int) -> bytes:
    """An instruction in which the lowest bit of what ends at an offset is the other."""
    return code[: end - 1] + bytes([code[end - 1] ^ 1]) + code[end:]


_WITH_CONSTANT = {7, 8, 10, 11, 12, 13, 14, 24, 28}
"""MULLI, SUBFIC, CMPLWI, CMPWI, ADDIC, ADDIC., ADDI, ORI, ANDI. have 16 bits of a constant."""

# By the extended opcode of opcode 31: the kind of change, and the other instruction's.
_EXTENDED: Mapping[int, tuple[str, int]] = {
    266: ("arithmetic", 40),  # ADD and SUBF
    40: ("arithmetic", 266),
    235: ("arithmetic", 491),  # MULLW and DIVW
    491: ("arithmetic", 235),
    28: ("bitwise", 444),  # AND and OR
    444: ("bitwise", 28),
    316: ("bitwise", 28),  # XOR
    24: ("shift", 536),  # SLW and SRW
    536: ("shift", 24),
    922: ("unary", 954),  # EXTSH and EXTSB
    954: ("unary", 922),
}
_NO_OPERATION = 0x60000000


def ppc_changes(code: bytes) -> Changes:
    """The changes of one PowerPC instruction."""
    word = int.from_bytes(code, "big")
    opcode, extended = word >> 26, word >> 1 & 0x3FF
    if opcode == 16 or (opcode == 19 and extended in (16, 528)):
        if not word & 0x10 << 21:
            yield "condition", _ppc(word ^ 0x08 << 21)
        elif not word & 0x04 << 21:
            yield "condition", _ppc(word ^ 0x02 << 21)  # of the counter
    if opcode in _WITH_CONSTANT and word != _NO_OPERATION:
        yield "constant", _ppc(word & ~0xFFFF | (word + 1) & 0xFFFF)
    if opcode == 21 or (opcode == 31 and extended == 824):
        yield "constant", _ppc(word ^ 1 << 11)  # how far RLWINM and SRAWI shift
    if opcode == 31 and extended in _EXTENDED:
        kind, other = _EXTENDED[extended]
        is_copy = extended == 444 and word >> 21 & 31 == word >> 11 & 31
        if not is_copy:
            yield kind, _ppc(word & ~(0x3FF << 1) | other << 1)
    if opcode in (59, 63) and word >> 1 & 31 in (20, 21):
        yield "arithmetic", _ppc(word ^ 1 << 1)  # FADD and FSUB
    if word != _NO_OPERATION:
        yield "removal", _ppc(_NO_OPERATION)


def _ppc(word: int) -> bytes:
    return word.to_bytes(4, "big")


CHANGES: Mapping[str, Callable[[bytes], Changes]] = {
    "m68k": m68k_changes,
    "powerpc": ppc_changes,
}
"""What gives the changes of an instruction, by `Program.architecture`."""
