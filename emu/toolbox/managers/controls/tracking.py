"""The Control Manager: following the mouse in controls."""

from __future__ import annotations

from emu.quickdraw import PixelRegion, Rectangle
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.controls.existing_controls import ControlList
from emu.toolbox.managers.controls.looks import IN_THUMB, SCROLL_BAR
from emu.toolbox.managers.controls.manager import ControlManager
from emu.toolbox.managers.controls.popups import IN_LABEL, IN_MENU, PopupControls
from emu.toolbox.managers.events.drag_outline import DragOutline
from emu.toolbox.managers.events.manager import EventManager
from emu.toolbox.managers.events.tracking import DragPath, WindowTracking
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.windows.access import WindowAccess
from emu.toolbox.records.windows import WindowRecord

_USE_CONTROLS_OWN = 0xFFFFFFFF
_FIRST_INDICATOR = 128
_SLOP = 25
"""How far from a scroll bar the mouse may be while the thumb still follows it; pixels."""


class ControlTracking(Manager):
    """Routines that say where in a control the mouse is, and follow it."""

    _quickdraw: QuickDraw
    _windows: WindowAccess
    _events: EventManager
    _window_tracking: WindowTracking
    _controls: ControlList
    _control_manager: ControlManager
    _popups: PopupControls

    @routine("FUNCTION TestControl (theControl: ControlHandle; thePt: Point): INTEGER")
    def test_control(self, control: int, place: Point) -> int:
        """The part of a control at a point of its window; 0 if it is out of use or hidden."""
        controls = self._controls
        if not controls.is_visible(control):
            return 0
        return controls.part_at(control, place)

    @routine(
        "FUNCTION FindControl (thePoint: Point; theWindow: WindowPtr; "
        "VAR theControl: ControlHandle): INTEGER"
    )
    def find_control(self, place: Point, window: int, result: int) -> int:
        """The control at a point of a window, and the part of it."""
        self.guest.put32(result, 0)
        self._windows.must_be_window(window)
        if not WindowRecord(self.guest, window).visible:
            return 0
        for control in self._controls.of(window):
            part = self.test_control(control, place)
            if part:
                self.guest.put32(result, control)
                return part
        return 0

    @routine(
        "FUNCTION TrackControl (theControl: ControlHandle; startPt: Point; "
        "actionProc: ProcPtr): INTEGER"
    )
    def track_control(self, control: int, start: Point, action: int) -> int:
        """Follow the mouse from a press in a control; the part it is let go in, or 0."""
        controls = self._controls
        part = self.test_control(control, start)
        if not part:
            return 0
        if action == _USE_CONTROLS_OWN:
            action = self._controls.record(control).contrlAction
        if controls.is_popup(control):
            return self._track_popup(control)
        if part >= _FIRST_INDICATOR and controls.has_own_definition(control):
            return self._track_indicator(control, start)
        if part == IN_THUMB:
            return self._track_thumb(control, start, action)
        return self._track_part(control, part, action)

    def _local_mouse(self, control: int, mouse: Point) -> Point:
        return self._quickdraw.to_local(self._controls.owner(control), mouse)

    def _track_part(self, control: int, part: int, action: int) -> int:
        controls = self._controls
        inside = False
        for mouse in self._window_tracking.while_mouse_is_down():
            # The program's action may have disposed of the control, or of its window.
            if not controls.is_control(control):
                return 0
            inside = self._part_at(control, self._local_mouse(control, mouse)) == part
            controls.set_highlight(control, part if inside else 0)
            if action and self._events.mouse_is_down():
                self.host.call_guest(
                    action,
                    "PROCEDURE Action (theControl: ControlHandle; partCode: INTEGER)",
                    control,
                    part if inside else 0,
                )
        if not controls.is_control(control):
            return 0
        controls.set_highlight(control, 0)
        return part if inside else 0

    def _track_popup(self, control: int) -> int:
        """Let the user choose an item, which becomes the control's setting."""
        controls = self._controls
        controls.set_highlight(control, IN_LABEL)
        item = self._popups.choose(control)
        if not controls.is_control(control):
            return 0
        controls.set_highlight(control, 0)
        if item:
            self._control_manager.set_control_value(control, item)
        return IN_MENU if item else 0

    def _part_at(self, control: int, place: Point) -> int:
        return self._controls.part_at(control, place)

    def _track_indicator(self, control: int, start: Point) -> int:
        """Follow the mouse, and let the program's own function move the indicator by as much."""
        place = start
        for mouse in self._window_tracking.while_mouse_is_down():
            place = self._local_mouse(control, mouse)
        return self._controls.move_indicator(control, place.v - start.v, place.h - start.h)

    def _track_thumb(self, control: int, start: Point, action: int) -> int:
        controls = self._controls
        look, owner = controls.look(control), controls.owner(control)
        place = start

        def thumb_start() -> int | None:
            """To where the mouse has taken the thumb; None if it is too far away."""
            if not look.r.inset(-_SLOP, -_SLOP).contains(place.h, place.v):
                return None
            moved = place.v - start.v if look.is_vertical else place.h - start.h
            return look.thumb_start() + moved

        def outline() -> DragOutline | None:
            chosen = thumb_start()
            if chosen is None:
                return None
            return DragOutline.around(PixelRegion.from_rectangle(look.thumb_at(chosen)), owner)

        for mouse in self._window_tracking.while_mouse_is_down(outline):
            place = self._local_mouse(control, mouse)
            if action:
                self.host.call_guest(action, "PROCEDURE Action")
        chosen = thumb_start()
        if chosen is None:
            return 0
        self._control_manager.set_control_value(control, look.value_at(chosen))
        return IN_THUMB

    @routine(
        "PROCEDURE DragControl (theControl: ControlHandle; startPt: Point; "
        "limitRect,slopRect: Rect; axis: INTEGER)"
    )
    def drag_control(self, control: int, start: Point, limit: int, slop: int, axis: int) -> None:
        """Let the user move a control; of a scroll bar, its thumb."""
        look = self._controls.look(control)
        if look.kind == SCROLL_BAR:
            self._track_thumb(control, start, 0)
            return
        went = self._window_tracking.drag(
            DragPath(start, self._rectangle(limit), self._rectangle(slop), axis),
            DragOutline.around(PixelRegion.from_rectangle(look.r), self._controls.owner(control)),
        )
        dv, dh = (went >> 16 & 0xFFFF ^ 0x8000) - 0x8000, (went & 0xFFFF ^ 0x8000) - 0x8000
        if dh != -0x8000 and (dh, dv) != (0, 0):
            self._control_manager.move_control(control, look.r.left + dh, look.r.top + dv)

    def _rectangle(self, address: int) -> Rectangle:
        return self.guest.rect(address)
