"""MathLib, the mathematical library of PowerPC programs.

Numbers come in f1 and f2, and the result goes into f1; each number takes the place of two words
among the other arguments. The functions are those of the host's library, so the last of 53 bits may
differ from a Macintosh's. They raise no flags; only instructions of the program do. A result that
is no number tells by its code which kind of function made it.
Source: Inside Macintosh: PowerPC Numerics (the codes are in its chapter 2, "NaNs").
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import TypeVar

import numpy as np

from emu.base import exact_numbers as sane
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.random_sequence import next_random
from emu.toolbox.managers.mathematics.decimal_text import LONGEST, DecimalRecords

_Method = TypeVar("_Method", bound=Callable[..., object])

_ONE: Mapping[str, Callable[..., float]] = {
    **{name: getattr(np, name) for name in ("cos", "sin", "tan", "cosh", "sinh", "tanh")},
    **{name: getattr(np, "arc" + name[1:]) for name in ("acos", "asin", "atan")},
    **{name: getattr(np, "arc" + name[1:]) for name in ("acosh", "asinh", "atanh")},
    **{name: getattr(np, name) for name in ("exp", "expm1", "exp2", "log", "log1p")},
    **{name: getattr(np, name) for name in ("log10", "log2", "sqrt", "fabs", "ceil", "floor")},
    **{name: getattr(np, name) for name in ("rint", "trunc")},
    "nearbyint": np.rint,
    "round": lambda x: np.trunc(x + np.copysign(0.49999999999999994, x)),
    "logb": lambda x: float(np.frexp(x)[1]) - 1 if x and np.isfinite(x) else np.log(np.fabs(x)),
}
_TWO: Mapping[str, Callable[..., float]] = {
    "atan2": np.arctan2,
    "pow": np.power,
    "fmod": np.fmod,
    "hypot": np.hypot,
    "copysign": np.copysign,
    "fmax": np.fmax,
    "fmin": np.fmin,
    "fdim": lambda x, y: np.fmax(x - y, 0.0),
    "remainder": math.remainder,
    "nextafterd": np.nextafter,
    "compound": lambda rate, periods: np.exp(periods * np.log1p(rate)),
    "annuity": lambda rate, periods: (
        -np.expm1(-periods * np.log1p(rate)) / rate if rate else periods
    ),
}
_LOGARITHMS = ("log", "log1p", "log10", "log2")
_CODES: Mapping[str, int] = {
    "sqrt": sane.SQUARE_ROOT_OF_NEGATIVE,
    "pow": sane.GENERAL_POWER,
    **dict.fromkeys(("fmod", "remainder", "remquo"), sane.REMAINDER),
    **dict.fromkeys(("sin", "cos", "tan"), sane.TRIGONOMETRIC),
    **dict.fromkeys(("asin", "acos"), sane.INVERSE_TRIGONOMETRIC),
    **dict.fromkeys(_LOGARITHMS, sane.LOGARITHM),
    **dict.fromkeys(("compound", "annuity"), sane.FINANCIAL),
    **dict.fromkeys(("acosh", "atanh"), sane.INVERSE_HYPERBOLIC),
}
"""The code of the NaN that a function makes of arguments for which it has no value."""

_CODE_SHIFT = 37
_QUIET_NAN = 0x7FF8 << 48
_QUOTIENT_BITS = 0x7F
_EXACT = Context(prec=1200, rounding=ROUND_HALF_EVEN)


def _functions(table: Mapping[str, object]) -> Callable[[_Method], _Method]:
    """Declare the functions of a table, all done by one method."""

    def declare(method: _Method) -> _Method:
        for name in table:
            method = routine(f"PROCEDURE {name}", architecture="powerpc")(method)
        return method

    return declare


class MathLibrary(Manager):
    """Functions of numbers, and numbers as decimal digits."""

    plumbing = True
    powerpc_only = True

    _decimals: DecimalRecords

    def _give(self, value: float) -> None:
        self.host.engine.register_file.set_double(1, float(value))

    def _give_result(self, value: float, *operands: np.float64) -> None:
        """Leave a function's result; a NaN that it has made has the function's code."""
        assert self.host.routine is not None
        code = _CODES.get(self.host.routine.name, 0)
        if math.isnan(value) and code and not any(map(math.isnan, operands)):
            (value,) = struct.unpack(">d", struct.pack(">Q", _QUIET_NAN | code << _CODE_SHIFT))
        self._give(value)

    @property
    def _first(self) -> np.float64:
        return np.float64(self.host.engine.register_file.double(1))

    @property
    def _second(self) -> np.float64:
        return np.float64(self.host.engine.register_file.double(2))

    @_functions(_ONE)
    def function(self) -> None:
        """The function of f1, as in C."""
        assert self.host.routine is not None
        with np.errstate(all="ignore"):
            self._give_result(_ONE[self.host.routine.name](self._first), self._first)

    @_functions(_TWO)
    def function_of_two(self) -> None:
        """The function of f1 and f2, as in C."""
        assert self.host.routine is not None
        first, second = self._first, self._second
        with np.errstate(all="ignore"):
            try:
                value = _TWO[self.host.routine.name](first, second)
            except ValueError:  # of a remainder that is no number
                value = math.nan
        self._give_result(value, first, second)

    @routine(
        "PROCEDURE remquo (high: LONGINT; low: LONGINT; other: LONGINT; lower: LONGINT; "
        "quotient: Ptr)",
        architecture="powerpc",
    )
    def remainder_and_quotient(
        self, high: int, low: int, other: int, lower: int, quotient: int
    ) -> None:
        """The remainder of f1 by f2; the quotient's sign and lowest seven bits go to an address."""
        first, second = self._first, self._second
        rest, times = sane.remainder(sane.from_float(first), sane.from_float(second))
        few = abs(times) & _QUOTIENT_BITS
        self.guest.put32(quotient, (-few if times < 0 else few) & 0xFFFFFFFF)
        self._give_result(rest.approximate, first, second)

    # -- with other arguments ----------------------------------------------------------------------

    @routine("PROCEDURE frexp (high: LONGINT; low: LONGINT; exponent: Ptr)", architecture="powerpc")
    def fraction(self, high: int, low: int, exponent: int) -> None:
        """The fraction of f1, from 0.5 up to 1, and its power of two."""
        mantissa, power = np.frexp(self._first)
        self.guest.put32(exponent, int(power))
        self._give(mantissa)

    @routine(
        "PROCEDURE ldexp (high: LONGINT; low: LONGINT; power: LONGINT)",
        architecture="powerpc",
        imports=("scalb",),
    )
    def scaled(self, high: int, low: int, power: int) -> None:
        """The number in f1 times a power of two."""
        with np.errstate(all="ignore"):
            self._give(np.ldexp(self._first, max(min(power, 5000), -5000)))

    @routine("PROCEDURE modf (high: LONGINT; low: LONGINT; whole: Ptr)", architecture="powerpc")
    def parts(self, high: int, low: int, whole: int) -> None:
        """The fraction of f1; its whole part, a double, goes to an address."""
        fraction, rest = np.modf(self._first)
        self.guest.write(whole, np.array(rest, ">f8").tobytes())
        self._give(fraction)

    @staticmethod
    def _long(value: float) -> int:
        return int(min(max(value, -(2.0**31)), 2.0**31 - 1)) if np.isfinite(value) else -(1 << 31)

    @routine("FUNCTION rinttol : LONGINT", architecture="powerpc")
    def to_long(self) -> int:
        """The nearest whole number, even if two are as near."""
        return self._long(np.rint(self._first))

    @routine("FUNCTION roundtol : LONGINT", architecture="powerpc")
    def rounded_to_long(self) -> int:
        """The nearest whole number, or that away from zero if two are as near."""
        return self._long(_ONE["round"](self._first))

    @routine("PROCEDURE __inf", architecture="powerpc")
    def infinity(self) -> None:
        """Infinity."""
        self._give(math.inf)

    @routine("PROCEDURE nan (tag: Ptr)", architecture="powerpc")
    def no_number(self, tag: int) -> None:
        """A quiet NaN with the code, 0 to 255, that a string gives in decimal digits."""
        digits = self.guest.c_string(tag)
        code = int(digits) & 0xFF if digits.isdigit() else 0
        (value,) = struct.unpack(">d", struct.pack(">Q", _QUIET_NAN | code << _CODE_SHIFT))
        self._give(value)

    @routine("PROCEDURE randomx (seed: Ptr)", architecture="powerpc")
    def random(self, seed: int) -> None:
        """The random number that comes after a whole one from 1 to 2**31 - 2, which it replaces."""
        (last,) = struct.unpack(">d", self.guest.read(seed, 8))
        following = float(next_random(int(last))) if math.isfinite(last) else math.nan
        self.guest.write(seed, struct.pack(">d", following))
        self._give(following)

    # -- decimal records ---------------------------------------------------------------------------

    @routine(
        "PROCEDURE num2dec (form: Ptr; high: LONGINT; low: LONGINT; number: Ptr)",
        architecture="powerpc",
    )
    def to_decimal(self, form: int, high: int, low: int, number: int) -> None:
        """The digits of f1: so many in all (style 0), or behind the point (style 1)."""
        value, wanted = float(self._first), self.guest.i16(form + 2)
        exponent, digits = 0, b"0"
        if math.isnan(value):
            digits = b"N"
        elif math.isinf(value):
            digits = b"I"
        elif value:
            exponent, digits = _digits(abs(value), self.guest.u8(form) == 1, wanted)
        self._decimals.put(number, math.copysign(1, value) < 0, exponent, digits)

    @routine("PROCEDURE dec2num (number: Ptr)", architecture="powerpc")
    def from_decimal(self, number: int) -> None:
        """The number of a decimal record."""
        digits = self.guest.pascal_string(number + 4)
        if digits[:1] == b"I":
            value = math.inf
        elif digits.isdigit():
            value = float(f"{digits.decode()}e{self.guest.i16(number + 2)}")
        else:
            value = math.nan
        self._give(-value if self.guest.u8(number) else value)

    @routine("PROCEDURE dec2str (form: Ptr; number: Ptr; text: Ptr)", architecture="powerpc")
    def to_text(self, form: int, number: int, text: int) -> None:
        """A decimal record as text: `` 1.25e+3``, or with the point in its place."""
        self.guest.write(text, self._decimals.text(form, number) + b"\0")

    @routine(
        "PROCEDURE str2dec (text: Ptr; index: Ptr; number: Ptr; valid: Ptr)",
        architecture="powerpc",
    )
    def from_text(self, text: int, index: int, number: int, valid: int) -> None:
        """The number at an index of a text; the index moves behind it.

        What ``valid`` leads to tells whether the text ends there.
        """
        start = self.guest.i16(index)
        end, is_whole = self._decimals.scan(self.guest.c_string(text)[start:], number)
        self.guest.put16(index, start + end)
        self.guest.put16(valid, is_whole)


def _digits(value: float, is_fixed: bool, wanted: int) -> tuple[int, bytes]:
    """The decimal exponent of the last digit, and the digits, of a number above zero."""
    exact = Decimal(value)
    last = -wanted if is_fixed else exact.adjusted() - min(max(wanted, 1), LONGEST) + 1
    whole = int(exact.scaleb(-last, _EXACT).to_integral_value(ROUND_HALF_EVEN))
    digits = str(whole)
    if not is_fixed and len(digits) > min(max(wanted, 1), LONGEST):  # 9.99 became 10.0
        digits, last = digits[:-1], last + 1
    if not whole:
        return 0, b"0"
    return (last, digits.encode()) if len(digits) <= LONGEST else (0, b"?")
