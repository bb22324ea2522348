"""Computes operations on integers of Python: a number of some bytes from others.

Meanings are those of Ghidra's page "P-Code Operation Reference". What it leaves undefined, such as
an integer that a floating-point number does not fit into, is said at each function.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeAlias

from emu.lift.pcode.operations import Opcode

Compute: TypeAlias = Callable[[Sequence[int], Sequence[int], int], int]
"""Gets the inputs, their sizes in bytes and the size of the output. The result may have more bits
than the output, and may be negative; the lower bits are meant."""


class UnknownOperationError(Exception):
    """An operation that is not computed here; the message names it."""


def _signed(value: int, size: int) -> int:
    return value - (1 << 8 * size) if value >> 8 * size - 1 else value


def _quotient(dividend: int, other: int) -> int:
    """Rounded toward zero."""
    return abs(dividend) // abs(other) * (1 if (dividend < 0) == (other < 0) else -1)


def _of_unsigned(compute: Callable[[int, int], int]) -> Compute:
    return lambda values, sizes, size: compute(values[0], values[1])


def _of_signed(compute: Callable[[int, int], int]) -> Compute:
    return lambda values, sizes, size: compute(
        _signed(values[0], sizes[0]), _signed(values[1], sizes[1])
    )


def _fits(compute: Callable[[int, int], int]) -> Compute:
    """Whether a signed result does not fit into as many bytes as its operands have."""

    def overflows(values: Sequence[int], sizes: Sequence[int], size: int) -> int:
        half = 1 << 8 * sizes[0] - 1
        result = compute(_signed(values[0], sizes[0]), _signed(values[1], sizes[1]))
        return not -half <= result < half

    return overflows


def _shift_left(values: Sequence[int], sizes: Sequence[int], size: int) -> int:
    return values[0] << values[1] if values[1] < 8 * sizes[0] else 0


def _shift_right(values: Sequence[int], sizes: Sequence[int], size: int) -> int:
    return values[0] >> min(values[1], 8 * sizes[0])


def _signed_right(values: Sequence[int], sizes: Sequence[int], size: int) -> int:
    return _signed(values[0], sizes[0]) >> min(values[1], 8 * sizes[0])


_FORMS = {4: ">f", 8: ">d"}


def _float(value: int, size: int) -> float:
    if size not in _FORMS:
        raise UnknownOperationError(f"floating point of {size} bytes")
    number: float = struct.unpack(_FORMS[size], value.to_bytes(size, "big"))[0]
    return number


def _bits(number: float, size: int) -> int:
    if size not in _FORMS:
        raise UnknownOperationError(f"floating point of {size} bytes")
    try:
        return int.from_bytes(struct.pack(_FORMS[size], number), "big")
    except OverflowError:  # too large for 4 bytes
        return int.from_bytes(struct.pack(_FORMS[size], math.copysign(math.inf, number)), "big")


def _of_floats(compute: Callable[..., float]) -> Compute:
    return lambda values, sizes, size: _bits(compute(*map(_float, values, sizes)), size)


def _of_float_test(test: Callable[..., bool]) -> Compute:
    return lambda values, sizes, size: test(*map(_float, values, sizes))


def _divided(dividend: float, other: float) -> float:
    if other:
        return dividend / other
    if dividend == 0 or math.isnan(dividend):
        return math.nan
    return math.copysign(math.inf, dividend) * math.copysign(1.0, other)


def _fused(one: float, other: float, addend: float) -> float:
    """The product of two numbers plus a third one, rounded once."""
    if not (math.isfinite(one) and math.isfinite(other)):
        return one * other + addend
    if not math.isfinite(addend):
        return addend
    product = Fraction(one) * Fraction(other)
    total = product + Fraction(addend)
    if not total:  # only zeros have a sign here; numbers that cancel out give +0
        return 0.0 if product else one * other + addend
    try:
        return float(total)
    except OverflowError:
        return math.inf if total > 0 else -math.inf


def _truncated(values: Sequence[int], sizes: Sequence[int], size: int) -> int:
    """What does not fit becomes the nearest integer that does, a NaN the smallest."""
    number = _float(values[0], sizes[0])
    half = 1 << 8 * size - 1
    if math.isnan(number):
        return -half
    return int(max(-half, min(half - 1, number)))


COMPUTE: dict[Opcode, Compute] = {
    Opcode.COPY: lambda values, sizes, size: values[0],
    Opcode.INT_ZEXT: lambda values, sizes, size: values[0],
    Opcode.INT_SEXT: lambda values, sizes, size: _signed(values[0], sizes[0]),
    Opcode.INT_EQUAL: _of_unsigned(int.__eq__),
    Opcode.INT_NOTEQUAL: _of_unsigned(int.__ne__),
    Opcode.INT_LESS: _of_unsigned(int.__lt__),
    Opcode.INT_LESSEQUAL: _of_unsigned(int.__le__),
    Opcode.INT_SLESS: _of_signed(int.__lt__),
    Opcode.INT_SLESSEQUAL: _of_signed(int.__le__),
    Opcode.INT_ADD: _of_unsigned(int.__add__),
    Opcode.INT_SUB: _of_unsigned(int.__sub__),
    Opcode.INT_MULT: _of_unsigned(int.__mul__),
    Opcode.INT_CARRY: lambda values, sizes, size: sum(values) >> 8 * sizes[0] != 0,
    Opcode.INT_SCARRY: _fits(int.__add__),
    Opcode.INT_SBORROW: _fits(int.__sub__),
    Opcode.INT_2COMP: lambda values, sizes, size: -values[0],
    Opcode.INT_NEGATE: lambda values, sizes, size: ~values[0],
    Opcode.INT_XOR: _of_unsigned(int.__xor__),
    Opcode.INT_AND: _of_unsigned(int.__and__),
    Opcode.INT_OR: _of_unsigned(int.__or__),
    Opcode.INT_LEFT: _shift_left,
    Opcode.INT_RIGHT: _shift_right,
    Opcode.INT_SRIGHT: _signed_right,
    Opcode.INT_DIV: _of_unsigned(int.__floordiv__),
    Opcode.INT_REM: _of_unsigned(int.__mod__),
    Opcode.INT_SDIV: _of_signed(_quotient),
    Opcode.INT_SREM: _of_signed(
        lambda dividend, other: dividend - other * _quotient(dividend, other)
    ),
    Opcode.BOOL_NEGATE: lambda values, sizes, size: not values[0],
    Opcode.BOOL_XOR: _of_unsigned(int.__xor__),
    Opcode.BOOL_AND: _of_unsigned(int.__and__),
    Opcode.BOOL_OR: _of_unsigned(int.__or__),
    Opcode.PIECE: lambda values, sizes, size: values[0] << 8 * sizes[1] | values[1],
    Opcode.SUBPIECE: lambda values, sizes, size: values[0] >> 8 * values[1],
    Opcode.POPCOUNT: lambda values, sizes, size: values[0].bit_count(),
    Opcode.LZCOUNT: lambda values, sizes, size: 8 * sizes[0] - values[0].bit_length(),
    Opcode.FLOAT_EQUAL: _of_float_test(float.__eq__),
    Opcode.FLOAT_NOTEQUAL: _of_float_test(float.__ne__),
    Opcode.FLOAT_LESS: _of_float_test(float.__lt__),
    Opcode.FLOAT_LESSEQUAL: _of_float_test(float.__le__),
    Opcode.FLOAT_NAN: _of_float_test(math.isnan),
    Opcode.FLOAT_ADD: _of_floats(float.__add__),
    Opcode.FLOAT_SUB: _of_floats(float.__sub__),
    Opcode.FLOAT_MULT: _of_floats(float.__mul__),
    Opcode.FLOAT_DIV: _of_floats(_divided),
    Opcode.FLOAT_FMA: _of_floats(_fused),
    Opcode.FLOAT_NEG: _of_floats(float.__neg__),
    Opcode.FLOAT_ABS: _of_floats(float.__abs__),
    Opcode.FLOAT_SQRT: _of_floats(lambda number: math.sqrt(number) if number >= 0 else math.nan),
    Opcode.FLOAT_FLOAT2FLOAT: _of_floats(float),
    Opcode.FLOAT_INT2FLOAT: lambda values, sizes, size: _bits(
        float(_signed(values[0], sizes[0])), size
    ),
    Opcode.FLOAT_TRUNC: _truncated,
}
"""What each operation that only computes does. A division by zero raises ZeroDivisionError."""
