"""Pictures: recording what is drawn, and drawing it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emu.quickdraw import Rectangle
from emu.toolbox.declaration import routine
from emu.toolbox.manager import Manager
from emu.toolbox.managers.quickdraw import grafport as at
from emu.toolbox.managers.quickdraw.pictures.player import PicturePlayer
from emu.toolbox.managers.quickdraw.pictures.recorder import PictureRecorder
from emu.toolbox.managers.quickdraw.procedures import COMMENT

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh

_COMMENT_PROCEDURE = "PROCEDURE CommentProc (kind,dataSize: INTEGER; dataHandle: Handle)"
_GET_PICTURE = 11


class Pictures(Manager):
    """QuickDraw's routines for pictures."""

    title = "QuickDraw"

    def __init__(self, mac: Macintosh) -> None:
        super().__init__(mac)
        self._recording: dict[int, PictureRecorder] = {}

    def recorder(self, port: int) -> PictureRecorder:
        """The picture being recorded in a port."""
        recorder = self._recording.get(port)
        if recorder is None:
            raise self.mac.stopped(
                f"the field picSave of the port 0x{port:x} is not nil, but no picture is open"
            )
        quickdraw = self.mac.quickdraw
        recorder.see_clip(quickdraw.region(self.guest.u32(port + at.CLIP_REGION)).encode())
        return recorder

    @routine("FUNCTION OpenPicture (picFrame: Rect): PicHandle", trap=0xA8F3, moves_memory=True)
    def open_picture(self, frame: int) -> int:
        """Begin to record what is drawn in the current port; nothing is seen meanwhile."""
        quickdraw = self.mac.quickdraw
        port = quickdraw.port
        if self.guest.u32(port + at.PICTURE_SAVE):
            self.mac.report("open picture", "OpenPicture was called while a picture was open")
            return self.guest.u32(port + at.PICTURE_SAVE)
        if quickdraw.is_color_port(port):
            raise self.mac.stopped("pictures are not recorded in colour ports")
        recorder = PictureRecorder(quickdraw.rectangle(frame))
        handle: int = self.mac.memory.handle_from(recorder.finish())
        if not handle:
            return 0
        self._recording[port] = recorder
        self.guest.put32(port + at.PICTURE_SAVE, handle)
        self.mac.quickdraw_pen.change_visibility(-1)
        return handle

    @routine("PROCEDURE ClosePicture", trap=0xA8F4, moves_memory=True)
    def close_picture(self) -> None:
        """Stop recording."""
        port = self.mac.quickdraw.port
        recorder = self._recording.pop(port, None)
        if recorder is None:
            self.mac.report("open picture", "ClosePicture was called while no picture was open")
            return
        self.mac.memory.set_contents(self.guest.u32(port + at.PICTURE_SAVE), recorder.finish())
        self.guest.put32(port + at.PICTURE_SAVE, 0)
        self.mac.quickdraw_pen.change_visibility(1)

    @routine("PROCEDURE KillPicture (myPicture: PicHandle)", trap=0xA8F5)
    def kill_picture(self, picture: int) -> None:
        """Dispose of a picture."""
        self.mac.memory.dispose_handle(picture)

    @routine(
        "PROCEDURE DrawPicture (myPicture: PicHandle; dstRect: Rect)",
        trap=0xA8F6,
        moves_memory=True,
    )
    def draw_picture(self, picture: int, r: int) -> None:
        """Draw a picture, stretched or shrunk so that its frame fills a rectangle."""
        if not picture:
            self.mac.report("nil picture", "DrawPicture was called with nil")
            return
        destination = self.mac.quickdraw.rectangle(r)
        self.play(self.mac.memory.contents(picture), destination)

    def play(self, data: bytes, destination: Rectangle) -> None:
        """Draw a picture's data in the current port."""
        record = self.guest.read(self.mac.quickdraw.port, at.PORT_SIZE)
        if self.mac.quickdraw_procedures.replacement(record, _GET_PICTURE):
            raise self.mac.stopped(
                "the port fetches pictures by a procedure of its own (getPicProc), which macproof "
                "does not call"
            )
        PicturePlayer(self.mac, data, destination).play()

    @routine(
        "PROCEDURE PicComment (kind,dataSize: INTEGER; dataHandle: Handle)",
        trap=0xA8F2,
        moves_memory=True,
    )
    def pic_comment(self, kind: int, size: int, handle: int) -> None:
        """Put a comment into the picture being recorded."""
        record = self.guest.read(self.mac.quickdraw.port, at.PORT_SIZE)
        if not self.mac.quickdraw_procedures.replaced(
            record, COMMENT, _COMMENT_PROCEDURE, kind, size, handle
        ):
            self.std_comment(kind, size, handle)

    @routine("PROCEDURE StdComment (kind,dataSize: INTEGER; dataHandle: Handle)", trap=0xA8F1)
    def std_comment(self, kind: int, size: int, handle: int) -> None:
        """Put a comment into the picture being recorded; otherwise nothing."""
        port = self.mac.quickdraw.port
        if self.guest.u32(port + at.PICTURE_SAVE):
            data = self.mac.memory.contents(handle)[: max(size, 0)] if handle else b""
            self.recorder(port).comment(kind, data)
