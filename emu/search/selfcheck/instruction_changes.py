"""Small mistakes in single instructions: of the 68K and of PowerPC.

The fields are those of the M68000 Family Programmer's Reference Manual (M68000PM/AD) and of the
PowerPC User Instruction Set Architecture, book I. An instruction stays as long as it is, so all
others keep their places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

Changes: TypeAlias = Iterator[tuple[str, bytes]]
"""Kinds of change, and what becomes of the instruction."""

_MOVES = {1: 2, 2: 4, 3: 2}  # bytes of an immediate operand of MOVE, by the first four bits


def m68k_changes(code: bytes) -> Changes:
    """The changes of one 68K instruction."""
    word = int.from_bytes(code[:2], "big")
    rest = code[2:]

    def flipped(bits: int) -> bytes:
        return (word ^ bits).to_bytes(2, "big") + rest

    line, opmode, size = word >> 12, word >> 6 & 7, word >> 6 & 3
    is_scc = line == 5 and size == 3
    if (line == 6 and word >> 9 & 7) or is_scc:
        yield "condition", flipped(0x0100)
    if line == 5 and not is_scc:
        yield "arithmetic", flipped(0x0100)  # ADDQ and SUBQ
        yield "constant", _with_field(word, 9, 3, 1) + rest
    if line == 7:
        yield "constant", _with_field(word, 0, 8, 1) + rest
    if line in (0x9, 0xD) or (line in (0x8, 0xC) and opmode in (3, 7)):
        yield "arithmetic", flipped(0x4000)  # ADD and SUB, MUL and DIV
    elif line in (0x8, 0xC) and (opmode < 3 or word >> 3 & 7 > 1):
        yield "bitwise", flipped(0x4000)  # AND and OR
    if line == 0xE and word & 0x08C0 != 0x08C0:
        yield "shift", flipped(0x0100)  # left and right
        if size != 3 and not word & 0x20:
            yield "constant", _with_field(word, 9, 3, 1) + rest
    if word >> 8 in (0x44, 0x46) and size != 3:
        yield "unary", flipped(0x0200)  # NEG and NOT
    yield from _m68k_immediate(word, code, size)
    nothing = b"\x4e\x71" * (len(code) // 2)
    if code != nothing:
        yield "removal", nothing


def _m68k_immediate(word: int, code: bytes, size: int) -> Changes:
    """The changes of what has an immediate operand behind its first word."""
    line, kind = word >> 12, word >> 8
    if kind in (0x00, 0x02, 0x04, 0x06, 0x0A, 0x0C) and size != 3:
        if kind in (0x00, 0x02):
            yield "bitwise", bytes([kind ^ 2]) + code[1:]  # ORI and ANDI
        elif kind in (0x04, 0x06):
            yield "arithmetic", bytes([kind ^ 2]) + code[1:]  # SUBI and ADDI
        yield "constant", _last_bit(code, 2 + (4 if size == 2 else 2))
    elif kind == 0x08:
        yield "constant", _last_bit(code, 4)  # the number of a bit
    elif word & 0x3F == 0x3C and line in _MOVES:
        yield "constant", _last_bit(code, 2 + _MOVES[line])
    elif word & 0x3F == 0x3C and line in (0x8, 0x9, 0xB, 0xC, 0xD):
        yield "constant", _last_bit(code, len(code))


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
