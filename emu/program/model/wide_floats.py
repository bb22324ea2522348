"""Numbers with more bits than a Python float has: ``long double`` of the 68K and of PowerPC.

A 68K has 64 bits of significand and 15 of exponent (SANE's and the 68881's extended precision).
PowerPC compilers have the sum of two doubles. Such a number is kept as the bits that the guest has,
and Python gets an `Extended` or a `DoubleDouble`, which loses nothing.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from emu.base import exact_numbers as exact
from emu.base.exact_numbers import ExactNumber


class WideFloat:
    """A number of one of the formats; see `Extended` and `DoubleDouble`.

    Attributes:
        data: its bytes, the highest first.
    """

    __slots__ = ("_number", "data")
    size: ClassVar[int]
    """How many bytes it has."""
    precision: ClassVar[int]
    """How many bits its significand has."""
    _digits: ClassVar[int]

    data: bytes
    _number: ExactNumber

    def __init__(self, value: Any = 0) -> None:
        number = _number_of(value)
        if number is None:
            raise TypeError(f"{value!r:.80} is no number")
        self.data = self._pack(number)
        self._number = self._unpack(self.data)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The number that these bytes are.

        Raises:
            ValueError: there are more or fewer of them than it has.
        """
        if len(data) != cls.size:
            raise ValueError(f"{cls.__name__} has {cls.size} bytes, not {len(data)}")
        number = cls.__new__(cls)
        number.data, number._number = bytes(data), cls._unpack(data)
        return number

    @classmethod
    def exactly(cls, value: Any) -> Self:
        """A number of Python in this format, without rounding.

        Raises:
            TypeError: it is no number.
            ValueError: it would have to be rounded.
        """
        if isinstance(value, (bool, str)):
            raise TypeError(f"{value!r:.80} is no number")
        number = value if isinstance(value, cls) else cls(value)
        if not (number == value or (number != number and value != value)):
            raise ValueError(f"{value!r:.80} would be rounded to {number}")
        return number

    @classmethod
    def _pack(cls, number: ExactNumber) -> bytes:
        """Its bytes, rounded to the nearest."""
        raise NotImplementedError

    @classmethod
    def _unpack(cls, data: bytes) -> ExactNumber:
        raise NotImplementedError

    def ulp(self) -> Fraction:
        """A unit in its last place; 0 if it is zero, infinite or a NaN."""
        return exact.unit(self._number, self.precision)

    @property
    def is_finite(self) -> bool:
        """Whether it is neither infinite nor a NaN."""
        return self._number.magnitude is not None

    def is_same(self, other: WideFloat) -> bool:
        """Whether two numbers are the same: equal, with the same sign if zero, or both a NaN."""
        number, two = self._number, other._number
        return bool(number.nan and two.nan) or (number.nan == two.nan and number == two)

    def rounded(self, form: str) -> float:
        """The nearest number of a smaller format, "single" or "double"."""
        return exact.unpack(exact.pack(self._number, form), form).approximate

    # -- as other numbers ----------------------------------------------------------------------

    def as_integer_ratio(self) -> tuple[int, int]:
        """Its exact value, as that of a float.

        Raises:
            ValueError: it is a NaN.
            OverflowError: it is infinite.
        """
        if self._number.nan:
            raise ValueError("cannot convert NaN to integer ratio")
        if self._number.magnitude is None:
            raise OverflowError("cannot convert Infinity to integer ratio")
        return self._number.value.as_integer_ratio()

    def __float__(self) -> float:
        return self._number.approximate

    def __int__(self) -> int:
        return math.trunc(Fraction(*self.as_integer_ratio()))

    __trunc__ = __int__

    def __bool__(self) -> bool:
        return not self._number.is_zero

    def __bytes__(self) -> bytes:
        return self.data

    def __hash__(self) -> int:
        is_finite = self._number.magnitude is not None
        return hash(self._number.value if is_finite else float(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}('{self}')"

    def __str__(self) -> str:
        """The shortest decimal number that is rounded to it."""
        if self._number.magnitude is None or not self._number.magnitude:
            return str(float(self))
        with localcontext() as context:
            context.prec, context.Emax, context.Emin = self._digits + 9, 999_999, -999_999
            top, bottom = self.as_integer_ratio()
            value = Decimal(top) / Decimal(bottom)
            for digits in range(1, self._digits + 1):
                context.prec = digits
                if type(self)(+value) == self:
                    return _short(+value)
        return self._long()

    def _long(self) -> str:
        """A number that has no short decimal one."""
        return f"{self.data.hex()}"

    # -- arithmetic ----------------------------------------------------------------------------

    def _with(
        self, other: Any, operation: Callable[[ExactNumber, ExactNumber], ExactNumber]
    ) -> Any:
        number = _number_of(other)
        return (
            NotImplemented if number is None else self._of_number(operation(self._number, number))
        )

    def _of_number(self, number: ExactNumber) -> Self:
        return self.from_bytes(self._pack(number))

    def __add__(self, other: Any) -> Any:
        return self._with(other, exact.add)

    def __sub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: exact.add(a, exact.negate(b)))

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: exact.add(b, exact.negate(a)))

    def __mul__(self, other: Any) -> Any:
        return self._with(other, exact.multiply)

    def __truediv__(self, other: Any) -> Any:
        return self._with(other, exact.divide)

    def __rtruediv__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: exact.divide(b, a))

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Self:
        return self._of_number(exact.negate(self._number))

    def __pos__(self) -> Self:
        return self

    def __abs__(self) -> Self:
        return -self if self._number.negative else self

    def sqrt(self) -> Self:
        """Its square root, rounded to the nearest; a NaN of a negative number."""
        return self._of_number(exact.square_root(self._number))

    # -- order ---------------------------------------------------------------------------------

    def _order(self, other: Any, holds: Callable[[int, int], bool]) -> Any:
        number = _number_of(other)
        if number is None:
            return NotImplemented
        order = exact.compare(self._number, number)
        return order is not None and holds(order, 0)

    def __eq__(self, other: object) -> Any:
        return self._order(other, operator.eq)

    def __lt__(self, other: Any) -> Any:
        return self._order(other, operator.lt)

    def __le__(self, other: Any) -> Any:
        return self._order(other, operator.le)

    def __gt__(self, other: Any) -> Any:
        return self._order(other, operator.gt)

    def __ge__(self, other: Any) -> Any:
        return self._order(other, operator.ge)


class Extended(WideFloat):
    """A number of 80 bits, as ``extended`` and ``long double`` of the 68K are.

    It is made of any number of Python or of a decimal text, rounded to the nearest; sums, products,
    quotients and square roots are rounded so as well, like those of a 68881 and of SANE. It equals
    an int, a float or a Fraction if the exact values are equal. ``float`` rounds it, and
    ``Fraction(*x.as_integer_ratio())`` is its exact value.

    Args:
        value: the number.

    Raises:
        TypeError: it is no number.

    Example:
        >>> third = macproof.Extended(1) / 3
        >>> third, float(third), third == 1 / 3
        (Extended('0.33333333333333333334'), 0.3333333333333333, False)
        >>> bytes(macproof.Extended("-0.5")).hex()
        'bffe8000000000000000'
    """

    __slots__ = ()
    size: ClassVar[int] = 10
    precision: ClassVar[int] = 64
    _digits: ClassVar[int] = 21

    @classmethod
    def _pack(cls, number: ExactNumber) -> bytes:
        return exact.pack(number, "extended")

    @classmethod
    def _unpack(cls, data: bytes) -> ExactNumber:
        return exact.unpack(data, "extended")


class DoubleDouble(WideFloat):
    """A number of two doubles, as ``long double`` of GCC for PowerPC is: their exact sum.

    It is used like an `Extended`. Its arithmetic rounds to 106 bits, which the guest's own, of
    libgcc, does not always reach: compare such results with a tolerance.

    Args:
        value: the number.

    Raises:
        TypeError: it is no number.

    Example:
        >>> one = macproof.DoubleDouble(1) + 2.0**-80
        >>> one.high, one.low == 2.0**-80, one == 1
        (1.0, True, False)
    """

    __slots__ = ()
    size: ClassVar[int] = 16
    precision: ClassVar[int] = 106
    _digits: ClassVar[int] = 33

    @property
    def high(self) -> float:
        """The double nearest to it."""
        return exact.unpack(self.data[:8], "double").approximate

    @property
    def low(self) -> float:
        """The double that is added."""
        return exact.unpack(self.data[8:], "double").approximate

    def _long(self) -> str:
        return f"{self.high!r} + {self.low!r}"

    @classmethod
    def _pack(cls, number: ExactNumber) -> bytes:
        high = exact.pack(number, "double")
        rounded = exact.unpack(high, "double")
        if rounded.magnitude is None or number.magnitude is None:
            return high + bytes(8)
        rest = exact.number(number.value - rounded.value)
        return high + exact.pack(rest, "double")

    @classmethod
    def _unpack(cls, data: bytes) -> ExactNumber:
        high, low = (exact.unpack(part, "double") for part in (data[:8], data[8:]))
        if high.magnitude is None or low.is_zero:
            return high
        return exact.add(high, low)


@dataclass(frozen=True, slots=True)
class WideForm:
    """How memory holds a wide float.

    Attributes:
        number: what it is in Python.
        size: its bytes in memory. Those of `Extended` are 10, or 12 with two unused ones behind the
            exponent, as the 68881 has them.
    """

    number: type[WideFloat]
    size: int

    @property
    def used(self) -> bytes:
        """0xff for each byte of its number, 0 for each unused one."""
        return b"\xff\xff\0\0".ljust(12, b"\xff") if self.size == 12 else b"\xff" * self.size

    def number_at(self, data: bytes) -> WideFloat:
        """The number of some bytes of memory."""
        return self.number.from_bytes(data[:2] + data[4:] if self.size == 12 else data)

    def bytes_of(self, value: Any) -> bytes:
        """The bytes that hold a value.

        Raises:
            TypeError: it is no number.
            ValueError: it would have to be rounded.
        """
        data = self.number.exactly(value).data
        return data[:2] + b"\0\0" + data[2:] if self.size == 12 else data

    def read(self, units: NDArray[Any]) -> NDArray[Any]:
        """The numbers in an array of dtype "V12" or the like, as an array of Python objects."""
        numbers = np.empty(units.shape, object)
        for place in np.ndindex(units.shape):
            numbers[place] = self.number_at(units[place].tobytes())
        return numbers

    def encode(self, values: NDArray[Any]) -> NDArray[Any]:
        """The bytes of numbers, as an array of dtype "V12" or the like.

        Raises:
            TypeError, ValueError: as of `bytes_of`.
        """
        data = b"".join(self.bytes_of(number) for number in values.reshape(-1).tolist())
        return np.frombuffer(data, f"V{self.size}").reshape(values.shape)

    def plain(self, units: NDArray[Any]) -> NDArray[Any]:
        """A copy in which the unused bytes are 0."""
        data = np.frombuffer(units.tobytes(), np.uint8).reshape(-1, self.size)
        kept = data & np.frombuffer(self.used, np.uint8)
        return kept.view(f"V{self.size}").reshape(units.shape)


def _number_of(value: Any) -> ExactNumber | None:
    """The exact number of a Python or NumPy number, or of a decimal text; None for all else."""
    if isinstance(value, WideFloat):
        return value._number
    if isinstance(value, str):
        value = Decimal(value)
    if isinstance(value, (np.integer, np.bool_)):
        value = int(value)
    if not hasattr(value, "as_integer_ratio"):
        return None
    try:
        top, bottom = value.as_integer_ratio()
    except ValueError:
        return exact.no_number(0)
    except OverflowError:
        return exact.infinite(value < 0)
    has_sign = not top and math.copysign(1, value) < 0
    return exact.number(Fraction(int(top), int(bottom)), negative_zero=has_sign)


def _short(value: Decimal) -> str:
    """A decimal number as Python writes a float: 0.1, 1e+4000."""
    value = value.normalize()
    text = f"{value:f}" if -5 < value.adjusted() < 17 else f"{value:e}"
    return text if any(mark in text for mark in ".e") else f"{text}.0"
