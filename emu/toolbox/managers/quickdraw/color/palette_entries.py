"""The Palette Manager's routines for the entries of palettes, and for colour tables made of them.

A colour that is animated changes in the palette, and not in pixels that are drawn already, since
the screen keeps its colours.
Source: Inside Macintosh VI, chapter 20 "The Palette Manager".
"""

from __future__ import annotations

import struct

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.color.colors import BACKGROUND, FOREGROUND, Colors, Ink
from emu.toolbox.managers.quickdraw.color.devices import GraphicsDevices
from emu.toolbox.managers.quickdraw.color.palettes import ENTRY, EXPLICIT, HEADER, USAGE, Palettes
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.ports.inks import Rgb, pixel_of, rgb
from emu.toolbox.records.fields import int16, nested
from emu.toolbox.records.quickdraw import CGrafPort, ColorSpec, ColorTable, GrafPort, RGBColor
from emu.toolbox.records.record import Record

_VERSION = 0x0202
_COLOR_SIZE = RGBColor.size
_USAGE_PLACE = _COLOR_SIZE
_MOST_ENTRIES = 0x7FFF  # the count that a palette begins with is an INTEGER


class SavedColor(Record):
    """A colour that SaveFore or SaveBack has kept; the word before says whether it is one."""

    flag = int16()
    color = nested(RGBColor)


class PaletteEntries(Manager):
    """Reads and changes palettes."""

    _memory: MemoryManager
    _quickdraw: QuickDraw
    _colors: Colors
    _devices: GraphicsDevices
    _palettes: Palettes

    def _place(self, palette: int, entry: int) -> int:
        """The address of an entry; 0 if the palette has none of this number."""
        size = self._memory.handle_size(palette)
        place = HEADER + ENTRY * entry
        return self._memory.address(palette) + place if entry >= 0 and place + ENTRY <= size else 0

    # -- entries -----------------------------------------------------------------------------------

    @routine("PROCEDURE InitPalettes")
    def init_palettes(self) -> None:
        """Prepare for palettes, which InitWindows does too."""

    @routine(
        "PROCEDURE GetEntryColor (srcPalette: PaletteHandle; srcEntry: INTEGER; "
        "VAR dstRGB: RGBColor)"
    )
    def get_entry_color(self, palette: int, entry: int, result: int) -> None:
        """The colour of an entry."""
        place = self._place(palette, entry)
        if place:
            self.guest.write(result, self.guest.read(place, _COLOR_SIZE))

    @routine("PROCEDURE SetEntryColor (dstPalette: PaletteHandle; dstEntry: INTEGER; srcRGB: Ptr)")
    def set_entry_color(self, palette: int, entry: int, color: int) -> None:
        """Give an entry a colour."""
        place = self._place(palette, entry)
        if place:
            self.guest.write(place, self.guest.read(color, _COLOR_SIZE))

    @routine(
        "PROCEDURE GetEntryUsage (srcPalette: PaletteHandle; srcEntry: INTEGER; "
        "VAR dstUsage,dstTolerance: INTEGER)"
    )
    def get_entry_usage(self, palette: int, entry: int, usage: int, tolerance: int) -> None:
        """How an entry is to be used, and how far its colour may be off."""
        place = self._place(palette, entry)
        if place:
            self.guest.put16(usage, self.guest.u16(place + _USAGE_PLACE))
            self.guest.put16(tolerance, self.guest.u16(place + _USAGE_PLACE + 2))

    @routine(
        "PROCEDURE SetEntryUsage (dstPalette: PaletteHandle; dstEntry: INTEGER; "
        "srcUsage,srcTolerance: INTEGER)"
    )
    def set_entry_usage(self, palette: int, entry: int, usage: int, tolerance: int) -> None:
        """Say how an entry is to be used; -1 leaves what there is."""
        place = self._place(palette, entry)
        for offset, value in ((0, usage), (2, tolerance)):
            if place and value != -1:
                self.guest.put16(place + _USAGE_PLACE + offset, value)

    @routine("PROCEDURE AnimateEntry (dstWindow: WindowPtr; dstEntry: INTEGER; srcRGB: Ptr)")
    def animate_entry(self, window: int, entry: int, color: int) -> None:
        """Change a colour of a window's palette."""
        palette = self._palettes.get_palette(window)
        if palette:
            self.set_entry_color(palette, entry, color)

    @routine(
        "PROCEDURE AnimatePalette (dstWindow: WindowPtr; srcCTab: CTabHandle; "
        "srcIndex,dstEntry,dstLength: INTEGER)"
    )
    def animate_palette(self, window: int, table: int, index: int, entry: int, count: int) -> None:
        """Change colours of a window's palette to those of a table."""
        palette = self._palettes.get_palette(window)
        first, size = self._palettes.entries(table)
        for number in range(count if palette else 0):
            if 0 <= index + number < size:
                color = first + ColorSpec.size * (index + number) + ColorSpec.rgb.offset
                self.set_entry_color(palette, entry + number, color)

    @routine(
        "PROCEDURE CopyPalette (srcPalette,dstPalette: PaletteHandle; "
        "srcEntry,dstEntry,dstLength: INTEGER)"
    )
    def copy_palette(self, source: int, target: int, first: int, to: int, count: int) -> None:
        """Copy entries of a palette into another one, which grows if need be."""
        if source and target and count > 0:
            entries = self._memory.contents(source)[HEADER + ENTRY * first :][: ENTRY * count]
            data = bytearray(self._memory.contents(target))
            place = HEADER + ENTRY * to
            data = data.ljust(place, b"\0")
            data[place : place + len(entries)] = entries
            self._store(target, bytes(data[HEADER:]))

    @routine("PROCEDURE ResizePalette (p: PaletteHandle; size: INTEGER)")
    def resize_palette(self, palette: int, count: int) -> None:
        """Give a palette more or fewer entries; new ones are black."""
        size = ENTRY * max(count, 0)
        data = self._memory.contents(palette)[HEADER : HEADER + size]
        self._store(palette, data.ljust(size, b"\0"))

    def _store(self, palette: int, entries: bytes) -> None:
        count = len(entries) // ENTRY
        if count > _MOST_ENTRIES:
            raise self.host.stopped(f"a palette has at most {_MOST_ENTRIES} entries, not {count}")
        header = struct.pack(">h", count) + self._memory.contents(palette)[2:HEADER]
        self._memory.set_contents(palette, header.ljust(HEADER, b"\0") + entries)

    # -- colour tables -----------------------------------------------------------------------------

    @routine(
        "PROCEDURE CTab2Palette (srcCTab: CTabHandle; dstPalette: PaletteHandle; "
        "srcUsage,srcTolerance: INTEGER)"
    )
    def c_tab_2_palette(self, table: int, palette: int, usage: int, tolerance: int) -> None:
        """Make a palette of a table's colours."""
        if not table or not palette:
            return
        first, size = self._palettes.entries(table)
        use = USAGE.pack(usage, tolerance).ljust(ENTRY - _COLOR_SIZE, b"\0")
        colors = [
            self.guest.read(first + ColorSpec.size * number + ColorSpec.rgb.offset, _COLOR_SIZE)
            for number in range(size)
        ]
        self._store(palette, b"".join(color + use for color in colors))

    @routine("PROCEDURE Palette2CTab (srcPalette: PaletteHandle; dstCTab: CTabHandle)")
    def palette_2_c_tab(self, palette: int, table: int) -> None:
        """Make a colour table of a palette's colours."""
        if not table or not palette:
            return
        data = self._memory.contents(palette)
        colors = [
            data[place : place + _COLOR_SIZE]
            for place in range(HEADER, len(data) - ENTRY + 1, ENTRY)
        ]
        header = ColorTable.copied(self._memory.contents(table)[: ColorTable.size].ljust(8, b"\0"))
        header.ctSize = len(colors) - 1
        specs = b"".join(struct.pack(">h", n) + color for n, color in enumerate(colors))
        self._memory.set_contents(table, header.read() + specs)

    @routine("FUNCTION Entry2Index (entry: INTEGER): LONGINT")
    def entry_2_index(self, entry: int) -> int:
        """The pixel value of an entry of the current window's palette."""
        place = self._place(self._palettes.current(), entry) if self._palettes.current() else 0
        if place and self.guest.u16(place + _USAGE_PLACE) & EXPLICIT:
            return entry & (1 << self._quickdraw.screen.depth) - 1
        color: Rgb = rgb(self.guest.read(place, _COLOR_SIZE)) if place else (0, 0, 0)
        return pixel_of(color, self._quickdraw.screen.space)

    @routine("PROCEDURE RestoreDeviceClut (gd: Handle)")
    def restore_device_clut(self, device: int) -> None:
        """Give the screen its standard colours."""
        self._devices.restore_table()

    @routine(
        "FUNCTION GetGray (device: Handle; backGround: Ptr; VAR foreGround: RGBColor): BOOLEAN"
    )
    def get_gray(self, device: int, background: int, foreground: int) -> bool:
        """The colour between two, and whether the screen has one that differs from both."""
        ends = [rgb(self.guest.read(place, _COLOR_SIZE)) for place in (background, foreground)]
        red, green, blue = ((first + other) // 2 for first, other in zip(*ends, strict=True))
        space = self._quickdraw.screen.space
        pixels = [pixel_of(color, space) for color in (*ends, (red, green, blue))]
        if pixels[2] in pixels[:2]:
            return False
        self.guest.write(foreground, struct.pack(">3H", red, green, blue))
        return True

    @routine("FUNCTION PMgrVersion : INTEGER")
    def p_mgr_version(self) -> int:
        """The version of the Palette Manager."""
        return _VERSION

    # -- colours kept for a while ------------------------------------------------------------------

    @routine("PROCEDURE SaveFore (VAR c: Ptr)")
    def save_fore(self, place: int) -> None:
        """Keep the current port's foreground."""
        self._save(FOREGROUND, place)

    @routine("PROCEDURE SaveBack (VAR c: Ptr)")
    def save_back(self, place: int) -> None:
        """Keep the current port's background."""
        self._save(BACKGROUND, place)

    @routine("PROCEDURE RestoreFore (c: Ptr)")
    def restore_fore(self, place: int) -> None:
        """Draw with a colour that was kept."""
        self._restore(FOREGROUND, place)

    @routine("PROCEDURE RestoreBack (c: Ptr)")
    def restore_back(self, place: int) -> None:
        """Draw on a colour that was kept."""
        self._restore(BACKGROUND, place)

    def _save(self, ink: Ink, place: int) -> None:
        port, saved = self._quickdraw.port, SavedColor(self.guest, place)
        saved.flag = 0
        if self._quickdraw.is_color_port(port):
            saved.color.write(CGrafPort(self.guest, port)[ink.rgb].read())
        else:
            # An old port has the number of one of eight colours.
            self.guest.put32(saved.color.address, GrafPort(self.guest, port)[ink.classic])

    def _restore(self, ink: Ink, place: int) -> None:
        port, saved = self._quickdraw.port, SavedColor(self.guest, place)
        if self._quickdraw.is_color_port(port):
            self._colors.set_color(ink, rgb(saved.color.read()))
        else:
            GrafPort(self.guest, port)[ink.classic] = self.guest.u32(saved.color.address)
