"""TextEdit: text that can be edited.

What belongs to text in several styles alone is in `styled`, cutting and pasting in `clipboard`.
Hooks other than click loops are not called.
"""

from __future__ import annotations

from emu.quickdraw import Rectangle
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.events.tracking import WindowTracking
from emu.toolbox.managers.memory.block import LOCKED
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.painter import Painter
from emu.toolbox.managers.quickdraw.ports.inks import foreground
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.managers.quickdraw.text.fonts import FontManager
from emu.toolbox.managers.text.editing import Feature, TextEditing, draw_lines
from emu.toolbox.managers.text.layout import TextLayout
from emu.toolbox.managers.text.record import TextRecord
from emu.toolbox.records.quickdraw import GrafPort

_CARET_TICKS = 32
_CLICK_LOOP = "FUNCTION ClickLoop (text: Ptr): BOOLEAN"


class TextEditManager(Manager):
    """Edit records."""

    _text_edit: TextEditing
    _memory: MemoryManager
    _quickdraw: QuickDraw
    _fonts: FontManager
    _window_tracking: WindowTracking
    _regions: RegionHandles

    def __post_init__(self) -> None:
        self._hooks: dict[tuple[int, int], int] = {}

    # -- beginning and ending ----------------------------------------------------------------------

    @routine("FUNCTION TENew (destRect,viewRect: Rect): TEHandle")
    def te_new(self, destination: int, view: int) -> int:
        """An edit record without text."""
        return self._text_edit.make(
            self.guest.rect(destination),
            self.guest.rect(view),
        )

    @routine("PROCEDURE TEDispose (hTE: TEHandle)")
    def te_dispose(self, handle: int) -> None:
        """Free a record and its text."""
        self._memory.dispose_handle(self._text_edit.record(handle).fields.hText)
        self._text_edit.discard(handle)

    # -- text and selection ------------------------------------------------------------------------

    @routine("PROCEDURE TESetText (text: Ptr; length: LONGINT; hTE: TEHandle)")
    def te_set_text(self, text: int, length: int, handle: int) -> None:
        """Copy another text into a record; nothing is drawn."""
        record = self._text_edit.record(handle)
        record.put_text(self.guest.read(text, self._text_edit.at_most(length)))
        end = len(record.text)
        record.select(end, end)

    @routine("FUNCTION TEGetText (hTE: TEHandle): Handle")
    def te_get_text(self, handle: int) -> int:
        """The handle of a record's text; it is the record's own."""
        return self._text_edit.record(handle).fields.hText

    @routine("PROCEDURE TESetSelect (selStart,selEnd: LONGINT; hTE: TEHandle)")
    def te_set_select(self, start: int, end: int, handle: int) -> None:
        """Select characters."""
        self._text_edit.select(handle, start, end)

    @routine("PROCEDURE TEActivate (hTE: TEHandle)")
    def te_activate(self, handle: int) -> None:
        """Show a record's selection or insertion point."""
        self._text_edit.set_active(handle, True)

    @routine("PROCEDURE TEDeactivate (hTE: TEHandle)")
    def te_deactivate(self, handle: int) -> None:
        """Hide a record's selection or insertion point."""
        self._text_edit.set_active(handle, False)

    @routine("PROCEDURE TEIdle (hTE: TEHandle)")
    def te_idle(self, handle: int) -> None:
        """Let the insertion point blink."""
        record = self._text_edit.record(handle)
        start, end = record.selection
        now = self.host.clock.ticks()
        if not record.active or start != end or now < record.fields.caretTime:
            return
        record.fields.caretTime = now + _CARET_TICKS
        painter = Painter.in_port(self._quickdraw, record.port).within(record.fields.viewRect)
        painter.invert(self._text_edit.caret(record, start))
        record.fields.caretState = record.fields.caretState ^ 1

    @routine("PROCEDURE TEClick (pt: Point; fExtend: BOOLEAN; h: TEHandle)")
    def te_click(self, place: Point, extend: bool, handle: int) -> None:
        """Select with the mouse, from a press at a point of the port until it is let go.

        The program's click loop is called before each look at the mouse, and may put an end to it
        (TEClick in Apple's TextEdit.a of 1994).
        """
        record = self._text_edit.record(handle)
        now, offset = self.host.clock.ticks(), self._text_edit.offset_at(record, place)
        before, _ = record.selection
        anchor = before if extend else offset
        twice = self._is_double_click(record, now, offset)
        record.fields.clickTime = now
        record.fields.clickLoc = offset
        if twice:
            start, end = record.layout().word_at(offset)
            self._text_edit.select(handle, start, end)
        else:
            self._text_edit.select(handle, anchor, offset)
        for mouse in self._window_tracking.while_mouse_is_down():
            if not self._goes_on(record):
                break
            here = self._text_edit.offset_at(record, self._quickdraw.to_local(record.port, mouse))
            if not twice and (anchor, here) != (anchor, offset):
                offset = here
                self._text_edit.select(handle, anchor, here)

    def _goes_on(self, record: TextRecord) -> bool:
        """Whether the program's click loop, if there is one, has the mouse followed any further.

        It gets the record's address, so that the record is locked, as it is on a Macintosh.
        """
        loop = record.fields.clikLoop
        if not loop:
            return True
        flags = self._memory.flags(record.handle)
        self._memory.lock(record.handle)
        address = record.address
        goes_on = self.host.call_guest(loop, _CLICK_LOOP, address, registers="A3 -> D0")
        if not flags & LOCKED:
            self._memory.unlock(record.handle)
        return bool(goes_on)

    def _is_double_click(self, record: TextRecord, now: int, offset: int) -> bool:
        before = record.fields.clickTime
        quick = before != 0 and now - before <= self.guest.u32(0x2F0)
        return quick and record.fields.clickLoc == offset

    @routine(
        "FUNCTION TEGetHiliteRgn (region: RgnHandle; hTE: TEHandle): OSErr",
        trap=0xA83D,
        selector=("stack", 0xF),
    )
    def te_get_hilite_region(self, region: int, handle: int) -> int:
        """The region of the selected text, for dragging it."""
        self._regions.set_region(region, self._text_edit.selection(self._text_edit.record(handle)))
        return 0

    @routine(
        "PROCEDURE TESetClickLoop (clikProc: ProcPtr; hTE: TEHandle)",
        architecture="powerpc",
        imports=("SetClikLoop",),
    )
    def te_set_click_loop(self, procedure: int, handle: int) -> None:
        """Store a routine that TEClick calls while the mouse is pressed."""
        self._text_edit.record(handle).fields.clikLoop = procedure

    @routine(
        "PROCEDURE TESetWordBreak (wBrkProc: ProcPtr; hTE: TEHandle)",
        architecture="powerpc",
        imports=("SetWordBreak",),
    )
    def te_set_word_break(self, procedure: int, handle: int) -> None:
        """Store a routine that says where words end; none is called here."""
        self._text_edit.record(handle).fields.wordBreak = procedure

    # -- editing -----------------------------------------------------------------------------------

    @routine("PROCEDURE TEKey (key: CHAR; hTE: TEHandle)")
    def te_key(self, character: int, handle: int) -> None:
        """Type a character."""
        self._text_edit.type(handle, character & 0xFF)

    @routine("PROCEDURE TEDelete (hTE: TEHandle)")
    def te_delete(self, handle: int) -> None:
        """Remove the selected characters."""
        self._text_edit.replace(self._text_edit.record(handle), b"")

    @routine("PROCEDURE TEInsert (text: Ptr; length: LONGINT; hTE: TEHandle)")
    def te_insert(self, text: int, length: int, handle: int) -> None:
        """Insert characters before the selection, which stays selected."""
        record = self._text_edit.record(handle)
        self._text_edit.insert(record, self.guest.read(text, max(0, length)))

    # -- drawing -----------------------------------------------------------------------------------

    @routine("PROCEDURE TEUpdate (rUpdate: Rect; hTE: TEHandle)")
    def te_update(self, r: int, handle: int) -> None:
        """Draw the text."""
        self._text_edit.update(self._text_edit.record(handle))

    @routine("PROCEDURE TETextBox (text: Ptr; length: LONGINT; box: Rect; just: INTEGER)")
    def te_text_box(self, text: int, length: int, box: int, justification: int) -> None:
        """Draw text in a rectangle of the current port, in its font."""
        port = self._quickdraw.port
        self.draw_box(
            port,
            self.guest.read(text, self._text_edit.at_most(length)),
            self.guest.rect(box),
            justification,
        )

    def draw_box(self, port: int, text: bytes, r: Rectangle, justification: int = 0) -> None:
        """Draw text in a rectangle of a port, in its font, over whatever is there."""
        drawn = GrafPort(self.guest, port)
        font = self._fonts.font(drawn.txFont, drawn.txSize)
        painter = Painter.in_port(self._quickdraw, port).within(r).with_font(font)
        painter.blank(r, self._quickdraw.background(port))
        text = text[: self._text_edit.at_most(len(text))]
        layout = TextLayout.plain(text, font, drawn.txFace, r.width, justification)
        draw_lines(painter, layout, r, foreground(drawn.read()))

    @routine("PROCEDURE TESetAlignment (just: INTEGER; hTE: TEHandle)")
    def te_set_alignment(self, justification: int, handle: int) -> None:
        """Say at which edge lines begin; nothing is drawn."""
        self._text_edit.record(handle).fields.just = justification

    @routine("PROCEDURE TECalText (hTE: TEHandle)")
    def te_cal_text(self, handle: int) -> None:
        """Break the lines anew."""
        self._text_edit.record(handle).break_lines()

    # -- measuring ---------------------------------------------------------------------------------

    @routine("FUNCTION TEGetOffset (pt: Point; hTE: TEHandle): INTEGER")
    def te_get_offset(self, place: Point, handle: int) -> int:
        """The offset nearest to a point."""
        return self._text_edit.offset_at(self._text_edit.record(handle), place)

    @routine("FUNCTION TEGetPoint (offset: INTEGER; hTE: TEHandle): Point")
    def te_get_point(self, offset: int, handle: int) -> Point:
        """Where a character stands: the lower left corner of its line there."""
        record, offset = self._text_edit.record(handle), max(offset, 0)
        layout, destination = record.layout(), record.fields.destRect
        v = destination.top + layout.tops[layout.line_of(offset) + 1]
        h = destination.left + layout.left_of(offset)
        return Point(v, h)

    @routine("FUNCTION TEGetHeight (endLine,startLine: LONGINT; hTE: TEHandle): LONGINT")
    def te_get_height(self, end: int, start: int, handle: int) -> int:
        """The height of lines, counted from 1; both are included."""
        layout = self._text_edit.record(handle).layout()
        start, end = (max(1, min(line, layout.lines)) for line in (start, end))
        return layout.tops[end] - layout.tops[start - 1]

    # -- scrolling ---------------------------------------------------------------------------------

    @routine("PROCEDURE TEScroll (dh,dv: INTEGER; hTE: TEHandle)")
    def te_scroll(self, dh: int, dv: int, handle: int) -> None:
        """Move the text in its window."""
        record = self._text_edit.record(handle)
        if dh or dv:
            record.fields.destRect = record.fields.destRect.offset(dh, dv)
            self._text_edit.draw(record)

    @routine("PROCEDURE TEPinScroll (dh,dv: INTEGER; hTE: TEHandle)")
    def te_pin_scroll(self, dh: int, dv: int, handle: int) -> None:
        """Move the text, but not beyond its first and last line."""
        record = self._text_edit.record(handle)
        view, destination = record.fields.viewRect, record.fields.destRect
        bottom = destination.top + record.layout().height
        if dv < 0:
            dv = max(dv, min(0, view.bottom - bottom))
        else:
            dv = min(dv, max(0, view.top - destination.top))
        if dh < 0:
            dh = max(dh, min(0, view.right - destination.right))
        else:
            dh = min(dh, max(0, view.left - destination.left))
        self.te_scroll(dh, dv, handle)

    @routine("PROCEDURE TESelView (hTE: TEHandle)")
    def te_sel_view(self, handle: int) -> None:
        """Scroll so that the selection can be seen, if TEAutoView has asked for that."""
        record = self._text_edit.record(handle)
        if self._text_edit.has(handle, Feature.AUTO_SCROLL):
            self._text_edit.show(record)

    @routine("PROCEDURE TEAutoView (fAuto: BOOLEAN; hTE: TEHandle)")
    def te_auto_view(self, automatic: bool, handle: int) -> None:
        """Say whether the text follows the selection."""
        self._text_edit.record(handle)
        self._text_edit.set_feature(handle, Feature.AUTO_SCROLL, automatic)

    @routine("FUNCTION TEFeatureFlag (feature,action: INTEGER; hTE: TEHandle): INTEGER")
    def te_feature_flag(self, number: int, action: int, handle: int) -> int:
        """Switch a feature on (1) or off (0), or ask for it (-1); what it was before."""
        self._text_edit.record(handle)
        feature = next((flag for flag in Feature if flag.value == 1 << max(number, 0)), None)
        if feature is None:
            return 0
        before = self._text_edit.has(handle, feature)
        if action >= 0:
            self._text_edit.set_feature(handle, feature, action == 1)
        return int(before)

    @routine("PROCEDURE TECustomHook (which: INTEGER; VAR addr: ProcPtr; hTE: TEHandle)")
    def te_custom_hook(self, which: int, address: int, handle: int) -> None:
        """Exchange the routine for line ends, drawing, widths or hits: none is ever called.

        What was there before is nil unless the program has set it.
        """
        self._text_edit.record(handle)
        before = self._hooks.get((handle, which), 0)
        self._hooks[handle, which] = self.guest.u32(address)
        self.guest.put32(address, before)
        self.host.report(
            "text hook",
            f"TECustomHook {which}: macproof does not call this routine, and does what TextEdit "
            "does without it",
        )
