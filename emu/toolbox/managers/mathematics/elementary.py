"""SANE's Pack5 for 68K programs: elementary functions.

They are computed with far more bits than are stored, so each result is the nearest number, where
those of SANE may be off by one in the last place.
Source: Apple Numerics Manual, second edition, chapters on elementary and financial functions (which
arguments are invalid, codes of NaNs), and appendix on the 68000 implementation (operation words,
the order of the addresses on the stack).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from emu.base import exact_numbers as sane
from emu.base import real_functions as real
from emu.base.exact_numbers import ExactNumber
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.random_sequence import next_random
from emu.toolbox.managers.mathematics.exceptions import Exceptions
from emu.toolbox.managers.mathematics.numerics import NumericsManager

_ELEMENTARY = 0xA9EC
_Method = TypeVar("_Method", bound=Callable[..., Any])


def _function(
    name: str, word: int, parameters: str = "destination: Ptr"
) -> Callable[[_Method], _Method]:
    """Declare an elementary function, whose result replaces the last number."""
    heading = f"PROCEDURE {name} ({parameters})"
    return routine(heading, trap=_ELEMENTARY, selector=("stack", word), architecture="m68k")


_Real = Callable[[Fraction], Fraction]
_ONE = sane.number(1)


def _exponential(function: _Real, of_minus_infinity: int) -> Callable[[ExactNumber], ExactNumber]:
    def apply(x: ExactNumber) -> ExactNumber:
        if x.magnitude is None:
            return sane.number(of_minus_infinity) if x.is_infinite and x.negative else x
        if x.is_zero and of_minus_infinity:
            return x
        return sane.number(function(x.value))

    return apply


def _logarithm(function: _Real, pole: int) -> Callable[[ExactNumber], ExactNumber]:
    def apply(x: ExactNumber) -> ExactNumber:
        order = sane.compare(x, sane.number(pole))
        if order == 0:
            return sane.infinite(True)
        if order is not None and order < 0:
            return sane.no_number(sane.LOGARITHM)
        if x.magnitude is None or x.is_zero:
            return x
        return sane.number(function(x.value))

    return apply


def _angle(function: _Real) -> Callable[[ExactNumber], ExactNumber]:
    def apply(x: ExactNumber) -> ExactNumber:
        if x.is_infinite:
            return sane.no_number(sane.TRIGONOMETRIC)
        if x.magnitude is None:
            return x
        return sane.number(function(x.value), negative_zero=x.negative)

    return apply


def _tangent(x: Fraction) -> Fraction:
    sine, cosine = real.sine_and_cosine(x)
    return sine / cosine


def _arc_tangent(x: ExactNumber) -> ExactNumber:
    if x.nan or x.is_zero:
        return x
    size = real.half_pi() if x.magnitude is None else real.arc_tangent(x.magnitude)
    return ExactNumber(x.negative, size)


_REAL_FUNCTIONS: Mapping[str, tuple[int, Callable[[ExactNumber], ExactNumber]]] = {
    "FLNX": (0x00, _logarithm(real.logarithm, 0)),
    "FLOG2X": (0x02, _logarithm(real.logarithm_to_base_2, 0)),
    "FLN1X": (0x04, _logarithm(real.logarithm_of_1_and, -1)),
    "FLOG21X": (0x06, _logarithm(real.logarithm_to_base_2_of_1_and, -1)),
    "FEXPX": (0x08, _exponential(real.exponential, 0)),
    "FEXP2X": (0x0A, _exponential(real.power_of_2, 0)),
    "FEXP1X": (0x0C, _exponential(real.exponential_less_1, -1)),
    "FEXP21X": (0x0E, _exponential(real.power_of_2_less_1, -1)),
    "FSINX": (0x18, _angle(lambda x: real.sine_and_cosine(x)[0])),
    "FCOSX": (0x1A, _angle(lambda x: real.sine_and_cosine(x)[1])),
    "FTANX": (0x1C, _angle(_tangent)),
    "FATANX": (0x1E, _arc_tangent),
}


def _whole_power(x: ExactNumber, n: int) -> ExactNumber:
    """A number to the power of a whole one; 1 for the power of 0, whatever the number is."""
    if n == 0:
        return _ONE
    if x.nan:
        return x
    negative = x.negative and n % 2 == 1
    if x.magnitude is None or x.is_zero:
        is_large = x.is_infinite == (n > 0)
        return sane.infinite(negative) if is_large else ExactNumber(negative, Fraction(0))
    return ExactNumber(negative, real.power(x.magnitude, Fraction(n)))


def _power(x: ExactNumber, y: ExactNumber) -> ExactNumber:
    """The general power; it has no value for 0 and infinity to the power of 0, as Apple says."""
    if x.nan or y.nan:
        return x if x.nan else y
    if y.is_zero and (x.is_zero or x.is_infinite):
        return sane.no_number(sane.GENERAL_POWER)
    if y.magnitude is None:
        return _power_of_infinity(x, y.negative)
    is_whole = y.magnitude.denominator == 1
    if x.negative and not is_whole:
        return sane.no_number(sane.GENERAL_POWER)
    if is_whole:
        return _whole_power(x, int(y.value))
    if x.magnitude is None or x.is_zero:
        is_large = x.is_infinite != y.negative
        return sane.infinite(False) if is_large else sane.number(0)
    return sane.number(real.power(x.magnitude, y.value))


def _power_of_infinity(x: ExactNumber, is_negative: bool) -> ExactNumber:
    order = sane.compare(x, _ONE)
    if x.negative or not order:
        return sane.no_number(sane.GENERAL_POWER)
    return sane.infinite(False) if (order > 0) != is_negative else sane.number(0)


def _compound(rate: ExactNumber, periods: ExactNumber) -> ExactNumber:
    """(1 + rate) to the power of the periods."""
    if rate.nan or periods.nan:
        return rate if rate.nan else periods
    below = sane.compare(rate, sane.number(-1)) == -1
    if below or (rate.is_zero and periods.is_infinite):
        return sane.no_number(sane.FINANCIAL)
    if rate.magnitude is None or periods.magnitude is None or rate.value == -1:
        return _power(sane.add(_ONE, rate), periods)
    return sane.number(real.exponential(periods.value * real.logarithm_of_1_and(rate.value)))


def _annuity(rate: ExactNumber, periods: ExactNumber) -> ExactNumber:
    """(1 - (1 + rate) to the power of minus the periods) / rate."""
    if rate.nan or periods.nan:
        return rate if rate.nan else periods
    if rate.is_zero:
        return periods
    if rate.magnitude is None or periods.magnitude is None or rate.value <= -1:
        shrunk = _compound(rate, sane.negate(periods))
        return shrunk if shrunk.nan else sane.divide(sane.add(_ONE, sane.negate(shrunk)), rate)
    exponent = -periods.value * real.logarithm_of_1_and(rate.value)
    return sane.number(-real.exponential_less_1(exponent) / rate.value)


class ElementaryFunctions(Manager):
    """Logarithms, powers, angles, interest and random numbers."""

    _numerics: NumericsManager

    def _put(self, destination: int, result: ExactNumber, *operands: ExactNumber) -> None:
        """Store a result; one that is infinite for finite operands is a pole."""
        self._numerics.put(destination, result, operands=operands)
        if result.is_infinite and not any(operand.is_infinite for operand in operands):
            self._numerics.signal(Exceptions.DIVIDE_BY_ZERO)

    def elementary(self, destination: int) -> None:
        """Destination := a function of it."""
        assert self.host.routine is not None
        value = self._numerics.number(destination)
        self._put(destination, _REAL_FUNCTIONS[self.host.routine.name][1](value), value)

    for _name, (_word, _) in _REAL_FUNCTIONS.items():
        elementary = _function(_name, _word)(elementary)

    @_function("FXPWRI", 0x8010, "source: Ptr; destination: Ptr")
    def integer_power(self, source: int, destination: int) -> None:
        """Destination := itself to the power of an integer."""
        value = self._numerics.number(destination)
        self._put(destination, _whole_power(value, self.guest.i16(source)), value)

    @_function("FXPWRY", 0x8012, "source: Ptr; destination: Ptr")
    def power(self, source: int, destination: int) -> None:
        """Destination := itself to the power of the source."""
        value, exponent = self._numerics.number(destination), self._numerics.number(source)
        self._put(destination, _power(value, exponent), value, exponent)

    @_function("FCOMPOUND", 0xC014, "rate: Ptr; periods: Ptr; destination: Ptr")
    def compound(self, rate: int, periods: int, destination: int) -> None:
        """Destination := (1 + rate) to the power of the periods."""
        r, n = self._numerics.number(rate), self._numerics.number(periods)
        self._put(destination, _compound(r, n), r, n)

    @_function("FANNUITY", 0xC016, "rate: Ptr; periods: Ptr; destination: Ptr")
    def annuity(self, rate: int, periods: int, destination: int) -> None:
        """Destination := (1 - (1 + rate) to the power of minus the periods) / rate."""
        r, n = self._numerics.number(rate), self._numerics.number(periods)
        self._put(destination, _annuity(r, n), r, n)

    @_function("FRANDX", 0x20)
    def random(self, destination: int) -> None:
        """Destination := the next number of the sequence x := 16807 x mod (2^31 - 1)."""
        value = self._numerics.number(destination)
        if value.magnitude is None:
            raise self.host.stopped("RandomX was given no number")
        self._numerics.put(destination, sane.number(next_random(int(value.magnitude))))
