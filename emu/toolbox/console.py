"""Reads what a program writes to its console, where the console library's own routine is known.

A console library draws characters, and blanks over blanks and line ends are not drawn at all. So
the text is taken where it passes, at the routine through which Retro68's library and ours send
all of it: ``_consolewrite(file, bytes, count)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh

_MOST = 1 << 20
"""Bytes of one call, and 16 times as many in a run, that are believed."""


class ConsoleWatch:
    """Stops the program before it enters the routine and notes what is written."""

    SYMBOL = "_consolewrite"

    def __init__(self, mac: Macintosh) -> None:
        self._mac = mac
        self._address: int | None = None

    def move_to(self, address: int | None) -> None:
        """The routine is at this address now; None while it is not in memory."""
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
            raise mac.stopped(f"the program writes {count:,} bytes at once to its console")
        if len(mac.outputs.console) + count > 16 * _MOST:
            raise mac.stopped(f"the program has written {16 * _MOST:,} bytes to its console")
        mac.outputs.console += mac.guest.read(start, count)
