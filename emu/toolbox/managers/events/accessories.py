"""Which windows and events are those of desk accessories, and handing them their events.

A window belongs to a driver if its windowKind is the driver's reference number, which is negative.
Source: Inside Macintosh I, chapter 14 "The Desk Manager".
"""

from __future__ import annotations

from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.hardware.devices import DeviceManager
from emu.toolbox.managers.windows.access import WindowAccess
from emu.toolbox.records.system import EventRecord
from emu.toolbox.records.windows import WindowRecord

EVENT_COMMAND = 64
"""accEvent: the command by which a driver gets an event."""

_KEYS_AND_MOUSE_UP = (2, 3, 4, 5)
_UPDATE_AND_ACTIVATE = (6, 8)


class Accessories(Manager):
    """The drivers that have windows."""

    _devices: DeviceManager
    _windows: WindowAccess

    def start(self) -> None:
        """GetNextEvent hands events to desk accessories."""
        self.guest.put8(LowMemory.SYSTEM_EVENTS, 0xFF)

    def driver_of(self, window: int) -> int:
        """The reference number of the driver that a window belongs to; 0 for one of the program."""
        if not self._windows.is_window(window):
            return 0
        return min(WindowRecord(self.guest, window).windowKind, 0)

    def driver_in_front(self) -> int:
        """The reference number of the driver whose window is in front; 0 if none is."""
        return self.driver_of(self._windows.front())

    def take(self, address: int) -> bool:
        """Hand an event to the driver whose it is; whether there is one that wants it.

        Updates and activations are of the window that they name, and keys of the window in front.
        A press of the mouse is left to the program, which calls SystemClick.
        """
        event = EventRecord(self.guest, address)
        reference = 0
        if event.what in _UPDATE_AND_ACTIVATE:
            reference = self.driver_of(event.message)
        elif event.what in _KEYS_AND_MOUSE_UP:
            reference = self.driver_in_front()
        driver = self._devices.driver(reference) if reference else None
        if driver is None or not driver.dCtlEMask >> event.what & 1:
            return False
        self._devices.tell(reference, EVENT_COMMAND, address)
        return True
