"""Finds that two terms with products are equal, which z3 cannot tell in any useful time.

A 68000 multiplies 16 bits by 16, so a compiler makes a product of 32 bits of three of them; z3 then
has to prove the law of distribution bit by bit, and does not in minutes. Here each term becomes a
polynomial modulo a power of two, over pieces of the inputs: two terms with the same polynomial are
equal. Different polynomials say nothing.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import z3

_MOST_MONOMIALS = 256
_DEEPEST = 100
"""A term with so many levels is taken as it is, since this module goes through terms by itself."""

Monomial: TypeAlias = tuple[int, ...]
"""The atoms of a product, in order: one that comes twice is squared."""


class _TooLargeError(Exception):
    """A polynomial has too many monomials."""


@dataclass(frozen=True, slots=True)
class Polynomial:
    """A term as a polynomial with whole numbers from 0 on.

    Attributes:
        width: the term's bits; the term is the polynomial modulo 2 to that power.
        terms: the factor of each product of atoms.
    """

    width: int
    terms: tuple[tuple[Monomial, int], ...]

    @classmethod
    def of(cls, width: int, terms: dict[Monomial, int]) -> Polynomial:
        """A polynomial, with its factors modulo a power of two."""
        if len(terms) > _MOST_MONOMIALS:
            raise _TooLargeError
        kept = {product: factor % (1 << width) for product, factor in terms.items()}
        return cls(width, tuple(sorted((p, f) for p, f in kept.items() if f)))

    def to(self, width: int) -> Polynomial:
        """The polynomial for other bits, fewer or more; see `TermPolynomials.exact` about more."""
        return Polynomial.of(width, dict(self.terms))

    def times(self, other: Polynomial, product: Callable[[Monomial], Monomial]) -> Polynomial:
        """The product of two."""
        result: dict[Monomial, int] = {}
        for one, factor in self.terms:
            for another, more in other.terms:
                both = product(one + another)
                result[both] = result.get(both, 0) + factor * more
            if len(result) > _MOST_MONOMIALS:
                raise _TooLargeError
        return Polynomial.of(self.width, result)

    def plus(self, other: Polynomial) -> Polynomial:
        """The sum of two."""
        result = dict(self.terms)
        for product, factor in other.terms:
            result[product] = result.get(product, 0) + factor
        return Polynomial.of(self.width, result)

    def shifted(self, bits: int) -> Polynomial:
        """Two to some power times it."""
        return Polynomial.of(self.width, {p: f << bits for p, f in self.terms})


class Products:
    """Compares terms with products.

    Args:
        is_zero: whether a term is 0 for all inputs; it is asked about pieces of inputs.
    """

    def __init__(self, is_zero: Callable[[z3.BitVecRef], bool]) -> None:
        self._ask = is_zero
        self._zeros: dict[str, bool] = {}

    def _is_zero(self, term: z3.BitVecRef) -> bool:
        name = str(term)
        if name not in self._zeros:
            self._zeros[name] = self._ask(term)
        return self._zeros[name]

    def are_same(self, one: z3.BitVecRef, other: z3.BitVecRef) -> bool:
        """Whether two terms have the same polynomial; False if that is not known."""
        if not any(_has_product(each) for each in (one, other)):
            return False
        simple = [z3.simplify(each) for each in (one, other)]
        polynomials = TermPolynomials(_pieces(simple), self._is_zero)
        try:
            return polynomials.of(simple[0]) == polynomials.of(simple[1])
        except _TooLargeError:
            return False


class TermPolynomials:
    """Makes polynomials of terms.

    What is no sum, product or piece is an atom: the same one if it is computed in the same way of
    the same polynomials.

    Args:
        pieces: for each input, the bits at which it is cut.
        is_zero: whether a term is 0 for all inputs.
    """

    def __init__(
        self, pieces: dict[str, list[int]], is_zero: Callable[[z3.BitVecRef], bool]
    ) -> None:
        self._pieces = pieces
        self._is_zero = is_zero
        self._atoms: dict[Hashable, int] = {}
        self._widths: list[int] = []
        self._extracts: dict[int, tuple[int, int, Polynomial]] = {}
        self._known: dict[int, Polynomial] = {}
        self._truths: dict[int, int] = {}
        self._kept: list[z3.ExprRef] = []  # else z3 gives their numbers to other terms

    def of(self, term: z3.BitVecRef, depth: int = 0) -> Polynomial:
        """The polynomial of a term.

        Raises:
            _TooLargeError: it has too many monomials.
        """
        known = self._known.get(term.get_id())
        if known is None:
            known = self._polynomial(term, depth)
            self._kept.append(term)
            self._known[term.get_id()] = known
        return known

    def _polynomial(self, term: z3.BitVecRef, depth: int) -> Polynomial:
        width, kind = term.size(), term.decl().kind()
        if z3.is_bv_value(term):
            return Polynomial.of(width, {(): term.as_long()})
        if depth > _DEEPEST:
            return self._atom(width, ("term", term.get_id()))
        if _is_input(term):
            return self._cut(term, width - 1, 0)
        if kind == z3.Z3_OP_EXTRACT:
            high, low = term.params()
            if _is_input(term.arg(0)):
                return self._cut(term.arg(0), high, low)
            return self._extract(self.of(term.arg(0), depth + 1), high, low)
        if kind in _ARITHMETIC:
            parts = [self.of(child, depth + 1) for child in term.children()]
            return functools.reduce(lambda a, b: _ARITHMETIC[kind](self, a, b), parts)
        if kind == z3.Z3_OP_CONCAT:
            parts = [self.of(child, depth + 1) for child in term.children()]
            return functools.reduce(self._joined, parts)
        return self._atom(width, self._key(term, depth))

    def _sum(self, one: Polynomial, other: Polynomial) -> Polynomial:
        return one.plus(other)

    def _product(self, one: Polynomial, other: Polynomial) -> Polynomial:
        return one.times(other, self._ordered)

    def _ordered(self, atoms: Monomial) -> Monomial:
        """Atoms in order; a bit is its own square."""
        bits = {atom for atom in atoms if self._widths[atom] == 1}
        return tuple(sorted([*bits, *(atom for atom in atoms if atom not in bits)]))

    def _joined(self, high: Polynomial, low: Polynomial) -> Polynomial:
        """One behind another. Of the higher one only the lower bits count, so it need not fit."""
        whole = self._whole(high, low)
        if whole is not None:
            return whole
        width = high.width + low.width
        return high.to(width).shifted(low.width).plus(self.exact(low).to(width))

    def _whole(self, high: Polynomial, low: Polynomial) -> Polynomial | None:
        """What two halves are of, as of a product whose halves come of two instructions."""
        if len(high.terms) != 1 or high.terms[0][1] != 1 or len(high.terms[0][0]) != 1:
            return None
        top, bottom, of = self._extracts.get(high.terms[0][0][0], (0, 0, high))
        is_half = bottom == low.width and top + 1 == high.width + low.width
        return of.to(top + 1) if is_half and of.to(bottom) == low else None

    def exact(self, value: Polynomial) -> Polynomial:
        """A polynomial that is the term itself, and not only modulo a power of two."""
        most = sum(
            factor * _product_of((1 << self._widths[atom]) - 1 for atom in product)
            for product, factor in value.terms
        )
        return value if most < 1 << value.width else self._atom(value.width, ("value", value))

    def _extract(self, value: Polynomial, high: int, low: int) -> Polynomial:
        """Some bits; those above do not count."""
        value = value.to(high + 1)
        if all(factor % (1 << low) == 0 for _, factor in value.terms):
            return Polynomial.of(high + 1 - low, {p: f >> low for p, f in value.terms})
        atom = self._atom(high + 1 - low, ("bits", low, value))
        self._extracts[atom.terms[0][0][0]] = high, low, value
        return atom

    def _cut(self, term: z3.BitVecRef, high: int, low: int) -> Polynomial:
        """An input's bits, as its pieces one behind another; pieces that are 0 are left out."""
        width = high + 1 - low
        terms: dict[Monomial, int] = {}
        ends = [at for at in self._pieces[term.decl().name()] if low <= at <= high + 1]
        for start, end in itertools.pairwise(ends):
            if not self._is_zero(z3.Extract(end - 1, start, term)):
                piece = self._number(end - start, ("input", term.decl().name(), start))
                terms[(piece,)] = 1 << start - low
        return Polynomial.of(width, terms)

    def _atom(self, width: int, key: Hashable) -> Polynomial:
        return Polynomial(width, (((self._number(width, key),), 1),))

    def _number(self, width: int, key: Hashable) -> int:
        number = self._atoms.setdefault((width, key), len(self._atoms))
        if number == len(self._widths):
            self._widths.append(width)
        return number

    def _key(self, term: z3.ExprRef, depth: int) -> Hashable:
        """What a term is computed of, and how."""
        if depth > _DEEPEST or not term.children():
            self._kept.append(term)
            return "term", term.get_id()
        children = [
            self.of(child, depth + 1) if z3.is_bv(child) else self._truth(child, depth + 1)
            for child in term.children()
        ]
        return (term.decl().kind(), term.decl().name(), *map(str, term.params()), *children)

    def _truth(self, term: z3.ExprRef, depth: int) -> int:
        """The number of a condition."""
        known = self._truths.get(term.get_id())
        if known is None:
            self._kept.append(term)
            known = self._truths[term.get_id()] = self._number(0, self._key(term, depth))
        return known


_ARITHMETIC: dict[int, Callable[[Any, Polynomial, Polynomial], Polynomial]] = {
    z3.Z3_OP_BADD: TermPolynomials._sum,
    z3.Z3_OP_BMUL: TermPolynomials._product,
}


def _product_of(numbers: Iterator[int]) -> int:
    return functools.reduce(lambda one, other: one * other, numbers, 1)


def _is_input(term: z3.ExprRef) -> bool:
    return bool(z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED)


def _all_terms(terms: list[z3.ExprRef]) -> Iterator[z3.ExprRef]:
    """Terms and all that they are made of, each once."""
    seen: set[int] = set()
    open_terms = [*terms]
    while open_terms:
        term = open_terms.pop()
        if term.get_id() not in seen:
            seen.add(term.get_id())
            yield term
            open_terms += term.children()


def _has_product(term: z3.BitVecRef) -> bool:
    return any(z3.is_app_of(each, z3.Z3_OP_BMUL) for each in _all_terms([term]))


def _pieces(terms: list[z3.BitVecRef]) -> dict[str, list[int]]:
    """Where the inputs of terms are cut by what is computed of them."""
    cuts: dict[str, set[int]] = {}
    for term in _all_terms([*terms]):
        if z3.is_bv(term) and _is_input(term):
            cuts.setdefault(term.decl().name(), set()).update((0, term.size()))
        elif z3.is_app_of(term, z3.Z3_OP_EXTRACT) and _is_input(term.arg(0)):
            high, low = term.params()
            cuts.setdefault(term.arg(0).decl().name(), set()).update((low, high + 1))
    return {name: sorted(ends) for name, ends in cuts.items()}
