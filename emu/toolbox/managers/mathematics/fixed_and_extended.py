"""Fixed and Fract numbers of extended ones, for 68K programs.

Source: Inside Macintosh: Operating System Utilities, chapter 3.
"""

from __future__ import annotations

from emu.base import exact_numbers as sane
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.mathematics.numerics import NumericsManager

_LARGEST = 0x7FFFFFFF


class FixedAndExtended(Manager):
    """Conversions from SANE's extended numbers."""

    title = "Mathematical and Logical Utilities"

    _numerics: NumericsManager

    def _converted(self, address: int, fraction_bits: int) -> int:
        value = self._numerics.number(address)
        if value.nan:
            return -_LARGEST - 1
        if value.magnitude is None:
            return -_LARGEST - 1 if value.negative else _LARGEST
        whole = sane.rounded(value.value * (1 << fraction_bits))
        return max(-_LARGEST - 1, min(whole, _LARGEST))

    @routine("FUNCTION X2Fix (x: Ptr): LONGINT", trap=0xA844, architecture="m68k")
    def x_to_fix(self, number: int) -> int:
        """The nearest Fixed; the largest or the smallest for what is beyond them."""
        return self._converted(number, 16)

    @routine("FUNCTION X2Frac (x: Ptr): LONGINT", trap=0xA846, architecture="m68k")
    def x_to_frac(self, number: int) -> int:
        """The nearest Fract, likewise."""
        return self._converted(number, 30)
