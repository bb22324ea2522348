"""The question whether a file that is there already is to be replaced, as a file dialog asks it."""

from __future__ import annotations

from dataclasses import dataclass

from emu.quickdraw import Rectangle
from emu.toolbox.managers.controls.looks import PUSH_BUTTON, Look
from emu.toolbox.managers.quickdraw.heart.painter import Painter
from emu.toolbox.managers.windows.frames import Frame, WindowKind

_D_BOX = 1
_WIDTH, _HEIGHT = 300, 90
_BUTTON_WIDTH, _BUTTON_HEIGHT = 76, 20
_MARGIN = 20


@dataclass(frozen=True, slots=True)
class ReplaceQuestion:
    """The question in its place.

    Attributes:
        content: all of it within its border, in global coordinates.
        name: the file's.
    """

    content: Rectangle
    name: bytes

    @classmethod
    def over(cls, dialog: Rectangle, name: bytes) -> ReplaceQuestion:
        """The question in the middle of a dialog."""
        left = dialog.left + (dialog.width - _WIDTH) // 2
        top = dialog.top + (dialog.height - _HEIGHT) // 2
        return cls(Rectangle(top, left, top + _HEIGHT, left + _WIDTH), name)

    @property
    def replace(self) -> Rectangle:
        """The button that replaces the file."""
        return self._button(self.content.right - _MARGIN)

    @property
    def cancel(self) -> Rectangle:
        """The button that does not; Return presses it, since it destroys nothing."""
        return self._button(self.content.right - 2 * _MARGIN - _BUTTON_WIDTH)

    def _button(self, right: int) -> Rectangle:
        bottom = self.content.bottom - 14
        return Rectangle(bottom - _BUTTON_HEIGHT, right - _BUTTON_WIDTH, bottom, right)

    def button(self, *, replaces: bool, highlight: int = 0) -> Look:
        """One of the two buttons."""
        r, title = (self.replace, b"Replace") if replaces else (self.cancel, b"Cancel")
        return Look(PUSH_BUTTON, r, title, 0, 0, 1, highlight)

    def draw(self, painter: Painter) -> None:
        """Draw it."""
        Frame(WindowKind(_D_BOX), self.content, b"", True, False).draw(painter)
        inside = painter.within(self.content)
        inside.erase(self.content)
        left, top = self.content.left + _MARGIN, self.content.top
        inside.text((left, top + 24), b"Replace existing")
        inside.text((left, top + 41), b"\xd2" + self.name + b"\xd3?")
        self.button(replaces=True).draw(inside)
        self.button(replaces=False).draw(inside)
        r = self.cancel
        inside.frame_round(Rectangle(r.top - 4, r.left - 4, r.bottom + 4, r.right + 4), 16, 3)
