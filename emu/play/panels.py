"""What is shown beside the screen: cursor, windows, heap, resources, findings, sounds."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import islice

import numpy as np

from emu.base.errors import GuestError
from emu.play.messages import (
    CursorImage,
    HeapPanel,
    PlayFinding,
    ResourceLine,
    ResourcePanel,
    SoundStart,
    WindowLine,
    WindowPanel,
)
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.quickdraw.color.cursor import CursorLook
from emu.toolbox.managers.windows.record import global_rectangle
from emu.toolbox.records.windows import WindowRecord

_MOST_RESOURCES = 300


class Panels:
    """Tells what has changed of a Macintosh since it was last asked.

    Args:
        mac: the Macintosh.
    """

    def __init__(self, mac: Macintosh) -> None:
        self._mac = mac
        self._sounds: list[bytes] = []
        mac.outputs.on_sound = self._sounds.append
        self._calls = 0
        self._cursor_before: tuple[CursorLook | None, CursorImage | None] = None, None
        self.forget()

    def forget(self) -> None:
        """Tell everything again, since nobody has heard it; of sounds, only those to come."""
        self._cursor: CursorImage | None = None
        self._windows: WindowPanel | None = None
        self._heap: HeapPanel | None = None
        self._resources: ResourcePanel | None = None
        self._findings = 0
        self._sounds.clear()

    def findings(self, look: int) -> Iterator[PlayFinding]:
        """The mistakes that were found since the last call, after a look."""
        findings = self._mac.outputs.findings
        if len(findings) > self._findings:
            for number, found in enumerate(
                islice(findings.values(), self._findings, None), self._findings
            ):
                place = f"{found.routine} from {found.caller}" if found.routine else found.caller
                yield PlayFinding(number, found.check, found.problem, place, look)
            self._findings = len(findings)

    def quick(self) -> Iterator[CursorImage | SoundStart]:
        """What should be seen and heard at once."""
        cursor = self._cursor_now()
        if cursor != self._cursor:
            self._cursor = cursor
            yield cursor
        yield from map(SoundStart, self._sounds)
        self._sounds.clear()

    def slow(self) -> Iterator[WindowPanel | HeapPanel | ResourcePanel]:
        """What a person reads now and then; it takes about a millisecond."""
        if self._mac.host.calls_made == self._calls:
            return
        self._calls = self._mac.host.calls_made
        try:
            windows, heap, resources = self._windows_now(), self._heap_now(), self._resources_now()
        except GuestError:
            return  # the program has damaged what it would be read from
        if windows != self._windows:
            self._windows = windows
            yield windows
        if heap != self._heap:
            self._heap = heap
            yield heap
        if resources != self._resources:
            self._resources = resources
            yield resources

    def _cursor_now(self) -> CursorImage:
        look, (before, known) = self._mac.quickdraw_cursor.look, self._cursor_before
        if look != before or known is None:
            png, (v, h) = cursor_picture(look.image, look.mask), look.hot_spot
            known = CursorImage(png, h, v, look.is_visible)
            self._cursor_before = look, known
        return known

    def _windows_now(self) -> WindowPanel:
        mac, items = self._mac, []
        front = mac.windows.front() if mac.windows.ready else 0
        for window in mac.windows.all() if mac.windows.ready else ():
            top, left, bottom, right = global_rectangle(mac.guest, window)
            title = mac.windows.title_of(window).decode("mac_roman")
            is_visible = bool(WindowRecord(mac.guest, window).visible)
            items.append(WindowLine(title, window == front, is_visible, (left, top, right, bottom)))
        return WindowPanel(tuple(items))

    def _heap_now(self) -> HeapPanel:
        heap = self._mac.memory.heap
        size = heap.end - heap.start
        return HeapPanel(size, size - heap.free, heap.free, heap.largest, len(heap.blocks))

    def _resources_now(self) -> ResourcePanel:
        mac = self._mac
        loaded = [
            ResourceLine(entry.type, entry.id, entry.name, len(entry.data))
            for file in mac.resources.files
            if file is not mac.resources.system
            for entry in file.entries
            if entry.handle and mac.memory.address(entry.handle)
        ]
        return ResourcePanel(tuple(loaded[:_MOST_RESOURCES]), max(0, len(loaded) - _MOST_RESOURCES))


def cursor_picture(image: bytes, mask: bytes) -> bytes:
    """A cursor as PNG of 16 by 16 pixels: black, white, and clear where neither bit is set.

    A bit of the image outside the mask inverts what is below (Inside Macintosh I, p. I-146); a
    browser's cursor cannot, so it is black there.
    """
    from PIL import Image

    black, opaque = (
        np.unpackbits(np.frombuffer(rows, np.uint8)).reshape(16, 16) for rows in (image, mask)
    )
    pixels = np.zeros((16, 16, 2), np.uint8)
    pixels[:, :, 0] = (1 - black) * 255
    pixels[:, :, 1] = (black | opaque) * 255
    encoded = io.BytesIO()
    Image.fromarray(pixels).save(encoded, format="PNG")
    return encoded.getvalue()
