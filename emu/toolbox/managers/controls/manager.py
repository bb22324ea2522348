"""The Control Manager: making, changing and drawing controls."""

from __future__ import annotations

from emu.quickdraw import PixelRegion, Rectangle
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.controls.definitions import ControlDescription
from emu.toolbox.managers.controls.existing_controls import ControlList
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.painter import Painter
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.managers.resources.manager import ResourceManager
from emu.toolbox.managers.resources.template import Template
from emu.toolbox.managers.windows.access import WindowAccess
from emu.toolbox.managers.windows.auxiliary import AuxiliaryRecords
from emu.toolbox.managers.windows.record import local_origin
from emu.toolbox.records.record import RecordField
from emu.toolbox.records.windows import ControlRecord, WindowRecord


class ControlManager(Manager):
    """Controls: buttons, check boxes, radio buttons, scroll bars."""

    _controls: ControlList
    _memory: MemoryManager
    _resources: ResourceManager
    _regions: RegionHandles
    _quickdraw: QuickDraw
    _windows: WindowAccess
    _auxiliary: AuxiliaryRecords

    # -- making and disposing ----------------------------------------------------------------------

    @routine(
        "FUNCTION NewControl (theWindow: WindowPtr; boundsRect: Rect; title: Str255; "
        "visible: BOOLEAN; value,min,max,procID: INTEGER; refCon: LONGINT): ControlHandle"
    )
    def new_control(self, window: int, *parameters: int) -> int:
        """Make a control."""
        return self._controls.make(window, ControlDescription.of_call(self.guest, *parameters))

    @routine("FUNCTION GetNewControl (controlID: INTEGER; owner: WindowPtr): ControlHandle")
    def get_new_control(self, number: int, window: int) -> int:
        """Make a control as a resource describes it; 0 if there is no such resource."""
        data = self._resources.template("CNTL", number)
        if data is None:
            return 0
        template = Template(self.host, "CNTL", number, data)
        return self._controls.make(window, ControlDescription.of_template(template))

    @routine("PROCEDURE DisposeControl (theControl: ControlHandle)")
    def dispose_control(self, control: int) -> None:
        """Take a control from the screen and dispose of it."""
        window = self._controls.owner(control)
        self._windows.note_dismantled(window)
        self.hide_control(control)
        kept = [other for other in self._controls.of(window) if other != control]
        place = WindowRecord(self.guest, window).address_of(WindowRecord.controlList)
        for other in kept:
            self.guest.put32(place, other)
            place = self._controls.record(other).address_of(ControlRecord.nextControl)
        self.guest.put32(place, 0)
        self._controls.discard(control)

    @routine("PROCEDURE KillControls (theWindow: WindowPtr)")
    def kill_controls(self, window: int) -> None:
        """Dispose of all controls of a window."""
        self._windows.must_be_window(window)
        for control in list(self._controls.of(window)):
            self.dispose_control(control)

    # -- appearance --------------------------------------------------------------------------------

    @routine("PROCEDURE ShowControl (theControl: ControlHandle)")
    def show_control(self, control: int) -> None:
        """Draw a control that was hidden."""
        record = self._controls.record(control)
        if not record.contrlVis:
            record.contrlVis = 0xFF
            self._controls.draw(control)

    @routine("PROCEDURE HideControl (theControl: ControlHandle)")
    def hide_control(self, control: int) -> None:
        """Erase a control; what was under it is to be drawn."""
        record = self._controls.record(control)
        if not record.contrlVis:
            return
        record.contrlVis = 0
        self._uncover(self._controls.owner(control), self._controls.look(control).r)

    def _uncover(self, window: int, r: Rectangle) -> None:
        owner = WindowRecord(self.guest, window)
        if not owner.visible:
            return
        background = self._quickdraw.background(window)
        Painter.in_port(self._quickdraw, window).blank(r, background)
        dh, dv = local_origin(self.guest, window)
        self._windows.invalidate(window, PixelRegion.from_rectangle(r.offset(-dh, -dv)))

    @routine("PROCEDURE MoveControl (theControl: ControlHandle; h,v: INTEGER)")
    def move_control(self, control: int, h: int, v: int) -> None:
        """Move a control's corner to a point."""
        r = self._controls.look(control).r
        self._change(control, r.offset(h - r.left, v - r.top))

    @routine("PROCEDURE SizeControl (theControl: ControlHandle; w,h: INTEGER)")
    def size_control(self, control: int, width: int, height: int) -> None:
        """Give a control another size."""
        r = self._controls.look(control).r
        self._change(control, Rectangle(r.top, r.left, r.top + height, r.left + width))

    def _change(self, control: int, r: Rectangle) -> None:
        visible = self._controls.is_visible(control)
        self.hide_control(control)
        self._controls.record(control).contrlRect = r
        if visible:
            self.show_control(control)

    @routine("PROCEDURE HiliteControl (theControl: ControlHandle; hiliteState: INTEGER)")
    def hilite_control(self, control: int, state: int) -> None:
        """Show a part as pressed, or the control as out of use (254, 255)."""
        self._controls.set_highlight(control, state)

    @routine("PROCEDURE DrawControls (theWindow: WindowPtr)")
    def draw_controls(self, window: int) -> None:
        """Draw all controls of a window."""
        self._windows.must_be_window(window)
        self._controls.draw_all(window)

    @routine("PROCEDURE Draw1Control (theControl: ControlHandle)")
    def draw_1_control(self, control: int) -> None:
        """Draw one control."""
        self._controls.draw(control)

    @routine("PROCEDURE UpdateControls (theWindow: WindowPtr; updateRgn: RgnHandle)")
    def update_controls(self, window: int, region: int) -> None:
        """Draw the controls that touch a region."""
        self._windows.must_be_window(window)
        self._controls.draw_all(window, self._regions.region(region))

    # -- values ------------------------------------------------------------------------------------

    @routine("FUNCTION GetControlValue (theControl: ControlHandle): INTEGER")
    def get_control_value(self, control: int) -> int:
        """A control's setting."""
        return self._controls.record(control).contrlValue

    @routine("PROCEDURE SetControlValue (theControl: ControlHandle; theValue: INTEGER)")
    def set_control_value(self, control: int, value: int) -> None:
        """Change a control's setting; it stays between minimum and maximum."""
        record = self._controls.record(control)
        lowest, highest = record.contrlMin, record.contrlMax
        value = max(lowest, min(value, highest))
        if value != record.contrlValue:
            record.contrlValue = value
            self._controls.draw(control)

    @routine("FUNCTION GetControlMinimum (theControl: ControlHandle): INTEGER")
    def get_control_minimum(self, control: int) -> int:
        """The lowest setting."""
        return self._controls.record(control).contrlMin

    @routine("PROCEDURE SetControlMinimum (theControl: ControlHandle; minValue: INTEGER)")
    def set_control_minimum(self, control: int, value: int) -> None:
        """Change the lowest setting."""
        self._set_limit(control, ControlRecord.contrlMin, value)

    @routine("FUNCTION GetControlMaximum (theControl: ControlHandle): INTEGER")
    def get_control_maximum(self, control: int) -> int:
        """The highest setting."""
        return self._controls.record(control).contrlMax

    @routine("PROCEDURE SetControlMaximum (theControl: ControlHandle; maxValue: INTEGER)")
    def set_control_maximum(self, control: int, value: int) -> None:
        """Change the highest setting."""
        self._set_limit(control, ControlRecord.contrlMax, value)

    def _set_limit(self, control: int, field: RecordField[int], limit: int) -> None:
        record = self._controls.record(control)
        record[field] = limit
        lowest, highest = record.contrlMin, record.contrlMax
        value = record.contrlValue
        record.contrlValue = max(lowest, min(value, highest))
        self._controls.draw(control)

    @routine("PROCEDURE GetControlTitle (theControl: ControlHandle; VAR title: Str255)")
    def get_control_title(self, control: int, title: int) -> None:
        """A control's title."""
        self.guest.put_pascal_string(title, self._controls.look(control).title)

    @routine("PROCEDURE SetControlTitle (theControl: ControlHandle; title: Str255)")
    def set_control_title(self, control: int, title: int) -> None:
        """Give a control another title."""
        self._controls.record(control)
        text = self.guest.pascal_string(title)
        contents = self._memory.contents(control)[: ControlRecord.contrlTitle.offset]
        self._memory.set_contents(control, contents + bytes([len(text)]) + text)
        self._controls.draw(control)

    @routine("FUNCTION GetControlReference (theControl: ControlHandle): LONGINT")
    def get_control_reference(self, control: int) -> int:
        """The number that the program keeps with a control."""
        return self._controls.record(control).contrlRfCon

    @routine("PROCEDURE SetControlReference (theControl: ControlHandle; data: LONGINT)")
    def set_control_reference(self, control: int, data: int) -> None:
        """Keep a number with a control."""
        self._controls.record(control).contrlRfCon = data

    @routine("FUNCTION GetControlAction (theControl: ControlHandle): ProcPtr")
    def get_control_action(self, control: int) -> int:
        """The routine called while the mouse is held in a control."""
        return self._controls.record(control).contrlAction

    @routine("PROCEDURE SetControlAction (theControl: ControlHandle; actionProc: ProcPtr)")
    def set_control_action(self, control: int, action: int) -> None:
        """The routine to call while the mouse is held in a control."""
        self._controls.record(control).contrlAction = action

    @routine("FUNCTION GetControlVariant (theControl: ControlHandle): INTEGER")
    def get_control_variant(self, control: int) -> int:
        """The last four bits of the definition ID with which a control was made."""
        self._controls.record(control)
        return self._controls.definitions[control] & 15

    @routine("PROCEDURE SetControlColor (theControl: ControlHandle; newColorTable: CTabHandle)")
    def set_control_color(self, control: int, colors: int) -> None:
        """Controls are black and white here; the colours are not used."""

    @routine(
        "FUNCTION GetAuxiliaryControlRecord (theControl: ControlHandle; VAR acHndl: Handle): "
        "BOOLEAN"
    )
    def get_auxiliary_control_record(self, control: int, result: int) -> bool:
        """The record of a control's colours: no control has one of its own."""
        self.guest.put32(result, self._auxiliary.of_controls())
        return False
