"""What the page and its server say to each other over the WebSocket at ``/ws?token=…``.

Text frames are JSON. The page says what to ``do``, the server what something ``is``.

From the page:

* ``{"do": "move", "h", "v"}``, and ``press`` and ``release`` with ``modifiers`` too, such as
  ``["command"]``; coordinates are the Macintosh's pixels
* ``{"do": "key", "key", "modifiers"}``: a key is pressed and let go; ``key`` is a character or a
  name such as ``return``. ``key_down`` and ``key_up`` do one of both, so that a key can be held
* ``{"do": "held", "keys"}``: these modifier keys are held now, and no others
* ``{"do": "pause"}``, ``{"do": "resume"}``, ``{"do": "end"}``
* ``{"do": "seek", "moment"}``: go to a moment and pause there; ``{"do": "fork"}``: go on from here,
  and forget what came later; ``{"do": "stop_at", "finding"}``: go to where a finding was found
* ``{"do": "save_script"}``, answered by ``script``; ``{"do": "expect_text", "text"}`` and
  ``{"do": "compare_picture"}`` add a step
* ``{"do": "file", "name", "data"}``: a file is put on the program's disk; ``data`` is base64
* ``{"do": "log", "on", "filter"}``: whether to send calls, and a part of their names

From the server:

* binary frames are pixels: little-endian ``u8 kind = 1, u8 screen, u16 left, u16 top, u16 width,
  u16 height``, then red, green, blue and alpha of each pixel
* ``{"is": "hello", "title", "width", "height", "machine", "cpu", "screens"}``
* ``{"is": "cursor", "png", "h", "v", "visible"}``: base64, and its hot spot
* ``{"is": "moment", "now", "last", "seconds", "state", "text", "mouse"}``: ``state`` is
  ``running``, ``paused``, ``replaying``, ``ended`` or ``stuck``; ``text`` says why it is stuck, or
  is empty; ``mouse`` is its place, ``[h, v]``, or null
* ``{"is": "calls", "lines", "dropped"}``, ``{"is": "findings", "items": [{"n", "check", "problem",
  "place", "moment"}]}``: all findings so far
* ``{"is": "windows", "items": [{"title", "front", "visible", "bounds": [left, top, right,
  bottom]}]}``, ``{"is": "heap", "size", "used", "free", "largest", "blocks"}``, ``{"is":
  "resources", "items": [{"type", "id", "name", "size"}], "more"}``
* ``{"is": "sound", "wav"}``, base64
* ``{"is": "step", "yaml"}``: the recording as a script, whole, whenever it has grown
* ``{"is": "script", "yaml", "events", "pictures": {name: base64}}``
* ``{"is": "difference", "what", "rectangles": [[left, top, width, height]]}``: where two programs
  differ now; ``what`` is empty when they do not
* ``{"is": "file", "name", "problem"}``: a file was put on the disk, or why it was not
* ``{"is": "ended", "problem", "code"}``
* ``{"is": "refused", "text"}``: what the page asked for was wrong, or another page is open
"""

from __future__ import annotations

import base64
import json
import struct
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from emu.base.errors import MacproofError
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.system_file.keyboard import MODIFIERS, key_message
from emu.toolbox.users.inputs import (
    FileDrop,
    HeldModifiers,
    KeyPress,
    KeyRelease,
    MouseMove,
    MousePress,
    MouseRelease,
    Observation,
    PictureObservation,
    TextObservation,
    UserInput,
)

LARGEST_MESSAGE = 24 << 20
"""Bytes of the largest text frame: a dropped file of 16 MB in base64, and some more."""

_LARGEST_FILE = 16 << 20
_PIXELS = struct.Struct("<BBHHHH")
_LARGEST_TEXT = 10_000


class ProtocolError(MacproofError):
    """The page asked for something that there is not, or not in the right form."""


@dataclass(frozen=True, slots=True)
class PageInputs:
    """The person at the page did something with mouse or keyboard, or dropped a file."""

    inputs: tuple[UserInput, ...]


@dataclass(frozen=True, slots=True)
class PauseRequest:
    """The program is to stop where it is, or to go on."""

    on: bool


@dataclass(frozen=True, slots=True)
class MomentRequest:
    """The program is to be shown as it was at a moment."""

    moment: int


@dataclass(frozen=True, slots=True)
class FindingRequest:
    """The program is to be shown as it was when a finding was found, by its number."""

    number: int


@dataclass(frozen=True, slots=True)
class ForkRequest:
    """The program is to go on from the moment that is shown."""


@dataclass(frozen=True, slots=True)
class ScriptRequest:
    """The recording is to be handed out."""


@dataclass(frozen=True, slots=True)
class ObservationRequest:
    """The script is to wait for a text, or to compare the front window with what it shows now."""

    observation: Observation


@dataclass(frozen=True, slots=True)
class LogRequest:
    """Whether calls are to be shown, and what their names contain."""

    on: bool
    part: str


@dataclass(frozen=True, slots=True)
class EndRequest:
    """The run is to end."""


PageMessage: TypeAlias = (
    PageInputs
    | PauseRequest
    | MomentRequest
    | FindingRequest
    | ForkRequest
    | ScriptRequest
    | ObservationRequest
    | LogRequest
    | EndRequest
)


def parse(text: str) -> PageMessage:
    """What a text frame of the page says.

    Raises:
        ProtocolError: it says nothing that is known.
    """
    try:
        said = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProtocolError("a message of the page is no JSON") from error
    if not isinstance(said, dict) or not isinstance(said.get("do"), str):
        raise ProtocolError("a message of the page does not say what to do")
    reader = _READERS.get(said["do"])
    if reader is None:
        raise ProtocolError(f"there is nothing to do that is called {said['do'][:40]!r}")
    return reader(said)


def _number(said: Mapping[str, Any], name: str, least: int = -32768, most: int = 32767) -> int:
    value = said.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ProtocolError(f"{said['do']}: {name} is a whole number from {least} to {most}")
    return value


def _text(said: Mapping[str, Any], name: str, most: int = _LARGEST_TEXT) -> str:
    value = said.get(name)
    if not isinstance(value, str) or len(value) > most:
        raise ProtocolError(f"{said['do']}: {name} is a text of at most {most} characters")
    return value


def _mac_text(said: Mapping[str, Any], name: str, most: int = _LARGEST_TEXT) -> str:
    """A text that a Macintosh can have, and a script: not empty, and in its character set."""
    text = unicodedata.normalize("NFC", _text(said, name, most))  # macOS parts é into two
    try:
        is_empty = not text.encode("mac_roman")
    except UnicodeEncodeError as error:
        sign = text[error.start]
        problem = f"{said['do']}: {name} has {sign!r}, which a Macintosh does not have"
        raise ProtocolError(problem) from error
    if is_empty:
        raise ProtocolError(f"{said['do']}: {name} is empty")
    return text


def _names(said: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = said.get(name, [])
    if not isinstance(value, list) or not all(
        isinstance(each, str) and each in MODIFIERS for each in value
    ):
        raise ProtocolError(f"{said['do']}: {name} are some of {', '.join(MODIFIERS)}")
    return tuple(each for each in MODIFIERS if each in value)


def _place(said: Mapping[str, Any]) -> Point:
    return Point(_number(said, "v"), _number(said, "h"))


def _key(said: Mapping[str, Any]) -> str:
    key = _text(said, "key", 20)
    try:
        key_message(key)
    except ValueError as error:
        raise ProtocolError(f"a Macintosh has no key for {key!r}") from error
    return key


def _press_and_let_go(said: Mapping[str, Any]) -> PageInputs:
    key, held = _key(said), _names(said, "modifiers")
    return PageInputs((KeyPress(key, held), KeyRelease(key, held)))


def _file(said: Mapping[str, Any]) -> PageInputs:
    name = _mac_text(said, "name", 255)
    try:
        data = base64.b64decode(_text(said, "data", LARGEST_MESSAGE), validate=True)
    except ValueError as error:
        raise ProtocolError("file: data is no base64") from error
    if len(data) > _LARGEST_FILE:
        raise ProtocolError(f"a file that is dropped has at most {_LARGEST_FILE:,} bytes")
    return PageInputs((FileDrop(name, data),))


_READERS: Mapping[str, Callable[[Mapping[str, Any]], PageMessage]] = {
    "move": lambda said: PageInputs((MouseMove(_place(said)),)),
    "press": lambda said: PageInputs((MousePress(_place(said), _names(said, "modifiers")),)),
    "release": lambda said: PageInputs((MouseRelease(_place(said), _names(said, "modifiers")),)),
    "key": _press_and_let_go,
    "key_down": lambda said: PageInputs((KeyPress(_key(said), _names(said, "modifiers")),)),
    "key_up": lambda said: PageInputs((KeyRelease(_key(said), _names(said, "modifiers")),)),
    "held": lambda said: PageInputs((HeldModifiers(_names(said, "keys")),)),
    "file": _file,
    "pause": lambda said: PauseRequest(True),
    "resume": lambda said: PauseRequest(False),
    "seek": lambda said: MomentRequest(_number(said, "moment", 0, 1 << 53)),
    "stop_at": lambda said: FindingRequest(_number(said, "finding", 0, 1 << 20)),
    "fork": lambda said: ForkRequest(),
    "save_script": lambda said: ScriptRequest(),
    "expect_text": lambda said: ObservationRequest(TextObservation(_mac_text(said, "text"))),
    "compare_picture": lambda said: ObservationRequest(PictureObservation()),
    "log": lambda said: LogRequest(said.get("on") is True, _text({"filter": "", **said}, "filter")),
    "end": lambda said: EndRequest(),
}


def statement(kind: str, /, **values: Any) -> str:
    """A text frame of the server."""
    return json.dumps({"is": kind, **values})


def pixels_header(screen: int, left: int, top: int, width: int, height: int) -> bytes:
    """What stands before the pixels of a binary frame."""
    return _PIXELS.pack(1, screen, left, top, width, height)
