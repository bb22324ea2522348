"""The console of the commands. Text from programs and files cannot control the terminal."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from typing import IO, Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from emu.base.printable import printable

_USUAL_WIDTH = 80


class SafeConsole(Console):
    """A console that escapes control characters, and goes on if its reader is gone."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        if self.width < 1:  # Rich takes COLUMNS=0 at its word, and prints nothing at all
            self.width = _USUAL_WIDTH

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Escape the text of each segment; control segments are Rich's own and stay."""
        for piece in super().render(renderable, options):
            yield piece if piece.control else Segment(printable(piece.text), piece.style)

    def on_broken_pipe(self) -> None:
        """Go on without the reader, because reports are still to be written."""
        silence(self.file)


def silence(stream: IO[str]) -> None:
    """Discard what a stream has buffered and what is written to it from now on."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
