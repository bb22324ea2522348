"""The auxiliary records of windows and controls that have no colours of their own.

All windows share one, and all controls another, each with a handle to the table of standard
colours. Source: Inside Macintosh V, chapters "The Window Manager" and "The Control Manager".
"""

from __future__ import annotations

from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.quickdraw import ColorSpec, ColorTable

_BLACK, _WHITE = 0, 0xFFFF
_WINDOW_SIZE, _CONTROL_SIZE = 28, 22
_COLORS = 8
"""Where the handle of the colour table is in either record; before it are a link and an owner."""


class AuxiliaryRecords(Manager):
    """Makes the two records when they are first asked for."""

    _memory: MemoryManager

    def __post_init__(self) -> None:
        self._made: dict[int, int] = {}

    def of_windows(self) -> int:
        """The handle of the AuxWinRec: content, frame, text, highlighted items, title bar."""
        return self._record(_WINDOW_SIZE, (_WHITE, _BLACK, _BLACK, _BLACK, _WHITE))

    def of_controls(self) -> int:
        """The handle of the AuxCtlRec: frame, body, text, indicator."""
        return self._record(_CONTROL_SIZE, (_BLACK, _WHITE, _BLACK, _WHITE))

    def _record(self, size: int, parts: tuple[int, ...]) -> int:
        memory, handle = self._memory, self._made.get(size, 0)
        if not memory.is_handle(handle):
            table = ColorTable.copied()
            table.ctSize = len(parts) - 1
            entries = b"".join(
                part.to_bytes(2, "big") + 3 * value.to_bytes(2, "big")
                for part, value in enumerate(parts)
            )
            assert len(entries) == len(parts) * ColorSpec.size
            record = bytearray(size)
            colors = memory.handle_from(table.read() + entries)
            record[_COLORS : _COLORS + 4] = colors.to_bytes(4, "big")
            handle = self._made[size] = memory.handle_from(bytes(record))
        return handle
