"""What a program leaves for people: text, pictures, and what it did wrong."""

from __future__ import annotations

from dataclasses import dataclass, field

from emu.toolbox.findings import Finding


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a window or of the screen, as PNG; the name is fit for a file."""

    name: str
    png: bytes = field(repr=False)


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


def console_text(written: bytes) -> str:
    """Console output as text: MacRoman, with either kind of line end."""
    return written.decode("mac_roman").replace("\r\n", "\n").replace("\r", "\n")
