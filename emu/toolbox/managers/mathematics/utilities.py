"""The Toolbox's mathematical and logical utilities, Munger, and the packing of bytes.

68K programs also turn SANE's extended numbers into Fixed and Fract ones.
Sources: Inside Macintosh: Operating System Utilities, chapter 3; Inside Macintosh: Text,
chapter 5 (Munger); Inside Macintosh I, "Toolbox Utilities" (angles, slopes, "Byte Manipulation").
"""

from __future__ import annotations

from collections.abc import Callable

from emu.base import exact_numbers as sane
from emu.toolbox.calls.dispatcher import Dispatcher
from emu.toolbox.calls.m68k import M68kDispatcher
from emu.toolbox.calls.trap_table import AUTO_POP
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.mathematics import fixed_point as fixed
from emu.toolbox.managers.mathematics.numerics import NumericsManager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.ports.recorder import pack_bits

_WORD = 0xFFFFFFFF
_NOTHING = 128
_ARGUMENT = 4
"""The bytes of the one argument, above which a function's result is on the stack."""


def _signed_16(value: int) -> int:
    return ((value & 0xFFFF) ^ 0x8000) - 0x8000


def _fixed(heading: str, function: Callable[..., int]) -> Callable[..., int]:
    """Declare a routine that is a function of `fixed_point`."""

    def compute(self: Manager, *numbers: int) -> int:
        return function(*numbers)

    compute.__doc__ = function.__doc__
    return routine(heading)(compute)


def _rounded(heading: str, function: Callable[..., int]) -> Callable[..., int]:
    """The same of one that rounds halves as the processor does."""

    def compute(self: Manager, *numbers: int) -> int:
        return function(*numbers, upwards=self.host.cpu.architecture == "powerpc")

    compute.__doc__ = function.__doc__
    return routine(heading)(compute)


class MathematicalUtilities(Manager):
    """Fixed-point arithmetic, bits, and replacing in a handle."""

    _memory: MemoryManager

    # -- fixed-point numbers -----------------------------------------------------------------------

    fix_mul = _rounded("FUNCTION FixMul (a,b: Fixed): Fixed", fixed.fix_multiply)
    fix_div = _rounded("FUNCTION FixDiv (a,b: Fixed): Fixed", fixed.fix_divide)
    fix_ratio = _rounded("FUNCTION FixRatio (numer,denom: INTEGER): Fixed", fixed.fix_divide)
    fix_round = _fixed("FUNCTION FixRound (x: Fixed): INTEGER", fixed.fix_to_integer)
    fix_to_long = _fixed("FUNCTION Fix2Long (x: Fixed): LONGINT", fixed.fix_to_long)
    long_to_fix = _fixed("FUNCTION Long2Fix (x: LONGINT): Fixed", fixed.long_to_fix)
    fix_to_fract = _fixed("FUNCTION Fix2Frac (x: Fixed): Fract", fixed.fix_to_fract)
    fract_to_fix = _rounded("FUNCTION Frac2Fix (x: Fract): Fixed", fixed.fract_to_fix)
    fract_mul = _rounded("FUNCTION FracMul (x,y: Fract): Fract", fixed.fract_multiply)
    fract_div = _rounded("FUNCTION FracDiv (x,y: Fract): Fract", fixed.fract_divide)
    fract_sqrt = _fixed("FUNCTION FracSqrt (x: Fract): Fract", fixed.fract_square_root)
    fract_sin = _fixed("FUNCTION FracSin (x: Fixed): Fract", fixed.fract_sine)
    fract_cos = _fixed("FUNCTION FracCos (x: Fixed): Fract", fixed.fract_cosine)
    fix_atan2 = _fixed("FUNCTION FixATan2 (x,y: LONGINT): Fixed", fixed.fix_arctangent)
    slope_from_angle = _fixed(
        "FUNCTION SlopeFromAngle (angle: INTEGER): Fixed", fixed.slope_from_angle
    )
    angle_from_slope = _fixed(
        "FUNCTION AngleFromSlope (slope: Fixed): INTEGER", fixed.angle_from_slope
    )

    # -- whole numbers and bits --------------------------------------------------------------------

    @routine("FUNCTION HiWord (x: LONGINT): INTEGER")
    def high_word(self, x: int) -> int:
        """The upper 16 bits."""
        return _signed_16(x >> 16)

    @routine("FUNCTION LoWord (x: LONGINT): INTEGER")
    def low_word(self, x: int) -> int:
        """The lower 16 bits."""
        return _signed_16(x)

    @routine("PROCEDURE LongMul (a,b: LONGINT; VAR dest: Int64Bit)")
    def long_mul(self, a: int, b: int, result: int) -> None:
        """The 64-bit product."""
        self.guest.write(result, (a * b).to_bytes(8, "big", signed=True))

    @routine("FUNCTION BitAnd (value1,value2: LONGINT): LONGINT")
    def bit_and(self, a: int, b: int) -> int:
        """Bits that are set in both."""
        return a & b

    @routine("FUNCTION BitOr (value1,value2: LONGINT): LONGINT")
    def bit_or(self, a: int, b: int) -> int:
        """Bits that are set in one at least."""
        return a | b

    @routine("FUNCTION BitXor (value1,value2: LONGINT): LONGINT")
    def bit_xor(self, a: int, b: int) -> int:
        """Bits that are set in one of them."""
        return a ^ b

    @routine("FUNCTION BitNot (value: LONGINT): LONGINT")
    def bit_not(self, value: int) -> int:
        """All bits turned round."""
        return ~value

    @routine("FUNCTION BitShift (value: LONGINT; count: INTEGER): LONGINT")
    def bit_shift(self, value: int, count: int) -> int:
        """Shift to the left, or without the sign to the right if the count is negative."""
        value &= _WORD
        if count >= 0:
            return value << (count & 31) & _WORD
        return value >> (-count & 31)

    def _bit(self, address: int, number: int) -> tuple[int, int]:
        """Address and mask of a bit; the first one is the highest of the first byte."""
        return address + (number >> 3), 0x80 >> (number & 7)

    @routine("FUNCTION BitTst (bytePtr: Ptr; bitNum: LONGINT): BOOLEAN")
    def bit_test(self, address: int, number: int) -> bool:
        """Whether a bit is set."""
        place, mask = self._bit(address, number)
        return bool(self.guest.u8(place) & mask)

    @routine("PROCEDURE BitSet (bytePtr: Ptr; bitNum: LONGINT)")
    def bit_set(self, address: int, number: int) -> None:
        """Set a bit."""
        place, mask = self._bit(address, number)
        self.guest.put8(place, self.guest.u8(place) | mask)

    @routine("PROCEDURE BitClr (bytePtr: Ptr; bitNum: LONGINT)")
    def bit_clear(self, address: int, number: int) -> None:
        """Clear a bit."""
        place, mask = self._bit(address, number)
        self.guest.put8(place, self.guest.u8(place) & ~mask)

    # -- text in a handle --------------------------------------------------------------------------

    @routine(
        "FUNCTION Munger (h: Handle; offset: LONGINT; ptr1: Ptr; len1: LONGINT; ptr2: Ptr; "
        "len2: LONGINT): LONGINT"
    )
    def munger(
        self, handle: int, offset: int, target: int, target_size: int, new: int, new_size: int
    ) -> int:
        """Look for bytes in a handle and replace them.

        Without a target, ``target_size`` bytes at the offset are replaced, all to the end if it is
        negative. Without new bytes, it is only looked. The result is where the new bytes end, or
        where the target was found; negative if it was not.
        """
        memory = self._memory
        self.host.memory_stays = True
        text: bytes = memory.contents(handle)
        if not 0 <= offset <= len(text):
            return -1
        start, end = offset, len(text)
        if target:
            wanted = self.guest.read(target, max(target_size, 0))
            start = text.find(wanted, offset)
            end = start + len(wanted)
            if start < 0:
                # A beginning of the target at the very end is taken for it.
                if not text[offset:] or not wanted.startswith(text[offset:]):
                    return -1
                start, end = offset, len(text)
        elif target_size >= 0:
            end = min(offset + target_size, len(text))
        if not new:
            return start
        inserted = self.guest.read(new, max(new_size, 0))
        changed = text[:start] + inserted + text[end:]
        self.host.memory_stays = len(changed) == len(text)
        if not memory.resize_handle(handle, len(changed)):
            return -1
        memory.set_contents(handle, changed)
        return start + len(inserted)


class FixedAndExtended(Manager):
    """Conversions from and to SANE's extended numbers.

    Inside Macintosh IV, p. IV-65. A function whose result is longer than four bytes gets the
    address for it from its caller, who pushes that before the arguments and removes it himself.
    """

    _numerics: NumericsManager
    _dispatcher: Dispatcher

    def _converted(self, address: int, fraction_bits: int) -> int:
        value = self._numerics.number(address)
        if value.nan:
            return fixed.SMALLEST
        if value.magnitude is None:
            return fixed.SMALLEST if value.negative else fixed.LARGEST
        return fixed.pinned(sane.rounded(value.value * (1 << fraction_bits)))

    @routine("FUNCTION X2Fix (x: Ptr): LONGINT", trap=0xA844, architecture="m68k")
    def x_to_fix(self, number: int) -> int:
        """The nearest Fixed; the largest or the smallest for what is beyond them."""
        return self._converted(number, 16)

    def _extended(self, number: int, fraction_bits: int) -> int:
        """Store a number where the caller wants it; the address, which stays on the stack."""
        assert isinstance(self._dispatcher, M68kDispatcher)
        # After an auto-pop trap the address that it returns to is on the stack, too.
        below = _ARGUMENT + 4 * bool(self._dispatcher.word & AUTO_POP)
        _, stack_pointer = self._dispatcher.caller_registers()
        place = self.guest.u32(stack_pointer + below)
        value = sane.from_float(number / (1 << fraction_bits))
        self.guest.write(place, sane.pack(value, "extended"))
        return place

    @routine("FUNCTION Fix2X (x: LONGINT): Ptr", trap=0xA843, architecture="m68k")
    def fix_to_x(self, number: int) -> int:
        """A Fixed as an extended number, exactly."""
        return self._extended(number, 16)

    @routine("FUNCTION Frac2X (x: LONGINT): Ptr", trap=0xA845, architecture="m68k")
    def frac_to_x(self, number: int) -> int:
        """A Fract as an extended number, exactly."""
        return self._extended(number, 30)

    @routine("FUNCTION X2Frac (x: Ptr): LONGINT", trap=0xA846, architecture="m68k")
    def x_to_frac(self, number: int) -> int:
        """The nearest Fract, likewise."""
        return self._converted(number, 30)


class PackingUtilities(Manager):
    """Runs of equal bytes take two bytes, other bytes one more than they are."""

    @routine("PROCEDURE PackBits (VAR srcPtr,dstPtr: Ptr; srcBytes: INTEGER)")
    def pack_bits(self, source: int, target: int, count: int) -> None:
        """Pack bytes, and advance both pointers."""
        guest = self.guest
        start, end = guest.u32(source), guest.u32(target)
        packed = pack_bits(guest.read(start, max(count, 0)))
        guest.write(end, packed)
        guest.put32(source, start + max(count, 0))
        guest.put32(target, end + len(packed))

    @routine("PROCEDURE UnpackBits (VAR srcPtr,dstPtr: Ptr; dstBytes: INTEGER)")
    def unpack_bits(self, source: int, target: int, count: int) -> None:
        """Unpack until there are so many bytes, and advance both pointers."""
        guest, place, unpacked = self.guest, self.guest.u32(source), bytearray()
        while len(unpacked) < count:
            flag = guest.u8(place)
            place += 1
            if flag < _NOTHING:
                unpacked += guest.read(place, flag + 1)
                place += flag + 1
            elif flag > _NOTHING:
                unpacked += guest.read(place, 1) * (257 - flag)
                place += 1
        start = guest.u32(target)
        guest.write(start, bytes(unpacked[: max(count, 0)]))
        guest.put32(source, place)
        guest.put32(target, start + max(count, 0))
