"""Arithmetic on Fixed (16 bits of fraction) and Fract (30 bits), rounded as the Toolbox does.

Every argument and result is a signed 32-bit integer. A result that does not fit becomes the largest
or smallest 32-bit number.
Sources: Inside Macintosh: Operating System Utilities, chapter 3; Technical Q&A OPS20 for halves,
which the 68K rounds away from zero and the PowerPC upwards.
"""

from __future__ import annotations

import math

LARGEST = 0x7FFFFFFF
SMALLEST = -0x80000000
_FIXED, _FRACT = 16, 30


def pinned(value: int) -> int:
    """The number, or the nearest one that fits into 32 bits."""
    return min(max(value, SMALLEST), LARGEST)


def quotient(numerator: int, denominator: int, *, upwards: bool) -> int:
    """Divide, and round to the nearest whole number.

    Args:
        numerator: the dividend.
        denominator: the divisor; not 0.
        upwards: whether a half is rounded upwards; otherwise it is rounded away from zero.
    """
    if denominator < 0:
        numerator, denominator = -numerator, -denominator
    if upwards or numerator >= 0:
        return (2 * numerator + denominator) // (2 * denominator)
    return -((-2 * numerator + denominator) // (2 * denominator))


def fix_multiply(a: int, b: int, *, upwards: bool) -> int:
    """Multiply by a Fixed; the product has the format of the other factor."""
    return pinned(quotient(a * b, 1 << _FIXED, upwards=upwards))


def fract_multiply(a: int, b: int, *, upwards: bool) -> int:
    """Multiply by a Fract; the product has the format of the other factor."""
    return pinned(quotient(a * b, 1 << _FRACT, upwards=upwards))


def _divide(a: int, b: int, bits: int, upwards: bool) -> int:
    if b == 0:
        return SMALLEST if a < 0 else LARGEST
    return pinned(quotient(a << bits, b, upwards=upwards))


def fix_divide(a: int, b: int, *, upwards: bool) -> int:
    """The quotient of two numbers of one format, as Fixed."""
    return _divide(a, b, _FIXED, upwards)


def fract_divide(a: int, b: int, *, upwards: bool) -> int:
    """The quotient of two numbers of one format, as Fract."""
    return _divide(a, b, _FRACT, upwards)


def fract_square_root(x: int) -> int:
    """The square root of a Fract that is read as unsigned, from 0 to 4."""
    return (math.isqrt((x & 0xFFFFFFFF) << (_FRACT + 2)) + 1) >> 1


def fract_sine(angle: int) -> int:
    """The sine of a Fixed in radians, as Fract."""
    return pinned(round(math.sin(angle / (1 << _FIXED)) * (1 << _FRACT)))


def fract_cosine(angle: int) -> int:
    """The cosine of a Fixed in radians, as Fract."""
    return pinned(round(math.cos(angle / (1 << _FIXED)) * (1 << _FRACT)))


def fix_arctangent(x: int, y: int) -> int:
    """The angle of the point (x, y), in radians, as Fixed; -pi to pi."""
    return round(math.atan2(y, x) * (1 << _FIXED))


def fix_to_integer(x: int) -> int:
    """The 16-bit integer nearest to a Fixed; a half is rounded upwards."""
    return min((x + 0x8000) >> _FIXED, 0x7FFF)


def fix_to_long(x: int) -> int:
    """The integer nearest to a Fixed; a half is rounded away from zero."""
    return quotient(x, 1 << _FIXED, upwards=False)


def long_to_fix(x: int) -> int:
    """A whole number as Fixed."""
    return pinned(x << _FIXED)


def fix_to_fract(x: int) -> int:
    """A Fixed as a Fract."""
    return pinned(x << (_FRACT - _FIXED))


def fract_to_fix(x: int, *, upwards: bool) -> int:
    """A Fract as the nearest Fixed."""
    return quotient(x, 1 << (_FRACT - _FIXED), upwards=upwards)


def slope_from_angle(degrees: int) -> int:
    """The slope of a line at an angle: its horizontal change divided by the vertical, as Fixed.

    Angles count clockwise from twelve o'clock and vertical coordinates grow downwards, so 45
    degrees give -1.
    """
    degrees %= 180
    if degrees == 90:
        return SMALLEST
    return pinned(round(-math.tan(math.radians(degrees)) * (1 << _FIXED)))


def angle_from_slope(slope: int) -> int:
    """The angle of a line with a given slope, 1 to 180 degrees; see `slope_from_angle`."""
    degrees = round(math.degrees(math.atan(-slope / (1 << _FIXED)))) % 180
    return degrees or 180
