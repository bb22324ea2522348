"""Copying and scrolling pixels."""

from __future__ import annotations

from emu.base.errors import UsageError
from emu.quickdraw import PixelRegion, PixelView, Rectangle, Shape, copy_bits, scroll
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.quickdraw.heart.canvas import Canvas
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.procedures import BITS, Procedures
from emu.toolbox.managers.quickdraw.ports import grafport as at
from emu.toolbox.managers.quickdraw.ports.bit_maps import BitMaps, CopiedPixels, in_black_and_white
from emu.toolbox.managers.quickdraw.ports.recorder import Recordings
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.records.quickdraw import GrafPort

_BITS_PROCEDURE = (
    "PROCEDURE BitsProc (srcBits: BitMap; srcRect,dstRect: Rect; mode: INTEGER; maskRgn: RgnHandle)"
)


class Bits(Manager):
    """QuickDraw's routines that copy pixels."""

    _regions: RegionHandles
    _quickdraw: QuickDraw
    _bit_maps: BitMaps
    _procedures: Procedures
    _recordings: Recordings

    @routine(
        "PROCEDURE CopyBits (srcBits,dstBits: BitMap; srcRect,dstRect: Rect; mode: INTEGER; "
        "maskRgn: RgnHandle)"
    )
    def copy_bits(
        self, src: int, dst: int, src_rect: int, dst_rect: int, mode: int, mask: int
    ) -> None:
        """Copy a rectangle of pixels; into the current port's bit map it is clipped as drawing."""
        quickdraw, guest = self._quickdraw, self.guest
        port = quickdraw.port
        if self._same_pixels(dst, port + GrafPort.portBits.offset):
            record = guest.read(port, GrafPort.size)
            procedures = self._procedures
            if not quickdraw.is_usable(port, record):
                return
            if not procedures.replaced(
                record, BITS, _BITS_PROCEDURE, src, src_rect, dst_rect, mode, mask
            ):
                self.std_bits(src, src_rect, dst_rect, mode, mask)
            return
        copied = self._copied(src, src_rect, dst_rect, mode, mask)
        clip: Shape = copied.destination if copied.mask is None else copied.mask
        record = guest.read(port, GrafPort.size)
        self._transfer(copied, Canvas(self._bit_maps.at(dst), clip), record, own=False)

    def _copied(self, src: int, src_rect: int, dst_rect: int, mode: int, mask: int) -> CopiedPixels:
        """What a program asks for: addresses, and the handle of a region or nil."""
        quickdraw = self._quickdraw
        return CopiedPixels(
            self._bit_maps.at(src),
            quickdraw.rectangle(src_rect),
            quickdraw.rectangle(dst_rect),
            mode,
            self._regions.region(mask) if mask else None,
        )

    def _same_pixels(self, dst: int, port_bits: int) -> bool:
        """Whether a bit map is the current port's, the way QuickDraw tells: by its address."""
        if dst == port_bits:
            return True
        base_address = self._bit_maps.base_address
        return base_address(dst) == base_address(port_bits)

    @routine(
        "PROCEDURE StdBits (srcBits: BitMap; srcRect,dstRect: Rect; mode: INTEGER; "
        "maskRgn: RgnHandle)"
    )
    def std_bits(self, src: int, src_rect: int, dst_rect: int, mode: int, mask: int) -> None:
        """Copy pixels to the current port, or note it in the picture being recorded."""
        self.draw_bits(self._copied(src, src_rect, dst_rect, mode, mask))

    def draw_bits(self, copied: CopiedPixels) -> None:
        """Copy pixels to the current port."""
        quickdraw = self._quickdraw
        port = quickdraw.port
        record = self.guest.read(port, GrafPort.size)
        if GrafPort.picSave.of(record):
            noted = copied if at.is_color_port(record) else in_black_and_white(copied)
            self._recordings.picture(port).bits(record, noted)
        if at.is_pen_hidden(record):
            return
        bitmap, clip = quickdraw.canvas(port, record)
        if copied.mask is not None:
            region = clip if isinstance(clip, PixelRegion) else PixelRegion.from_rectangle(clip)
            clip = region.intersect(copied.mask)
        self._transfer(copied, Canvas(bitmap, clip), record)

    def _transfer(
        self,
        copied: CopiedPixels,
        to: Canvas,
        record: bytes,
        mask: PixelView | None = None,
        mask_rect: Rectangle | None = None,
        *,
        own: bool = True,
    ) -> None:
        quickdraw = self._quickdraw
        try:
            copy_bits(
                copied.bitmap,
                copied.source,
                to.bitmap,
                copied.destination,
                copied.mode,
                to.clip,
                colors=quickdraw.colors(record, to.bitmap.space, own=own),
                terms=quickdraw.transfer_terms.of(record, copied.mode),
                mask=mask,
                mask_rect=mask_rect,
            )
        except UsageError as error:
            raise self.host.stopped(str(error)) from error

    @routine(
        "PROCEDURE CopyMask (srcBits,maskBits,dstBits: BitMap; srcRect,maskRect,dstRect: Rect)"
    )
    def copy_mask(
        self, src: int, mask: int, dst: int, src_rect: int, mask_rect: int, dst_rect: int
    ) -> None:
        """Copy the pixels that a mask lets through; one of several bits weighs them."""
        self.copy_deep_mask(src, mask, dst, src_rect, mask_rect, dst_rect, 0, 0)

    @routine(
        "PROCEDURE CopyDeepMask (srcBits,maskBits,dstBits: BitMap; srcRect,maskRect,dstRect: Rect; "
        "mode: INTEGER; maskRgn: RgnHandle)"
    )
    def copy_deep_mask(
        self,
        src: int,
        mask: int,
        dst: int,
        src_rect: int,
        mask_rect: int,
        dst_rect: int,
        mode: int,
        region: int,
    ) -> None:
        """Copy the pixels that a mask lets through, inside a region, with a transfer mode.

        A mask of several bits a pixel weighs the source, whatever the mode is.
        """
        quickdraw = self._quickdraw
        copied = self._copied(src, src_rect, dst_rect, mode, region)
        port = quickdraw.port
        record = self.guest.read(port, GrafPort.size)
        own = self._same_pixels(dst, port + GrafPort.portBits.offset)
        to = Canvas(self._bit_maps.at(dst), copied.destination)
        if own:
            to = quickdraw.canvas(port, record)
        if copied.mask is not None:
            clip = (
                to.clip if isinstance(to.clip, PixelRegion) else PixelRegion.from_rectangle(to.clip)
            )
            to = Canvas(to.bitmap, clip.intersect(copied.mask))
        over, r = self._bit_maps.at(mask), quickdraw.rectangle(mask_rect)
        self._transfer(copied, to, record, over, r, own=own)

    @routine("PROCEDURE ScrollRect (r: Rect; dh,dv: INTEGER; updateRgn: RgnHandle)")
    def scroll_rect(self, r: int, dh: int, dv: int, update: int) -> None:
        """Move a rectangle's pixels; the region becomes those that are to be drawn anew."""
        quickdraw = self._quickdraw
        port = quickdraw.port
        record = self.guest.read(port, GrafPort.size)
        area = quickdraw.rectangle(r)
        uncovered = PixelRegion.from_rectangle(Rectangle(0, 0, 0, 0))
        if not at.is_pen_hidden(record):
            for tell in quickdraw.on_scroll:
                tell(port, area, dh, dv)
            bitmap, clip = quickdraw.canvas(port, record)
            uncovered = scroll(
                bitmap,
                area,
                dh,
                dv,
                clip,
                background=quickdraw.patterns.pattern(record, at.ERASE),
                colors=quickdraw.colors(record, bitmap.space),
            )
            if at.is_color_port(record):  # whose pattern may have colours of its own
                quickdraw.draw(at.ERASE, uncovered, port, record)
        if update:
            self._regions.set_region(update, uncovered)
