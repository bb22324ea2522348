"""The Color Picker Package: kinds of colours turned into one another, and a dialog to choose one.

The dialog counts as cancelled: nobody is there to choose.
Source: Inside Macintosh V, The Color Picker Package.
"""

from __future__ import annotations

import colorsys
import struct
from collections.abc import Callable
from typing import Any, TypeVar

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point

_Method = TypeVar("_Method", bound=Callable[..., Any])
_ONE = 0x10000
_LARGEST = 0xFFFF
_PARTS = struct.Struct(">3H")


def _conversion(name: str) -> Callable[[_Method], _Method]:
    """Declare a procedure with a colour to read and one to write."""
    source, target = name.split("2")
    return routine(
        f"PROCEDURE {name} ({source.lower()}Color: Ptr; VAR {target.lower()}Color: RGBColor)"
    )


class ColorPicker(Manager):
    """Colours as red, green, blue; cyan, magenta, yellow; hue, saturation, lightness or value."""

    def _turn(
        self,
        source: int,
        target: int,
        turn: Callable[[float, float, float], tuple[float, float, float]],
    ) -> None:
        """Each part is a fraction of 16 bits."""
        parts = _PARTS.unpack(self.guest.read(source, _PARTS.size))
        turned = turn(*(part / _LARGEST for part in parts))
        self.guest.write(target, _PARTS.pack(*(round(part * _LARGEST) for part in turned)))

    @routine("FUNCTION Fix2SmallFract (f: Fixed): INTEGER")
    def fix_to_small_fract(self, value: int) -> int:
        """A fraction of 16 bits; what is not below 1 is the largest."""
        return _LARGEST if value >= _ONE else value & _LARGEST

    @routine("FUNCTION SmallFract2Fix (s: INTEGER): Fixed")
    def small_fract_to_fix(self, value: int) -> int:
        """A fraction as Fixed."""
        return value & _LARGEST

    @_conversion("CMY2RGB")
    def cmy_to_rgb(self, source: int, target: int) -> None:
        """What cyan, magenta and yellow leave of white."""
        self._turn(source, target, lambda c, m, y: (1 - c, 1 - m, 1 - y))

    @_conversion("RGB2CMY")
    def rgb_to_cmy(self, source: int, target: int) -> None:
        """The same the other way."""
        self.cmy_to_rgb(source, target)

    @_conversion("HSL2RGB")
    def hsl_to_rgb(self, source: int, target: int) -> None:
        """From hue, saturation and lightness."""
        self._turn(source, target, lambda h, s, light: colorsys.hls_to_rgb(h, light, s))

    @_conversion("RGB2HSL")
    def rgb_to_hsl(self, source: int, target: int) -> None:
        """To hue, saturation and lightness."""

        def turn(red: float, green: float, blue: float) -> tuple[float, float, float]:
            hue, light, saturation = colorsys.rgb_to_hls(red, green, blue)
            return hue, saturation, light

        self._turn(source, target, turn)

    @_conversion("HSV2RGB")
    def hsv_to_rgb(self, source: int, target: int) -> None:
        """From hue, saturation and value."""
        self._turn(source, target, colorsys.hsv_to_rgb)

    @_conversion("RGB2HSV")
    def rgb_to_hsv(self, source: int, target: int) -> None:
        """To hue, saturation and value."""
        self._turn(source, target, colorsys.rgb_to_hsv)

    @routine(
        "FUNCTION GetColor (where: Point; prompt: Str255; inColor: Ptr; VAR outColor: RGBColor): "
        "BOOLEAN"
    )
    def get_color(self, where: Point, prompt: int, start: int, result: int) -> bool:
        """Have the user choose a colour: the dialog is cancelled."""
        return False
