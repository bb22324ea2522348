"""Pictures that are recorded with a header of Color QuickDraw.

Source: Inside Macintosh: Imaging With QuickDraw, chapter 7 (OpenCPicParams).
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.pictures.manager import Pictures


class ColorPictures(Manager):
    """Records pictures."""

    title = "QuickDraw"

    _quickdraw: QuickDraw
    _pictures: Pictures

    @routine("FUNCTION OpenCPicture (newHeader: Ptr): PicHandle")
    def open_c_picture(self, header: int) -> int:
        """Begin to record a picture, at 72 dots an inch whatever resolution the header asks for."""
        return self._pictures.open(self._quickdraw.rectangle(header))
