"""What kind of number a double is, and doubles in other formats, for PowerPC programs.

Extended numbers of ten bytes are those of the 68K. A ``long double`` is two doubles, of which it is
the sum: the nearest, and what that leaves.
Sources: Inside Macintosh: PowerPC Numerics (the inquiries and their results, conversions); Apple's
header fp.h (``x80tod`` and its like); Inside Macintosh: Operating System Utilities (Fix2X).
"""

from __future__ import annotations

import math
import struct
import sys

from emu.base import exact_numbers as sane
from emu.base.exact_numbers import ExactNumber
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.mathematics import fixed_point as fixed

_SIGNALING, _QUIET, _INFINITE, _ZERO, _NORMAL, _SUBNORMAL = range(6)
_QUIET_BIT = 1 << 51
_EXTENDED_SIZE = 10


def _double(number: float) -> bytes:
    return struct.pack(">d", number)


def _number(manager: Manager) -> float:
    """The number in f1."""
    return manager.host.engine.register_file.double(1)


class FloatInquiries(Manager):
    """Asks what kind of number is in f1. A ``float`` comes there as the double that it is."""

    plumbing = True
    powerpc_only = True

    def _kind(self, smallest: float) -> int:
        """The kind of the number, if a normal one is at least so large."""
        number = _number(self)
        if math.isnan(number):
            (bits,) = struct.unpack(">Q", _double(number))
            return _QUIET if bits & _QUIET_BIT else _SIGNALING
        if math.isinf(number):
            return _INFINITE
        if not number:
            return _ZERO
        return _NORMAL if abs(number) >= smallest else _SUBNORMAL

    @routine("FUNCTION __fpclassifyd: LONGINT", architecture="powerpc", imports=("__fpclassify",))
    def kind_of_double(self) -> int:
        """A NaN that signals (0), a quiet one, infinite, zero, normal, or subnormal (5).

        A ``long double`` is what its first double is.
        """
        return self._kind(sys.float_info.min)

    @routine("FUNCTION __fpclassifyf: LONGINT", architecture="powerpc")
    def kind_of_float(self) -> int:
        """The same of a number of four bytes."""
        return self._kind(2.0**-126)

    @routine("FUNCTION __isnormald: LONGINT", architecture="powerpc", imports=("__isnormal",))
    def is_normal(self) -> int:
        """Whether the number is normal."""
        return self._kind(sys.float_info.min) == _NORMAL

    @routine("FUNCTION __isnormalf: LONGINT", architecture="powerpc")
    def is_normal_float(self) -> int:
        """Whether it is normal as a number of four bytes."""
        return self._kind(2.0**-126) == _NORMAL

    @routine(
        "FUNCTION __isfinited: LONGINT",
        architecture="powerpc",
        imports=("__isfinitef", "__isfinite"),
    )
    def is_finite(self) -> int:
        """Whether the number is neither infinite nor a NaN."""
        return math.isfinite(_number(self))

    @routine("FUNCTION __isnand: LONGINT", architecture="powerpc", imports=("__isnanf", "__isnan"))
    def is_nan(self) -> int:
        """Whether it is no number."""
        return math.isnan(_number(self))

    @routine(
        "FUNCTION __signbitd: LONGINT",
        architecture="powerpc",
        imports=("__signbitf", "__signbit"),
    )
    def has_sign(self) -> int:
        """Whether its sign is minus."""
        return math.copysign(1, _number(self)) < 0


class FloatConversions(Manager):
    """Doubles from and to extended numbers, long doubles, and fixed-point numbers."""

    plumbing = True
    powerpc_only = True

    def _give(self, number: float) -> None:
        self.host.engine.register_file.set_double(1, number)

    def _extended(self, address: int) -> ExactNumber:
        return sane.unpack(self.guest.read(address, _EXTENDED_SIZE), "extended")

    @routine("PROCEDURE x80tod (number: Ptr)", architecture="powerpc")
    def extended_to_double(self, number: int) -> None:
        """An extended number as a double."""
        (value,) = struct.unpack(">d", sane.pack(self._extended(number), "double"))
        self._give(value)

    @routine("PROCEDURE dtox80 (number: Ptr; extended: Ptr)", architecture="powerpc")
    def double_to_extended(self, number: int, extended: int) -> None:
        """The double at an address as an extended number, exactly."""
        value = sane.unpack(self.guest.read(number, 8), "double")
        self.guest.write(extended, sane.pack(value, "extended"))

    @routine("PROCEDURE x80told (extended: Ptr; number: Ptr)", architecture="powerpc")
    def extended_to_long_double(self, extended: int, number: int) -> None:
        """An extended number as a long double, exactly, if a double can be as large."""
        value = self._extended(extended)
        head = sane.pack(value, "double")
        nearest = sane.unpack(head, "double")
        rest = sane.add(value, sane.negate(nearest)) if nearest.magnitude is not None else None
        self.guest.write(number, head + (sane.pack(rest, "double") if rest else bytes(8)))

    @routine("PROCEDURE ldtox80 (number: Ptr; extended: Ptr)", architecture="powerpc")
    def long_double_to_extended(self, number: int, extended: int) -> None:
        """A long double as an extended number."""
        head, tail = (sane.unpack(self.guest.read(number + place, 8), "double") for place in (0, 8))
        value = sane.add(head, tail) if head.magnitude is not None and not head.is_zero else head
        self.guest.write(extended, sane.pack(value, "extended"))

    # -- fixed-point numbers -----------------------------------------------------------------------

    def _fixed(self, fraction_bits: int) -> int:
        number = _number(self)
        if not math.isfinite(number):
            return fixed.LARGEST if number == math.inf else fixed.SMALLEST
        return fixed.pinned(sane.rounded(sane.from_float(number).value * (1 << fraction_bits)))

    @routine("FUNCTION X2Fix: LONGINT", architecture="powerpc")
    def double_to_fix(self) -> int:
        """The nearest Fixed; the largest or the smallest for what is beyond them."""
        return self._fixed(16)

    @routine("FUNCTION X2Frac: LONGINT", architecture="powerpc")
    def double_to_frac(self) -> int:
        """The nearest Fract, likewise."""
        return self._fixed(30)

    @routine("PROCEDURE Fix2X (number: LONGINT)", architecture="powerpc")
    def fix_to_double(self, number: int) -> None:
        """A Fixed as a double, exactly."""
        self._give(number / (1 << 16))

    @routine("PROCEDURE Frac2X (number: LONGINT)", architecture="powerpc")
    def frac_to_double(self, number: int) -> None:
        """A Fract as a double, exactly."""
        self._give(number / (1 << 30))
