"""Floating-point operations of the PowerPC: results and exceptions, without registers.

Source: PowerPC Architecture, Book I, chapter 4; PowerPC 601 RISC Microprocessor User's Manual,
chapter 5, for exceptions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from emu.machine.cpu.float_rounding import (
    DOUBLE,
    QUIET,
    SIGN,
    ExactBinary,
    Precision,
    Rounding,
    exact,
    infinity,
    is_infinite,
    is_nan,
    is_signalling,
    round_to,
    to_integer,
)
from emu.machine.cpu.ppc_fpscr import (
    OE,
    OX,
    RN,
    UE,
    UX,
    VE,
    VXCVI,
    VXIDI,
    VXIMZ,
    VXISI,
    VXSNAN,
    VXZDZ,
    XX,
    ZE,
    ZX,
)

_NO_NUMBER = 0x7FF8000000000000
_LARGEST, _LOWEST = 0x7FFFFFFF, -0x80000000
_SINGLE_NAN = ~0x1FFFFFFF


@dataclass(frozen=True, slots=True)
class FloatOutcome:
    """What an operation leaves.

    Attributes:
        bits: the result; None if an enabled exception keeps the target as it was.
        exceptions: the bits of FPSCR that it sets.
        is_incremented: FPSCR[FR].
        is_inexact: FPSCR[FI].
        precision: the format of the result.
        has_class: whether the class of the result goes to FPSCR.
    """

    bits: int | None
    exceptions: int = 0
    is_incremented: bool = False
    is_inexact: bool = False
    precision: Precision = DOUBLE
    has_class: bool = True


@dataclass(frozen=True, slots=True)
class FloatOperands:
    """The operands of an instruction, as double numbers, and its modes.

    Attributes:
        a: frA.
        b: frB.
        c: frC.
        fpscr: the modes.
        precision: to which the result is rounded.
    """

    a: int
    b: int
    c: int
    fpscr: int
    precision: Precision

    @property
    def rounding(self) -> Rounding:
        """The direction of rounding."""
        return Rounding(self.fpscr & RN)


Operation = Callable[[FloatOperands], FloatOutcome]


def add(of: FloatOperands) -> FloatOutcome:
    """The sum frA + frB."""
    return _sum(of, of.a, of.b, (of.a, of.b))


def subtract(of: FloatOperands) -> FloatOutcome:
    """The difference frA - frB; a NaN keeps its sign."""
    return _sum(of, of.a, of.b ^ SIGN, (of.a, of.b))


def multiply(of: FloatOperands) -> FloatOutcome:
    """The product frA * frC."""
    operands = (of.a, of.c)
    wrong = _wrong_product(of.a, of.c)
    if wrong or any(map(is_nan, operands)):
        return _no_number(of, operands, wrong)
    product = _product(of.a, of.c)
    return FloatOutcome(product) if isinstance(product, int) else _rounded(of, product)


def divide(of: FloatOperands) -> FloatOutcome:
    """The quotient frA / frB."""
    operands, sign = (of.a, of.b), (of.a ^ of.b) >> 63
    if any(map(is_nan, operands)):
        return _no_number(of, operands)
    if is_infinite(of.a) or is_infinite(of.b):
        if is_infinite(of.a) and is_infinite(of.b):
            return _no_number(of, operands, VXIDI)
        return FloatOutcome(infinity(sign) if is_infinite(of.a) else sign << 63)
    dividend, divisor = exact(of.a), exact(of.b)
    if not divisor.mantissa:
        if not dividend.mantissa:
            return _no_number(of, operands, VXZDZ)
        return FloatOutcome(None if of.fpscr & ZE else infinity(sign), ZX)
    return _rounded(of, dividend.over(divisor))


def multiply_add(of: FloatOperands) -> FloatOutcome:
    """The sum frA * frC + frB, rounded once."""
    return _product_and(of, of.b)


def multiply_subtract(of: FloatOperands) -> FloatOutcome:
    """The difference frA * frC - frB, rounded once."""
    return _product_and(of, of.b ^ SIGN)


def negated(operation: Operation) -> Operation:
    """An operation whose result is negated after it was rounded; a NaN keeps its sign."""

    def negate(of: FloatOperands) -> FloatOutcome:
        outcome = operation(of)
        if outcome.bits is None or is_nan(outcome.bits):
            return outcome
        return FloatOutcome(
            outcome.bits ^ SIGN,
            outcome.exceptions,
            outcome.is_incremented,
            outcome.is_inexact,
            outcome.precision,
        )

    return negate


def round_to_single(of: FloatOperands) -> FloatOutcome:
    """The number frB as a single one."""
    if is_nan(of.b):
        outcome = _no_number(of, (of.b,))
        bits = None if outcome.bits is None else outcome.bits & _SINGLE_NAN
        return FloatOutcome(bits, outcome.exceptions)
    return FloatOutcome(of.b) if is_infinite(of.b) else _rounded(of, exact(of.b))


def convert_to_integer(of: FloatOperands) -> FloatOutcome:
    """The number frB as an integer of 32 bits; the upper word is undefined, and 0 here."""
    return _integer(of, of.rounding)


def truncate_to_integer(of: FloatOperands) -> FloatOutcome:
    """As `convert_to_integer`, rounded toward zero."""
    return _integer(of, Rounding.TO_ZERO)


def _integer(of: FloatOperands, rounding: Rounding) -> FloatOutcome:
    exceptions = VXSNAN * is_signalling(of.b)
    value, is_up, is_inexact = _LOWEST, False, False
    if is_nan(of.b):
        exceptions |= VXCVI
    elif is_infinite(of.b):
        exceptions, value = VXCVI, _LOWEST if of.b & SIGN else _LARGEST
    else:
        value, is_up, is_inexact = to_integer(exact(of.b), rounding)
        if not _LOWEST <= value <= _LARGEST:
            value = _LOWEST if value < 0 else _LARGEST
            exceptions, is_up, is_inexact = VXCVI, False, False
    if exceptions and of.fpscr & VE:
        return FloatOutcome(None, exceptions)
    bits = value & 0xFFFFFFFF
    exceptions |= XX * is_inexact
    return FloatOutcome(bits, exceptions, is_up, is_inexact, has_class=False)


def _sum(of: FloatOperands, first: int, second: int, operands: tuple[int, ...]) -> FloatOutcome:
    if any(map(is_nan, operands)):
        return _no_number(of, operands)
    if is_infinite(first) or is_infinite(second):
        if is_infinite(first) and is_infinite(second) and first != second:
            return _no_number(of, operands, VXISI)
        return FloatOutcome(first if is_infinite(first) else second)
    return _rounded(of, exact(first).plus(exact(second), of.rounding))


def _product_and(of: FloatOperands, addend: int) -> FloatOutcome:
    operands, wrong = (of.a, of.b, of.c), _wrong_product(of.a, of.c)
    if wrong or any(map(is_nan, operands)):
        return _no_number(of, operands, wrong)
    product = _product(of.a, of.c)
    if isinstance(product, int):
        if is_infinite(addend) and addend != product:
            return _no_number(of, operands, VXISI)
        return FloatOutcome(product)
    if is_infinite(addend):
        return FloatOutcome(addend)
    return _rounded(of, product.plus(exact(addend), of.rounding))


def _wrong_product(first: int, second: int) -> int:
    one, other = first & ~SIGN, second & ~SIGN
    is_wrong = (is_infinite(one) and not other) or (is_infinite(other) and not one)
    return VXIMZ if is_wrong else 0


def _product(first: int, second: int) -> int | ExactBinary:
    """The exact product of two numbers; the bits of an infinity if one is infinite."""
    if is_infinite(first) or is_infinite(second):
        return infinity((first ^ second) >> 63)
    return exact(first).times(exact(second))


def _no_number(of: FloatOperands, operands: tuple[int, ...], wrong: int = 0) -> FloatOutcome:
    """The NaN that follows of operands: the first NaN among them, or a new one."""
    exceptions = wrong | VXSNAN * any(map(is_signalling, operands))
    if exceptions and of.fpscr & VE:
        return FloatOutcome(None, exceptions)
    bits = next((operand | QUIET for operand in operands if is_nan(operand)), _NO_NUMBER)
    return FloatOutcome(bits, exceptions)


def _rounded(of: FloatOperands, number: ExactBinary) -> FloatOutcome:
    overflows, underflows = bool(of.fpscr & OE), bool(of.fpscr & UE)
    result = round_to(
        number,
        of.precision,
        of.rounding,
        wraps_overflow=overflows,
        wraps_underflow=underflows,
    )
    exceptions = XX * result.is_inexact | OX * result.has_overflowed
    exceptions |= UX * (result.is_tiny and (underflows or result.is_inexact))
    return FloatOutcome(
        result.bits, exceptions, result.is_incremented, result.is_inexact, of.precision
    )


def class_of(bits: int, precision: Precision) -> int:
    """FPSCR[FPRF] of a result, as a number of five bits: C, less, greater, equal, unordered."""
    sign, size = bits >> 63, bits & ~SIGN
    if is_nan(bits):
        return 0x11
    if is_infinite(bits):
        return 0x09 if sign else 0x05
    if not size:
        return 0x12 if sign else 0x02
    is_denormal = size >> 52 < precision.least + 1023
    return 0x10 * is_denormal | (0x08 if sign else 0x04)
