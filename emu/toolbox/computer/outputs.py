"""Collects what a program leaves: text, pictures, and its mistakes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from emu.toolbox.guest.findings import Mistake


@dataclass(frozen=True, slots=True)
class ScreenPicture:
    """A picture of a window or of the screen, as PNG; the name is fit for a file."""

    name: str
    png: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Sound:
    """A sampled sound that was played, as a WAV file.

    Attributes:
        name: fit for a file.
        wav: the file.
        seconds: how long it lasts.
        times: how often it was played.
    """

    name: str
    wav: bytes = field(repr=False)
    seconds: float
    times: int


@dataclass(frozen=True, slots=True)
class ClosedWindow:
    """What was in a window when it was closed, or when the program ended.

    Attributes:
        title: of the window.
        text: what was drawn in it, as far as it was text.
        picture: of the window, or None of one that could not be seen.
    """

    title: str
    text: str
    picture: ScreenPicture | None = None


MOST_PICTURES = 1000
MOST_SOUNDS = 200
MOST_SENT = 16 << 20
"""The most bytes that are kept of what goes out of the serial ports, and of UDP packets."""
_MOST_WINDOW_TEXT = 16 << 20
_LONGEST_PICTURE_NAME = 60


@dataclass(frozen=True, slots=True)
class MachineWish:
    """What shows that a program wants another Macintosh.

    Attributes:
        reason: what it did, as the end of a sentence about it.
        machines: the names of models that have what it wants, the likeliest first.
    """

    reason: str
    machines: tuple[str, ...]


@dataclass(slots=True)
class Outputs:
    """What has been collected while a program runs.

    Attributes:
        console: the bytes that it wrote to its console, if that could be seen.
        windows: those with a text or a picture, in the order they were closed.
        pictures: in the order they were taken.
        findings: mistakes that did not stop it, by check and problem.
        sounds: sampled sounds by their files, in the order they were first played.
        serial: the bytes that it wrote to the serial ports.
        datagrams: what it sent as UDP packets, each ended by a new line.
    """

    console: bytearray = field(default_factory=bytearray)
    windows: list[ClosedWindow] = field(default_factory=list)
    pictures: list[ScreenPicture] = field(default_factory=list)
    findings: dict[tuple[str, str], Mistake] = field(default_factory=dict)
    sounds: dict[bytes, Sound] = field(default_factory=dict)
    serial: bytearray = field(default_factory=bytearray)
    datagrams: bytearray = field(default_factory=bytearray)
    on_sound: Callable[[bytes], None] | None = None
    """Is called with a WAV file whenever a sound begins that the program plays."""
    wish: MachineWish | None = None
    """What shows that it wants another Macintosh."""
    left_out: int = 0
    """How many pictures were not kept, because there were too many."""
    _text_size: int = 0

    def wish_for_plus(self, reason: str) -> str:
        """Note why the program wants a Macintosh Plus; what to add to the problem."""
        self.wish = MachineWish(reason, ("plus",))
        return "; try --machine plus"

    def keep_picture(
        self, name: str, png: bytes, *, numbered: bool = False
    ) -> ScreenPicture | None:
        """Keep a picture; after `MOST_PICTURES` they are only counted."""
        if len(self.pictures) >= MOST_PICTURES:
            self.left_out += 1
            return None
        name = f"{len(self.pictures) + 1}-{name}" if numbered else name
        self.pictures.append(ScreenPicture(name, png))
        return self.pictures[-1]

    def keep_sound(self, wav: bytes, seconds: float) -> None:
        """Keep a sound, or count it once more; after `MOST_SOUNDS` different ones no more."""
        if self.on_sound is not None:
            self.on_sound(wav)
        sound = self.sounds.get(wav)
        if sound is None and len(self.sounds) < MOST_SOUNDS:
            self.sounds[wav] = Sound(f"sound-{len(self.sounds) + 1}", wav, seconds, 1)
        elif sound is not None:
            self.sounds[wav] = replace(sound, times=sound.times + 1)

    def keep_serial(self, data: bytes) -> None:
        """Keep bytes that go out of a serial port, up to 16 MB in all."""
        self.serial += data[: MOST_SENT - len(self.serial)]

    def keep_datagram(self, data: bytes) -> None:
        """Keep a UDP packet as a line; up to 16 MB in all."""
        line = data if data.endswith(b"\n") else data + b"\n"
        if len(self.datagrams) + len(line) <= MOST_SENT:
            self.datagrams += line

    def keep_window(self, title: str, text: str, png: bytes = b"") -> None:
        """Keep what was drawn in a window: its picture, and up to 16 MB of text in all."""
        self._text_size += len(text)
        if self._text_size > _MOST_WINDOW_TEXT:
            text = ""
        words = re.findall(r"[a-z0-9]+", title.lower())
        name = "-".join(words)[:_LONGEST_PICTURE_NAME].rstrip("-") or "window"
        picture = self.keep_picture(name, png, numbered=True) if png else None
        if text or picture is not None:
            self.windows.append(ClosedWindow(title, text, picture))


def console_text(written: bytes) -> str:
    """Decode console output: MacRoman, with lines that end with CR or LF."""
    return written.decode("mac_roman").replace("\r\n", "\n").replace("\r", "\n")
