"""Reads YAML strictly: plain data, a line number for every value, and none of YAML 1.1's traps.

In YAML 1.1 ``on`` is true, ``010`` is 8 and ``1:30`` is 90. Here only ``true`` and ``false`` are
booleans, only plain decimals are integers, and everything else is text, so that what a person
wrote is what the program sees. Repeated keys, aliases and tags are refused.
"""

from __future__ import annotations

import difflib
import functools
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from emu.base.errors import CaseError
from emu.base.files import read_at_most

LARGEST_FILE = 256 << 10
_MOST_NAMES = 20


class _Strict(yaml.composer.Composer, yaml.resolver.Resolver):
    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuse aliases, of which a few lines can make gigabytes, and tags."""
        event: Any = self.peek_event()  # type: ignore[attr-defined]
        if isinstance(event, yaml.AliasEvent):
            what = f"an alias, *{event.anchor}"
        elif event.tag is not None:
            what = f"a tag, {event.tag}"
        else:
            return super().compose_node(parent, index)
        raise yaml.MarkedYAMLError(
            problem=f"{what}, is not allowed here", problem_mark=event.start_mark
        )


for _tag, _pattern, _first in (
    ("bool", r"true|false", "tf"),
    ("int", r"-?(?:0|[1-9][0-9]{0,17})", "-0123456789"),
    ("null", r"null|~|", ["n", "~", ""]),
):
    _Strict.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern})$"), list(_first)
    )


class _StrictLoader(_Strict, yaml.SafeLoader):
    def __init__(self, text: bytes) -> None:
        yaml.SafeLoader.__init__(self, text)


# PyYAML may have been built without libyaml, which parses ten times as fast.
_CLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _FastLoader(_Strict, _CLoader):  # type: ignore[misc]
    def __init__(self, text: bytes) -> None:
        _CLoader.__init__(self, text)
        yaml.composer.Composer.__init__(self)


@functools.lru_cache(maxsize=64)
def _root(text: bytes) -> yaml.Node | None:
    """Parse a text. Commands read the same case several times, and all of them to find one."""
    try:
        return _parsed(_FastLoader(text))
    except yaml.YAMLError:
        return _parsed(_StrictLoader(text))  # whose messages say more


def _parsed(loader: _StrictLoader | _FastLoader) -> yaml.Node | None:
    try:
        node: yaml.Node | None = loader.get_single_node()
        return node
    finally:
        loader.dispose()


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
        self._lines: dict[YamlPath, int] = {}
        super().__init__(path, None, self._lines)
        text = read_at_most(path, largest, what, CaseError)
        self.sha256 = hashlib.sha256(text).hexdigest()
        self.text = text.decode("utf-8", "replace")
        try:
            node = _root(text)
            self.data = None if node is None else self._plain(_StrictLoader(b""), node, ())
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
            where = f"line {mark.line + 1}" if mark else ""
            problem = getattr(error, "problem", None) or str(error)
            raise CaseError(path, f"it is not YAML: {problem}", where=where) from error
        except RecursionError as error:
            raise CaseError(path, "it is nested too deeply") from error

    def _plain(self, loader: _StrictLoader, node: yaml.Node, place: YamlPath) -> Any:
        self._lines.setdefault(place, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            result: dict[str, Any] = {}
            for key_node, value_node in node.value:
                key = key_node.value if isinstance(key_node, yaml.ScalarNode) else None
                if not isinstance(key, str) or key in result:
                    what = "a key that is not text" if key is None else f"the key {key} twice"
                    line = key_node.start_mark.line + 1
                    raise CaseError(self.path, f"it has {what}", where=f"line {line}")
                self._lines[(*place, key)] = key_node.start_mark.line + 1
                result[key] = self._plain(loader, value_node, (*place, key))
            return result
        if isinstance(node, yaml.SequenceNode):
            return [
                self._plain(loader, item, (*place, index)) for index, item in enumerate(node.value)
            ]
        return loader.construct_object(node, deep=True)


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
    raise document.error(place, f"{name}: {_shortened(error.message)}")


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
