"""SANE's Pack5 for 68K programs: elementary functions.

They are computed with 53 bits, where SANE has nearly 64, and are never signalled as inexact.
Source: Apple Numerics Manual, second edition, appendix on the 68000 implementation (operation
words, the order of the addresses on the stack).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from emu.base import exact_numbers as sane
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
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


_REAL_FUNCTIONS: Mapping[str, tuple[int, Callable[[float], float]]] = {
    "FLNX": (0x00, math.log),
    "FLOG2X": (0x02, math.log2),
    "FLN1X": (0x04, math.log1p),
    "FLOG21X": (0x06, lambda x: math.log1p(x) / math.log(2)),
    "FEXPX": (0x08, math.exp),
    "FEXP2X": (0x0A, lambda x: 2.0**x),
    "FEXP1X": (0x0C, math.expm1),
    "FEXP21X": (0x0E, lambda x: math.expm1(x * math.log(2))),
    "FSINX": (0x18, math.sin),
    "FCOSX": (0x1A, math.cos),
    "FTANX": (0x1C, math.tan),
    "FATANX": (0x1E, math.atan),
}
_AT_POLE = {"FLNX", "FLOG2X", "FLN1X", "FLOG21X"}


class ElementaryFunctions(Manager):
    """Logarithms, powers, angles, interest and random numbers."""

    _numerics: NumericsManager

    def _apply(self, destination: int, function: Callable[..., float], *more: float) -> None:
        assert self.host.routine is not None
        operand = self._numerics.number(destination)
        value = operand.approximate
        try:
            result = function(value, *more)
        except OverflowError:
            result = math.inf
        except (ValueError, ZeroDivisionError):
            at_pole = self.host.routine.name in _AT_POLE and value in (0.0, -1.0)
            result = -math.inf if at_pole else math.nan
        if isinstance(result, complex):
            result = math.nan
        self._numerics.put(destination, sane.from_float(result), operands=(operand,))
        if math.isinf(result) and math.isfinite(value):
            is_pole = self.host.routine.name in _AT_POLE
            self._numerics.signal(Exceptions.DIVIDE_BY_ZERO if is_pole else Exceptions.OVERFLOW)

    def elementary(self, destination: int) -> None:
        """Destination := a function of it."""
        assert self.host.routine is not None
        self._apply(destination, _REAL_FUNCTIONS[self.host.routine.name][1])

    for _name, (_word, _) in _REAL_FUNCTIONS.items():
        elementary = _function(_name, _word)(elementary)

    @_function("FXPWRI", 0x8010, "source: Ptr; destination: Ptr")
    def integer_power(self, source: int, destination: int) -> None:
        """Destination := itself to the power of an integer."""
        self._apply(destination, lambda x, n: x**n, self.guest.i16(source))

    @_function("FXPWRY", 0x8012, "source: Ptr; destination: Ptr")
    def power(self, source: int, destination: int) -> None:
        """Destination := itself to the power of the source."""
        self._apply(destination, math.pow, self._numerics.number(source).approximate)

    @_function("FCOMPOUND", 0xC014, "rate: Ptr; periods: Ptr; destination: Ptr")
    def compound(self, rate: int, periods: int, destination: int) -> None:
        """Destination := (1 + rate) to the power of the periods."""
        r, n = self._numerics.number(rate).approximate, self._numerics.number(periods).approximate
        self._apply(destination, lambda _: math.exp(n * math.log1p(r)))

    @_function("FANNUITY", 0xC016, "rate: Ptr; periods: Ptr; destination: Ptr")
    def annuity(self, rate: int, periods: int, destination: int) -> None:
        """Destination := (1 - (1 + rate) to the power of minus the periods) / rate."""
        r, n = self._numerics.number(rate).approximate, self._numerics.number(periods).approximate
        self._apply(destination, lambda _: -math.expm1(-n * math.log1p(r)) / r if r else n)

    @_function("FRANDX", 0x20)
    def random(self, destination: int) -> None:
        """Destination := the next number of the sequence x := 16807 x mod (2^31 - 1)."""
        value = self._numerics.number(destination)
        if value.magnitude is None:
            raise self.host.stopped("RandomX was given no number")
        seed = int(value.magnitude)
        self._numerics.put(destination, sane.number(seed * 16807 % ((1 << 31) - 1)))
