"""The auxiliary records of windows and controls, which say what colours they have.

Windows without colours of their own share one, and all controls another, each with a handle to the
table of standard colours. Source: Inside Macintosh V, chapters "The Window Manager" and "The
Control Manager".
"""

from __future__ import annotations

from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.painter import WHITE_INK
from emu.toolbox.managers.quickdraw.ports.inks import Rgb
from emu.toolbox.records.quickdraw import ColorSpec, ColorTable

_BLACK, _WHITE = (0, 0, 0), WHITE_INK
_WINDOW_PARTS = (_BLACK, _BLACK, _BLACK, _WHITE)
"""Frame, text, highlighted items, title bar; the content is before them."""
_WINDOW_SIZE, _CONTROL_SIZE = 28, 22
_OWNER, _COLORS = 4, 8
"""Where the owner and the handle of the colour table are in either record; a link is before."""


class AuxiliaryRecords(Manager):
    """Makes the shared records when they are first asked for, and keeps those of windows."""

    _memory: MemoryManager

    def __post_init__(self) -> None:
        self._made: dict[int, int] = {}
        self._of_window: dict[int, int] = {}

    def of_window(self, window: int) -> int:
        """The handle of a window's own AuxWinRec; 0 if it has the colours of all."""
        return self._of_window.get(window, 0)

    def give(self, window: int, content: Rgb) -> None:
        """Give a window a record of its own, for the colour of its content, unless it is white."""
        self.take(window)
        if content != _WHITE:
            self._of_window[window] = self._new(_WINDOW_SIZE, window, (content, *_WINDOW_PARTS))

    def take(self, window: int) -> None:
        """Dispose of a window's own record, if it has one."""
        handle = self._of_window.pop(window, 0)
        if self._memory.is_handle(handle):
            record = self._memory.contents(handle)
            colors = int.from_bytes(record[_COLORS : _COLORS + 4], "big")
            if self._memory.is_handle(colors):
                self._memory.dispose_handle(colors)
            self._memory.dispose_handle(handle)

    def of_windows(self) -> int:
        """The handle of the AuxWinRec of all others."""
        return self._record(_WINDOW_SIZE, (_WHITE, *_WINDOW_PARTS))

    def of_controls(self) -> int:
        """The handle of the AuxCtlRec: frame, body, text, indicator."""
        return self._record(_CONTROL_SIZE, (_BLACK, _WHITE, _BLACK, _WHITE))

    def _record(self, size: int, parts: tuple[Rgb, ...]) -> int:
        handle = self._made.get(size, 0)
        if not self._memory.is_handle(handle):
            handle = self._made[size] = self._new(size, 0, parts)
        return handle

    def _new(self, size: int, owner: int, parts: tuple[Rgb, ...]) -> int:
        table = ColorTable.copied()
        table.ctSize = len(parts) - 1
        entries = b"".join(
            b"".join(word.to_bytes(2, "big") for word in (part, *color))
            for part, color in enumerate(parts)
        )
        assert len(entries) == len(parts) * ColorSpec.size
        record = bytearray(size)
        colors = self._memory.handle_from(table.read() + entries)
        record[_OWNER : _OWNER + 4] = owner.to_bytes(4, "big")
        record[_COLORS : _COLORS + 4] = colors.to_bytes(4, "big")
        return self._memory.handle_from(bytes(record))
