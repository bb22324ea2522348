"""The terminal as commands see it: whatever they print, it obeys nothing but their own styles."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from typing import IO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from emu.base.printable import printable


class SafeConsole(Console):
    """A console that escapes what a terminal would obey, and that survives its reader."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Escape the text of each piece; pieces that control the terminal are Rich's own."""
        for piece in super().render(renderable, options):
            yield piece if piece.control else Segment(printable(piece.text), piece.style)

    def on_broken_pipe(self) -> None:
        """Go on without a reader: files and the exit code have others."""
        silence(self.file)


def silence(stream: IO[str]) -> None:
    """Send to nowhere what a stream still holds and is given."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
