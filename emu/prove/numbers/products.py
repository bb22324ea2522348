"""Finds that two terms with products are equal, which z3 cannot tell in any useful time.

A 68000 multiplies 16 bits by 16, so a compiler makes a product of 32 bits of three of them; a sum
of 64 bits has a carry between its words. z3 then has to prove the law of distribution bit by bit,
and does not in minutes. Here each term becomes a polynomial modulo a power of two, over pieces of
the inputs: two terms with the same polynomial are equal. Different polynomials say nothing.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction

import z3

from emu.prove.numbers.polynomials import WIDE, Polynomial, TooLargeError, Unknowns

_DEEPEST = 100
"""A term with so many levels is taken as it is, since this module goes through terms by itself."""


class Products:
    """Compares terms with products.

    Args:
        is_zero: whether a term is 0 for all inputs; it is asked about pieces of inputs.
        ranges: the least and the largest value of inputs, by their names, as signed numbers.
    """

    def __init__(
        self,
        is_zero: Callable[[z3.BitVecRef], bool],
        ranges: Mapping[str, tuple[int, int]] | None = None,
    ) -> None:
        self._ask = is_zero
        self._ranges = ranges or {}
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
        polynomials = TermPolynomials(_pieces(simple), self._is_zero, self._ranges)
        try:
            first, second = (polynomials.of(each) for each in simple)
            return not polynomials.unknowns.simplest(first.plus(second, -1)).terms
        except TooLargeError:
            return False


class TermPolynomials:
    """Makes polynomials of terms.

    What is no sum, product or piece is an unknown: the same one if it is computed in the same way
    of the same polynomials.

    Args:
        pieces: for each input, the bits at which it is cut.
        is_zero: whether a term is 0 for all inputs.
        ranges: the ranges of inputs that have one.

    Attributes:
        unknowns: the unknowns of the polynomials.
    """

    def __init__(
        self,
        pieces: Mapping[str, list[int]],
        is_zero: Callable[[z3.BitVecRef], bool],
        ranges: Mapping[str, tuple[int, int]],
    ) -> None:
        self.unknowns = Unknowns()
        self._pieces = pieces
        self._is_zero = is_zero
        self._ranges = ranges
        self._known: dict[int, Polynomial] = {}
        self._truths: dict[int, Polynomial] = {}
        self._kept: list[z3.ExprRef] = []  # else z3 gives their numbers to other terms

    def of(self, term: z3.BitVecRef, depth: int = 0) -> Polynomial:
        """The polynomial of a term.

        Raises:
            TooLargeError: it has too many monomials.
        """
        known = self._known.get(term.get_id())
        if known is None:
            known = self._polynomial(term, depth + 1)
            self._kept.append(term)
            self._known[term.get_id()] = known
        return known

    def _polynomial(self, term: z3.BitVecRef, depth: int) -> Polynomial:
        width, kind = term.size(), term.decl().kind()
        if z3.is_bv_value(term):
            return Polynomial.number(width, term.as_long())
        if depth > _DEEPEST:
            return self.unknowns.opaque(width, ("term", term.get_id()))
        if _is_input(term):
            return self._input(term)
        if kind == z3.Z3_OP_CONCAT:
            return functools.reduce(self._joined, (self.of(c, depth) for c in _flat(term)))
        if kind == z3.Z3_OP_ITE:
            return self._choice(term, depth)
        children = [self.of(c, depth) for c in term.children() if z3.is_bv(c)]
        if kind == z3.Z3_OP_BADD:
            return functools.reduce(Polynomial.plus, children)
        if kind == z3.Z3_OP_BMUL:
            return functools.reduce(self.unknowns.times, children)
        if kind == z3.Z3_OP_BNOT:
            return Polynomial.number(width, -1).plus(children[0], -1)
        if kind == z3.Z3_OP_EXTRACT:
            high, low = term.params()
            return self.unknowns.bits(children[0], high + 1, low).to(width)
        if kind == z3.Z3_OP_BASHR and z3.is_bv_value(term.arg(1)):
            count = min(term.arg(1).as_long(), width - 1)
            sign = self.unknowns.bits(children[0], width, width - 1)
            return (
                self.unknowns.bits(children[0], width, count)
                .plus(sign, -1 << width - count)
                .to(width)
            )
        return self.unknowns.opaque(width, self._key(term, depth))

    def _input(self, term: z3.BitVecRef) -> Polynomial:
        """An input, as its pieces one behind another; the last one has the sign."""
        name, width = term.decl().name(), term.size()
        terms: dict[tuple[int, ...], Fraction] = {}
        for start, end in itertools.pairwise(self._pieces[name]):
            if self._is_zero(z3.Extract(end - 1, start, term)):
                continue
            low, high = 0, (1 << end - start) - 1
            if end == width:
                low, high = (limit >> start for limit in self._range(term))
            terms[(self.unknowns.unknown((name, start), low, high),)] = Fraction(1 << start)
        return Polynomial.of(width, terms)

    def _range(self, term: z3.BitVecRef) -> tuple[int, int]:
        """The least and the largest that an input is, as a signed number."""
        most = (1 << term.size() - 1) - 1
        if term.decl().name() in self._ranges:
            return self._ranges[term.decl().name()]
        return (
            0 if self._is_zero(z3.Extract(term.size() - 1, term.size() - 1, term)) else ~most
        ), most

    def _joined(self, high: Polynomial, low: Polynomial) -> Polynomial:
        """One behind another. Of the higher one only the lower bits count."""
        number = self.unknowns.lowest(low, low.width)
        width = high.width + low.width
        return high.scaled(1 << low.width, width).plus(number)

    def _choice(self, term: z3.BitVecRef, depth: int) -> Polynomial:
        """One of two: the second, and the difference times 1 if the first is taken."""
        first, second = (self.of(term.arg(place), depth) for place in (1, 2))
        is_first = self._truth(term.arg(0), depth).to(term.size())
        try:
            return second.plus(self.unknowns.times(first.plus(second, -1), is_first))
        except TooLargeError:
            return self.unknowns.opaque(term.size(), self._key(term, depth))

    def _key(self, term: z3.ExprRef, depth: int) -> Hashable:
        """What a term is computed of, and how."""
        if depth > _DEEPEST or not term.children():
            self._kept.append(term)
            return "term", term.get_id()
        children = [
            self.unknowns.simplest(self.of(child, depth))
            if z3.is_bv(child)
            else self._truth(child, depth)
            for child in term.children()
        ]
        return (term.decl().kind(), term.decl().name(), *map(str, term.params()), *children)

    def _truth(self, term: z3.ExprRef, depth: int) -> Polynomial:
        """1 where a condition holds, else 0: a number."""
        known = self._truths.get(term.get_id())
        if known is None:
            self._kept.append(term)
            known = self._truths[term.get_id()] = self._condition(term, depth + 1)
        return known

    def _condition(self, term: z3.ExprRef, depth: int) -> Polynomial:
        kind = term.decl().kind()
        if depth <= _DEEPEST:
            if kind == z3.Z3_OP_NOT:
                return Polynomial.number(WIDE, 1).plus(self._truth(term.arg(0), depth), -1)
            if kind in _NOT_ABOVE:
                one, other = (self.of(term.arg(place), depth) for place in (0, 1))
                if kind == z3.Z3_OP_SLEQ:
                    top = Polynomial.number(one.width, 1 << one.width - 1)
                    one, other = one.plus(top), other.plus(top)
                return Polynomial.number(WIDE, 1).plus(self._borrow(other, one), -1)
            if kind == z3.Z3_OP_EQ and z3.is_bv(term.arg(0)) and term.arg(0).size() == 1:
                one, other = (self.of(term.arg(place), depth) for place in (0, 1))
                one, other = (self.unknowns.lowest(bit, 1) for bit in (one, other))
                both = self.unknowns.times(one, other)
                return Polynomial.number(WIDE, 1).plus(one, -1).plus(other, -1).plus(both, 2)
        return self.unknowns.opaque(1, self._key(term, depth)).to(WIDE)

    def _borrow(self, one: Polynomial, other: Polynomial) -> Polynomial:
        """1 where a number from 0 is less than another, else 0: what is borrowed to subtract."""
        width = one.width
        difference = self.unknowns.lowest(one.plus(other, -1), width)
        above = self.unknowns.lowest(one, width).plus(self.unknowns.lowest(other, width), -1)
        return difference.plus(above, -1).scaled(Fraction(1, 1 << width), WIDE)


_NOT_ABOVE = (z3.Z3_OP_ULEQ, z3.Z3_OP_SLEQ)
"""The comparisons that are left when z3 has made a term simpler."""


def _flat(term: z3.BitVecRef) -> list[z3.BitVecRef]:
    """What a term puts one behind another, also by terms in it that do so."""
    parts: list[z3.BitVecRef] = []
    open_terms = [term]
    while open_terms:
        one = open_terms.pop()
        if one.decl().kind() == z3.Z3_OP_CONCAT:
            open_terms += reversed(one.children())
        else:
            parts.append(one)
    return parts


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
    """Where the inputs of terms are cut by what is computed of them, the sign alone left out."""
    cuts: dict[str, set[int]] = {}
    for term in _all_terms([*terms]):
        if z3.is_bv(term) and _is_input(term):
            cuts.setdefault(term.decl().name(), set()).update((0, term.size()))
        elif z3.is_app_of(term, z3.Z3_OP_EXTRACT) and _is_input(term.arg(0)):
            high, low = term.params()
            is_sign = high == low == term.arg(0).size() - 1
            ends = () if is_sign else (low, high + 1)
            cuts.setdefault(term.arg(0).decl().name(), set()).update(ends)
    return {name: sorted(ends) for name, ends in cuts.items()}
