"""Reads YAML as plain data, with a line number for every value, as `strict_yaml` allows it.

Repeated keys are refused.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from emu.base.errors import CaseError
from emu.base.files import read_at_most

LARGEST_FILE = 256 << 10
_MOST_NAMES = 20
_KINDS = {
    "object": "a mapping (KEY: VALUE)",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}

YamlPath = tuple[str | int, ...]
"""The keys and indexes that lead from the top of a document to a value: ("builds", 0, "flags")."""


@dataclass
class YamlSection:
    """A part of a YAML file, with the line of every value in it.

    Attributes:
        path: the file.
        data: the contents: dictionaries, lists, texts, numbers, booleans or None.
        lines: the line of each value, from 1, by the keys and indexes that lead to it.

    Example:
        >>> section = macproof.load_case("four-shifts").extra["posts"]
        >>> section.data["compare"]["title"]
        'four shifts'
        >>> raise section.error(("compare", "title"), "it is too short")
        Traceback (most recent call last):
        CaseError: ...case.yaml, line 58: it is too short
    """

    path: Path
    data: Any
    lines: Mapping[YamlPath, int]

    def line(self, place: YamlPath) -> int:
        """The line of a value, from 1; if there is no such value, of what should hold it."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)

    def error(self, place: YamlPath, problem: str, remedy: str = "") -> CaseError:
        """A CaseError that points at the line of a value."""
        return CaseError(self.path, problem, where=f"line {self.line(place)}", remedy=remedy)

    def check(self, schema: dict[str, Any]) -> None:
        """Check the contents against a JSON Schema.

        Raises:
            CaseError: they do not fit, with the line, and a suggestion for a misspelled word.
        """
        check_against_schema(self, schema)

    def check_by_file(self, home: str) -> None:
        """Check the contents against a JSON Schema in a package: "emu.cases:some.schema.json".

        Raises:
            CaseError: as of `check`.
        """
        package, _, name = home.partition(":")
        self.check(json.loads(resources.files(package).joinpath(name).read_text("utf-8")))

    def section(self, place: YamlPath) -> YamlSection:
        """The part of it that is one of its values."""
        data = self.data
        for key in place:
            data = data[key]
        depth = len(place)
        inside = {at[depth:]: line for at, line in self.lines.items() if at[:depth] == place}
        return YamlSection(self.path, data, inside)


class YamlDocument(YamlSection):
    """The contents of a YAML file with the line of every value, and its SHA-256.

    Args:
        path: the file.
        what: what it should be, for messages.
        largest: the most bytes that it may have.

    Attributes:
        sha256: the digest of the file.
        text: its text, with its comments.

    Raises:
        CaseError: the file cannot be read, is not YAML, or uses what is refused here.
    """

    def __init__(self, path: Path, what: str = "a case file", largest: int = LARGEST_FILE) -> None:
        from emu.base import strict_yaml  # loads PyYAML, which a run without a script does not need

        self._lines: dict[YamlPath, int] = {}
        super().__init__(path, None, self._lines)
        text = read_at_most(path, largest, what, CaseError)
        self.sha256 = hashlib.sha256(text).hexdigest()
        self.text = text.decode("utf-8", "replace")
        try:
            node = strict_yaml.root(text)
            values = strict_yaml.value_reader()
            self.data = None if node is None else self._plain(values, node, ())
        except strict_yaml.YamlError as error:
            mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
            before = text[: getattr(error, "position", 0)]  # of a byte that is no character
            line = mark.line + 1 if mark else before.count(b"\n") + 1
            problem = getattr(error, "problem", None) or str(error).partition("\n")[0]
            raise CaseError(path, f"it is not YAML: {problem}", where=f"line {line}") from error
        except RecursionError as error:
            raise CaseError(path, "it is nested too deeply") from error

    def _plain(self, value_of: Callable[[Any], Any], node: Any, place: YamlPath) -> Any:
        self._lines.setdefault(place, node.start_mark.line + 1)
        if node.id == "mapping":
            result: dict[str, Any] = {}
            for key_node, value_node in node.value:
                key = key_node.value if key_node.id == "scalar" else None
                if not isinstance(key, str) or key in result:
                    what = "a key that is not text" if key is None else f"the key {key} twice"
                    line = key_node.start_mark.line + 1
                    raise CaseError(self.path, f"it has {what}", where=f"line {line}")
                self._lines[(*place, key)] = key_node.start_mark.line + 1
                result[key] = self._plain(value_of, value_node, (*place, key))
            return result
        if node.id == "sequence":
            items = enumerate(node.value)
            return [self._plain(value_of, item, (*place, index)) for index, item in items]
        return value_of(node)


def check_against_schema(document: YamlSection, schema: dict[str, Any]) -> None:
    """Check a document against a JSON Schema.

    Raises:
        CaseError: it does not fit, with the line, and a suggestion for a misspelled word.
    """
    import jsonschema

    validator = jsonschema.Draft202012Validator(schema)
    errors = sorted(validator.iter_errors(document.data), key=lambda e: list(map(str, e.path)))
    if not errors:
        return
    error = errors[0]
    place: YamlPath = tuple(error.absolute_path)
    if error.validator == "required" and isinstance(error.instance, dict):
        missing = next(key for key in error.validator_value if key not in error.instance)
        inside = f"{'.'.join(map(str, place))}: " if place else ""
        raise document.error(place, f"{inside}the key {missing} is missing")
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        properties = error.schema.get("properties", {})
        unknown = next(key for key in error.instance if key not in properties)
        raise document.error(
            (*place, unknown), f"the key {unknown} is not known{did_you_mean(unknown, properties)}"
        )
    if document.data is None:
        raise document.error(place, "the file is empty")
    name = ".".join(map(str, place)) or "the file"
    if error.validator == "pattern" and "patternErrorMessage" in error.schema:
        wanted = error.schema["patternErrorMessage"]
        raise document.error(place, f"{name} is {_shortened(repr(error.instance))}; {wanted}")
    if error.validator == "enum":
        choices = [str(choice) for choice in error.validator_value]
        hint = did_you_mean(str(error.instance), choices)
        raise document.error(
            place,
            f"{name} is {_shortened(repr(error.instance))}, not one of {', '.join(choices)}{hint}",
        )
    raise document.error(place, f"{name}: {_problem(error)}")


def _problem(error: Any) -> str:
    """What is wrong with a value, in words of YAML and not of JSON Schema and Python."""
    if error.validator == "type":
        wanted = error.validator_value
        kinds = [wanted] if isinstance(wanted, str) else list(wanted)
        is_bare = not isinstance(error.instance, str | list | dict)
        remedy = "; put it in quotes" if "string" in kinds and is_bare else ""
        value = _shortened(json.dumps(error.instance, ensure_ascii=False))
        return f"{value} is not {' or '.join(_KINDS[kind] for kind in kinds)}{remedy}"
    return _shortened(error.message)


def did_you_mean(word: str, choices: Any) -> str:
    """What to add to a message about an unknown word: the nearest known one, or all known ones."""
    names = list(choices)
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    all_known = f"; there are {', '.join(names[:_MOST_NAMES])}{more}" if names else ""
    return nearest(word, names) or all_known


def nearest(word: str, choices: Iterable[str]) -> str:
    """What to add to a message about an unknown word: the nearest known one, if one is near."""
    close = closest(word, choices)
    return f"; did you mean {close}?" if close else ""


def closest(word: str, choices: Iterable[str]) -> str:
    """The known word that is nearest to an unknown one; "" if none is near."""
    return next(iter(difflib.get_close_matches(word, list(choices), n=1)), "")


def _shortened(text: str, width: int = 200) -> str:
    return text if len(text) <= width else f"{text[:width]} ..."
