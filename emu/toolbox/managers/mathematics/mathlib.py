"""MathLib, the mathematical library of PowerPC programs.

Numbers come in f1 and f2, and the result goes into f1; each number takes the place of two words
among the other arguments. The functions are those of the host's library, so the last of 53 bits may
differ from a Macintosh's. They raise no flags; only instructions of the program do.
Source: Inside Macintosh: PowerPC Numerics.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import TypeVar

import numpy as np

from emu.toolbox.declaration import routine
from emu.toolbox.manager import Manager

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
}
_LONGEST = 36
"""SIGDIGLEN: the digits of a decimal record."""

_LARGEST_EXPONENT = 9999
_NUMBER = re.compile(
    rb"[ \t]*([+-]?)(?:(?i:(inf|nan(?:\(\d*\))?))|(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?)"
)
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

    title = "MathLib"
    plumbing = True

    def _give(self, value: float) -> None:
        self.host.engine.set_double(1, float(value))

    @property
    def _first(self) -> np.float64:
        return np.float64(self.host.engine.double(1))

    @_functions(_ONE)
    def function(self) -> None:
        """The function of f1, as in C."""
        assert self.host.routine is not None
        with np.errstate(all="ignore"):
            self._give(_ONE[self.host.routine.name](self._first))

    @_functions(_TWO)
    def function_of_two(self) -> None:
        """The function of f1 and f2, as in C."""
        assert self.host.routine is not None
        second = np.float64(self.host.engine.double(2))
        with np.errstate(all="ignore"):
            try:
                self._give(_TWO[self.host.routine.name](self._first, second))
            except ValueError:  # of a remainder that is no number
                self._give(math.nan)

    # -- with other arguments ----------------------------------------------------------------------

    @routine("PROCEDURE frexp (high: LONGINT; low: LONGINT; exponent: Ptr)", architecture="powerpc")
    def fraction(self, high: int, low: int, exponent: int) -> None:
        """The fraction of f1, from 0.5 up to 1, and its power of two."""
        found, power = np.frexp(self._first)
        self.guest.put32(exponent, int(power))
        self._give(found)

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

    @routine("FUNCTION rinttol : LONGINT", architecture="powerpc")
    def to_long(self) -> int:
        """The nearest whole number, even if two are as near."""
        value = np.rint(self._first)
        return int(min(max(value, -(2.0**31)), 2.0**31 - 1)) if np.isfinite(value) else -(1 << 31)

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
        self._put(number, math.copysign(1, value) < 0, exponent, digits)

    def _put(self, number: int, negative: bool, exponent: int, digits: bytes) -> None:
        self.guest.put16(number, int(negative) << 8)
        self.guest.put16(number + 2, exponent & 0xFFFF)
        self.guest.put_pascal_string(number + 4, digits)

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
        digits, exponent = self.guest.pascal_string(number + 4), self.guest.i16(number + 2)
        negative, is_fixed = bool(self.guest.u8(number)), self.guest.u8(form) == 1
        if not digits.isdigit():
            named = {b"I": b"INF", b"N": b"NAN(000)"}.get(digits[:1], b"?")
            found = b"-" * negative + named
        elif is_fixed:
            found = b"-" * negative + _fixed(digits, exponent, self.guest.i16(form + 2))
        else:
            point = b"." * (len(digits) > 1)
            power = exponent + len(digits) - 1 if int(digits) else 0
            found = (b"-" if negative else b" ") + digits[:1] + point + digits[1:]
            found += f"e{power:+d}".encode()
        self.guest.write(text, found + b"\0")

    @routine(
        "PROCEDURE str2dec (text: Ptr; index: Ptr; number: Ptr; valid: Ptr)",
        architecture="powerpc",
    )
    def from_text(self, text: int, index: int, number: int, valid: int) -> None:
        """The number at an index of a text; the index moves behind it.

        What ``valid`` leads to tells whether the text ends there.
        """
        start = self.guest.i16(index)
        rest = self.guest.c_string(text)[start:]
        found = _NUMBER.match(rest)
        assert found is not None  # it may be empty
        sign, special, whole, part, power = found.groups()
        has_number = bool(special or whole or part)
        if has_number:
            self.guest.put16(index, start + found.end())
        end = found.end() if has_number else 0
        self.guest.put16(valid, int(end == len(rest) and has_number))
        if special or not has_number:
            letter = (special or b"n")[:1].upper()
            self._put(number, sign == b"-", 0, letter)
            return
        digits = ((whole or b"") + (part or b"")).lstrip(b"0") or b"0"
        exponent = int(power or 0) - len(part or b"") if digits != b"0" else 0
        cut = max(len(digits) - _LONGEST, 0)
        exponent = max(min(exponent + cut, _LARGEST_EXPONENT), -_LARGEST_EXPONENT)
        self._put(number, sign == b"-", exponent, digits[:_LONGEST])


def _digits(value: float, is_fixed: bool, wanted: int) -> tuple[int, bytes]:
    """The decimal exponent of the last digit, and the digits, of a number above zero."""
    exact = Decimal(value)
    last = -wanted if is_fixed else exact.adjusted() - min(max(wanted, 1), _LONGEST) + 1
    whole = int(exact.scaleb(-last, _EXACT).to_integral_value(ROUND_HALF_EVEN))
    digits = str(whole)
    if not is_fixed and len(digits) > min(max(wanted, 1), _LONGEST):  # 9.99 became 10.0
        digits, last = digits[:-1], last + 1
    if not whole:
        return 0, b"0"
    return (last, digits.encode()) if len(digits) <= _LONGEST else (0, b"?")


def _fixed(digits: bytes, exponent: int, wanted: int) -> bytes:
    """Digits with a point, and with at least so many behind it."""
    if exponent > 0:
        digits, exponent = digits + b"0" * min(exponent, _LARGEST_EXPONENT), 0
    behind = -exponent
    digits = digits.rjust(behind + 1, b"0")
    whole, part = digits[: len(digits) - behind], digits[len(digits) - behind :]
    part = part.ljust(max(min(wanted, _LONGEST), 0), b"0")
    return whole + (b"." + part if part else b"")
