"""The file with an exact recording: every input with its look, and what the session had done."""

from __future__ import annotations

import base64
import dataclasses
import json
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from emu.base.files import write_whole
from emu.base.yaml_document import YamlDocument, check_against_schema
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.system_file.keyboard import key_message
from emu.toolbox.users.checkpoints import Checkpoint
from emu.toolbox.users.inputs import (
    FileDrop,
    HeldModifiers,
    KeyPress,
    KeyRelease,
    MouseMove,
    MousePress,
    MouseRelease,
    Observation,
    RecordedInput,
    UserInput,
)
from emu.toolbox.users.mouse_track import LookAndPlace, moves_of, track_text, tracks

SCHEMA = "macproof.events/1"
"""The form of a file with an exact recording."""

_LARGEST_FILE = 64 << 20
"""An hour of mouse moves takes 5 MB."""


@dataclass(frozen=True, slots=True)
class Recording:
    """What the file has.

    Attributes:
        inputs: what the person did, in the order in which it came.
        checkpoints: what the session had done, look by look; none in a file that was written
            before there were any, or from which a person has deleted them.
    """

    inputs: tuple[RecordedInput, ...]
    checkpoints: tuple[Checkpoint, ...] = ()


def read_events(path: Path) -> Recording:
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
    return Recording(tuple(recording), _checkpoints(document))


def _checkpoints(document: YamlDocument) -> tuple[Checkpoint, ...]:
    checkpoints: list[Checkpoint] = []
    for number, entry in enumerate(document.data.get("checkpoints", [])):
        checkpoint = Checkpoint(**entry)
        if checkpoints and checkpoint.look <= checkpoints[-1].look:
            raise document.error(("checkpoints", number), "looks always grow")
        checkpoints.append(checkpoint)
    return tuple(checkpoints)


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


def write_events(path: Path, recording: Recording) -> None:
    """Write an exact recording."""
    write_whole(path, events_text(recording).encode())


def events_text(recording: Recording) -> str:
    """The text of a file with an exact recording: a line for each input and each checkpoint."""
    lines = [f"schema: {SCHEMA}"]
    inputs = [each for each in recording.inputs if not isinstance(each.input, Observation)]
    lines.append("events:" if inputs else "events: []")
    for numbers in tracks([_move_of(recorded) for recorded in inputs]):
        moves = [move for number in numbers if (move := _move_of(inputs[number])) is not None]
        one = inputs[numbers[0]]
        lines.append(f"  - {_flow({'moves': track_text(moves)}) if moves[1:] else _line(one)}")
    if recording.checkpoints:
        lines.append("checkpoints:  # delete these to have a replay compare nothing with them")
    lines += [f"  - {_checkpoint_line(checkpoint)}" for checkpoint in recording.checkpoints]
    return "\n".join(lines) + "\n"


def _checkpoint_line(checkpoint: Checkpoint) -> str:
    known = [
        f"{name}: {json.dumps(value)}"  # quoted: a digest may look like a number
        for name, value in dataclasses.asdict(checkpoint).items()
        if value != ""
    ]
    return f"{{{', '.join(known)}}}"


def _flow(entry: dict[str, Any]) -> str:
    import yaml  # takes 15 ms, and a run without a script needs none

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
