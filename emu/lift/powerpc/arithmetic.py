"""Divisions of the PowerPC, rotations, and integer arithmetic of POWER that only the 601 has."""

from __future__ import annotations

from emu.lift.pcode.builder import OperationBuilder
from emu.lift.pcode.operations import Opcode, Varnode, constant
from emu.lift.powerpc.conditions import finish
from emu.lift.powerpc.registers import OVERFLOW, SUMMARY_OVERFLOW, Word, general

_LOWEST, _ALL = 1 << 31, 0xFFFFFFFF


def _set_overflow(build: OperationBuilder, word: Word, overflow: Varnode) -> None:
    """Set the flags of a form that has them."""
    if word.has_overflow:
        build.put(OVERFLOW, Opcode.COPY, overflow)
        build.put(SUMMARY_OVERFLOW, Opcode.INT_OR, SUMMARY_OVERFLOW, overflow)


def divide(build: OperationBuilder, word: Word) -> None:
    """DIVW. A quotient that does not exist is the dividend, as engines have it."""
    a, b = general(word.a), general(word.b)
    is_zero = build.value(Opcode.INT_EQUAL, b, constant(0, 4), size=1)
    is_lowest = build.value(Opcode.INT_EQUAL, a, constant(_LOWEST, 4), size=1)
    by_minus_one = build.value(Opcode.INT_EQUAL, b, constant(-1, 4), size=1)
    too_large = build.value(Opcode.INT_AND, is_lowest, by_minus_one)
    fails = build.value(Opcode.INT_OR, is_zero, too_large)
    divisor = build.choose(fails, constant(1, 4), b)
    quotient = build.value(Opcode.INT_SDIV, a, divisor)
    _set_overflow(build, word, fails)
    finish(build, word, word.d, quotient)


def divide_unsigned(build: OperationBuilder, word: Word) -> None:
    """DIVWU. A quotient that does not exist is the dividend, as engines have it."""
    a, b = general(word.a), general(word.b)
    fails = build.value(Opcode.INT_EQUAL, b, constant(0, 4), size=1)
    quotient = build.value(Opcode.INT_DIV, a, build.choose(fails, constant(1, 4), b))
    _set_overflow(build, word, fails)
    finish(build, word, word.d, quotient)


def absolute(build: OperationBuilder, word: Word) -> None:
    """ABS; the lowest number stays as it is, and overflows."""
    value = _size(build, general(word.a))
    overflow = build.value(Opcode.INT_EQUAL, value, constant(_LOWEST, 4), size=1)
    _set_overflow(build, word, overflow)
    finish(build, word, word.d, value)


def negative_absolute(build: OperationBuilder, word: Word) -> None:
    """NABS, which never overflows."""
    value = build.value(Opcode.INT_2COMP, _size(build, general(word.a)))
    _set_overflow(build, word, constant(0, 1))
    finish(build, word, word.d, value)


def _size(build: OperationBuilder, value: Varnode) -> Varnode:
    is_negative = build.value(Opcode.INT_SLESS, value, constant(0, 4), size=1)
    return build.choose(is_negative, build.value(Opcode.INT_2COMP, value), value)


def rotate_and_mask(build: OperationBuilder, word: Word) -> None:
    """RLWINM; a shift where the mask has no bit that went round the end.

    SLEIGH has six operations for each, and a shift is what proofs understand best.
    """
    value, count = general(word.d), word.b
    mask = _mask(word.c, word.bits >> 1 & 31)
    left, right = _ALL << count & _ALL, _ALL >> 32 - count
    if not count:
        rotated, passed = value, _ALL
    elif mask & left == mask:
        rotated, passed = build.value(Opcode.INT_LEFT, value, constant(count, 4)), left
    elif mask & right == mask:
        rotated, passed = build.value(Opcode.INT_RIGHT, value, constant(32 - count, 4)), right
    else:
        high = build.value(Opcode.INT_LEFT, value, constant(count, 4))
        low = build.value(Opcode.INT_RIGHT, value, constant(32 - count, 4))
        rotated, passed = build.value(Opcode.INT_OR, high, low), _ALL
    if mask != passed:
        rotated = build.value(Opcode.INT_AND, rotated, constant(mask, 4))
    finish(build, word, word.a, rotated)


def _mask(first: int, last: int) -> int:
    """The bits from one to another, of which 0 is the highest; it may go round the end."""
    begin, end = _ALL >> first, _ALL << 31 - last & _ALL
    return begin & end if first <= last else begin | end
