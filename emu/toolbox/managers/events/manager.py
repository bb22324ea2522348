"""The Event Manager: the queue, the mouse, the keyboard, and waiting.

Nobody sits in front of this Macintosh. Whenever the program looks for an event and there is none,
time passes and the *user*, a script or a patient default one, may do something.
Sources: Inside Macintosh I, chapter 8 "The Toolbox Event Manager"; II, "The Operating System
Event Manager"; Macintosh Toolbox Essentials, chapter 2 (WaitNextEvent).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

from emu.toolbox.computer.clock import TICK
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.events.accessories import Accessories
from emu.toolbox.managers.events.drag_outline import DragOutline
from emu.toolbox.managers.events.event import (
    ACTIVATE,
    AUTO_KEY,
    HIGH_LEVEL,
    KEY_DOWN,
    KEY_UP,
    MOUSE_DOWN,
    MOUSE_MOVED,
    MOUSE_UP,
    NULL,
    OPERATING_SYSTEM,
    UPDATE,
    Event,
)
from emu.toolbox.managers.events.event_queue import EventQueue
from emu.toolbox.managers.events.held_input import HeldInput
from emu.toolbox.managers.events.key_repeat import KeyRepeat
from emu.toolbox.managers.events.user import Nobody, User
from emu.toolbox.managers.quickdraw.color.cursor import CursorManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.managers.time.tasks import TimeManager
from emu.toolbox.managers.windows.access import WindowAccess
from emu.toolbox.managers.windows.updates import WindowUpdates
from emu.toolbox.records.results import Modifier
from emu.toolbox.records.system import EventRecord

_QUEUED = (*(kind for kind in range(1, 16) if kind not in (UPDATE, ACTIVATE)), HIGH_LEVEL)


class EventManager(Manager):
    """Routines that look for events.

    Attributes:
        user: who acts when the program waits.
        is_played: whether a person plays the program, or an exact recording of one is repeated. If
            so, sleep ends with the tick in which an event comes, keys that are held are repeated,
            the program is told of a mouse that leaves its region, and file dialogs are shown. A
            script has no use for all that, and the log of its run is shorter without.
        mouse: the pointer's place, in global coordinates.
        null_events: how many null events the program has got since anything was posted.
        looks: how often it has looked for an event, the button or a key since then.
    """

    title: ClassVar[str] = "Event Manager"

    _time: TimeManager
    _quickdraw: QuickDraw
    _regions: RegionHandles
    _cursor: CursorManager
    _windows: WindowAccess
    _window_updates: WindowUpdates
    _accessories: Accessories

    def __post_init__(self) -> None:
        self.user: User = Nobody()
        self.is_played = False
        self._repeat = KeyRepeat()
        self._held = HeldInput(self.guest)
        self.mouse = Point(self.host.settings.screen[1] // 2, self.host.settings.screen[0] // 2)
        self._queue = EventQueue()
        self._down = self._acting = False
        self._waited = self.null_events = self.looks = 0
        self._told: set[int] = set()  # windows whose update events came since time last passed

    def start(self) -> None:
        """Show the mouse in low memory, and queue everything but key-up events."""
        self._mask = 0xFFEF
        self._show_mouse()

    @property
    def _mask(self) -> int:
        """Which events are queued at all; 68K programs set it in low memory."""
        return self.guest.u16(LowMemory.SYSTEM_EVENT_MASK)

    @_mask.setter
    def _mask(self, mask: int) -> None:
        self.guest.put16(LowMemory.SYSTEM_EVENT_MASK, mask)

    # -- for other managers and the user ---------------------------------------------------------

    def post(self, what: int, message: int, where: Point | None = None, modifiers: int = 0) -> None:
        """Put an event at the end of the queue; a full queue loses its oldest, as on a Mac."""
        self._waited = self.null_events = self.looks = 0
        place = self.mouse if where is None else where
        self._queue.add(Event(what, message, self.host.clock.ticks(), place, modifiers))

    def move_mouse(self, place: Point) -> None:
        """Put the pointer somewhere, in global coordinates."""
        if place != self.mouse:
            self._cursor.is_obscured = False
        self.mouse = place
        self._show_mouse()

    def press_mouse(self, modifiers: int = 0) -> None:
        """Hold the mouse button down."""
        self._down = True
        self._show_mouse()
        self.post(MOUSE_DOWN, 0, modifiers=modifiers)

    def release_mouse(self, modifiers: int = 0) -> None:
        """Let the mouse button go."""
        self._down = False
        self._show_mouse()
        self.post(MOUSE_UP, 0, modifiers=modifiers | Modifier.btnState)

    def press_key(self, message: int, modifiers: int = 0) -> None:
        """Press a key and let it go."""
        self.post(KEY_DOWN, message, modifiers=modifiers | Modifier.btnState)
        if self._mask & 1 << KEY_UP:
            self.post(KEY_UP, message, modifiers=modifiers | Modifier.btnState)

    def key_down(self, message: int, modifiers: int = 0) -> None:
        """Press a key and hold it: GetKeys tells of it until `key_up`."""
        self._held.mark(message >> 8 & 0x7F, held=True)
        self._repeat.press(message, self.host.clock.ticks())
        self.post(KEY_DOWN, message, modifiers=modifiers | Modifier.btnState)

    def key_up(self, message: int, modifiers: int = 0) -> None:
        """Let a key go."""
        self._held.mark(message >> 8 & 0x7F, held=False)
        self._repeat.release(message)
        if self._mask & 1 << KEY_UP:
            self.post(KEY_UP, message, modifiers=modifiers | Modifier.btnState)

    def hold_modifiers(self, names: Iterable[str]) -> None:
        """Hold down these modifier keys and no others."""
        self._held.hold_modifiers(names)

    def mouse_is_down(self) -> bool:
        """Whether the mouse button is held down."""
        return self._down

    def has_mouse_up(self) -> bool:
        """Whether a mouse-up event waits in the queue."""
        return self._queue.has(MOUSE_UP)

    def next(self, mask: int, *, remove: bool) -> Event:
        """The next event that the mask lets through; a null event if there is none.

        Activate events come first, then what was queued, then updates.
        """
        activation = self._windows.activation(remove=remove) if mask >> ACTIVATE & 1 else None
        if activation is not None:
            self._waited = 0
            window, active = activation
            now = self.host.clock.ticks()
            return Event(ACTIVATE, window, now, self.mouse, self._held.modifiers() | active)
        for kinds in ((ACTIVATE,), _QUEUED):
            event = self._queue.first(mask, kinds)
            if event is not None:
                if remove:
                    self._queue.remove(event)
                self._waited = 0
                return event
        window = self._window_updates.update_needed() if mask & 1 << UPDATE else 0
        now = self.host.clock.ticks()
        modifiers = self._held.modifiers()
        if window:
            return Event(UPDATE, window, now, self.mouse, modifiers)
        return Event(NULL, 0, now, self.mouse, modifiers)

    @property
    def looks_in_vain(self) -> int:
        """How often in a row the program has looked for an event and done nothing else."""
        return self._waited

    def idle(self, ticks: int = 1, outline: DragOutline | None = None) -> None:
        """The program waits: time passes, and the user may act.

        Args:
            ticks: how many pass; at least one.
            outline: of what the user drags, which is on the screen meanwhile.

        Raises:
            GuestStopped: it has waited for very long, and the user has nothing left to do.
        """
        self._told.clear()
        self._windows.dismantled.clear()
        self.looks += 1
        self.host.clock.wait(max(1, ticks) * TICK)
        self.host.looked_at = self.host.clock.now()
        self.host.show_time()
        self._time.run_due()
        self._waited = 1 if self.host.worked else self._waited + 1
        self.host.worked = False
        with contextlib.ExitStack() as look:
            if outline is not None:
                look.enter_context(outline.on_screen(self._quickdraw, self._windows.list.desktop))
            acted = self._user_acts()
        if self.is_played:
            self._repeat_key()
        if acted:
            return
        if self._waited > self.host.settings.idle_limit:
            routine_name = self.host.routine_name("the program")
            raise self.host.stopped(
                f"the program has looked for an event {self._waited:,} times in a row "
                f"(last by {routine_name}), and the user has nothing more to do. "
                "A script of macproof run gives what it waits for; in verify nothing happens"
            )

    def _user_acts(self) -> bool:
        """Let the user act; not while asking the program, for one who acts, where an item is."""
        if self._acting:
            return True
        self._acting = True
        try:
            return self.user.act()
        finally:
            self._acting = False

    def _repeat_key(self) -> None:
        """Post an auto-key event if one is due and the program has taken all events before it."""
        message = None if self._queue.is_waiting else self._repeat.take(self.host.clock.ticks())
        if message is not None:
            self.post(AUTO_KEY, message, modifiers=self._held.modifiers())

    def _show_mouse(self) -> None:
        for place in (LowMemory.MOUSE_POSITION, 0x82C, 0x828):  # and RawMouse, MTemp
            self.guest.put_point(place, self.mouse)
        self._held.show_button(is_down=self._down)

    # -- routines ----------------------------------------------------------------------------------

    def _look(
        self, mask: int, address: int, *, remove: bool, sleep: int = 1, mouse_region: int = 0
    ) -> bool:
        event = self.next(mask, remove=remove)
        if event.what == NULL or self._is_repeated(event, remove=remove):
            self.null_events += 1
            self._sleep(1 if event.what == UPDATE else min(sleep, 60), mask, mouse_region)
            event = self.next(mask, remove=remove)
            if event.what == NULL and self._has_left(mouse_region, mask):
                event = replace(event, what=OPERATING_SYSTEM, message=MOUSE_MOVED)
        event.store(EventRecord(self.guest, address))
        return event.what != NULL

    def _sleep(self, ticks: int, mask: int, mouse_region: int) -> None:
        """Let time pass; for a person until the program is to be told of something."""
        if not self.is_played:
            self.idle(ticks)
            return
        for _ in range(max(1, ticks)):
            self.idle()
            if self._queue.first(mask, _QUEUED) is not None or self._has_left(mouse_region, mask):
                return

    def _has_left(self, mouse_region: int, mask: int) -> bool:
        """Whether a person's mouse is outside of the region in which it may move untold."""
        if not (self.is_played and mouse_region and mask >> OPERATING_SYSTEM & 1):
            return False
        region = self._regions.region(mouse_region)
        return not region.empty and not region.contains(self.mouse.h, self.mouse.v)

    def _look_for_program(
        self, mask: int, address: int, sleep: int = 1, mouse_region: int = 0
    ) -> bool:
        """Take the next event; a desk accessory gets its own, and the program is told of none."""
        has_event = self._look(mask, address, remove=True, sleep=sleep, mouse_region=mouse_region)
        hands_over = self.guest.u8(LowMemory.SYSTEM_EVENTS)
        return has_event and not (hands_over and self._accessories.take(address))

    def _is_repeated(self, event: Event, *, remove: bool) -> bool:
        """Whether the program is told again what to update, with nothing else in between.

        It may ignore updates, or always cause new ones. On a Macintosh time passes meanwhile, and
        the user's clicks and keys come before updates (Inside Macintosh I, p. I-245).
        """
        if event.what != UPDATE:
            return False
        if event.message in self._told:
            return True
        if remove:
            self._told.add(event.message)
        return False

    @routine("FUNCTION GetNextEvent (eventMask: EventMask; VAR theEvent: EventRecord): BOOLEAN")
    def get_next_event(self, mask: int, address: int) -> bool:
        """Take the next event."""
        return self._look_for_program(mask, address)

    @routine(
        "FUNCTION WaitNextEvent (eventMask: EventMask; VAR theEvent: EventRecord; sleep: UInt32; "
        "mouseRgn: RgnHandle): BOOLEAN"
    )
    def wait_next_event(self, mask: int, address: int, sleep: int, mouse_region: int) -> bool:
        """Take the next event, or sleep for so many ticks, or until the mouse leaves a region.

        Source of the latter: Macintosh Toolbox Essentials, chapter 2 (mouse-moved events).
        """
        return self._look_for_program(mask, address, sleep, mouse_region)

    @routine("FUNCTION EventAvail (eventMask: EventMask; VAR theEvent: EventRecord): BOOLEAN")
    def event_avail(self, mask: int, address: int) -> bool:
        """Look at the next event and leave it."""
        return self._look(mask, address, remove=False)

    @routine("FUNCTION GetOSEvent (mask: EventMask; VAR theEvent: EventRecord): BOOLEAN")
    def get_os_event(self, mask: int, address: int) -> bool:
        """Take the next event that is neither update nor activate."""
        return self._look(mask & ~(1 << UPDATE | 1 << ACTIVATE), address, remove=True)

    @routine("FUNCTION OSEventAvail (mask: EventMask; VAR theEvent: EventRecord): BOOLEAN")
    def os_event_avail(self, mask: int, address: int) -> bool:
        """Look at it and leave it."""
        return self._look(mask & ~(1 << UPDATE | 1 << ACTIVATE), address, remove=False)

    @routine(
        "FUNCTION PostEvent (eventNum: INTEGER; eventMsg: LONGINT): OSErr",
        trap=0xA02F,
        registers="A0,D0 -> D0",
    )
    def post_event(self, number: int, message: int) -> int:
        """Queue an event; 1 (evtNotEnb) if the system event mask keeps it out."""
        if not 0 < number < 16 or not self._mask >> number & 1:
            return 1
        self.post(number, message & 0xFFFFFFFF, modifiers=self._held.modifiers())
        return 0

    @routine("PROCEDURE FlushEvents (whichMask: UInt16; stopMask: UInt16)", registers="D0,D0high")
    def flush_events(self, which: int, stop: int) -> None:
        """Drop queued events up to one of the stop mask."""
        self._queue.flush(which, stop)

    @routine("PROCEDURE SetEventMask (value: EventMask)")
    def set_event_mask(self, mask: int) -> None:
        """Say which events are queued at all."""
        self._mask = mask

    @routine("FUNCTION Button: BOOLEAN")
    def button(self) -> bool:
        """Whether the mouse button is down.

        A user holds it until the program has had time to look: the state before the user acts
        counts as well. So ``Button`` right after a mouse-down event is true, as on a Mac.
        """
        was_down = self._held.button_is_down
        self.idle()
        return was_down or self._held.button_is_down

    @routine("FUNCTION StillDown: BOOLEAN")
    def still_down(self) -> bool:
        """Whether it has been down since the last mouse-down event; see `button`."""
        was_down = self._down and not self.has_mouse_up()
        self.idle()
        return was_down or (self._down and not self.has_mouse_up())

    @routine("FUNCTION WaitMouseUp: BOOLEAN")
    def wait_mouse_up(self) -> bool:
        """Like StillDown, but takes the mouse-up event away."""
        if self.still_down():
            return True
        self._queue.take(MOUSE_UP)
        return False

    @routine("PROCEDURE GetMouse (VAR mouseLoc: Point)")
    def get_mouse(self, address: int) -> None:
        """The mouse in the current port's coordinates."""
        port = self._quickdraw.port
        place = self._quickdraw.to_local(port, self.mouse) if port else self.mouse
        self.guest.put_point(address, place)

    @routine("PROCEDURE GetKeys (VAR theKeys: Ptr)")
    def get_keys(self, address: int) -> None:
        """The keys held down, a bit each by virtual key code."""
        self.idle()
        self.guest.write(address, self._held.keys())

    @routine("FUNCTION GetDblTime: UInt32")
    def get_double_click_time(self) -> int:
        """Ticks between the clicks of a double click."""
        return self.guest.u32(LowMemory.DOUBLE_CLICK_TIME)

    @routine("FUNCTION GetCaretTime: UInt32")
    def get_caret_time(self) -> int:
        """Ticks between the blinks of the insertion point."""
        return self.guest.u32(LowMemory.CARET_TIME)
