"""The Desk Manager: desk accessories, which are drivers that a program installs for itself.

This system has none of its own.
Source: Inside Macintosh I, chapter 14 "The Desk Manager".
"""

from __future__ import annotations

from emu.toolbox.computer.clock import TICKS_A_SECOND
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.events.accessories import EVENT_COMMAND, Accessories
from emu.toolbox.managers.events.tracking import WindowTracking
from emu.toolbox.managers.hardware.devices import DRIVER_OPEN, DeviceManager
from emu.toolbox.managers.time.tasks import TimeManager
from emu.toolbox.managers.windows.access import WindowAccess
from emu.toolbox.managers.windows.frames import IN_DRAG, IN_GO_AWAY
from emu.toolbox.managers.windows.manager import WindowManager
from emu.toolbox.records.quickdraw import GrafPort
from emu.toolbox.records.system import EventRecord

_RUN, _CURSOR, _UNDO = 65, 66, 68
_NEEDS_TIME = 0x2000
_PATIENCE = 20
"""How often a program may call SystemTask before time passes that it does not ask for."""
_TICK = int(1_000_000 / TICKS_A_SECOND)


class DeskManager(Manager):
    """Events, clicks and time for the windows of drivers."""

    _devices: DeviceManager
    _windows: WindowAccess
    _window_manager: WindowManager
    _window_tracking: WindowTracking
    _accessories: Accessories
    _time: TimeManager

    def __post_init__(self) -> None:
        self._called_at = -1
        self._in_vain = 0

    @routine("PROCEDURE SystemTask")
    def system_task(self) -> None:
        """Give time to each driver that wants some, and the cursor to the one in front."""
        worked = self.host.worked
        self._let_time_pass()
        ticks = self.host.clock.ticks()
        for entry in list(self._devices.drivers()):
            waited = ticks - entry.dCtlCurTicks >= entry.dCtlDelay
            if entry.dCtlFlags & _NEEDS_TIME and entry.dCtlFlags & DRIVER_OPEN and waited:
                entry.dCtlCurTicks = ticks
                self._devices.tell(entry.dCtlRefNum, _RUN)
        if reference := self._accessories.driver_in_front():
            self._devices.tell(reference, _CURSOR)
        # A program that only gives time to its console waits all the same.
        self.host.worked = worked

    def _let_time_pass(self) -> None:
        """A program may wait for what a task does, such as the end of a sound, by this call alone.

        A clock that counts questions for the time stands still meanwhile, until it has been called
        some times in a row.
        """
        clock = self.host.clock
        self._in_vain = self._in_vain + 1 if clock.now() == self._called_at else 0
        if self._in_vain >= _PATIENCE:
            clock.wait(_TICK)
            self.host.show_time()
        self._called_at = clock.now()
        self._time.run_due()

    @routine("PROCEDURE SystemClick (VAR theEvent: EventRecord; theWindow: WindowPtr)")
    def system_click(self, event: int, window: int) -> None:
        """Hand a click to the driver of a window, or bring the window to the front."""
        reference = self._accessories.driver_of(window)
        if not reference:
            return
        where = EventRecord(self.guest, event).where
        part = self._windows.at(where)[0]
        if part == IN_DRAG:
            screen = self._windows.window_manager_port + GrafPort.portRect.offset
            self._window_tracking.drag_window(window, where, screen)
        elif window != self._windows.front():
            self._window_manager.select_window(window)
        elif part != IN_GO_AWAY:
            self._devices.tell(reference, EVENT_COMMAND, event)
        elif self._window_tracking.track_go_away(window, where):
            self._devices.close(reference)

    @routine("FUNCTION SystemEvent (VAR theEvent: EventRecord): BOOLEAN")
    def system_event(self, event: int) -> bool:
        """Hand an event to the driver whose it is; whether there is one."""
        return self._accessories.take(event)

    @routine("FUNCTION SystemEdit (editCmd: INTEGER): BOOLEAN")
    def system_edit(self, command: int) -> bool:
        """Hand an Edit command to the driver in front; whether there is one."""
        reference = self._accessories.driver_in_front()
        if reference:
            self._devices.tell(reference, _UNDO + command)
        return bool(reference)

    @routine("PROCEDURE SystemMenu (menuResult: LONGINT)")
    def system_menu(self, choice: int) -> None:
        """A choice from a desk accessory's menu; there is none."""

    @routine("FUNCTION OpenDeskAcc (theAcc: Str255): INTEGER")
    def open_desk_acc(self, name: int) -> int:
        """Open a desk accessory; 0, since there is none of any name."""
        return 0

    @routine("PROCEDURE CloseDeskAcc (refNum: INTEGER)")
    def close_desk_acc(self, reference: int) -> None:
        """Close a desk accessory; there is none."""
