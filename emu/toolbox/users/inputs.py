"""What a person does with mouse and keyboard, and recordings of it that can be repeated exactly.

With the clock that counts calls, a program does the same each time if it is given the same inputs
at the same *looks*: the first look is the first time that the program looks for an event in vain,
which is when a user may act.
"""

from __future__ import annotations

import base64
import contextlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import yaml

from emu.base.errors import ProgramError
from emu.base.files import write_whole
from emu.base.yaml_document import YamlDocument, check_against_schema
from emu.program.mac_file.mac_file import parse_mac_file
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.system_file.keyboard import MODIFIERS, key_message
from emu.toolbox.users.mouse_track import LookAndPlace, moves_of, track_text, tracks

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh

SCHEMA = "macproof.events/1"
"""The form of a file with an exact recording."""

_LARGEST_FILE = 64 << 20
"""An hour of mouse moves takes 5 MB."""


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
        """Do it; a file that cannot be there is left out."""
        with contextlib.suppress(FileError):
            try:
                mac.files.add_copy(parse_mac_file(self.data, Path(self.name)))
            except ProgramError:
                mac.files.add(Path(self.name).name, self.data)


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


def read_events(path: Path) -> tuple[RecordedInput, ...]:
    """Read an exact recording; see ``emu/toolbox/events.schema.json``.

    Raises:
        CaseError: the file cannot be read or does not fit the schema.
    """
    document = YamlDocument(path, "a recording of events", _LARGEST_FILE)
    schema = json.loads(resources.files("emu.toolbox").joinpath("events.schema.json").read_text())
    check_against_schema(document, schema)
    recording: list[RecordedInput] = []
    for number, entry in enumerate(document.data["events"]):
        place = ("events", number)
        try:
            read = _inputs(entry)
        except UnicodeEncodeError as error:
            problem = f"{error.object!r} is not in the Macintosh's character set"
            raise document.error(place, problem) from error
        except ValueError as error:
            raise document.error(place, str(error)) from error
        for recorded in read:
            if recording and recorded.look < recording[-1].look:
                raise document.error(place, "looks never grow smaller")
            recording.append(recorded)
    return tuple(recording)


def _inputs(entry: dict[str, Any]) -> list[RecordedInput]:
    """The inputs that an event of a file stands for.

    Raises:
        ValueError: it stands for none.
    """
    if "moves" not in entry and "look" not in entry:
        raise ValueError("the look at which it came is missing")
    if "moves" not in entry:
        return [RecordedInput(entry["look"], _input(entry))]
    if len(entry) > 1:
        raise ValueError("moves have their looks in them, and nothing stands beside them")
    return [RecordedInput(look, MouseMove(place)) for look, place in moves_of(entry["moves"])]


def write_events(path: Path, recording: Iterable[RecordedInput]) -> None:
    """Write an exact recording."""
    write_whole(path, events_text(recording).encode())


def events_text(recording: Iterable[RecordedInput]) -> str:
    """The text of a file with an exact recording: a line for each input."""
    lines = [f"schema: {SCHEMA}", "events:"]
    inputs = [each for each in recording if not isinstance(each.input, Observation)]
    for numbers in tracks([_move_of(recorded) for recorded in inputs]):
        moves = [move for number in numbers if (move := _move_of(inputs[number])) is not None]
        one = inputs[numbers[0]]
        lines.append(f"  - {_flow({'moves': track_text(moves)}) if moves[1:] else _line(one)}")
    if len(lines) == 2:
        lines[1] = "events: []"
    return "\n".join(lines) + "\n"


def _flow(entry: dict[str, Any]) -> str:
    text: str = yaml.safe_dump(entry, default_flow_style=True, sort_keys=False, width=1 << 30)
    return text.rstrip()


def _line(recorded: RecordedInput) -> str:
    """The line of an input."""
    match recorded.input:
        case FileDrop(name, data):
            # PyYAML looks at each character, which takes 30 s for a file of 16 MB.
            words, code = _flow({"name": name})[1:-1], base64.b64encode(data).decode("ascii")
            return f'{{look: {recorded.look}, file: {{{words}, data: "{code}"}}}}'
        case _:
            return _flow({"look": recorded.look, **_entry(recorded.input)})


def _move_of(recorded: RecordedInput) -> LookAndPlace | None:
    match recorded.input:
        case MouseMove(place):
            return recorded.look, place
    return None


def _entry(event: UserInput) -> dict[str, Any]:
    """An input as the events of a file have it."""
    match event:
        case MouseMove(place):
            return {"move": [place.h, place.v]}
        case MousePress(place, modifiers):
            return {"press": [place.h, place.v], **_modifiers_of(modifiers)}
        case MouseRelease(place, modifiers):
            return {"release": [place.h, place.v], **_modifiers_of(modifiers)}
        case KeyPress(key, modifiers):
            return {"key_down": key, **_modifiers_of(modifiers)}
        case KeyRelease(key, modifiers):
            return {"key_up": key, **_modifiers_of(modifiers)}
        case HeldModifiers(names):
            return {"held": list(names)}
    raise AssertionError(f"{event} has no entry")


def _modifiers_of(modifiers: tuple[str, ...]) -> dict[str, Any]:
    return {"modifiers": list(modifiers)} if modifiers else {}


def _input(entry: dict[str, Any]) -> UserInput:
    """The input that an event of a file stands for.

    Raises:
        ValueError: it is not one input, or there is no such key.
    """
    actions = [name for name in entry if name not in ("look", "modifiers")]
    if len(actions) != 1:
        raise ValueError(f"an event is one input, not {len(actions)}")
    if "modifiers" in entry and actions[0] in ("move", "held", "file"):
        raise ValueError("modifiers belong to a press, a release or a key")
    modifiers = tuple(entry.get("modifiers", ()))
    match entry:
        case {"move": [h, v]}:
            return MouseMove(Point(v, h))
        case {"press": [h, v]}:
            return MousePress(Point(v, h), modifiers)
        case {"release": [h, v]}:
            return MouseRelease(Point(v, h), modifiers)
        case {"key_down": key}:
            key_message(key)
            return KeyPress(key, modifiers)
        case {"key_up": key}:
            key_message(key)
            return KeyRelease(key, modifiers)
        case {"file": {"name": name, "data": data}}:
            return FileDrop(name, _decoded(data))
        case _:
            return HeldModifiers(tuple(entry["held"]))


def _decoded(data: str) -> bytes:
    try:
        return base64.b64decode(data, validate=True)
    except ValueError as error:
        raise ValueError("the data of a file are no base64") from error
