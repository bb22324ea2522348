"""What the tests of windows, controls, menus and dialogs share: a desktop, and somebody at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.program.mac_file.resource_fork import Resource, ResourceFork
from emu.quickdraw import Rectangle
from emu.toolbox.computer.settings import Application, Settings
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.macintosh import Macintosh
from tests.toolbox.conftest import do, make_mac

FRONT = 0xFFFFFFFF

# A routine of the program with Pascal's heading (first: LONGINT; second: INTEGER): it counts its
# calls in the word at the cell, and keeps its second argument in the one after it.
_COUNTER_68K = "207c{cell} 5250 316f00040002 205f 5c8f 4ed0"
_COUNTER_POWERPC = "3ca0{high} 60a5{low} a0c50000 38c60001 b0c50000 b0850002 4e800020"

# A dialog filter that counts its calls and says at the third that item 7 was hit.
_FILTER_68K = "207c{cell} 5250 226f0004 32bc0007 0c500003 57ef0010 022f00010010 205f 4fef000c 4ed0"
_FILTER_POWERPC = (
    "3cc0{high} 60c6{low} a0e60000 38e70001 b0e60000 39000007 b1050000 38600000 2c070003"
    "4c820020 38600001 4e800020"
)


class Somebody:
    """A user who does one thing each time the program waits, and then nothing more."""

    def __init__(self, *doings: Callable[[], object]) -> None:
        self._doings = list(doings)

    def act(self) -> bool:
        """Do the next thing."""
        if not self._doings:
            return False
        self._doings.pop(0)()
        return True


class Desktop:
    """A Macintosh whose Toolbox is ready.

    Attributes:
        mac: it.
    """

    def __init__(
        self, cpu: str, *resources: Resource, idle_limit: int = 50, depth: int = 1
    ) -> None:
        application = Application("Test", ResourceFork(resources))
        self.mac: Macintosh = make_mac(
            cpu, settings=Settings(idle_limit=idle_limit, depth=depth), application=application
        )
        self.guest = self.mac.guest
        self.call("InitGraf", self.mac.layout.globals_start + 0x400)
        for name in ("InitFonts", "InitWindows", "InitMenus", "TEInit"):
            self.call(name)
        self.call("InitDialogs", 0)

    def call(self, name: str, *arguments: Any) -> Any:
        """Do a routine."""
        return do(self.mac, name, *arguments)

    def store(self, data: bytes) -> int:
        """The address of a copy of bytes in guest memory."""
        address = self.mac.memory.new_pointer(max(len(data), 1))
        self.guest.write(address, data)
        return address

    def rect(self, top: int, left: int, bottom: int, right: int) -> int:
        """The address of a rectangle."""
        address = self.mac.memory.new_pointer(8)
        self.guest.put_rect(address, top, left, bottom, right)
        return address

    def string(self, text: bytes = b"") -> int:
        """The address of a Str255."""
        return self.store(bytes([len(text)]) + text + bytes(255 - len(text)))

    def window(
        self,
        top: int,
        left: int,
        bottom: int,
        right: int,
        title: bytes = b"",
        *,
        definition: int = 0,
        visible: bool = True,
        behind: int = FRONT,
    ) -> int:
        """A new window."""
        r, name = self.rect(top, left, bottom, right), self.string(title)
        made: int = self.call("NewWindow", 0, r, name, visible, definition, behind, True, 0)
        return made

    def control(
        self,
        window: int,
        r: tuple[int, int, int, int],
        title: bytes = b"",
        definition: int = 0,
        *,
        value: int = 0,
        maximum: int = 1,
    ) -> int:
        """A new control."""
        made: int = self.call(
            "NewControl",
            window,
            self.rect(*r),
            self.string(title),
            True,
            value,
            0,
            maximum,
            definition,
            0,
        )
        return made

    def user(self, *doings: Callable[[], object]) -> None:
        """Let somebody do these things, one each time the program waits."""
        self.mac.events.user = Somebody(*doings)

    def press(self, place: Point) -> None:
        """Hold the mouse button down at a point of the screen."""
        self.mac.events.move_mouse(place)
        self.mac.events.press_mouse()

    def move(self, v: int, h: int) -> Callable[[], None]:
        """What moves the mouse."""
        return lambda: self.mac.events.move_mouse(Point(v, h))

    def click(self, place: Point) -> tuple[Callable[[], None], Callable[[], None]]:
        """What clicks at a point."""
        return lambda: self.press(place), self.mac.events.release_mouse

    def pixels(self, top: int, left: int, bottom: int, right: int) -> NDArray[np.uint8]:
        """Pixels of the screen."""
        return self.mac.quickdraw.screen.pixels(Rectangle(top, left, bottom, right))

    def findings(self) -> list[str]:
        """The checks that have found something."""
        return [finding.check for finding in self.mac.outputs.findings.values()]

    def counter(self) -> tuple[int, int]:
        """A routine of the program, and the cell in which it counts its calls."""
        return self._procedure(_COUNTER_68K, _COUNTER_POWERPC)

    def filter(self) -> tuple[int, int]:
        """A dialog filter of the program, and the cell in which it counts its calls."""
        return self._procedure(_FILTER_68K, _FILTER_POWERPC)

    def _procedure(self, m68k: str, powerpc: str) -> tuple[int, int]:
        cell = self.store(bytes(4))
        words = f"{cell:08x}"
        source = m68k if self.mac.cpu.architecture == "m68k" else powerpc
        code = self.store(bytes.fromhex(source.format(cell=words, high=words[:4], low=words[4:])))
        if self.mac.cpu.architecture == "m68k":
            return code, cell
        return self.store(code.to_bytes(4, "big") + bytes(4)), cell


def resource(kind: str, number: int, data: bytes, name: str = "") -> Resource:
    """A resource for `Desktop`."""
    return Resource(kind, number, name, 0, data)


def words(*values: int) -> bytes:
    """Words as a resource holds them."""
    return b"".join((value & 0xFFFF).to_bytes(2, "big") for value in values)


def pascal(text: bytes) -> bytes:
    """A string with its length in front."""
    return bytes([len(text)]) + text


def item_list(*items: tuple[int, tuple[int, int, int, int], bytes]) -> bytes:
    """The data of a DITL resource: type, rectangle and data of each item."""
    data = words(len(items) - 1)
    for kind, r, content in items:
        data += bytes(4) + words(*r) + bytes([kind, len(content)]) + content
        data += bytes(len(content) % 2)
    return data
