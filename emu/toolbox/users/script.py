"""Scripts: what the user of the Macintosh does, read from YAML."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

from emu.base.yaml_document import YamlDocument, check_against_schema
from emu.toolbox.guest.findings import GuestStopError
from emu.toolbox.system_file.keyboard import key_message


class ScriptError(GuestStopError):
    """A step of a script could not be done, or a picture differs from the expected one."""

    exit_code = 1


class Script:
    """Steps read from a YAML file; see ``emu/toolbox/script.schema.json``.

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
        for number, step in enumerate(self.steps):
            self._check(number, step)

    def _check(self, number: int, step: dict[str, Any]) -> None:
        place = ("steps", number)
        actions = [key for key in step if key != "modifiers"]
        if len(actions) != 1:
            raise self._document.error(place, f"a step does one thing, not {len(actions)}")
        if "modifiers" in step and actions != ["key"]:
            raise self._document.error(place, "modifiers belong to a key; a click has its own")
        if "click" in step:
            targets = [key for key in step["click"] if key != "modifiers"]
            if len(targets) != 1:
                raise self._document.error(place, "a click is at one place")
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

    def line(self, number: int) -> int:
        """The line of a step."""
        return self._document.line(("steps", number))
