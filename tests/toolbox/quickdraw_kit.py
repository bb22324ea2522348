"""What the tests of QuickDraw share: a Macintosh with a port on its screen, and its pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.quickdraw import Rectangle
from emu.toolbox.macintosh import Macintosh
from tests.toolbox.conftest import do


class Drawing:
    """A Macintosh whose QuickDraw is ready.

    Attributes:
        mac: it.
        port: the current port, all of the screen unless a test changes that.
    """

    def __init__(self, mac: Macintosh) -> None:
        self.mac = mac
        self.guest = mac.guest
        self.globals = mac.layout.globals_start + 0x400
        screen = mac.quickdraw.screen
        white = np.full((screen.bounds.height, screen.bounds.width), screen.space.white)
        screen.put(screen.bounds, white)  # without the desktop, on which nothing would be seen
        do(mac, "InitGraf", self.globals)
        self.port: int = mac.memory.new_pointer(108)
        do(mac, "OpenPort", self.port)

    def call(self, name: str, *arguments: Any) -> Any:
        """Do a routine."""
        return do(self.mac, name, *arguments)

    def store(self, data: bytes) -> int:
        """The address of a copy of bytes in guest memory."""
        address: int = self.mac.memory.new_pointer(len(data))
        self.guest.write(address, data)
        return address

    def rect(self, left: int, top: int, right: int, bottom: int) -> int:
        """The address of a rectangle, in the order of SetRect."""
        address: int = self.mac.memory.new_pointer(8)
        self.call("SetRect", address, left, top, right, bottom)
        return address

    def pattern(self, rows: str) -> int:
        """The address of a pattern."""
        return self.store(bytes.fromhex(rows))

    def string(self, text: bytes) -> int:
        """The address of a Pascal string."""
        return self.store(bytes((len(text),)) + text)

    def window(self, left: int, top: int, width: int, height: int) -> int:
        """A port with its own coordinates somewhere on the screen; the current one from now on."""
        port: int = self.mac.memory.new_pointer(108)
        self.mac.quickdraw.open_port(port, Rectangle(top, left, top + height, left + width))
        self.call("SetPort", port)
        return port

    def pixels(self, left: int, top: int, right: int, bottom: int) -> NDArray[np.uint8]:
        """Pixels of the screen."""
        found: NDArray[np.uint8] = self.mac.quickdraw.screen.pixels(
            Rectangle(top, left, bottom, right)
        )
        return found

    def black(self) -> int:
        """How many pixels of the screen are black."""
        bounds = self.mac.quickdraw.screen.bounds
        return int((self.mac.quickdraw.screen.pixels(bounds) != 0).sum())

    def region_bytes(self, handle: int) -> bytes:
        """The data of a region's handle."""
        contents: bytes = self.mac.memory.contents(handle)
        return contents
