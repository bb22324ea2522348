"""The Display Manager for the one screen there is, whose driver cannot be told to change.

Gestalt does not tell of it ('dply' is unknown, as without the extension that System 7.1 needs for
it); some games call it all the same.
Sources: Apple's Displays.h of 1993, and of Universal Interfaces 3 for selectors from 0x2C on
(selectors, parameters, result codes).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.color.devices import GraphicsDevices
from emu.toolbox.records.quickdraw import GDevice
from emu.toolbox.records.results import ResultCode

_DISPLAY = 1
"""The number of the screen among displays."""
_SWITCH_INFORMATION_SIZE = 16
_Method = TypeVar("_Method", bound=Callable[..., int | None])


def _display(heading: str, selector: int) -> Callable[[_Method], _Method]:
    return routine(heading, trap=0xABEB, selector=("D0", selector))


class DisplayManager(Manager):
    """Tells of the screen."""

    _devices: GraphicsDevices
    _memory: MemoryManager

    def _is_screen(self, device: int) -> bool:
        return device == self._devices.get_main_device()

    # -- which displays there are ------------------------------------------------------------------

    @_display("FUNCTION DMGetFirstScreenDevice (activeOnly: BOOLEAN): Handle", 0x0)
    def first_screen(self, active: bool) -> int:
        """The device of the first screen."""
        return self._devices.get_main_device()

    @_display(
        "FUNCTION DMGetNextScreenDevice (theDevice: Handle; activeOnly: BOOLEAN): Handle", 0x1
    )
    def next_screen(self, device: int, active: bool) -> int:
        """The device of the next: there is none."""
        return 0

    @_display(
        "FUNCTION DMGetDisplayIDByGDevice (displayDevice: Handle; VAR displayID: LONGINT; "
        "failToMain: BOOLEAN): OSErr",
        0x51F,
    )
    def number_of(self, device: int, result: int, main: bool) -> int:
        """The number of a device's display."""
        if not self._is_screen(device) and not main:
            return ResultCode.kDMDisplayNotFoundErr
        self.guest.put32(result, _DISPLAY)
        return 0

    @_display(
        "FUNCTION DMGetGDeviceByDisplayID (displayID: LONGINT; VAR displayDevice: Handle; "
        "failToMain: BOOLEAN): OSErr",
        0x520,
    )
    def device_of(self, number: int, result: int, main: bool) -> int:
        """The device of a display's number."""
        if number != _DISPLAY and not main:
            return ResultCode.kDMDisplayNotFoundErr
        self.guest.put32(result, self._devices.get_main_device())
        return 0

    # -- what they show ----------------------------------------------------------------------------

    @_display("FUNCTION DMGetDisplayMode (theDevice: Handle; switchInfo: Ptr): OSErr", 0x43E)
    def mode(self, device: int, result: int) -> int:
        """How a device shows its pixels: its mode, page and base address."""
        if not self._is_screen(device):
            return ResultCode.kDMDisplayNotFoundErr
        record = GDevice(self.guest, self._memory.address(device))
        base = self._devices.pixels(device).baseAddr
        self.guest.write(result, bytes(_SWITCH_INFORMATION_SIZE))
        self.guest.put16(result, record.gdMode)
        self.guest.put32(result + 2, _DISPLAY)
        self.guest.put32(result + 8, base)
        return 0

    @_display(
        "FUNCTION DMCheckDisplayMode (theDevice: Handle; mode: LONGINT; depthMode: LONGINT; "
        "VAR switchFlags: LONGINT; reserved: LONGINT; VAR modeOk: BOOLEAN): OSErr",
        0xC12,
    )
    def check_mode(
        self, device: int, mode: int, depth: int, flags: int, reserved: int, result: int
    ) -> int:
        """Whether a device can show its pixels in a way: none can be changed."""
        return ResultCode.kDMDriverNotDisplayMgrAwareErr

    @_display(
        "FUNCTION DMSetDisplayMode (theDevice: Handle; mode: LONGINT; depthMode: Ptr; "
        "reserved: LONGINT; displayState: Handle): OSErr",
        0xA11,
    )
    @_display(
        "FUNCTION DMNewDisplayModeList (displayID: LONGINT; modeListFlags: LONGINT; "
        "reserved: LONGINT; thePanelCount: Ptr; thePanelList: Ptr): OSErr",
        0xA36,
    )
    @_display(
        "FUNCTION DMGetIndexedDisplayModeFromList (panelList: Ptr; itemIndex: LONGINT; "
        "reserved: LONGINT; listIterator: ProcPtr; userData: Ptr): OSErr",
        0xA37,
    )
    def change_mode(self, *arguments: int) -> int:
        """Change how it does, or list what it could: its driver cannot be told to."""
        return ResultCode.kDMDriverNotDisplayMgrAwareErr

    @_display("FUNCTION DMDisposeList (panelList: Ptr): OSErr", 0x22C)
    def dispose_list(self, place: int) -> int:
        """Free such a list, which was never made."""
        return ResultCode.kDMGenErr

    # -- arranging them ----------------------------------------------------------------------------

    @_display("FUNCTION DMBeginConfigureDisplays (VAR displayState: Handle): OSErr", 0x206)
    def begin(self, state: int) -> int:
        """Begin to arrange displays: the state is an empty handle."""
        self.guest.put32(state, self._memory.new_handle(0))
        return 0

    @_display("FUNCTION DMEndConfigureDisplays (displayState: Handle): OSErr", 0x207)
    def end(self, state: int) -> int:
        """The end of it."""
        self._memory.dispose_handle(state)
        return 0

    @_display(
        "FUNCTION DMSetMainDisplay (newMainDevice: Handle; displayState: Handle): OSErr", 0x410
    )
    @_display("FUNCTION DMEnableDisplay (enableDevice: Handle; displayState: Handle): OSErr", 0x40B)
    def keep(self, device: int, state: int) -> int:
        """Make a screen the main one, or use it: that it is already."""
        return 0 if self._is_screen(device) else ResultCode.kDMDisplayNotFoundErr

    @_display("FUNCTION DMCanMirrorNow (VAR canMirrorNow: BOOLEAN): OSErr", 0x217)
    @_display("FUNCTION DMIsMirroringOn (VAR isMirroringOn: BOOLEAN): OSErr", 0x218)
    def mirrors(self, result: int) -> int:
        """Whether two displays show the same, or can: there is one."""
        self.guest.put8(result, 0)
        return 0

    @_display(
        "FUNCTION DMRegisterNotifyProc (notificationProc: ProcPtr; whichPSN: Ptr): OSErr", 0x414
    )
    @_display(
        "FUNCTION DMRemoveNotifyProc (notificationProc: ProcPtr; whichPSN: Ptr): OSErr", 0x415
    )
    def notify(self, procedure: int, process: int) -> int:
        """Have a routine called when displays change, which none does."""
        return 0
