"""WDEF 0 of the System file: standard windows, for programs that call it themselves.

A definition function of a program's own often leaves most of its work to that of the system, which
it finds by GetResource. The resource is a trap word that leads here.
Source: Inside Macintosh I, chapter "The Window Manager", "Defining your own windows".
"""

from __future__ import annotations

from dataclasses import replace

from emu.quickdraw import PixelRegion, frame_rectangle
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.painter import Painter
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.managers.windows.access import WindowAccess
from emu.toolbox.managers.windows.definitions import WindowMessage
from emu.toolbox.managers.windows.fields import WindowFields
from emu.toolbox.managers.windows.frames import (
    IN_GO_AWAY,
    IN_ZOOM_IN,
    IN_ZOOM_OUT,
    Frame,
    WindowKind,
)
from emu.toolbox.records.windows import WindowRecord
from emu.toolbox.system_file.code import WINDOWS_TRAP

_FIND_WINDOW = 2
"""How much larger FindWindow's part codes are than those of a definition function."""

_VARIATIONS = 15


class SystemWindowDefinition(Manager):
    """Does for a window what its own definition function leaves to the system's."""

    plumbing = True

    _quickdraw: QuickDraw
    _regions: RegionHandles
    _windows: WindowAccess
    _window_fields: WindowFields

    @routine(
        "FUNCTION WindowDefinition (varCode: INTEGER; theWindow: WindowPtr; message: INTEGER; "
        "param: LONGINT): LONGINT",
        trap=WINDOWS_TRAP,
        architecture="m68k",
    )
    def window_definition(self, variant: int, window: int, message: int, parameter: int) -> int:
        """Draw a standard window in the current port, find its parts or compute its regions."""
        self._windows.must_be_window(window)
        # Only a variation can stand in a definition ID; a program may pass any word.
        kind = WindowKind(variant & _VARIATIONS)
        frame = replace(self._windows.list.frame(window), kind=kind)
        if message == WindowMessage.DRAW:
            self._draw(frame, (parameter & 0xFFFF) + _FIND_WINDOW)
        elif message == WindowMessage.HIT:
            vertical, horizontal = parameter >> 16, (parameter & 0xFFFF ^ 0x8000) - 0x8000
            return max(0, frame.part_at(horizontal, vertical) - _FIND_WINDOW)
        elif message == WindowMessage.CALCULATE_REGIONS:
            record = WindowRecord(self.guest, window)
            self._set(record.strucRgn, frame.kind.structure(frame.content))
            self._set(record.contRgn, frame.kind.content(frame.content))
        elif message == WindowMessage.GROW:
            outline = frame.kind.frame(self.guest.rect(parameter))
            self._painter().invert(frame_rectangle(outline, (1, 1)))
        elif message == WindowMessage.DRAW_GROW_ICON:
            self._window_fields.draw_standard_grow_icon(window, frame.kind)
        return 0

    def _draw(self, frame: Frame, part: int) -> None:
        """Draw a frame, or for a box's part code change whether the box is highlighted."""
        if part == IN_GO_AWAY:
            self._painter().invert(frame.kind.close_box(frame.content).inset(1, 1))
        elif part in (IN_ZOOM_IN, IN_ZOOM_OUT):
            self._painter().invert(frame.kind.zoom_box(frame.content).inset(1, 1))
        else:
            frame.draw(self._painter())

    def _painter(self) -> Painter:
        return Painter.in_port(self._quickdraw, self._quickdraw.port)

    def _set(self, handle: int, region: PixelRegion) -> None:
        self._regions.set_region(handle, region)
