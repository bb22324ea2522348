"""Pictures: recording what is drawn, and drawing it again.

Source: Inside Macintosh: Imaging With QuickDraw, chapter 7 (OpenCPicParams).
"""

from __future__ import annotations

from emu.quickdraw import Rectangle
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.findings import Sureness
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.drawing.pen import Pen
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.procedures import COMMENT, Procedures
from emu.toolbox.managers.quickdraw.pictures.player import PicturePlayer, PictureTools
from emu.toolbox.managers.quickdraw.pictures.reader import DamagedPictureError, PictureReader
from emu.toolbox.managers.quickdraw.ports.recorder import PictureRecorder, Recordings
from emu.toolbox.records.quickdraw import GrafPort, OpenCPicParams, Picture

_COMMENT_PROCEDURE = "PROCEDURE CommentProc (kind,dataSize: INTEGER; dataHandle: Handle)"
_GET_PICTURE = 11
_GET_PICTURE_PROCEDURE = "PROCEDURE GetPicProc (dataPtr: Ptr; byteCount: INTEGER)"
_AT_ONCE = 4096
"""The most bytes that a program is asked for at a time."""


class Pictures(Manager):
    """QuickDraw's routines for pictures."""

    _memory: MemoryManager
    _quickdraw: QuickDraw
    _procedures: Procedures
    _pen: Pen
    _recordings: Recordings
    _tools: PictureTools

    @routine("FUNCTION OpenPicture (picFrame: Rect): PicHandle")
    def open_picture(self, frame: int) -> int:
        """Begin to record what is drawn in the current port; nothing is seen meanwhile."""
        return self.open(self._quickdraw.rectangle(frame))

    def open(self, frame: Rectangle, resolution: tuple[int, int] | None = None) -> int:
        """Begin to record a picture; its handle, or nil without memory.

        Args:
            frame: its frame, in the coordinates in which it is drawn.
            resolution: what `PictureRecorder` has.
        """
        quickdraw = self._quickdraw
        port = quickdraw.port
        record = GrafPort(self.guest, port)
        if record.picSave:
            self.host.report("open picture", "OpenPicture was called while a picture was open")
            return 0
        settings = quickdraw.patterns.settings if quickdraw.is_color_port(port) else None
        recorder = PictureRecorder(frame, settings, resolution)
        handle = self._memory.handle_from(recorder.finish())
        if not handle:
            return 0
        self._recordings.pictures[port] = recorder
        record.picSave = handle
        self._pen.change_visibility(-1)
        return handle

    @routine("PROCEDURE ClosePicture")
    def close_picture(self) -> None:
        """Stop recording."""
        port = self._quickdraw.port
        recorder = self._recordings.pictures.pop(port, None)
        if recorder is None:
            self.host.report(
                "open picture",
                "ClosePicture was called while no picture was open, and does nothing",
                Sureness.UNUSUAL,
            )
            return
        record = GrafPort(self.guest, port)
        self._memory.set_contents(record.picSave, recorder.finish())
        record.picSave = 0
        self._pen.change_visibility(1)

    @routine("PROCEDURE KillPicture (myPicture: PicHandle)")
    def kill_picture(self, picture: int) -> None:
        """Dispose of a picture."""
        self._memory.dispose_handle(picture)

    @routine("PROCEDURE DrawPicture (myPicture: PicHandle; dstRect: Rect)")
    def draw_picture(self, picture: int, r: int) -> None:
        """Draw a picture, stretched or shrunk so that its frame fills a rectangle."""
        if not picture:
            self.host.report("nil picture", "DrawPicture was called with nil, and does nothing")
            return
        destination = self._quickdraw.rectangle(r)
        self.play(self._memory.reachable(picture), destination)

    def play(self, data: bytes, destination: Rectangle) -> None:
        """Draw a picture's data in the current port."""
        record = self.guest.read(self._quickdraw.port, GrafPort.size)
        procedure = self._procedures.replacement(record, _GET_PICTURE)
        if procedure:
            reader = PictureReader(data[: Picture.size], lambda size: self._fetch(procedure, size))
        else:
            reader = PictureReader(data)
        PicturePlayer(self._tools, reader, destination).play()

    def _fetch(self, procedure: int, size: int) -> bytes:
        """Bytes of a picture that a procedure of the program gives, as from a file."""
        place = self._memory.new_pointer(_AT_ONCE)
        if not place:
            raise DamagedPictureError("there is no memory to fetch the picture piece by piece")
        pieces = []
        while size > 0:
            some = min(size, _AT_ONCE)
            self.host.call_guest(procedure, _GET_PICTURE_PROCEDURE, place, some)
            pieces.append(self.guest.read(place, some))
            size -= some
        self._memory.dispose_pointer(place)
        return b"".join(pieces)

    @routine("PROCEDURE PicComment (kind,dataSize: INTEGER; dataHandle: Handle)")
    def pic_comment(self, kind: int, size: int, handle: int) -> None:
        """Put a comment into the picture being recorded."""
        record = self.guest.read(self._quickdraw.port, GrafPort.size)
        if not self._procedures.replaced(record, COMMENT, _COMMENT_PROCEDURE, kind, size, handle):
            self.std_comment(kind, size, handle)

    @routine("PROCEDURE StdComment (kind,dataSize: INTEGER; dataHandle: Handle)")
    def std_comment(self, kind: int, size: int, handle: int) -> None:
        """Put a comment into the picture being recorded; otherwise nothing."""
        port = self._quickdraw.port
        if GrafPort(self.guest, port).picSave:
            data = self._memory.contents(handle)[: max(size, 0)] if handle else b""
            self._recordings.picture(port).comment(kind, data)


class ColorPictures(Manager):
    """Records pictures that have a header of Color QuickDraw."""

    _quickdraw: QuickDraw
    _pictures: Pictures

    @routine("FUNCTION OpenCPicture (newHeader: Ptr): PicHandle")
    def open_c_picture(self, header: int) -> int:
        """Begin to record a picture with a resolution."""
        parameters = OpenCPicParams(self.guest, header)
        across, down = parameters.hRes, parameters.vRes
        resolution = (across, down) if across > 0 and down > 0 else None
        return self._pictures.open(parameters.srcRect, resolution)
