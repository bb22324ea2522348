"""The Font Manager: names and numbers of fonts, and the bitmaps that stand for them."""

from __future__ import annotations

from emu.quickdraw.fonts import BOLD, ITALIC, OUTLINE, SHADOW, UNDERLINE, Font, is_bitmap
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.ports.font_resources import FontResources
from emu.toolbox.records.quickdraw import FMetricRec, FMInput, FMOutput, GrafPort
from emu.toolbox.records.results import ResultCode

_FAMILIES = {
    0: "Chicago",
    2: "New York",
    3: "Geneva",
    4: "Monaco",
    5: "Venice",
    6: "London",
    7: "Athens",
    8: "San Francisco",
    9: "Toronto",
    11: "Cairo",
    12: "Los Angeles",
    20: "Times",
    21: "Helvetica",
    22: "Courier",
    23: "Symbol",
    24: "Mobile",
}
"""Source: Inside Macintosh I, chapter "The Font Manager", and IV, p. IV-31."""

_SYSTEM_FONT, _SYSTEM_SIZE = 0, 12
_APPLICATION_FONT = 1
_OUTPUT_RECORD = 0x998
"""Where FMSwapFont answers: the global FOutRec."""
_GENEVA = 3


class FontManager(Manager):
    """Names and numbers of fonts."""

    _quickdraw: QuickDraw
    _font_resources: FontResources

    def __post_init__(self) -> None:
        self._known: dict[tuple[int, int], Font] = {}

    def font(self, family: int, size: int) -> Font:
        """The font of a number and size, as a port has them."""
        key = family, size
        font = self._known.get(key)
        if font is None:
            font = self._known[key] = self._quickdraw.book.font(family, size)
        return font

    def is_in_memory(self, family: int, size: int) -> bool:
        """Whether it was used before, or is the system font, so that nothing need be loaded."""
        return (family == _SYSTEM_FONT and size in (0, _SYSTEM_SIZE)) or (
            family,
            size,
        ) in self._known

    def names(self) -> list[bytes]:
        """The names of all fonts, MacRoman."""
        names = dict.fromkeys((*_FAMILIES.values(), *self._font_resources.names()))
        return [name.encode("mac_roman", "replace") for name in names]

    @routine("PROCEDURE InitFonts")
    def init_fonts(self) -> None:
        """Nothing is left to be prepared."""

    @routine("PROCEDURE GetFontName (familyID: INTEGER; VAR theName: Str255)")
    def get_font_name(self, family: int, name: int) -> None:
        """The name of a font, empty if there is none of that number."""
        if family == _APPLICATION_FONT:
            family = _GENEVA
        own = {number: title for title, number in self._font_resources.names().items()}
        title = own.get(family) or _FAMILIES.get(family, "")
        self.guest.put_pascal_string(name, title.encode("mac_roman", "replace"))

    @routine("PROCEDURE GetFNum (name: Str255; VAR familyID: INTEGER)")
    def get_f_num(self, name: int, family: int) -> None:
        """The number of a font, 0 if there is none of that name."""
        wanted = self.guest.pascal_string(name).decode("mac_roman").lower()
        own = self._font_resources.names()
        families = (*own.items(), *((title, number) for number, title in _FAMILIES.items()))
        numbers = [number for title, number in families if title.lower() == wanted]
        self.guest.put16(family, numbers[0] if numbers else 0)

    @routine("FUNCTION RealFont (fontNum,size: INTEGER): BOOLEAN")
    def real_font(self, family: int, size: int) -> bool:
        """Whether a font comes in a size without being scaled.

        Size 0 is the default size (Apple's ROM sources of 1994, FontMgr/FontMgrPatch.a).
        """
        size = size or _SYSTEM_SIZE
        return size in self._font_resources.strikes(family) or is_bitmap(family, size)

    @routine("FUNCTION FMSwapFont (inRec: Ptr): Ptr")
    def fm_swap_font(self, wanted: int) -> int:
        """The measures of a font in a size, in a record of the system's; no handle is in it.

        macproof's fonts are no resources, so fontHandle is nil.
        """
        asked, answer = FMInput(self.guest, wanted), FMOutput(self.guest, _OUTPUT_RECORD)
        font, face = self.font(asked.family, asked.pointSize), asked.face
        answer.clear()
        answer.boldPixels, answer.italicPixels = face & BOLD, 8 if face & ITALIC else 0
        if face & UNDERLINE:
            answer.ulOffset = answer.ulShadow = answer.ulThick = 1
        shadow = 2 if face & SHADOW else 1 if face & OUTLINE else 0
        answer.shadowPixels = shadow
        answer.extra = font.char_width(0x20, face) - font.char_width(0x20)
        answer.ascent, answer.descent = font.ascent, font.descent
        answer.widMax, answer.leading = font.wid_max, font.leading
        answer.numer, answer.denom = asked.numer, asked.denom
        return _OUTPUT_RECORD

    @routine("PROCEDURE SetFontLock (lockFlag: BOOLEAN)")
    def set_font_lock(self, lock: bool) -> None:
        """Fonts are no resources here, so none can be purged."""

    @routine("PROCEDURE SetFScaleDisable (disable: BOOLEAN)")
    def set_f_scale_disable(self, disable: bool) -> None:
        """Sizes that are missing are scaled as ever."""

    @routine("PROCEDURE SetFractEnable (enable: BOOLEAN)")
    def set_fract_enable(self, enable: bool) -> None:
        """Widths are whole pixels, whatever is asked for."""

    @routine("FUNCTION FlushFonts: OSErr")
    def flush_fonts(self) -> int:
        """Forget what was made of outline fonts: there are none."""
        return 0

    @routine("PROCEDURE SetOutlinePreferred (outlinePreferred: BOOLEAN)")
    def set_outline_preferred(self, preferred: bool) -> None:
        """There are no outline fonts."""

    @routine("FUNCTION GetOutlinePreferred : BOOLEAN")
    @routine("FUNCTION IsOutline (numer,denom: Point): BOOLEAN")
    def get_outline_preferred(self, *scale: Point) -> bool:
        """There are no outline fonts."""
        return False

    @routine(
        "FUNCTION OutlineMetrics (byteCount: INTEGER; textPtr: Ptr; numer,denom: Point; "
        "VAR yMax,yMin: INTEGER; awArray,lsbArray,boundsArray: Ptr): OSErr"
    )
    def outline_metrics(self, *arguments: object) -> int:
        """Measure the letters of an outline font: there are none."""
        return ResultCode.fontNotOutlineErr

    @routine("PROCEDURE FontMetrics (VAR theMetrics: Ptr)")
    def font_metrics(self, metrics: int) -> None:
        """Ascent, descent, leading and greatest width of the port's font, as Fixed numbers."""
        port = GrafPort(self.guest, self._quickdraw.port)
        font = self.font(port.txFont, port.txSize)
        record = FMetricRec(self.guest, metrics)
        record.ascent, record.descent = font.ascent << 16, font.descent << 16
        record.leading, record.widMax = font.leading << 16, font.wid_max << 16
        record.wTabHandle = 0
