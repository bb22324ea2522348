"""DeviceLoop: drawing that a program does anew for each screen that it touches.

Source: Inside Macintosh VI, chapter "Graphics Devices Manager" (DeviceLoop).
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.color.devices import GraphicsDevices
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.records.quickdraw import GDevice, GrafPort

_HEADING = (
    "PROCEDURE Draw (depth: INTEGER; deviceFlags: INTEGER; targetDevice: Handle; userData: LONGINT)"
)


class DeviceLoopManager(Manager):
    """Calls a drawing routine of the program for the one screen there is."""

    title = "QuickDraw"

    _memory: MemoryManager
    _quickdraw: QuickDraw
    _regions: RegionHandles
    _devices: GraphicsDevices

    @routine(
        "PROCEDURE DeviceLoop (drawingRgn: RgnHandle; drawingProc: ProcPtr; userData: LONGINT; "
        "flags: LONGINT)"
    )
    def device_loop(self, region: int, procedure: int, data: int, flags: int) -> None:
        """Let a part of the current port be drawn with the screen's depth.

        Nothing is called if no pixel of the part is visible.
        """
        regions, port = self._regions, GrafPort(self.guest, self._quickdraw.port)
        visible = regions.region(port.visRgn)
        part = regions.region(region).intersect(visible).intersect(regions.region(port.clipRgn))
        if part.empty:
            return
        device = self._devices.get_main_device()
        gd_flags = GDevice(self.guest, self._memory.address(device)).gdFlags
        depth = self._quickdraw.screen.depth
        self.host.call_guest(procedure, _HEADING, depth, gd_flags, device, data)
