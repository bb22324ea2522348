"""Divisions of the PowerPC, and integer arithmetic of POWER that only the 601 has."""

from __future__ import annotations

from emu.lift.builder import OperationBuilder
from emu.lift.operations import Opcode, Varnode, constant
from emu.lift.powerpc.conditions import finish
from emu.lift.powerpc.registers import OVERFLOW, SUMMARY_OVERFLOW, Word, general

_LOWEST = 1 << 31


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
