"""Arithmetic on numbers of 32 bits (IEEE 754), as NumPy does it, and pairs that are hard to add.

Sums, conversions and order are NumPy's own. Three things it leaves to the processor; the routine's
answers to these are part of its behaviour:

* of a sum that is no number the bits are those of the operand that is no number, or that is farther
  from zero as far as the bits go, or else of the first, marked as quiet;
* infinities of opposite signs give the first of them, marked as quiet;
* what is too large for 32 bits, or no number, is cut to -2147483648.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyref.scene import check_origin, frozen
from pyref.streams import Stream

_SIGN, _INFINITY, _QUIET, _ONE = 0x80000000, 0x7F800000, 0x00400000, 0x00800000
_FRACTION_BITS, _MOST_EXPONENT = 23, 254
_LARGEST = 1 << 31  # no float this far from zero fits a whole number of 32 bits
_BITS = 32

_Words: TypeAlias = NDArray[np.int64]

_SPECIAL = (
    *(0x00000000, 0x00000001, 0x00000002, 0x00000003, 0x007FFFFF, 0x00800000, 0x00800001),
    *(0x00FFFFFF, 0x01000000, 0x3EFFFFFF, 0x3F000000, 0x3F7FFFFF, 0x3F800000, 0x3F800001),
    *(0x40000000, 0x4B000000, 0x4B7FFFFF, 0x4B800000, 0x4EFFFFFF, 0x4F000000, 0x7F000000),
    *(0x7F7FFFFE, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FBFFFFF, 0x7FC00000, 0x7FFFFFFF),
)


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """A scene: pairs of numbers to be added and compared, and whole numbers to be converted.

    Attributes:
        x: the bits of the first of each pair, int64 of shape ``(n,)``, 0 to 2**32 - 1.
        y: those of the second.
        whole: whole numbers, int64 of shape ``(n,)``, each of 32 bits with a sign.
        generator: the name in :data:`GENERATORS` that made them.
        seed: what it started from.
    """

    x: _Words
    y: _Words
    whole: _Words
    generator: str
    seed: int

    @property
    def objects(self) -> int:
        """How many pairs there are."""
        return len(self.x)

    def keep(self, indices: ArrayLike) -> Pairs:
        """A scene of some of the pairs."""
        chosen = np.asarray(indices, dtype=np.int64).reshape(-1)
        x, y, whole = self.x[chosen], self.y[chosen], self.whole[chosen]
        return replace(self, x=frozen(x), y=frozen(y), whole=frozen(whole))


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """What must come out, each array of shape ``(n,)``.

    Attributes:
        sums: the bits of x + y.
        converted: the bits of the float nearest to each whole number, of two the even one.
        cut: x without its fraction.
        lt: -1, 0 or 1 as x is below, equal to or above y; 1 if they have no order.
        le: the same.
        gt: the same, but -1 if they have no order.
        ge: the same.
    """

    sums: _Words
    converted: _Words
    cut: _Words
    lt: _Words
    le: _Words
    gt: _Words
    ge: _Words


def results(scene: Pairs) -> Results:
    """What the routine must answer to each pair."""
    x, y = _floats(scene.x), _floats(scene.y)
    with np.errstate(all="ignore"):
        sums = np.where(np.isnan(x + y), _not_a_number(scene.x, scene.y), _bits(x + y))
        fits = np.abs(x.astype(np.float64)) < _LARGEST
    cut = np.where(fits, np.trunc(np.where(fits, x, 0)), -_LARGEST).astype(np.int64)
    order = (x > y).astype(np.int64) - (x < y)
    is_unordered = np.isnan(x) | np.isnan(y)
    low, high = np.where(is_unordered, 1, order), np.where(is_unordered, -1, order)
    converted = _bits(scene.whole.astype(np.float32))
    return Results(sums, converted, cut, lt=low, le=low, gt=high, ge=high)


def _not_a_number(x: _Words, y: _Words) -> _Words:
    """The bits of a sum that is no number: of the operand that is farther from zero, and quiet."""
    first = (x & ~_SIGN) >= (y & ~_SIGN)
    return np.where(first, x, y) | _QUIET


def _floats(bits: _Words) -> NDArray[np.float32]:
    return bits.astype(np.uint32).view(np.float32)


def _bits(numbers: NDArray[np.float32]) -> _Words:
    return numbers.astype(np.float32).view(np.uint32).astype(np.int64)


# -- scenes ------------------------------------------------------------------------------------

Generator: TypeAlias = Callable[[Stream, int], tuple[_Words, _Words]]
"""A generator: called with (stream, pairs); returns the bits of x and of y, int64 of shape (n,)."""


def make_scene(generator: str, objects: int, seed: int, *, width: int, height: int) -> Pairs:
    """Make the scene of a generator, a number of pairs and a seed.

    The whole numbers are the same kind of mixture in each: of every length, many of them close to
    halfway between two floats.

    Raises:
        ValueError: there is no such generator, or the seed is outside 0..2**64 - 1.
    """
    check_origin(generator, seed, GENERATORS)
    stream = Stream(seed)
    x, y = GENERATORS[generator](stream, objects)
    return Pairs(frozen(x), frozen(y), frozen(_wholes(stream, objects)), generator, seed)


def _below(stream: Stream, count: int, *bounds: int) -> tuple[_Words, ...]:
    """Columns of random numbers, each below its bound, which is at most 2**31."""
    return tuple(stream.below(count, *bounds).astype(np.int64).T)


def _words(stream: Stream, count: int) -> _Words:
    """Random numbers of 32 bits."""
    high, low = _below(stream, count, 1 << 16, 1 << 16)
    return high << 16 | low


def _fraction(stream: Stream, count: int) -> _Words:
    """Fractions: any, of one or two bits, or all bits but the last few."""
    kind, whole, bit, other, few = _below(stream, count, 4, _ONE, _FRACTION_BITS, 24, 4)
    two = (1 << bit | 1 << other) & (_ONE - 1)
    chosen: _Words = np.choose(kind, [two, _ONE - 1 - few, few, whole])
    return chosen


def _number(exponent: _Words, fraction: _Words, sign: _Words) -> _Words:
    return sign << 31 | np.clip(exponent, 0, _MOST_EXPONENT) << _FRACTION_BITS | fraction


def _wholes(stream: Stream, count: int) -> _Words:
    """Whole numbers of every length; half of them have few bits beyond those of a float."""
    bits, few, step = _below(stream, count, _BITS + 1, 4, 5)
    whole = (_words(stream, count) | 1 << 31) >> (_BITS - bits)
    shift = np.maximum(bits - 25, 0)  # the bit that decides how it is rounded, and what is above
    near = np.maximum((whole >> shift << shift) + step - 2, 0)
    signs = 1 - 2 * (few & 1)
    chosen = np.where(few < 2, whole, near) * signs
    clipped: _Words = np.clip(chosen, -_LARGEST, _LARGEST - 1)
    return clipped


def _any(stream: Stream, count: int) -> tuple[_Words, _Words]:
    """All bits are random."""
    return _words(stream, count), _words(stream, count)


def _alike(stream: Stream, count: int) -> tuple[_Words, _Words]:
    """Exponents differ by so little that both numbers count for the sum."""
    exponent, step, sign, other, order = _below(stream, count, 255, 31, 2, 2, 2)
    x = _number(exponent, _fraction(stream, count), sign)
    y = _number(exponent - step, _fraction(stream, count), other)
    return np.where(order == 1, y, x), np.where(order == 1, x, y)


def _ties(stream: Stream, count: int) -> tuple[_Words, _Words]:
    """The smaller is half of the larger's last bit, or a little more or less."""
    exponent, half, near, sign, other = _below(stream, count, 200, 4, 4, 2, 2)
    exponent += 40
    x = _number(exponent, _fraction(stream, count), sign)
    y = _number(exponent - 22 - half, np.zeros(count, np.int64), other)
    return x, y + np.array([0, 0, 1, -1])[near]


def _cancelling(stream: Stream, count: int) -> tuple[_Words, _Words]:
    """Numbers of opposite signs that are equal, or nearly so."""
    exponent, sign, step, kind = _below(stream, count, 255, 2, 9, 4)
    x = _number(exponent, _fraction(stream, count), sign)
    y = np.clip((x & ~_SIGN) + step - 4, 0, _INFINITY)
    y = np.where(kind == 0, _number(exponent - 1, _fraction(stream, count), 0 * sign), y)
    return x, y | (1 - sign) << 31


def _tiny(stream: Stream, count: int) -> tuple[_Words, _Words]:
    """Numbers too small for a leading bit, and the smallest that have one."""
    first, second, sign, other = _below(stream, count, 4, 4, 2, 2)
    x = _number(first, _fraction(stream, count), sign)
    return x, _number(second, _fraction(stream, count), other)


def _large(stream: Stream, count: int) -> tuple[_Words, _Words]:
    """Numbers whose sum is close to what is too large."""
    first, second, sign, same = _below(stream, count, 3, 28, 2, 4)
    x = _number(_MOST_EXPONENT - first, _fraction(stream, count), sign)
    other = np.where(same > 0, sign, 1 - sign)
    y = _number(_MOST_EXPONENT - second, _fraction(stream, count), other)
    return x, y


def _special(stream: Stream, count: int) -> tuple[_Words, _Words]:
    """Zeros, infinities, what is no number, the ends of every range; a third are two of a kind."""
    special = np.array(_SPECIAL, dtype=np.int64)
    first, second, sign, other = _below(stream, count, len(special), len(special), 2, 2)
    (alike,) = _below(stream, count, 3)
    second = np.where(alike == 0, first, second)
    return special[first] | sign << 31, special[second] | other << 31


def _near_whole(stream: Stream, count: int) -> tuple[_Words, _Words]:
    """Numbers from below 1 to beyond 32 bits, beside those that equal them or are next to them."""
    exponent, sign, step = _below(stream, count, 36, 2, 3)
    x = _number(exponent + 125, _fraction(stream, count), sign)
    return x, x + step - 1


GENERATORS: Mapping[str, Generator] = MappingProxyType(
    {
        "any": _any,
        "alike": _alike,
        "ties": _ties,
        "cancelling": _cancelling,
        "tiny": _tiny,
        "large": _large,
        "special": _special,
        "near-whole": _near_whole,
    }
)
"""Every generator, by its name."""
