"""Terms with products that are called equal are equal, whatever their inputs are."""

from __future__ import annotations

import random
from typing import Any

import pytest

z3 = pytest.importorskip("z3")

from emu.prove.numbers.products import Products  # noqa: E402 - it needs z3

X, Y = z3.BitVecs("x y", 32)
NOTHING = Products(lambda term: False)


def low(term: Any, bits: int = 16) -> Any:
    return z3.Extract(bits - 1, 0, term)


def high(term: Any) -> Any:
    return z3.Extract(31, 16, term)


def wide(term: Any) -> Any:
    return z3.ZeroExt(16, term)


def by_parts(x: Any, y: Any) -> Any:
    """A product of 32 bits as a 68000 makes it: of three of 16 bits by 16."""
    middle = low(wide(high(x)) * wide(low(y)) + wide(low(x)) * wide(high(y)))
    return wide(low(x)) * wide(low(y)) + z3.Concat(middle, z3.BitVecVal(0, 16))


def test_a_product_by_parts_is_the_product():
    assert NOTHING.are_same(by_parts(X, Y), X * Y)
    assert NOTHING.are_same(by_parts(X, z3.BitVecVal(1103515245, 32)), 1103515245 * X)
    assert NOTHING.are_same(high(by_parts(X, Y) + 12345), high(Y * X + 12345))


def test_one_with_a_mistake_is_not():
    assert not NOTHING.are_same(by_parts(X, Y) + 1, X * Y)
    assert not NOTHING.are_same(wide(low(X)) * wide(low(Y)), X * Y)
    assert not NOTHING.are_same(by_parts(X, Y), X * X)


def test_halves_of_a_product_are_the_product():
    whole = z3.SignExt(32, X) * z3.SignExt(32, Y)
    assert NOTHING.are_same(z3.Concat(z3.Extract(63, 32, whole), X * Y), whole)
    unsigned = z3.ZeroExt(32, X) * z3.ZeroExt(32, Y)
    assert not NOTHING.are_same(z3.Concat(z3.Extract(63, 32, unsigned), X * Y), whole)


def test_a_sign_counts_unless_it_is_known():
    signed, unsigned = z3.SignExt(16, low(X)) * Y, wide(low(X)) * Y
    assert not NOTHING.are_same(signed, unsigned)
    knows = Products(lambda term: term.decl().kind() == z3.Z3_OP_EXTRACT and term.size() == 1)
    assert knows.are_same(signed, unsigned)


FIXED = {"a": (-127 << 16, 127 << 16), "b": (-127 << 16, 127 << 16)}
A, B = z3.BitVecs("a b", 24)


def rounded(a: Any, b: Any) -> Any:
    """A product of Fixed numbers, as a reference computes it: in 47 bits."""
    product = z3.Extract(46, 0, z3.SignExt(24, a) * z3.SignExt(24, b))
    return z3.Extract(31, 0, z3.SignExt(8, product + 0x8000 >> 16))


def rounded_by_words(a: Any, b: Any, added: int = 0x8000) -> Any:
    """The same as a processor computes it: two words of 32 bits, and a carry between them."""
    whole = z3.SignExt(40, a) * z3.SignExt(40, b)
    high_word, low_word = z3.Extract(63, 32, whole), z3.SignExt(8, a) * z3.SignExt(8, b)
    total = low_word + added
    carry = z3.If(z3.ULT(total, low_word), z3.BitVecVal(1, 32), z3.BitVecVal(0, 32))
    return (high_word + carry << 16) | z3.LShR(total, 16)


def test_words_with_a_carry_are_the_whole():
    knows = Products(lambda term: False, FIXED)
    assert knows.are_same(rounded(A, B), rounded_by_words(B, A))
    assert knows.are_same(rounded(A, B) + rounded(B, B), rounded_by_words(B, B) + rounded(A, B))
    assert not knows.are_same(rounded(A, B), rounded_by_words(A, B, 0x7FFF))
    # Without the ranges, -2^23 times -2^23 would be too large for 47 bits.
    assert not NOTHING.are_same(rounded(A, B), rounded_by_words(A, B))


def a_term(chance: random.Random, depth: int, bits: int) -> Any:
    """A term of two inputs of 4 bits, of any operations."""
    inputs = z3.BitVecs("a b", 4)
    if not depth:
        term = chance.choice([*inputs, z3.BitVecVal(chance.randrange(16), 4)])
        return z3.ZeroExt(bits - 4, term) if bits > 4 else z3.Extract(bits - 1, 0, term)
    kind = chance.randrange(10)
    one, other = (a_term(chance, depth - 1, bits) for _ in range(2))
    if kind < 2:
        return one * other
    if kind < 4:
        return one + other
    if kind == 4:
        return z3.Concat(low(one, bits // 2), low(other, bits // 2))
    if kind == 5:
        return z3.Extract(bits + 1, 2, a_term(chance, depth - 1, bits + 2))
    if kind == 6:
        return z3.If(z3.ULT(one, other), one, other)
    if kind == 7:
        return (one >> chance.randrange(bits)) + z3.If(one < other, z3.BitVecVal(1, bits), ~other)
    if kind == 8:
        return z3.SignExt(bits - bits // 2, low(one, bits // 2)) - other
    return z3.If(one == other, one, other ^ one)


def test_what_is_called_equal_is_equal_for_all_values():
    """Of 300 pairs of terms some are the same by polynomials; z3 tries all values of them."""
    chance, same = random.Random(1), 0
    for _ in range(100):
        one, other = (a_term(chance, chance.randrange(1, 3), 4) for _ in range(2))
        pairs = [(one * other, other * one), (one * other, one), (one + other * 3, other * one)]
        for left, right in pairs:
            if NOTHING.are_same(left, right):
                same += 1
                solver = z3.SolverFor("QF_BV")
                solver.add(left != right)
                assert solver.check() == z3.unsat, (left, right)
    assert same > 95


def test_every_term_is_the_same_as_its_simpler_form():
    """A polynomial of another shape of the same term: brackets, order, bits one by one."""
    chance = random.Random(2)
    for _ in range(200):
        one = a_term(chance, 2, 4) * z3.BitVec("a", 4)
        bits = z3.Concat(*(z3.Extract(n, n, z3.BitVec("a", 4)) for n in (3, 2, 1, 0)))
        other = z3.substitute(one, (z3.BitVec("a", 4), bits))
        if NOTHING.are_same(one, other):
            solver = z3.SolverFor("QF_BV")
            solver.add(one != other)
            assert solver.check() == z3.unsat
