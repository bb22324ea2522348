"""SANE's Pack4 for 68K programs: arithmetic, conversions and the environment.

Arithmetic is exact and rounded once, as SANE's is. Pack5 is in `elementary`. PowerPC programs have
floating point of their own and never come here.
Source: Apple Numerics Manual, second edition, appendix on the 68000 implementation (operation
words, the order of the addresses on the stack).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeVar

from emu.base import exact_numbers as sane
from emu.base.exact_numbers import FORMATS, ExactNumber
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.mathematics.exceptions import Exceptions, is_denormal, raised_by
from emu.toolbox.records.system import DecForm, Decimal

_ARITHMETIC = 0xA9EB
SANE_TRAPS = (_ARITHMETIC, 0xA9EC)
"""The traps of Pack4, and of Pack5 in `elementary`."""
_FORMAT_BITS = {
    "extended": 0x0000,
    "double": 0x0800,
    "single": 0x1000,
    "integer": 0x2000,
    "long": 0x2800,
    "comp": 0x3000,
}
_DIRECTION_SHIFT, _PRECISION_SHIFT = 13, 5
_PRECISIONS = ("extended", "double", "single")
"""The formats of which results of ten bytes have precision and range, by the environment's bits."""

_CARRY, _OVERFLOW, _ZERO, _NEGATIVE, _EXTEND = 1, 2, 4, 8, 16
_CLASSES = {"nan": 2, "infinite": 3, "zero": 4, "normal": 5, "denormal": 6}
_EXCEPTIONS_SHIFT, _ALL_EXCEPTIONS = 8, 0x1F00
_MOST_DIGITS = 20
_LARGEST_EXPONENT = 5000
_Method = TypeVar("_Method", bound=Callable[..., Any])


def _operation(
    name: str, word: int, *, operands: int, formats: tuple[str, ...] = ("extended",)
) -> Callable[[_Method], _Method]:
    """Declare an operation, once for each format that its word can name."""
    arguments = "; ".join(("form: Ptr", "source: Ptr", "destination: Ptr")[3 - operands :])

    def declare(method: _Method) -> _Method:
        for form in formats:
            suffix = "" if formats == ("extended",) else form.capitalize()
            routine(
                f"PROCEDURE {name}{suffix} ({arguments})",
                trap=_ARITHMETIC,
                selector=("stack", word | _FORMAT_BITS[form]),
                architecture="m68k",
            )(method)
        return method

    return declare


_EVERY = tuple(FORMATS)


class NumericsManager(Manager):
    """Numbers of ten bytes, and conversions to and from smaller ones.

    Attributes:
        environment: SANE's environment word: rounding direction, exceptions and halts.
        halt_vector: the routine that the program wants to be called at exceptions; none ever is.
    """

    def __post_init__(self) -> None:
        self.environment = self.halt_vector = 0

    # -- operands ----------------------------------------------------------------------------------

    @property
    def _direction(self) -> int:
        return self.environment >> _DIRECTION_SHIFT & 3

    @property
    def _precision(self) -> str:
        return _PRECISIONS[self.environment >> _PRECISION_SHIFT & 3]

    def _form(self) -> str:
        """The format that the operation word of the call being answered names."""
        assert self.host.routine is not None and self.host.routine.selector is not None
        bits = self.host.routine.selector.value & 0x3800
        return next(form for form, value in _FORMAT_BITS.items() if value == bits)

    def number(self, address: int, form: str = "extended") -> ExactNumber:
        """The number in that format at an address."""
        return sane.unpack(self.guest.read(address, FORMATS[form]), form)

    def put(
        self,
        address: int,
        value: ExactNumber,
        form: str = "extended",
        operands: tuple[ExactNumber, ...] = (),
    ) -> None:
        """Store a number in that format, rounded as the environment says.

        Args:
            address: where.
            value: the number.
            form: the format.
            operands: what it was computed from, by which exceptions are judged.
        """
        # "As if the destination were single or double": the result is rounded to that format.
        precision = self._precision if form == "extended" else form
        stored = sane.unpack(sane.pack(value, precision, self._direction), precision)
        self.guest.write(address, sane.pack(stored, form))
        self.signal(raised_by(value, stored, precision, operands, self._direction))

    def signal(self, exceptions: Exceptions) -> None:
        """Note exceptions in the environment.

        Raises:
            GuestStopped: the program wants to halt at one of them.
        """
        self.environment |= exceptions << _EXCEPTIONS_SHIFT
        if self.environment & exceptions:
            raise self.host.stopped(
                "SANE is to call the program's halt procedure, which macproof does not do"
            )

    # -- arithmetic --------------------------------------------------------------------------------

    @_operation("FADD", 0x00, operands=2, formats=_EVERY)
    def add(self, source: int, destination: int) -> None:
        """Destination := destination + source."""
        a, b = self.number(destination), self.number(source, self._form())
        self.put(destination, sane.add(a, b, self._direction), operands=(a, b))

    @_operation("FSUB", 0x02, operands=2, formats=_EVERY)
    def subtract(self, source: int, destination: int) -> None:
        """Destination := destination - source."""
        a, b = self.number(destination), self.number(source, self._form())
        self.put(destination, sane.add(a, sane.negate(b), self._direction), operands=(a, b))

    @_operation("FMUL", 0x04, operands=2, formats=_EVERY)
    def multiply(self, source: int, destination: int) -> None:
        """Destination := destination * source."""
        a, b = self.number(destination), self.number(source, self._form())
        self.put(destination, sane.multiply(a, b), operands=(a, b))

    @_operation("FDIV", 0x06, operands=2, formats=_EVERY)
    def divide(self, source: int, destination: int) -> None:
        """Destination := destination / source."""
        a, b = self.number(destination), self.number(source, self._form())
        self.put(destination, sane.divide(a, b), operands=(a, b))
        if b.is_zero and a.magnitude:
            self.signal(Exceptions.DIVIDE_BY_ZERO)

    @_operation("FREM", 0x0C, operands=2, formats=_EVERY)
    def remainder(self, source: int, destination: int) -> None:
        """Destination := its remainder by the source; the quotient's low bits are in D0."""
        a, b = self.number(destination), self.number(source, self._form())
        rest, times = sane.remainder(a, b)
        self.put(destination, rest, operands=(a, b))
        low = -(-times & 0x7F) if times < 0 else times & 0x7F
        self.host.engine.registers[self.host.engine.index["d0"]] = low & 0xFFFFFFFF

    def _compare(self, source: int, destination: int) -> int | None:
        order = sane.compare(self.number(destination), self.number(source, self._form()))
        flags = {
            None: _OVERFLOW,
            0: _ZERO,
            1: 0,
            -1: _EXTEND | _NEGATIVE | _CARRY,
        }[order]
        self.host.engine.register_file.write("sr", 0x2000 | flags)
        return order

    @_operation("FCMP", 0x08, operands=2, formats=_EVERY)
    def compare(self, source: int, destination: int) -> None:
        """Set condition codes for destination compared with source."""
        self._compare(source, destination)

    @_operation("FCPX", 0x0A, operands=2, formats=_EVERY)
    def compare_and_signal(self, source: int, destination: int) -> None:
        """As `compare`; that there is no order is an exception."""
        if self._compare(source, destination) is None:
            self.signal(Exceptions.INVALID)

    @_operation("FSQRT", 0x12, operands=1)
    def square_root(self, destination: int) -> None:
        """Destination := its square root."""
        value = self.number(destination)
        self.put(destination, sane.square_root(value), operands=(value,))

    @_operation("FRINT", 0x14, operands=1)
    def round_to_integral(self, destination: int) -> None:
        """Destination := the whole number it is rounded to."""
        self._to_integral(destination, self._direction)

    @_operation("FTINT", 0x16, operands=1)
    def truncate(self, destination: int) -> None:
        """Destination := itself without its fraction."""
        self._to_integral(destination, sane.TOWARD_ZERO)

    def _to_integral(self, destination: int, direction: int) -> None:
        value = self.number(destination)
        whole = sane.to_integral(value, direction)
        self.put(destination, whole, operands=(value,))
        if whole.magnitude != value.magnitude:
            self.signal(Exceptions.INEXACT)

    @_operation("FSCALBI", 0x2018, operands=2)  # it says of the source what is always so
    @_operation("FSCALB", 0x18, operands=2)
    def scale(self, source: int, destination: int) -> None:
        """Destination := destination times two to the power of an integer."""
        value = self.number(destination)
        scaled = sane.scale(value, self.guest.i16(source))
        self.put(destination, scaled, operands=(value,))

    @_operation("FLOGB", 0x1A, operands=1)
    def log_b(self, destination: int) -> None:
        """Destination := its binary exponent."""
        value = self.number(destination)
        self.put(destination, sane.power_of_two(value), operands=(value,))
        if value.is_zero:
            self.signal(Exceptions.DIVIDE_BY_ZERO)

    @_operation("FNEG", 0x0D, operands=1)
    def negate(self, destination: int) -> None:
        """Destination := itself with the other sign."""
        self.guest.put8(destination, self.guest.u8(destination) ^ 0x80)

    @_operation("FABS", 0x0F, operands=1)
    def absolute(self, destination: int) -> None:
        """Destination := itself without its sign."""
        self.guest.put8(destination, self.guest.u8(destination) & 0x7F)

    @_operation("FCPYSGN", 0x11, operands=2)
    def copy_sign(self, source: int, destination: int) -> None:
        """Source := itself with the sign of the destination."""
        sign = self.guest.u8(destination) & 0x80
        self.guest.put8(source, self.guest.u8(source) & 0x7F | sign)

    @_operation("FCLASS", 0x1C, operands=2, formats=_EVERY)
    def classify(self, source: int, destination: int) -> None:
        """Destination (an integer) := what kind of number the source is, negative with its sign."""
        form = self._form()
        value = self.number(source, form)
        if value.nan:
            kind = "nan"
        elif value.magnitude is None:
            kind = "infinite"
        elif value.is_zero:
            kind = "zero"
        else:
            kind = "denormal" if is_denormal(value, form) else "normal"
        self.guest.put16(destination, -_CLASSES[kind] if value.negative else _CLASSES[kind])

    # -- conversions -------------------------------------------------------------------------------

    @_operation("FTOX", 0x0E, operands=2, formats=_EVERY)
    def to_extended(self, source: int, destination: int) -> None:
        """Destination (extended) := source."""
        value = self.number(source, self._form())
        self.put(destination, value, operands=(value,))

    @_operation("FXTO", 0x10, operands=2, formats=_EVERY)
    def from_extended(self, source: int, destination: int) -> None:
        """Destination := source (extended)."""
        value = self.number(source)
        self.put(destination, value, self._form(), (value,))

    @_operation("FDEC2", 0x09, operands=2, formats=_EVERY)
    def from_decimal(self, source: int, destination: int) -> None:
        """Destination := a decimal record."""
        record = Decimal(self.guest, source)
        negative, exponent, digits = bool(record.sgn), record.exp, record.sig
        if digits[:1] == b"I":
            value = sane.infinite(negative)
        elif digits[:1] == b"N" or not digits.isdigit() or abs(exponent) > _LARGEST_EXPONENT * 2:
            value = sane.no_number(sane.CONVERTED_TEXT)
        else:
            ten = Fraction(10) ** exponent
            value = ExactNumber(negative, Fraction(int(digits)) * ten)
        self.put(destination, value, self._form(), (value,))

    @_operation("F2DEC", 0x0B, operands=3, formats=_EVERY)
    def to_decimal(self, form: int, source: int, destination: int) -> None:
        """Destination (a decimal record) := source, with so many digits as the form says."""
        wish = DecForm(self.guest, form)
        is_fixed, wanted = wish.style == 1, wish.digits
        value = self.number(source, self._form())
        exponent, digits = 0, b"0"
        if value.nan:
            digits = b"N"
        elif value.magnitude is None:
            digits = b"I"
        elif value.magnitude:
            exponent, digits = self._decimal_digits(value.magnitude, is_fixed, wanted)
        record = Decimal(self.guest, destination)
        record.sgn, record.filler = value.negative, b"\0"
        record.exp, record.sig = exponent, digits

    def _decimal_digits(self, size: Fraction, is_fixed: bool, wanted: int) -> tuple[int, bytes]:
        """Decimal exponent of the last digit, and the digits."""
        if is_fixed:
            exponent = -wanted
        else:
            wanted = min(max(wanted, 1), _MOST_DIGITS - 1)
            leading = math.ceil(math.log10(size.numerator) - math.log10(size.denominator)) + 1
            while Fraction(10) ** leading > size:
                leading -= 1
            exponent = leading - wanted + 1
        whole = sane.rounded(size / Fraction(10) ** exponent, self._direction)
        if whole >= 10**_MOST_DIGITS:
            return 0, b"?"  # it does not fit the record
        digits = str(whole)
        if not is_fixed and len(digits) > wanted:
            digits, exponent = digits[:-1], exponent + 1
        return exponent, digits.encode()

    @_operation("FNEXT", 0x13, operands=2, formats=("extended", "double", "single"))
    def next_number(self, source: int, destination: int) -> None:
        """Source := the next number of the format on the way to the destination.

        Both have that format, and it is the source that changes, unlike in other operations.
        """
        form = self._form()
        value, toward = self.number(source, form), self.number(destination, form)
        following = sane.next_after(value, toward, form)
        self.guest.write(source, sane.pack(following, form))
        if following == value or following.nan:
            return
        if following.is_infinite:
            self.signal(Exceptions.OVERFLOW | Exceptions.INEXACT)
        elif following.is_zero or is_denormal(following, form):
            self.signal(Exceptions.UNDERFLOW | Exceptions.INEXACT)

    # -- environment -------------------------------------------------------------------------------

    def _set_environment(self, word: int) -> None:
        if word >> _PRECISION_SHIFT & 3 == len(_PRECISIONS):
            raise self.host.stopped("the program asks SANE for a precision that there is not")
        self.environment = word

    @_operation("FSETENV", 0x01, operands=1)
    def set_environment(self, address: int) -> None:
        """Set the environment word."""
        self._set_environment(self.guest.u16(address))

    @_operation("FGETENV", 0x03, operands=1)
    def get_environment(self, address: int) -> None:
        """Read the environment word."""
        self.guest.put16(address, self.environment)

    @_operation("FSETHV", 0x05, operands=1)
    def set_halt_vector(self, address: int) -> None:
        """Say which routine is to be called at exceptions that the environment halts at."""
        self.halt_vector = self.guest.u32(address)

    @_operation("FGETHV", 0x07, operands=1)
    def get_halt_vector(self, address: int) -> None:
        """Which routine that is."""
        self.guest.put32(address, self.halt_vector)

    @_operation("FSETXCP", 0x15, operands=1)
    def set_exception(self, address: int) -> None:
        """Signal the exception of a number: 0 invalid, 1 underflow, ... 4 inexact."""
        self.signal(Exceptions(1 << (self.guest.u16(address) & 7) & 0x1F))

    @_operation("FTESTXCP", 0x1B, operands=1)
    def test_exception(self, address: int) -> None:
        """Whether the exception of a number was signalled: the high byte gets 1 or 0."""
        bit = 1 << (self.guest.u16(address) & 7) + _EXCEPTIONS_SHIFT
        self.guest.put8(address, bool(self.environment & bit & _ALL_EXCEPTIONS))

    @_operation("FPROCENTRY", 0x17, operands=1)
    def enter_procedure(self, address: int) -> None:
        """Save the environment and set it to the default."""
        self.guest.put16(address, self.environment)
        self.environment = 0

    @_operation("FPROCEXIT", 0x19, operands=1)
    def leave_procedure(self, address: int) -> None:
        """Take up a saved environment again, and signal in it what was signalled since."""
        since = self.environment >> _EXCEPTIONS_SHIFT & 0x1F
        self._set_environment(self.guest.u16(address))
        self.signal(Exceptions(since))
