"""The patterns of ports, and what ports and low memory say of arithmetic modes and highlighting.

A GrafPort holds the bits of its patterns; a CGrafPort holds handles of PixPat records instead.
Source: Inside Macintosh V, chapter "Color QuickDraw" (also GrafVars, HiliteMode, HiliteRGB).
"""

from __future__ import annotations

from emu.quickdraw import ArithmeticTerms, ColorSpace
from emu.quickdraw.arithmetic import NO_TERMS
from emu.quickdraw.color_space import Pixels
from emu.quickdraw.transfer import BLEND
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.ports import grafport as at
from emu.toolbox.managers.quickdraw.ports.grafport import ERASE, FILL, FRAME, INVERT, PAINT
from emu.toolbox.managers.quickdraw.ports.inks import BLACK, rgb, terms_of
from emu.toolbox.managers.quickdraw.ports.pixel_patterns import BITS, PixelPatterns
from emu.toolbox.records.quickdraw import CGrafPort, GrafPort, GrafVars, PixPat, RGBColor

_PATTERNS = {
    FRAME: (GrafPort.pnPat, CGrafPort.pnPixPat),
    PAINT: (GrafPort.pnPat, CGrafPort.pnPixPat),
    ERASE: (GrafPort.bkPat, CGrafPort.bkPixPat),
    FILL: (GrafPort.fillPat, CGrafPort.fillPixPat),
}
"""Where a port keeps the pattern of each verb, and where a colour port does."""
_NOT_HIGHLIGHTING = 0x80
"""The bit of HiliteMode that programs clear so that the next inverting highlights."""


class PortPatterns(Manager):
    """What the verbs draw with in ports, for QuickDraw's other parts."""

    _memory: MemoryManager
    _pixel_patterns: PixelPatterns

    def pattern(self, record: bytes, verb: int) -> bytes:
        """The bits of the pattern that a verb draws with in a port."""
        if verb == INVERT:
            return at.BLACK_PATTERN
        if at.is_color_port(record):
            return self._pixel_pattern(record, verb).pat1Data
        return _PATTERNS[verb][0].of(record)

    def in_color(self, record: bytes, verb: int) -> int:
        """The handle of the pattern in colour that a verb draws with in a port, or 0."""
        if not at.is_color_port(record) or self._pixel_pattern(record, verb).patType == BITS:
            return 0
        return _PATTERNS[verb][1].of(record)

    def settings(self, record: bytes) -> bytes:
        """What pictures note of a port in colour, from its bytes.

        Returns:
            The bytes of a port without colours with its pen and text and the bits of its patterns,
            then its foreground and background as RGBColor records.
        """
        plain = GrafPort.copied(record[: GrafPort.size])
        plain.bkPat, plain.pnPat, plain.fillPat = (
            self.pattern(record, verb) for verb in (ERASE, PAINT, FILL)
        )
        plain.pnLoc = GrafPort.pnLoc.of(record)
        return plain.read() + record[at.RGB_COLORS]

    def set_bits(self, port: int, verb: int, pattern: bytes) -> None:
        """Change the pattern that a verb draws with in a port."""
        record = self.guest.read(port, GrafPort.size)
        if at.is_color_port(record):
            is_there = self._memory.check_handle(_PATTERNS[verb][1].of(record))
            existing = self._pixel_pattern(record, verb)
            if not is_there or existing.patType != BITS:
                # That pattern may be the program's own, so the port gets another one.
                fresh = self._memory.handle_from(bytes(PixPat.size))
                CGrafPort(self.guest, port)[_PATTERNS[verb][1]] = fresh
                existing = PixPat(self.guest, self._memory.address(fresh))
            existing.pat1Data = pattern
        else:
            GrafPort(self.guest, port)[_PATTERNS[verb][0]] = pattern

    def set_pixels(self, port: int, verb: int, pattern: int) -> None:
        """Let a verb draw with a pattern in colour; in a port without colours with its bits.

        Args:
            port: its address.
            verb: PAINT, ERASE or FILL.
            pattern: the handle of a PixPat.
        """
        if at.is_color_port(self.guest.read(port, GrafPort.size)):
            CGrafPort(self.guest, port)[_PATTERNS[verb][1]] = pattern
        else:
            bits = PixPat(self.guest, self._memory.address(pattern)).pat1Data
            GrafPort(self.guest, port)[_PATTERNS[verb][0]] = bits

    def tile(self, record: bytes, verb: int, space: ColorSpace) -> Pixels | None:
        """The pixels of the pattern in colour that a verb draws with; None for one of bits."""
        if verb == INVERT or not at.is_color_port(record):
            return None
        return self._pixel_patterns.tile(_PATTERNS[verb][1].of(record), space)

    def _pixel_pattern(self, record: bytes, verb: int) -> PixPat:
        handle = _PATTERNS[verb][1].of(record)
        return PixPat(self.guest, self._memory.address(handle))


class TransferTerms(Manager):
    """The colours of transfer modes, for QuickDraw's other parts."""

    _memory: MemoryManager

    def start(self) -> None:
        """Inverting inverts, until a program asks for something else."""
        self.guest.put8(LowMemory.HIGHLIGHT_MODE, 0xFF)

    def of(self, record: bytes, mode: int) -> ArithmeticTerms:
        """What a port, given by its bytes, adds to a transfer mode, if it is an arithmetic one."""
        if mode < BLEND:
            return NO_TERMS
        if at.is_color_port(record):
            handle = CGrafPort.grafVars.of(record)
            if self._memory.is_handle(handle) and self._memory.handle_size(handle) >= GrafVars.size:
                extra = GrafVars(self.guest, self._memory.address(handle))
                return terms_of(rgb(extra.rgbOpColor.read()), rgb(extra.rgbHiliteColor.read()))
        return terms_of(BLACK, rgb(self.guest.read(LowMemory.HIGHLIGHT_COLOR, RGBColor.size)))

    def highlight_next(self) -> None:
        """Let the next inverting highlight, as a program or a picture asks for it."""
        flags = self.guest.u8(LowMemory.HIGHLIGHT_MODE)
        self.guest.put8(LowMemory.HIGHLIGHT_MODE, flags & ~_NOT_HIGHLIGHTING)

    def takes_highlighting(self) -> bool:
        """Whether the program asked to highlight instead of inverting; that counts once."""
        flags = self.guest.u8(LowMemory.HIGHLIGHT_MODE)
        if flags & _NOT_HIGHLIGHTING:
            return False
        self.guest.put8(LowMemory.HIGHLIGHT_MODE, flags | _NOT_HIGHLIGHTING)
        return True
