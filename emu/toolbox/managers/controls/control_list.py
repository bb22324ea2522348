"""The controls there are, as other managers use them."""

from __future__ import annotations

from collections.abc import Iterator

from emu.quickdraw import Rectangle
from emu.toolbox.guest_types import Point
from emu.toolbox.manager import Manager
from emu.toolbox.managers.controls.looks import (
    CHECK_BOX,
    PUSH_BUTTON,
    RADIO_BUTTON,
    SCROLL_BAR,
    WINDOW_FONT,
    Look,
)
from emu.toolbox.managers.quickdraw.painter import Painter
from emu.toolbox.managers.windows import record as window_at

# The control record (Inside Macintosh I, p. I-332).
NEXT = 0
OWNER = 4
RECTANGLE = 8
VISIBLE = 16
HIGHLIGHT = 17
VALUE = 18
MINIMUM = 20
MAXIMUM = 22
DEFINITION_PROCEDURE = 24
DATA = 28
ACTION = 32
REFERENCE = 36
TITLE = 40

_KNOWN = (PUSH_BUTTON, CHECK_BOX, RADIO_BUTTON)
_MOST_CONTROLS = 10_000


class ControlList(Manager):
    """Controls and their records in guest memory."""

    title = "Control Manager"

    def start(self) -> None:
        """There are no controls yet."""
        self._definitions: dict[int, int] = {}
        self.mac.windows.on_close.append(self.kill)

    # -- for other managers ------------------------------------------------------------------------

    def make(
        self,
        window: int,
        r: Rectangle,
        title: bytes,
        visible: bool,
        value: int,
        minimum: int,
        maximum: int,
        definition: int,
        reference: int,
    ) -> int:
        """Make a control and put it first in its window's list; 0 if memory is full.

        Raises:
            GuestStopped: its definition function would be the program's own.
        """
        self.mac.windows.must_be_window(window)
        if definition & ~WINDOW_FONT not in _KNOWN and definition != SCROLL_BAR:
            raise self.mac.stopped(
                f"a control of definition ID {definition} needs the definition function CDEF "
                f"{definition >> 4}, which macproof does not have: it has push buttons (0), check "
                "boxes (1), radio buttons (2) and scroll bars (16)"
            )
        memory = self.mac.memory
        control = int(memory.new_handle(TITLE + 1 + len(title), clear=True))
        if not control:
            return 0
        self._definitions[control] = definition
        record, guest = memory.address(control), self.guest
        guest.put32(record + NEXT, guest.u32(window + window_at.CONTROL_LIST))
        guest.put32(record + OWNER, window)
        guest.put_rect(record + RECTANGLE, r.top, r.left, r.bottom, r.right)
        guest.put8(record + VISIBLE, 0xFF if visible else 0)
        guest.put16(record + MINIMUM, minimum)
        guest.put16(record + MAXIMUM, maximum)
        guest.put16(record + VALUE, max(minimum, min(value, maximum)))
        guest.put32(record + REFERENCE, reference)
        guest.put_pascal_string(record + TITLE, title)
        guest.put32(window + window_at.CONTROL_LIST, control)
        self.draw(control)
        return control

    def record(self, control: int) -> int:
        """The address of a control's record, good until memory moves.

        Raises:
            GuestStopped: it is no control.
        """
        if control not in self._definitions:
            raise self.mac.stopped(f"0x{control:x} is no control")
        return int(self.mac.memory.address(control))

    def is_control(self, handle: int) -> bool:
        """Whether a handle is a control's."""
        return handle in self._definitions

    def of(self, window: int) -> Iterator[int]:
        """The controls of a window, the one that was made last first."""
        control = self.guest.u32(window + window_at.CONTROL_LIST)
        for _ in range(_MOST_CONTROLS):
            if not control:
                return
            yield control
            control = self.guest.u32(self.record(control) + NEXT)
        raise self.mac.stopped(f"the control list of the window 0x{window:x} has no end")

    def look(self, control: int) -> Look:
        """A control as it is to be drawn."""
        record, guest = self.record(control), self.guest
        return Look(
            definition=self._definitions[control],
            r=Rectangle(*guest.rect(record + RECTANGLE)),
            title=guest.pascal_string(record + TITLE),
            value=guest.i16(record + VALUE),
            minimum=guest.i16(record + MINIMUM),
            maximum=guest.i16(record + MAXIMUM),
            highlight=guest.u8(record + HIGHLIGHT),
        )

    def owner(self, control: int) -> int:
        """The window of a control."""
        return self.guest.u32(self.record(control) + OWNER)

    def is_visible(self, control: int) -> bool:
        """Whether a control is drawn."""
        return bool(self.guest.u8(self.record(control) + VISIBLE))

    def draw(self, control: int) -> None:
        """Draw a control, if it and its window are visible."""
        window = self.owner(control)
        if not self.is_visible(control) or not self.guest.u8(window + window_at.VISIBLE):
            return
        painter = Painter.in_port(self.mac, window)
        look = self.look(control)
        if look.definition & WINDOW_FONT and look.kind != SCROLL_BAR:
            family = self.guest.i16(window + 68)
            painter = painter.with_font(self.mac.fonts.font(family, self.guest.i16(window + 74)))
        look.draw(painter)

    def set_highlight(self, control: int, state: int) -> None:
        """Show a part as pressed, or the control as out of use."""
        record = self.record(control)
        if self.guest.u8(record + HIGHLIGHT) != state & 0xFF:
            self.guest.put8(record + HIGHLIGHT, state)
            self.draw(control)

    def kill(self, window: int) -> None:
        """Dispose of all controls of a window."""
        for control in list(self.of(window)):
            self._forget(control)
        self.guest.put32(window + window_at.CONTROL_LIST, 0)

    def _forget(self, control: int) -> None:
        del self._definitions[control]
        self.mac.memory.dispose_handle(control)

    def place(self, window: int, title: str) -> Point | None:
        """Where to click on a visible control with a title, global; None if there is none."""
        wanted = title.encode("mac_roman", "replace")
        for control in self.of(window):
            look = self.look(control)
            if look.title == wanted and self.is_visible(control) and look.kind != SCROLL_BAR:
                return self.middle(window, look.r)
        return None

    def middle(self, window: int, r: Rectangle) -> Point:
        """The middle of a rectangle of a window, global."""
        where = Point((r.top + r.bottom) // 2, (r.left + r.right) // 2)
        point: Point = self.mac.quickdraw.to_global(window, where)
        return point
