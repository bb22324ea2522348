"""Whole numbers as Python has them, without limits, of which only a range is known.

A `Whole` is a signed bit vector of as many bits as its range needs, so that nothing ever wraps:
the sum of two numbers of 16 bits has 17. It computes as an ``int`` does, and a question about it,
such as ``if x < 0``, goes to `Decisions`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import z3

from emu.lift.terms import Condition, plain, simple_condition
from emu.prove.numbers.decisions import Decisions
from emu.prove.numbers.limits import UndecidedError

_MOST_BITS = 4096

Number: TypeAlias = "int | Whole"


def bits_for(low: int, high: int) -> int:
    """How many bits a signed number in a range needs."""
    return (
        max((~low if low < 0 else low).bit_length(), (~high if high < 0 else high).bit_length()) + 1
    )


def whole(term: z3.BitVecRef, low: int, high: int, choices: Decisions) -> Number:
    """A number from a signed term; an ``int`` if its range has one value alone.

    Raises:
        UndecidedError: it has too many bits.
    """
    if low == high:
        return low
    bits = bits_for(low, high)
    if bits > _MOST_BITS:
        raise UndecidedError(f"the specification computes numbers of more than {_MOST_BITS:,} bits")
    value = plain(_resized(term, bits))
    if isinstance(value, int):
        return value - (1 << bits) if value >> bits - 1 else value
    return Whole(value, low, high, choices)


def _resized(term: z3.BitVecRef, bits: int) -> z3.BitVecRef:
    own = term.size()
    if own >= bits:
        return z3.Extract(bits - 1, 0, term) if own > bits else term
    return z3.SignExt(bits - own, term)


def term_of(number: Number, bits: int) -> z3.BitVecRef:
    """The lower bits of a number."""
    if isinstance(number, Whole):
        return _resized(number.term, bits)
    return z3.BitVecVal(number, bits)


def number_of(value: Any) -> Number | None:
    """A value as a number; None if it is none of ours, such as an array or a text."""
    match value:
        case Truth():
            return value.as_whole()
        case Whole():
            return value
        case bool() | int() | np.integer() | np.bool_():
            return int(value)
    return None


def range_of(number: Number) -> tuple[int, int]:
    """The least and the largest that it can be."""
    return (number.low, number.high) if isinstance(number, Whole) else (number, number)


class _Arithmetic:
    """What numbers and truth values have in common: they compute with each other and with ints."""

    __slots__ = ()

    def __add__(self, other: Any) -> Any:
        return _binary(_add, self, other)

    def __radd__(self, other: Any) -> Any:
        return _binary(_add, other, self)

    def __sub__(self, other: Any) -> Any:
        return _binary(_subtract, self, other)

    def __rsub__(self, other: Any) -> Any:
        return _binary(_subtract, other, self)

    def __mul__(self, other: Any) -> Any:
        return _binary(_multiply, self, other)

    def __rmul__(self, other: Any) -> Any:
        return _binary(_multiply, other, self)

    def __floordiv__(self, other: Any) -> Any:
        return _binary(_quotient, self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return _binary(_quotient, other, self)

    def __mod__(self, other: Any) -> Any:
        return _binary(_remainder, self, other)

    def __rmod__(self, other: Any) -> Any:
        return _binary(_remainder, other, self)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __lshift__(self, other: Any) -> Any:
        return _binary(_shift_left, self, other)

    def __rlshift__(self, other: Any) -> Any:
        return _binary(_shift_left, other, self)

    def __rshift__(self, other: Any) -> Any:
        return _binary(_shift_right, self, other)

    def __rrshift__(self, other: Any) -> Any:
        return _binary(_shift_right, other, self)

    def __and__(self, other: Any) -> Any:
        return _binary(_and, self, other)

    __rand__ = __and__

    def __or__(self, other: Any) -> Any:
        return _binary(_or, self, other)

    __ror__ = __or__

    def __xor__(self, other: Any) -> Any:
        return _binary(_xor, self, other)

    __rxor__ = __xor__

    def __lt__(self, other: Any) -> Any:
        return _binary(_test(operator.lt), self, other)

    def __le__(self, other: Any) -> Any:
        return _binary(_test(operator.le), self, other)

    def __gt__(self, other: Any) -> Any:
        return _binary(_test(operator.gt), self, other)

    def __ge__(self, other: Any) -> Any:
        return _binary(_test(operator.ge), self, other)

    def __eq__(self, other: object) -> Any:
        return _binary(_test(operator.eq), self, other)

    def __ne__(self, other: object) -> Any:
        return _binary(_test(operator.ne), self, other)

    def __neg__(self) -> Any:
        return 0 - self

    def __pos__(self) -> Any:
        return number_of(self)

    def __invert__(self) -> Any:
        return -1 - self

    def __abs__(self) -> Any:
        value = number_of(self)
        assert isinstance(value, Whole)
        if value.low >= 0:
            return value
        bits = value.term.size() + 1
        wide = _resized(value.term, bits)
        most = max(abs(value.low), abs(value.high))
        least = 0 if value.high >= 0 else -value.high
        return whole(z3.If(wide < 0, -wide, wide), least, most, value.choices)

    def __index__(self) -> int:
        value = number_of(self)
        assert isinstance(value, Whole)
        return value.choices.value_of(value.term)

    def __int__(self) -> int:
        return self.__index__()

    def __hash__(self) -> int:
        return hash(self.__index__())

    def __float__(self) -> float:
        raise UndecidedError("the specification computes with floating point")

    def __truediv__(self, other: Any) -> Any:
        raise UndecidedError("the specification divides with /, which gives floating point")

    __rtruediv__ = __truediv__


class Whole(_Arithmetic):
    """A number of which a range is known.

    Attributes:
        term: its value, a signed bit vector that holds the whole range.
        low: the least that it can be.
        high: the largest that it can be.
        choices: answers questions about it.
    """

    __slots__ = ("choices", "high", "low", "term")

    def __init__(self, term: z3.BitVecRef, low: int, high: int, choices: Decisions) -> None:
        self.term, self.low, self.high, self.choices = term, low, high, choices

    def __bool__(self) -> bool:
        return self.choices.decide(self.term != 0)

    def __repr__(self) -> str:
        return f"a number from {self.low} to {self.high}"


class Truth(_Arithmetic):
    """Whether something holds of the inputs; as a number it is 0 or 1.

    Attributes:
        condition: what has to hold.
        choices: answers questions about it.
    """

    __slots__ = ("choices", "condition")

    def __init__(self, condition: z3.BoolRef, choices: Decisions) -> None:
        self.condition, self.choices = condition, choices

    def as_whole(self) -> Whole:
        """1 if it holds, else 0."""
        term = z3.If(self.condition, z3.BitVecVal(1, 2), z3.BitVecVal(0, 2))
        return Whole(term, 0, 1, self.choices)

    def __bool__(self) -> bool:
        return self.choices.decide(self.condition)

    def __repr__(self) -> str:
        return "true or false"


_Compute: TypeAlias = Callable[[Number, Number, Decisions], Any]


def _binary(compute: _Compute, one: Any, other: Any) -> Any:
    first, second = number_of(one), number_of(other)
    if first is None or second is None:
        return NotImplemented
    choices = first.choices if isinstance(first, Whole) else second.choices  # type: ignore[union-attr]
    return compute(first, second, choices)


def _truth(condition: Condition, choices: Decisions) -> bool | Truth:
    condition = condition if isinstance(condition, bool) else simple_condition(condition)
    return condition if isinstance(condition, bool) else Truth(condition, choices)


def _spread(one: Number, other: Number, compute: Callable[[int, int], int]) -> tuple[int, int]:
    """The range of a result that is least and largest at ends of both ranges."""
    ends = [compute(a, b) for a in range_of(one) for b in range_of(other)]
    return min(ends), max(ends)


def _of_ends(compute: Callable[[Any, Any], Any]) -> _Compute:
    """Addition, subtraction and multiplication, in as many bits as operands and result need."""

    def of(one: Number, other: Number, choices: Decisions) -> Number:
        low, high = _spread(one, other, compute)
        bits = max(bits_for(low, high), bits_for(*range_of(one)), bits_for(*range_of(other)))
        return whole(compute(term_of(one, bits), term_of(other, bits)), low, high, choices)

    return of


_add = _of_ends(operator.add)
_subtract = _of_ends(operator.sub)
_multiply = _of_ends(operator.mul)


def _bitwise(compute: Callable[[Any, Any], Any]) -> _Compute:
    def of(one: Number, other: Number, choices: Decisions) -> Number:
        bits = max(bits_for(*range_of(one)), bits_for(*range_of(other)))
        both = (range_of(one)[0], range_of(other)[0])
        high = (1 << bits - 1) - 1
        low = 0 if min(both) >= 0 else -high - 1
        if compute is operator.and_ and max(both) >= 0:  # no larger than one that is not negative
            low, high = 0, min(range_of(n)[1] for n in (one, other) if range_of(n)[0] >= 0)
        return whole(compute(term_of(one, bits), term_of(other, bits)), low, high, choices)

    return of


_and, _or, _xor = _bitwise(operator.and_), _bitwise(operator.or_), _bitwise(operator.xor)


def _counted(count: Number, choices: Decisions) -> Number:
    """A shift count, which is not negative.

    Raises:
        ValueError: it is, on this path.
    """
    if range_of(count)[0] < 0:
        if bool(_truth(term_of(count, bits_for(*range_of(count))) < 0, choices)):
            raise ValueError("negative shift count")
        return whole(term_of(count, _MOST_BITS), 0, max(0, range_of(count)[1]), choices)
    return count


def _shift_left(one: Number, other: Number, choices: Decisions) -> Number:
    count = _counted(other, choices)
    most = range_of(count)[1]
    if most > _MOST_BITS:
        raise UndecidedError(f"the specification shifts by up to {most:,} bits")
    low, high = _spread(one, count, operator.lshift)
    bits = max(bits_for(low, high), bits_for(0, most))
    return whole(term_of(one, bits) << term_of(count, bits), low, high, choices)


def _shift_right(one: Number, other: Number, choices: Decisions) -> Number:
    count = _counted(other, choices)
    low, high = _spread(one, count, operator.rshift)
    bits = max(bits_for(*range_of(one)), bits_for(*range_of(count)))
    return whole(term_of(one, bits) >> term_of(count, bits), low, high, choices)


def _divided(one: Number, other: Number, choices: Decisions) -> tuple[Number, Number]:
    """Quotient and remainder, rounded as Python rounds: the remainder has the divisor's sign.

    Raises:
        ZeroDivisionError: the divisor is 0, on this path.
    """
    bits = max(bits_for(*range_of(one)), bits_for(*range_of(other))) + 1
    dividend, divisor = term_of(one, bits), term_of(other, bits)
    if bool(_truth(divisor == 0, choices)):
        raise ZeroDivisionError("division by zero")
    quotient, rest = dividend / divisor, z3.SRem(dividend, divisor)
    is_below = z3.And(rest != 0, (rest < 0) != (divisor < 0))
    quotient, rest = z3.If(is_below, quotient - 1, quotient), z3.If(is_below, rest + divisor, rest)
    least, most = range_of(other)
    farthest = max(map(abs, range_of(one)))
    return (
        whole(quotient, -farthest - 1, farthest, choices),
        whole(rest, min(0, least + 1), max(0, most - 1), choices),
    )


def _power_of_two(number: Number) -> int:
    """The exponent of a number that is known and a power of two; -1 for any other."""
    is_power = isinstance(number, int) and number > 0 and number & number - 1 == 0
    return number.bit_length() - 1 if is_power and isinstance(number, int) else -1


def _quotient(one: Number, other: Number, choices: Decisions) -> Number:
    exponent = _power_of_two(other)
    if exponent >= 0:
        return _shift_right(one, exponent, choices)
    return _divided(one, other, choices)[0]


def _remainder(one: Number, other: Number, choices: Decisions) -> Number:
    exponent = _power_of_two(other)
    if exponent >= 0:
        result: Number = _and(one, (1 << exponent) - 1, choices)
        return result
    return _divided(one, other, choices)[1]


def _test(compare: Callable[[Any, Any], Any]) -> _Compute:
    def test(one: Number, other: Number, choices: Decisions) -> bool | Truth:
        bits = max(bits_for(*range_of(one)), bits_for(*range_of(other)))
        return _truth(compare(term_of(one, bits), term_of(other, bits)), choices)

    return test
