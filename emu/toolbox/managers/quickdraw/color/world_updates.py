"""Offscreen graphics worlds that change, and what is asked of their pixels.

Source: Inside Macintosh: Imaging With QuickDraw, chapter 6.
"""

from __future__ import annotations

import numpy as np

from emu.quickdraw import PixelRegion, PixelView, Rectangle, bytes_in_row, copy_bits
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.color.colors import BACKGROUND, FOREGROUND, Colors
from emu.toolbox.managers.quickdraw.color.devices import GraphicsDevices
from emu.toolbox.managers.quickdraw.color.gworlds import GraphicsWorlds, WorldError
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.ports.bit_maps import BitMaps
from emu.toolbox.managers.quickdraw.ports.deep_pixels import set_depth, table_space
from emu.toolbox.managers.quickdraw.ports.inks import rgb
from emu.toolbox.records.quickdraw import CGrafPort, PixMap
from emu.toolbox.records.results import ResultCode

_CLIP, _STRETCH = 1 << 28, 1 << 29
_NEW_DEPTH, _NEW_ROW_BYTES, _REALLOCATED = 1 << 17, 1 << 19, 1 << 20
_VERSION = 0x0130


class WorldUpdates(Manager):
    """Color QuickDraw's routines for worlds that are there already."""

    _memory: MemoryManager
    _quickdraw: QuickDraw
    _bit_maps: BitMaps
    _colors: Colors
    _devices: GraphicsDevices
    _worlds: GraphicsWorlds

    @routine(
        "FUNCTION UpdateGWorld (VAR offscreenGWorld: Ptr; pixelDepth: INTEGER; boundsRect: Rect; "
        "cTable: CTabHandle; aGDevice: Handle; flags: LONGINT): LONGINT"
    )
    def update_g_world(
        self, variable: int, depth: int, bounds: int, table: int, device: int, flags: int
    ) -> int:
        """Give a world another size or depth; what has changed, or an error below 0.

        Its pixels are white afterwards if their memory is another one, unless the flags say that
        they are to be cut off or stretched.
        """
        guest, memory = self.guest, self._memory
        port = guest.u32(variable)
        handle = CGrafPort(guest, port).portPixMap
        try:
            depth, r = self._worlds.wanted(depth, bounds)
        except WorldError as error:
            return error.code
        old = self._bit_maps.at(port + CGrafPort.portPixMap.offset)
        pixel_map = PixMap(guest, memory.address(handle))
        fresh = self._fresh_table(pixel_map, depth, table)
        same_size = (r.width, r.height) == (old.bounds.width, old.bounds.height)
        if same_size and fresh is None:
            self._move(port, pixel_map, r)
            return 0
        row_bytes = bytes_in_row(r.width, depth)
        pixels = memory.new_pointer(row_bytes * r.height, True)
        if not pixels:
            return ResultCode.memFullErr
        if fresh is not None:
            memory.set_contents(pixel_map.pmTable, fresh)
        pixel_map = PixMap(guest, memory.address(handle))
        space = table_space(memory.contents(pixel_map.pmTable), depth)
        new = guest.pixels(pixels, row_bytes, r, depth, space)
        new.put(r, np.full((r.height, r.width), new.space.white))
        _keep(old, new, flags)
        memory.dispose_pointer(pixel_map.baseAddr)
        pixel_map.baseAddr, pixel_map.rowBytes = pixels, 0x8000 | row_bytes
        set_depth(pixel_map, depth)
        self._move(port, pixel_map, r)
        self._renew_colors(port)
        changed = _REALLOCATED | (_NEW_ROW_BYTES if old.row_bytes != row_bytes else 0)
        return changed | (_NEW_DEPTH if depth != old.depth else 0)

    def _fresh_table(self, pixel_map: PixMap, depth: int, table: int) -> bytes | None:
        """The colour table that a world gets; None if it keeps its own."""
        if table and depth <= 8:
            wanted = self._memory.contents(table)
            return None if wanted == self._memory.contents(pixel_map.pmTable) else wanted
        return None if depth == pixel_map.pixelSize else self._devices.standard_table(depth)

    def _renew_colors(self, port: int) -> None:
        """Let a port's colours be pixel values of what it draws on now."""
        world = CGrafPort(self.guest, port)
        with self._quickdraw.drawing_in(port):
            for ink in (FOREGROUND, BACKGROUND):
                self._colors.set_color(ink, rgb(world[ink.rgb].read()))

    def _move(self, port: int, pixel_map: PixMap, r: Rectangle) -> None:
        pixel_map.bounds = CGrafPort(self.guest, port).portRect = r
        self._quickdraw.clip_visible(port, PixelRegion.from_rectangle(r))

    # -- changes that programs make themselves -----------------------------------------------------

    @routine("PROCEDURE CTabChanged (ctab: CTabHandle)")
    def c_tab_changed(self, table: int) -> None:
        """Tell QuickDraw of a changed colour table, which gets another seed."""
        if table:
            self.guest.put32(self._memory.address(table), self._colors.new_seed())

    @routine("PROCEDURE PortChanged (port: GrafPtr)")
    def port_changed(self, port: int) -> None:
        """Tell QuickDraw of a changed port, which is looked up anew for each drawing call."""

    @routine("PROCEDURE GDeviceChanged (gdh: Handle)")
    def g_device_changed(self, device: int) -> None:
        """Tell QuickDraw of a changed device, which is looked up anew whenever it counts."""

    # -- the memory of pixels ----------------------------------------------------------------------

    @routine("PROCEDURE AllowPurgePixels (pm: PixMapHandle)")
    def allow_purge_pixels(self, pixel_map: int) -> None:
        """Let pixels be purged; they never are."""

    @routine("PROCEDURE NoPurgePixels (pm: PixMapHandle)")
    def no_purge_pixels(self, pixel_map: int) -> None:
        """Keep pixels in memory."""

    @routine("FUNCTION GetPixelsState (pm: PixMapHandle): LONGINT")
    def get_pixels_state(self, pixel_map: int) -> int:
        """The flags of pixels: they can always be reached, and are neither locked nor purgeable."""
        return 0

    @routine("PROCEDURE SetPixelsState (pm: PixMapHandle; state: LONGINT)")
    def set_pixels_state(self, pixel_map: int, state: int) -> None:
        """Restore the flags of pixels."""

    @routine("FUNCTION QDDone (port: GrafPtr): BOOLEAN")
    def qd_done(self, port: int) -> bool:
        """Whether all drawing is done: it is, at once."""
        return True

    @routine("FUNCTION OffscreenVersion : LONGINT")
    def offscreen_version(self) -> int:
        """The version of these routines."""
        return _VERSION


def _keep(old: PixelView, new: PixelView, flags: int) -> None:
    """Copy pixels to their new memory, as far as the flags of UpdateGWorld ask for it."""
    source, target = old.bounds, new.bounds
    if flags & _STRETCH:
        copy_bits(old, source, new, target)
    elif flags & _CLIP:
        width, height = min(source.width, target.width), min(source.height, target.height)
        here = Rectangle(source.top, source.left, source.top + height, source.left + width)
        there = here.offset(target.left - source.left, target.top - source.top)
        copy_bits(old, here, new, there)
