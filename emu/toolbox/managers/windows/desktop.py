"""The desktop: what InitWindows draws, and the Window Manager's ports, which are the whole screen.

Sources: Inside Macintosh I, chapter "The Window Manager"; V, the same (GetCWMgrPort).
"""

from __future__ import annotations

from emu.quickdraw import EMPTY, GRAY, PixelRegion, Rectangle
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.color.colors import Colors
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.painter import Painter
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.managers.windows.access import (
    MENU_BAR_HEIGHT,
    OLD_CONTENT,
    OLD_STRUCTURE,
    SAVED_VISIBLE_REGION,
    WindowAccess,
)
from emu.toolbox.records.quickdraw import CGrafPort, GrafPort


def _desktop_of(screen: Rectangle) -> Rectangle:
    return Rectangle(MENU_BAR_HEIGHT, screen.left, screen.bottom, screen.right)


class Desktop(Manager):
    """The desktop, the empty menu bar, and the ports in which they are drawn."""

    _windows: WindowAccess
    _memory: MemoryManager
    _regions: RegionHandles
    _quickdraw: QuickDraw
    _colors: Colors

    def start(self) -> None:
        """The screen is as the Finder has left it when it starts a program."""
        screen = self._quickdraw.screen.bounds
        painter = Painter.on_screen(self._quickdraw, screen)
        painter.fill(PixelRegion.from_rectangle(_desktop_of(screen)), GRAY)
        self._draw_empty_menu_bar()

    @routine("PROCEDURE InitWindows")
    def init_windows(self) -> None:
        """Draw the desktop and an empty menu bar; windows that are already open stay."""
        quickdraw, guest = self._quickdraw, self.guest
        if self._windows.ready:
            quickdraw.port = guest.u32(LowMemory.WINDOW_MANAGER_PORT)
            return
        self._windows.ready = True
        guest.put8(LowMemory.WINDOW_MANAGER_STATE, 0)
        screen = quickdraw.screen.bounds
        port = self._memory.new_pointer(GrafPort.size, clear=True)
        quickdraw.open_port(port, screen)
        guest.put32(LowMemory.WINDOW_MANAGER_PORT, port)
        # Opened as any port is, it is the current one until the program sets another.
        quickdraw.port = port
        gray = self._regions.new_region(PixelRegion.from_rectangle(_desktop_of(screen)))
        guest.put32(LowMemory.GRAY_REGION, gray)
        for place in (OLD_STRUCTURE, OLD_CONTENT, SAVED_VISIBLE_REGION):
            guest.put32(place, self._regions.new_region(EMPTY))
        if self.host.has_color:
            self._color_port()  # definition functions know it from low memory
        self._windows.list.paint_desktop(self._windows.list.desktop)
        self._draw_empty_menu_bar()

    def _draw_empty_menu_bar(self) -> None:
        """The white bar with the line under it."""
        screen = self._quickdraw.screen.bounds
        bar = Rectangle(screen.top, screen.left, MENU_BAR_HEIGHT, screen.right)
        painter = Painter.on_screen(self._quickdraw, bar)
        painter.erase(bar)
        painter.line((bar.left, bar.bottom - 1), (bar.right, bar.bottom - 1))

    @routine("FUNCTION GetMBarHeight: INTEGER", imports=("LMGetMBarHeight",))
    def get_m_bar_height(self) -> int:
        """How high the menu bar is, in pixels."""
        return self.guest.u16(LowMemory.MENU_BAR_HEIGHT)

    @routine("PROCEDURE GetWMgrPort (VAR wPort: GrafPtr)")
    def get_w_mgr_port(self, result: int) -> None:
        """The port in which frames and the desktop are drawn."""
        self.guest.put32(result, self.guest.u32(LowMemory.WINDOW_MANAGER_PORT))

    @routine("PROCEDURE GetCWMgrPort (VAR wPort: GrafPtr)")
    def get_c_w_mgr_port(self, result: int) -> None:
        """A colour port of the whole screen, in which definition functions draw."""
        self.guest.put32(result, self._color_port())

    def _color_port(self) -> int:
        """That port, made when it is first asked for."""
        place = LowMemory.WINDOW_MANAGER_COLOR_PORT
        if not self.guest.u32(place):
            port = self._memory.new_pointer(CGrafPort.size, clear=True)
            with self._quickdraw.drawing_in(port):
                self._colors.open_on_screen(port)
            self.guest.put32(place, port)
        return self.guest.u32(place)
