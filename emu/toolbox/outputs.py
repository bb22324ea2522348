"""What a program leaves for people: text, pictures, and what it did wrong."""

from __future__ import annotations

from dataclasses import dataclass, field

from emu.toolbox.findings import Finding


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a window or of the screen, as PNG; the name is fit for a file."""

    name: str
    png: bytes = field(repr=False)


MOST_PICTURES = 1000
_MOST_WINDOW_TEXT = 16 << 20


@dataclass(slots=True)
class Outputs:
    """Collected while a program runs.

    Attributes:
        console: what it wrote to its console, byte for byte, where that could be seen.
        windows: the text drawn in each window, in the order they were opened: (title, text).
        pictures: in the order they were taken.
        findings: mistakes that did not stop it, by check and problem.
    """

    console: bytearray = field(default_factory=bytearray)
    windows: list[tuple[str, str]] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    findings: dict[tuple[str, str], Finding] = field(default_factory=dict)
    left_out: int = 0
    """Pictures that were too many to keep."""
    _text_size: int = 0

    def keep_picture(self, name: str, png: bytes, *, numbered: bool = False) -> None:
        """Keep a picture; after `MOST_PICTURES` they are only counted."""
        if len(self.pictures) >= MOST_PICTURES:
            self.left_out += 1
            return
        name = f"{len(self.pictures) + 1}-{name}" if numbered else name
        self.pictures.append(Picture(name, png))

    def keep_window_text(self, title: str, text: str) -> None:
        """Keep what was drawn in a window, up to 16 MB in all."""
        self._text_size += len(text)
        if self._text_size <= _MOST_WINDOW_TEXT:
            self.windows.append((title, text))


def console_text(written: bytes) -> str:
    """Console output as text: MacRoman, with either kind of line end."""
    return written.decode("mac_roman").replace("\r\n", "\n").replace("\r", "\n")
