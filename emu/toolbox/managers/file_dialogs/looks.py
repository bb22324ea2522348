"""What a file dialog looks like, and where its parts are.

The measures are our own; the parts are those of System 7's standard file dialogs.
"""

from __future__ import annotations

from dataclasses import dataclass

from emu.quickdraw import Rectangle
from emu.toolbox.managers.controls.looks import PUSH_BUTTON, Look
from emu.toolbox.managers.controls.popups import PopupLook
from emu.toolbox.managers.file_dialogs.file_box import BAR, ROW, FileBox
from emu.toolbox.managers.file_dialogs.file_list import FileList
from emu.toolbox.managers.quickdraw.heart.painter import Painter
from emu.toolbox.managers.windows.frames import Frame, WindowKind

_WIDTH = 348
_MARGIN = 12
_LIST_TOP, _LIST_WIDTH = 34, 214
_BUTTON_WIDTH, _BUTTON_HEIGHT = 76, 20
_FIELD = 22
_BASELINE = 12
_D_BOX = 1
_INACTIVE = 255
_ABOVE = 44
"""Pixels above the dialog, if there is room: the menu bar and its own border."""


@dataclass(frozen=True, slots=True)
class FileDialogLook:
    """Where the parts of a dialog are, in global coordinates.

    Attributes:
        content: all of it within its border.
        rows: how many rows its list has.
        has_field: whether it has a field for a name.
    """

    content: Rectangle
    rows: int
    has_field: bool

    @classmethod
    def on(cls, screen: Rectangle, *, has_field: bool) -> FileDialogLook:
        """A dialog in its place on a screen."""
        rows = 6 if has_field else 9
        height = _LIST_TOP + rows * ROW + 2 + _MARGIN + (_FIELD + 2 * _BASELINE if has_field else 0)
        left = screen.left + max(0, (screen.width - _WIDTH) // 2)
        top = screen.top + max(_ABOVE, (screen.height - height) // 3)
        return cls(Rectangle(top, left, top + height, left + _WIDTH), rows, has_field)

    @property
    def list(self) -> Rectangle:
        """The list within its lines."""
        top, left = self.content.top + _LIST_TOP, self.content.left + _MARGIN + 1
        return Rectangle(top, left, top + self.rows * ROW, left + _LIST_WIDTH)

    @property
    def box(self) -> FileBox:
        """The list with its scroll bar."""
        return FileBox(self.list)

    @property
    def field(self) -> Rectangle:
        """The field for a name, its lines included."""
        bottom = self.content.bottom - _MARGIN
        return Rectangle(bottom - _FIELD, self.list.left - 1, bottom, self.list.right + BAR)

    @property
    def accept(self) -> Rectangle:
        """The button that goes on."""
        return self._button(2)

    @property
    def cancel(self) -> Rectangle:
        """The button that ends the dialog without a choice."""
        return self._button(1)

    def _button(self, above: int) -> Rectangle:
        right = self.content.right - _MARGIN - 2
        bottom = self.list.bottom - (above - 1) * (_BUTTON_HEIGHT + 12)
        return Rectangle(bottom - _BUTTON_HEIGHT, right - _BUTTON_WIDTH, bottom, right)

    @property
    def outside(self) -> Rectangle:
        """All pixels that it covers."""
        return WindowKind(_D_BOX).structure(self.content).bounds

    # -- parts with looks of their own -------------------------------------------------------------

    def button(self, files: FileList, *, accepts: bool, highlight: int = 0) -> Look:
        """One of the two buttons."""
        if not accepts:
            return Look(PUSH_BUTTON, self.cancel, b"Cancel", 0, 0, 1, highlight)
        saves = files.wish.is_saving and not files.opens_folder
        state = highlight if files.can_accept else _INACTIVE
        return Look(PUSH_BUTTON, self.accept, b"Save" if saves else b"Open", 0, 0, 1, state)

    def popup(self, files: FileList) -> PopupLook:
        """The pop-up menu of the folders above."""
        top = self.content.top + 8
        r = Rectangle(top, self.list.left + 20, top + 19, self.list.right - 4)
        return PopupLook(r, b"", 0, 0, files.folder.name, 0)

    # -- drawing -----------------------------------------------------------------------------------

    def draw(self, painter: Painter, files: FileList) -> None:
        """Draw all of it."""
        Frame(WindowKind(_D_BOX), self.content, b"", True, False).draw(painter)
        painter = painter.within(self.content)
        painter.erase(self.content)
        self.popup(files).draw(painter)
        self.box.draw(painter, files)
        volume = files.path[-1].name
        right, width = self.accept.right, painter.text_width(volume)
        left = max(self.list.right + BAR + 4, right - (_BUTTON_WIDTH + width) // 2)
        painter.text((left, self.list.top + _BASELINE), volume)
        self.button(files, accepts=True).draw(painter)
        self.button(files, accepts=False).draw(painter)
        painter.frame_round(_grown(self.accept, 4), 16, 3)
        if self.has_field:
            self._draw_field(painter, files)

    def _draw_field(self, painter: Painter, files: FileList) -> None:
        r = self.field
        painter.text((r.left, r.top - 6), files.wish.prompt)
        painter.erase(r)
        painter.frame(r)
        inside = painter.within(r.inset(3, 3))
        inside.text((r.left + 5, r.top + _BASELINE + 3), files.name)
        end = r.left + 5 + painter.text_width(files.name)
        if files.selected >= 0:
            return
        if files.is_name_selected:
            inside.invert(Rectangle(r.top + 3, r.left + 5, r.bottom - 3, end))
        else:
            inside.fill(Rectangle(r.top + 3, end, r.bottom - 3, end + 1))


def _grown(r: Rectangle, by: int) -> Rectangle:
    return Rectangle(r.top - by, r.left - by, r.bottom + by, r.right + by)
