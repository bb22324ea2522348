"""The controls there are, as other managers use them."""

from __future__ import annotations

from collections.abc import Iterator

from emu.quickdraw import PixelRegion, Rectangle
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.findings import NilGivenError
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.controls.definitions import (
    ControlDefinitions,
    ControlDescription,
    ControlMessage,
)
from emu.toolbox.managers.controls.looks import (
    CHECK_BOX,
    IN_THUMB,
    INACTIVE,
    PUSH_BUTTON,
    RADIO_BUTTON,
    SCROLL_BAR,
    WINDOW_FONT,
    Look,
)
from emu.toolbox.managers.controls.popups import PopupControls, PopupLook
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.painter import Painter
from emu.toolbox.managers.quickdraw.text.fonts import FontManager
from emu.toolbox.managers.resources.manager import ResourceManager
from emu.toolbox.managers.windows.access import WindowAccess
from emu.toolbox.records.windows import ControlRecord, WindowRecord

_KNOWN = (PUSH_BUTTON, CHECK_BOX, RADIO_BUTTON)
_MOST_CONTROLS = 10_000
_INACTIVE = 255


class ControlList(Manager):
    """The controls there are, and their records in guest memory.

    Attributes:
        definitions: the definition ID of each control, by its handle.
    """

    _memory: MemoryManager
    _quickdraw: QuickDraw
    _fonts: FontManager
    _windows: WindowAccess
    _own: ControlDefinitions
    _popups: PopupControls
    _resources: ResourceManager

    def start(self) -> None:
        """There are no controls yet."""
        self.definitions: dict[int, int] = {}
        self._windows.on_close.append(self.kill)

    # -- for other managers ------------------------------------------------------------------------

    def make(self, window: int, wanted: ControlDescription) -> int:
        """Make a control and put it first in its window's list.

        Args:
            window: the window.
            wanted: what the control is to be.

        Returns:
            Its handle; 0 if memory is full.
        """
        self._windows.must_be_window(window)
        definition = wanted.definition
        own, is_popup = self._own.find(definition), self._popups.are_meant(definition)
        is_standard = definition & ~WINDOW_FONT in _KNOWN or definition == SCROLL_BAR or is_popup
        if not own and not is_standard:
            definition = self._standard(definition)
        memory = self._memory
        control = int(
            memory.new_handle(ControlRecord.contrlTitle.offset + 1 + len(wanted.title), clear=True)
        )
        if not control:
            return 0
        self.definitions[control] = definition
        owner, record = WindowRecord(self.guest, window), self._record(control)
        record.nextControl = owner.controlList
        record.contrlOwner = window
        record.contrlRect = wanted.r
        record.contrlVis = 0xFF if wanted.visible else 0
        record.contrlMin = wanted.minimum
        record.contrlMax = wanted.maximum
        # Not held between its limits: a definition function may keep anything there, such as the
        # number of a picture.
        record.contrlValue = wanted.value
        record.contrlRfCon = wanted.reference
        record.contrlTitle = wanted.title
        record.contrlDefProc = own
        owner.controlList = control
        if own:
            self._own.call(control, definition, ControlMessage.INITIALISE)
        elif is_popup:
            self._popups.initialise(control, definition, wanted)
        self.draw(control)
        return control

    def _standard(self, definition: int) -> int:
        """What a Macintosh makes of a definition ID for which there is no function.

        That is a button or box, CDEF 0, of the same variation. Variations of scroll bars look the
        same. Source: NewControl in Apple's ControlMgr.a of 1994.
        """
        number, kind = definition >> 4, min(definition & 7, RADIO_BUTTON)
        if number == SCROLL_BAR >> 4:
            return SCROLL_BAR
        if number:
            self._resources.report_missing("CDEF", number, "the control is a button or box")
        return kind | definition & WINDOW_FONT

    def record(self, control: int) -> ControlRecord:
        """A control's record, good until memory moves.

        Raises:
            MisuseError: it is no control.
            NilGivenError: it is nil.
        """
        if not control:
            raise NilGivenError("a control handle is nil")
        if control not in self.definitions:
            raise self.host.misuse("not a control", f"0x{control:x} is no control")
        return self._record(control)

    def _record(self, control: int) -> ControlRecord:
        return ControlRecord(self.guest, self._memory.address(control))

    def is_control(self, handle: int) -> bool:
        """Whether a handle is a control's."""
        return handle in self.definitions

    def of(self, window: int) -> Iterator[int]:
        """The controls of a window, the one that was made last first."""
        control = WindowRecord(self.guest, window).controlList
        for _ in range(_MOST_CONTROLS):
            if not control:
                return
            yield control
            control = self.record(control).nextControl
        raise self.host.stopped(f"the control list of the window 0x{window:x} has no end")

    def look(self, control: int, definition: int | None = None) -> Look:
        """A control as it is to be drawn, by its own or by another definition ID."""
        record = self.record(control)
        return Look(
            definition=self.definitions[control] if definition is None else definition,
            r=record.contrlRect,
            title=record.contrlTitle,
            value=record.contrlValue,
            minimum=record.contrlMin,
            maximum=record.contrlMax,
            highlight=record.contrlHilite,
        )

    def has_own_definition(self, control: int) -> bool:
        """Whether a function of the program's own draws a control and finds its parts."""
        return self.record(control).contrlDefProc != 0

    def is_popup(self, control: int) -> bool:
        """Whether it is a pop-up menu control, of the standard ones."""
        definition = self.definitions.get(control, 0)
        return self._popups.are_meant(definition) and not self.has_own_definition(control)

    def part_at(self, control: int, place: Point) -> int:
        """The part code of a point, local to the control's window; 0 where nothing is."""
        if self.is_popup(control):
            return self._popups.look(control).part_at(place.h, place.v)
        if not self.has_own_definition(control):
            return self.look(control).part_at(place.h, place.v)
        if self.record(control).contrlHilite == _INACTIVE:
            return 0
        return self._own.part_at(control, self.definitions[control], place)

    def move_indicator(self, control: int, dv: int, dh: int) -> int:
        """Let a control's own function move its indicator by pixels; the indicator's part code."""
        moved = (dv & 0xFFFF) << 16 | dh & 0xFFFF
        self._own.call(control, self.definitions[control], ControlMessage.MOVE_INDICATOR, moved)
        return IN_THUMB

    def owner(self, control: int) -> int:
        """The window of a control."""
        return self.record(control).contrlOwner

    def is_visible(self, control: int) -> bool:
        """Whether a control is drawn."""
        return self.record(control).contrlVis != 0

    def draw(self, control: int, part: int = 0) -> None:
        """Draw a control, if it and its window are visible; or only a part, if it can do that."""
        window = self.owner(control)
        owner = WindowRecord(self.guest, window)
        if not self.is_visible(control) or not owner.visible:
            return
        if self.has_own_definition(control):
            self._own.call(control, self.definitions[control], ControlMessage.DRAW, part)
            return
        self.draw_as(
            control, self._popups.look(control) if self.is_popup(control) else self.look(control)
        )

    def draw_all(self, window: int, part: PixelRegion | None = None) -> None:
        """Draw the controls of a window, or those that touch a region in its coordinates.

        The one that was made first is drawn last, so that it is before all that it overlaps
        (Inside Macintosh I, DrawControls).
        """
        for control in list(self.of(window)):
            area = PixelRegion.from_rectangle(self.look(control).r)
            if part is None or not part.intersect(area).empty:
                self.draw(control)

    def draw_as(self, control: int, look: Look | PopupLook) -> None:
        """Draw a control in its window, with the look given."""
        owner = WindowRecord(self.guest, self.owner(control))
        painter = Painter.in_port(self._quickdraw, owner.address)
        definition = look.definition if isinstance(look, Look) else self.definitions[control]
        if definition & WINDOW_FONT and definition != SCROLL_BAR:
            painter = painter.with_font(self._fonts.font(owner.port.txFont, owner.port.txSize))
        look.draw(painter, self._quickdraw.background(owner.address))

    def set_highlight(self, control: int, state: int) -> None:
        """Show a part as pressed, or the control as out of use."""
        record = self.record(control)
        if record.contrlHilite != state & 0xFF:
            part = state & 0xFF or record.contrlHilite
            record.contrlHilite = state
            self.draw(control, 0 if part in INACTIVE else part)

    def kill(self, window: int) -> None:
        """Dispose of all controls of a window."""
        for control in list(self.of(window)):
            self.discard(control)
        WindowRecord(self.guest, window).controlList = 0

    def discard(self, control: int) -> None:
        """Dispose of a control that is in no window's list any more."""
        if self.has_own_definition(control):
            self._own.call(control, self.definitions[control], ControlMessage.DISPOSE)
        elif self.is_popup(control):
            self._popups.discard(control)
        del self.definitions[control]
        self._memory.dispose_handle(control)

    def place(self, window: int, title: str) -> Point | None:
        """Where to click on a visible control with a title, global; None if there is none."""
        wanted = title.encode("mac_roman", "replace")
        for control in self.of(window):
            look = self.look(control)
            if look.title == wanted and self.is_visible(control) and look.kind != SCROLL_BAR:
                return self.middle(window, look.r)
        return None

    def popup_items(self, control: int) -> tuple[bytes, ...]:
        """The items of a pop-up menu control, MacRoman; none of any other control."""
        return self._popups.items(control) if self.is_popup(control) else ()

    def popup_places(self, window: int, title: str, item: str) -> tuple[Point, Point] | None:
        """Where to press and let go to choose from a pop-up menu control of a window, global."""
        wanted = title.encode("mac_roman", "replace")
        for control in self.of(window):
            visible = self.is_visible(control) and self.is_popup(control)
            if visible and self.look(control).title == wanted:
                return self._popups.places(control, item)
        return None

    def middle(self, window: int, r: Rectangle) -> Point:
        """The middle of a rectangle of a window, global."""
        where = Point.middle_of(r)
        return self._quickdraw.to_global(window, where)
