"""What a person does with mouse and keyboard, and recordings of it that can be repeated exactly.

With the clock that counts calls, a program does the same each time if it is given the same inputs
at the same *looks*: the first look is the first time that the program looks for an event in vain,
which is when a user may act.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from emu.base.errors import ProgramError
from emu.program.mac_file.mac_file import parse_mac_file
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.records.results import ResultCode
from emu.toolbox.system_file.keyboard import MODIFIERS, key_message

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh


_NAME = "a name has 1 to 31 characters there, and no colon"
_REFUSALS = {
    ResultCode.dskFulErr: "the disk is full",
    ResultCode.dirFulErr: "the folder is full",
    ResultCode.bdNamErr: _NAME,
    ResultCode.dirNFErr: _NAME,
    ResultCode.nsvErr: _NAME,
    ResultCode.dupFNErr: "a folder has this name",
}


def _bits(modifiers: Iterable[str]) -> int:
    return sum(MODIFIERS[name] for name in modifiers)


@dataclass(frozen=True, slots=True)
class MouseMove:
    """The mouse moves to a point of the screen."""

    place: Point

    def apply(self, mac: Macintosh) -> None:
        """Do it."""
        mac.events.move_mouse(self.place)


@dataclass(frozen=True, slots=True)
class MousePress:
    """The mouse button goes down at a point of the screen, with these modifier keys held."""

    place: Point
    modifiers: tuple[str, ...] = ()

    def apply(self, mac: Macintosh) -> None:
        """Do it."""
        mac.events.move_mouse(self.place)
        mac.events.press_mouse(_bits(self.modifiers))


@dataclass(frozen=True, slots=True)
class MouseRelease:
    """The mouse button goes up at a point of the screen, with these modifier keys held."""

    place: Point
    modifiers: tuple[str, ...] = ()

    def apply(self, mac: Macintosh) -> None:
        """Do it."""
        mac.events.move_mouse(self.place)
        mac.events.release_mouse(_bits(self.modifiers))


@dataclass(frozen=True, slots=True)
class KeyPress:
    """A key goes down; ``key`` is a character or a name of `keyboard.NAMED`."""

    key: str
    modifiers: tuple[str, ...] = ()

    def apply(self, mac: Macintosh) -> None:
        """Do it."""
        mac.events.key_down(key_message(self.key), _bits(self.modifiers))


@dataclass(frozen=True, slots=True)
class KeyRelease:
    """A key goes up."""

    key: str
    modifiers: tuple[str, ...] = ()

    def apply(self, mac: Macintosh) -> None:
        """Do it."""
        mac.events.key_up(key_message(self.key), _bits(self.modifiers))


@dataclass(frozen=True, slots=True)
class HeldModifiers:
    """These modifier keys are held down from now on, and no others."""

    names: tuple[str, ...]

    def apply(self, mac: Macintosh) -> None:
        """Do it."""
        mac.events.hold_modifiers(self.names)


@dataclass(frozen=True, slots=True)
class FileDrop:
    """A file is put on the program's disk, in the root folder.

    Attributes:
        name: its name on the host.
        data: MacBinary or another container of a Mac file, or else the data fork of a text.
    """

    name: str
    data: bytes

    def apply(self, mac: Macintosh) -> None:
        """Do it; a file that cannot be there is left out, in a replay as in the session."""
        self.put(mac)

    def put(self, mac: Macintosh) -> str:
        """Do it; why the file cannot be on the disk, or "" if it is."""
        try:
            try:
                mac.files.add_copy(parse_mac_file(self.data, Path(self.name)))
            except ProgramError:
                mac.files.add(Path(self.name).name, self.data)
        except FileError as error:
            return _REFUSALS.get(error.code, f"the File Manager says {error.code.name}")
        return ""


@dataclass(frozen=True, slots=True)
class TextObservation:
    """The person has seen a text, which has to be there when the script is repeated."""

    text: str

    def apply(self, mac: Macintosh) -> None:
        """Nothing: it is a step of the script only."""


@dataclass(frozen=True, slots=True)
class PictureObservation:
    """The person has looked at the front window, which has to look so when it is repeated."""

    def apply(self, mac: Macintosh) -> None:
        """Nothing: it is a step of the script only."""


Observation: TypeAlias = TextObservation | PictureObservation
"""What only the steps of a script have; a file with the exact inputs does without."""

UserInput: TypeAlias = (
    MouseMove
    | MousePress
    | MouseRelease
    | KeyPress
    | KeyRelease
    | HeldModifiers
    | FileDrop
    | TextObservation
    | PictureObservation
)


@dataclass(frozen=True, slots=True)
class RecordedInput:
    """An input, and the look at which it came, counted from 1."""

    look: int
    input: UserInput


class RecordedUser:
    """Repeats a recording exactly.

    Args:
        mac: the Macintosh.
        recording: in the order in which the inputs came.

    Attributes:
        looks: how often the program has looked for an event in vain.
    """

    def __init__(self, mac: Macintosh, recording: Sequence[RecordedInput]) -> None:
        self._mac = mac
        mac.events.is_played = True  # as it was when the recording was made
        self._recording = recording
        self._next = 0
        self.looks = 0

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do."""
        return self._next == len(self._recording)

    def act(self) -> bool:
        """Do what came at this look; whether more is to come."""
        self.looks += 1
        while not self.finished and self._recording[self._next].look <= self.looks:
            recorded = self._recording[self._next]
            self._next += 1
            recorded.input.apply(self._mac)
        return not self.finished
