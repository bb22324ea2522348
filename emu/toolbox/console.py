"""Reads what a program writes to its console, if symbols tell where the library's routine is.

A console library draws characters in a window. Line ends, and blanks on blank paper, are not drawn,
so the text cannot be read from the drawing alone. It is read where Retro68's library and macproof's
pass it on: at the routine ``_consolewrite(file, bytes, count)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh

_STREAMS = 3
"""Standard input, output and error have the file numbers 0, 1 and 2."""

_MOST = 1 << 20
"""The most bytes in one call; a run may write 16 times as many."""


class ConsoleWatch:
    """Stops the program before it enters the routine, and records what is written.

    Args:
        mac: the Macintosh.
        is_guess: whether the routine's address is a guess. A guess that turns out wrong, because
            the arguments cannot be the routine's, is given up with all that it recorded.
    """

    SYMBOL = "_consolewrite"

    def __init__(self, mac: Macintosh, *, is_guess: bool = False) -> None:
        self._mac = mac
        self._is_guess = is_guess
        self._is_wrong = False
        self._address: int | None = None

    def move_to(self, address: int | None) -> None:
        """Say at which address the routine is now; None while it is not in memory."""
        if self._is_wrong:
            address = None
        if address == self._address:
            return
        if self._address is not None:
            self._mac.unwatch(self._address)
        self._address = address
        if address is not None:
            self._mac.watch(address, self._note)

    def _note(self) -> None:
        mac = self._mac
        file, start, count = mac.dispatcher.c_arguments(3)
        if self._is_guess and not (file < _STREAMS and count <= _MOST and self._can_read(start)):
            self._is_wrong = True
            self.move_to(None)
            mac.outputs.console.clear()
            return
        if count > _MOST:
            raise mac.host.stopped(f"the program writes {count:,} bytes at once to its console")
        if len(mac.outputs.console) + count > 16 * _MOST:
            raise mac.host.stopped(f"the program has written {16 * _MOST:,} bytes to its console")
        mac.outputs.console += mac.guest.read(start, count)

    def _can_read(self, address: int) -> bool:
        return self._mac.guest.memory.find(address) is not None
