"""Scripts: what the user of the Macintosh does, read from YAML."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from emu.base.yaml_document import YamlDocument, check_against_schema
from emu.toolbox.guest.findings import GuestStopError
from emu.toolbox.system_file.keyboard import key_message

_LONGEST_LINE = 1 << 20
_BESIDE = ("modifiers", "speed")
_BESIDE_CLICK = ("modifiers", "in", "times")


class ScriptError(GuestStopError):
    """A step of a script could not be done, or a picture differs from the expected one."""

    exit_code = 1
    step: int | None = None
    """The number of the step, from 0, if it is about one."""


@dataclass(frozen=True, slots=True)
class RecordedSession:
    """What a recorded script says of its exact inputs.

    Attributes:
        events: the name of the file with them, beside the script.
        program: the SHA-256 of the program that was recorded.
        machine: the Macintosh, as `machine_words` describes it.
        calls: how many calls of the Toolbox were made before the last input.
        steps: the SHA-256 of the steps, by `digest_of`.
        looks: for each step, the look at which it began.
    """

    events: str
    program: str
    machine: str
    calls: int
    steps: str
    looks: tuple[int, ...]


class Script:
    """Steps read from a YAML file; see ``emu/toolbox/script.schema.json``.

    Attributes:
        path: the file.
        steps: the steps.
        recorded: where they were recorded, or None of a script that a person has written.

    Raises:
        CaseError: the file cannot be read or does not fit the schema.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._document = YamlDocument(path, "a script")
        schema = json.loads(
            resources.files("emu.toolbox").joinpath("script.schema.json").read_text()
        )
        check_against_schema(self._document, schema)
        self.steps: list[dict[str, Any]] = self._document.data["steps"]
        recorded = self._document.data.get("recorded")
        self.recorded = None if recorded is None else self._recorded(recorded)
        for number, step in enumerate(self.steps):
            self._check(number, step)

    def _recorded(self, data: dict[str, Any]) -> RecordedSession:
        recorded = RecordedSession(**{**data, "looks": tuple(data["looks"])})
        if any(sign in recorded.events for sign in "/\\"):
            raise self._document.error(("recorded", "events"), "it names a file beside the script")
        if list(recorded.looks) != sorted(recorded.looks):
            raise self._document.error(("recorded", "looks"), "looks never grow smaller")
        return recorded

    def _check(self, number: int, step: dict[str, Any]) -> None:
        place = ("steps", number)
        actions = [key for key in step if key not in _BESIDE]
        if len(actions) != 1:
            raise self._document.error(place, f"a step does one thing, not {len(actions)}")
        if "modifiers" in step and actions != ["key"]:
            raise self._document.error(place, "modifiers belong to a key; a click has its own")
        if "speed" in step and actions != ["type"]:
            raise self._document.error(place, "speed is that of typing")
        if "click" in step:
            targets = [key for key in step["click"] if key not in _BESIDE_CLICK]
            if len(targets) != 1:
                raise self._document.error(place, "a click is at one place")
            if "in" in step["click"] and targets == ["screen"]:
                raise self._document.error(place, "a point of the screen is in no window")
        if "drag" in step and ("path" in step["drag"]) is ("from" in step["drag"]):
            raise self._document.error(place, "a drag has from and to, or a path")
        for text in (step.get("type", ""), *([step["key"]] if "key" in step else [])):
            for key in [text] if "key" in step else text:
                self._check_key(place, key)
        if "compare" in step and ("/" in step["compare"] or "\\" in step["compare"]):
            raise self._document.error(place, "compare names a file beside the script")

    def _check_key(self, place: tuple[str | int, ...], key: str) -> None:
        try:
            if key:
                key_message(key)
        except UnicodeEncodeError as error:
            problem = f"{key!r} is not in the Macintosh's character set"
            raise self._document.error(place, problem) from error
        except ValueError as error:
            raise self._document.error(place, str(error)) from error

    def files_beside(self) -> list[Path]:
        """The files that it names: its exact inputs, and pictures that it compares with."""
        names = [step["compare"] for step in self.steps if "compare" in step]
        if self.recorded is not None:
            names.append(self.recorded.events)
        return [self.path.parent / name for name in names]

    def line(self, number: int) -> int:
        """The line of a step."""
        return self._document.line(("steps", number))

    def step_error(self, number: int, problem: str) -> ScriptError:
        """The error of a step that cannot be done; steps are counted from 0."""
        error = ScriptError(
            f"{self.path}, line {self.line(number)}: step {number + 1} cannot be done: {problem}"
        )
        error.step = number
        return error

    def words(self, number: int) -> str:
        """A step as a line of YAML, such as "menu: [File, New]"; steps are counted from 0."""
        return _flow(self.steps[number])


def step_text(step: Mapping[str, Any]) -> str:
    """A step as one line of YAML: "menu: [File, New]", or in braces if it has several keys."""
    return f"{{{_flow(step)}}}" if len(step) > 1 else _flow(step)


def _flow(step: Mapping[str, Any]) -> str:
    import yaml  # takes 15 ms, and a run without a script needs none

    text: str = yaml.safe_dump(
        dict(step),
        default_flow_style=True,
        sort_keys=False,
        width=_LONGEST_LINE,
        allow_unicode=True,
    )
    return text.strip()[1:-1]


def digest_of(steps: Sequence[Mapping[str, Any]]) -> str:
    """The SHA-256 of steps, however they are written."""
    return hashlib.sha256(json.dumps(list(steps), sort_keys=True).encode()).hexdigest()


def action_of(step: dict[str, Any]) -> str:
    """The key of a step that says what is done."""
    return next(key for key in step if key not in _BESIDE)


def drag_path(drag: dict[str, Any]) -> list[tuple[int, int]]:
    """The points of a drag, horizontal and vertical: the path, or from, the middle, and to."""
    if "path" in drag:
        return [(h, v) for h, v in drag["path"]]
    (h, v), (to_h, to_v) = drag["from"], drag["to"]
    return [(h, v), ((h + to_h) // 2, (v + to_v) // 2), (to_h, to_v)]
