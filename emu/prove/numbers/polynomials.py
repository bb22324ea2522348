"""Polynomials modulo a power of two whose unknowns are whole numbers with known ranges.

An unknown is a piece of an input, a term of which nothing is known, or the value of a polynomial's
lower bits. The last is what makes sums of several words comparable: with ``V(P, n)`` for the number
from 0 that the lower n bits of P are, bits l to h of P are ``(V(P, h + 1) - V(P, l)) / 2**l``, and
the carry of a + b is ``(V(a, n) + V(b, n) - V(a + b, n)) / 2**n``. So factors are fractions with a
power of two below, while the whole of a polynomial is a whole number for all inputs.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

_MOST_MONOMIALS = 256
_MOST_STEPS = 2000

WIDE = 1 << 14
"""The width of polynomials that are numbers themselves: no factor is reduced modulo that."""

Monomial: TypeAlias = tuple[int, ...]
"""The unknowns of a product, in order: one that comes twice is squared."""

Terms: TypeAlias = dict[Monomial, Fraction]


class TooLargeError(Exception):
    """A polynomial has too many monomials."""


@dataclass(frozen=True, slots=True)
class Polynomial:
    """A term as a polynomial.

    Attributes:
        width: the term's bits; the term is the polynomial modulo 2 to that power.
        terms: the factor of each product of unknowns.
    """

    width: int
    terms: tuple[tuple[Monomial, Fraction], ...]

    @classmethod
    def of(cls, width: int, terms: Mapping[Monomial, Fraction]) -> Polynomial:
        """A polynomial, with factors next to 0 modulo a power of two.

        Raises:
            TooLargeError: it has too many monomials.
        """
        if len(terms) > _MOST_MONOMIALS:
            raise TooLargeError
        kept = {product: _centred(factor, width) for product, factor in terms.items()}
        return cls(width, tuple(sorted((p, f) for p, f in kept.items() if f)))

    @classmethod
    def number(cls, width: int, value: int) -> Polynomial:
        """A known number."""
        return cls.of(width, {(): Fraction(value)})

    def to(self, width: int) -> Polynomial:
        """The same polynomial for other bits; for more of them it may be another term."""
        return Polynomial.of(width, dict(self.terms))

    def plus(self, other: Polynomial, times: Fraction | int = 1) -> Polynomial:
        """The sum with so many times another one."""
        result = dict(self.terms)
        for product, factor in other.terms:
            result[product] = result.get(product, Fraction()) + factor * times
        return Polynomial.of(self.width, result)

    def scaled(self, factor: Fraction | int, width: int) -> Polynomial:
        """So many times it."""
        return Polynomial.of(width, {p: f * factor for p, f in self.terms})


def _centred(factor: Fraction, width: int) -> Fraction:
    if factor.numerator.bit_length() < width:
        return factor
    if width == WIDE:
        raise TooLargeError
    rest = factor % (1 << width)
    return rest - (1 << width) if 2 * rest > 1 << width else rest


@dataclass(frozen=True, slots=True)
class _LowerBits:
    """What an unknown is that stands for lower bits of a polynomial: which, and how many."""

    of: Polynomial
    bits: int


class Unknowns:
    """The unknowns of some polynomials, and what follows of their ranges."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._ranges: list[tuple[int, int]] = []
        self._lower: dict[int, _LowerBits] = {}
        self._found: dict[Polynomial, Polynomial] = {}

    def unknown(self, key: Hashable, low: int, high: int) -> int:
        """The number of an unknown with a range, the same for the same key."""
        number = self._numbers.setdefault(key, len(self._numbers))
        if number == len(self._ranges):
            self._ranges.append((low, high))
        return number

    def opaque(self, width: int, key: Hashable) -> Polynomial:
        """A term of which nothing is known but how it is computed."""
        number = self.unknown((width, key), 0, (1 << width) - 1)
        return Polynomial(width, (((number,), Fraction(1)),))

    def times(self, one: Polynomial, other: Polynomial) -> Polynomial:
        """The product of two.

        Raises:
            TooLargeError: it has too many monomials.
        """
        result: Terms = {}
        for first, factor in one.terms:
            for second, more in other.terms:
                both = self._product(first + second)
                result[both] = result.get(both, Fraction()) + factor * more
            if len(result) > _MOST_MONOMIALS:
                raise TooLargeError
        return Polynomial.of(one.width, result)

    def _product(self, unknowns: Monomial) -> Monomial:
        """Unknowns in order; a bit is its own square."""
        bits = {each for each in unknowns if self._ranges[each] == (0, 1)}
        return tuple(sorted([*bits, *(each for each in unknowns if each not in bits)]))

    def simplest(self, value: Polynomial) -> Polynomial:
        """The same modulo 2 to its width, with no lower bits where the polynomial itself will do.

        Raises:
            TooLargeError: it has too many monomials.
        """
        width, terms = value.width, dict(value.terms)
        for _ in range(_MOST_STEPS):
            found = self._needless(terms, width)
            if found is None:
                return Polynomial.of(width, terms)
            product, place = found
            factor = terms.pop(product)
            rest = product[:place] + product[place + 1 :]
            for own, more in self._lower[product[place]].of.terms:
                both = self._product(rest + own)
                terms[both] = terms.get(both, Fraction()) + factor * more
            terms = dict(Polynomial.of(width, terms).terms)
        raise TooLargeError

    def _needless(self, terms: Terms, width: int) -> tuple[Monomial, int] | None:
        """A product with lower bits whose number of bits makes no difference, and their place."""
        for product, factor in terms.items():
            for place, unknown in enumerate(product):
                lower = self._lower.get(unknown)
                if lower is not None and not factor * (1 << lower.bits) % (1 << width):
                    return product, place
        return None

    def bits(self, of: Polynomial, end: int, start: int) -> Polynomial:
        """The number from 0 that some bits of a polynomial are, as `lowest` gives it.

        Args:
            of: the polynomial.
            end: the bit behind the last one.
            start: the first bit, which is the lowest.

        Raises:
            TooLargeError: it has too many monomials.
        """
        high, low = (self.lowest(of, place) for place in (end, start))
        number = high.plus(low, -1).scaled(Fraction(1, 1 << start), WIDE)
        self._found.setdefault(self.simplest(number.to(end - start)), number)
        return number

    def lowest(self, of: Polynomial, bits: int) -> Polynomial:
        """The number from 0 that the lower bits of a polynomial are, itself and not modulo.

        The result has the width of no term: its factors are those of the number.

        Raises:
            TooLargeError: it has too many monomials.
        """
        if not bits:
            return Polynomial(WIDE, ())
        value = self.simplest(of.to(bits))
        if value in self._found:
            return self._found[value]
        low, high = self._range(value)
        if low >= 0 and high < 1 << bits:
            return value.to(WIDE)
        parts = self._parts(value)
        if parts is not None:
            below, above, place = parts
            top = self.lowest(above, bits - place)
            return below.to(WIDE).plus(top, 1 << place)
        signed = max((~low if low < 0 else low).bit_length(), high.bit_length()) + 1
        if signed > bits + 1:
            return self._bits_of(value, bits)
        whole, own = value.to(WIDE), self._bits_of(self.simplest(value.to(signed)), signed)
        if signed == bits + 1:
            return own.plus(whole).scaled(Fraction(1, 2), WIDE)
        return whole.plus(own.plus(whole, -1), 1 << bits - signed)

    def _bits_of(self, value: Polynomial, bits: int) -> Polynomial:
        number = self.unknown(("lower bits", value, bits), 0, (1 << bits) - 1)
        self._lower[number] = _LowerBits(value.to(WIDE), bits)
        return Polynomial(WIDE, (((number,), Fraction(1)),))

    def _range(self, value: Polynomial) -> tuple[int, int]:
        """Bounds of a polynomial's value, which is whole."""
        low = high = Fraction()
        for product, factor in value.terms:
            least = most = Fraction(1)
            for unknown in product:
                ends = [a * b for a in (least, most) for b in self._ranges[unknown]]
                least, most = min(ends), max(ends)
            low += min(least * factor, most * factor)
            high += max(least * factor, most * factor)
        return math.ceil(low), math.floor(high)

    def _parts(self, value: Polynomial) -> tuple[Polynomial, Polynomial, int] | None:
        """A polynomial in two: bits below a place, and the others; None if it does not part."""
        places = sorted({_zeros(factor) for _, factor in value.terms})
        for place in places[1:]:
            if place <= 0:
                continue
            below = {p: f for p, f in value.terms if _zeros(f) < place}
            low, high = self._range(Polynomial.of(value.width, below))
            if low >= 0 and high < 1 << place:
                above = {p: f / (1 << place) for p, f in value.terms if p not in below}
                width = value.width - place
                return Polynomial.of(value.width, below), Polynomial.of(width, above), place
        return None


def _zeros(factor: Fraction) -> int:
    """The power of two that a factor is a multiple of; below 0 for fractions."""
    top = factor.numerator
    return (top & -top).bit_length() - factor.denominator.bit_length()
