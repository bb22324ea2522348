"""Reads what a program writes to its console, if symbols tell where the library's routine is.

A console library draws characters in a window. Line ends, and blanks on blank paper, are not drawn,
so the text cannot be read from the drawing alone. It is read where Retro68's library and macproof's
pass it on: at the routine ``_consolewrite(file, bytes, count)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh

_MOST = 1 << 20
"""The most bytes in one call; a run may write 16 times as many."""


class ConsoleWatch:
    """Stops the program before it enters the routine, and records what is written."""

    SYMBOL = "_consolewrite"

    def __init__(self, mac: Macintosh) -> None:
        self._mac = mac
        self._address: int | None = None

    def move_to(self, address: int | None) -> None:
        """Say at which address the routine is now; None while it is not in memory."""
        if address == self._address:
            return
        if self._address is not None:
            self._mac.unwatch(self._address)
        self._address = address
        if address is not None:
            self._mac.watch(address, self._note)

    def _note(self) -> None:
        mac = self._mac
        _, start, count = mac.dispatcher.c_arguments(3)
        if count > _MOST:
            raise mac.host.stopped(f"the program writes {count:,} bytes at once to its console")
        if len(mac.outputs.console) + count > 16 * _MOST:
            raise mac.host.stopped(f"the program has written {16 * _MOST:,} bytes to its console")
        mac.outputs.console += mac.guest.read(start, count)
