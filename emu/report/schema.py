"""The JSON Schema of a document's data: made of its dataclasses, described by their docstrings."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import operator
import re
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from emu.report.limits import Limits, is_flat

_SIMPLE: Mapping[Any, str] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    Path: "string",
    NoneType: "null",
}
# An entry below "Attributes:" in a docstring: "    name: what it is", and lines further indented.
_ATTRIBUTE = re.compile(r"^    (\w+): (.*(?:\n {8}.*)*)", re.MULTILINE)


def name_of(field: dataclasses.Field[Any]) -> str:
    """The key of a field; the underscore of one named like a word of Python, ``with_``, goes."""
    return field.name.rstrip("_")


@functools.cache
def schema_of(kind: type, schema: str) -> Mapping[str, Any]:
    """The schema of what `emu.report.json_form.to_json` makes of a dataclass.

    If the dataclass has a class variable ``grows`` that is true, data of the same name may have
    keys that are not named here, and may lack those whose default is None, because they were added
    later.

    Args:
        kind: the dataclass.
        schema: the name that such data has, such as "macproof.report/2".

    Raises:
        TypeError: a field is of a type that has no JSON form.
    """
    maker = _Maker(getattr(kind, "grows", False))
    whole = maker.object(kind)
    whole["properties"] = {"schema": {"const": schema}, **whole["properties"]}
    whole["required"] = ["schema", *whole["required"]]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": schema,
        **whole,
        "$defs": dict(sorted(maker.definitions.items())),
    }


class _Maker:
    """Makes schemas, and the definitions that they refer to."""

    def __init__(self, grows: bool) -> None:
        self._grows = grows
        self.definitions: dict[str, Any] = {}

    def object(self, kind: type) -> dict[str, Any]:
        doc = inspect.getdoc(kind) or ""
        docs = [inspect.getdoc(ancestor) or "" for ancestor in reversed(kind.__mro__)]
        entries = (entry for text in docs for entry in _ATTRIBUTE.findall(text))
        texts = {name: " ".join(text.split()) for name, text in entries}
        hints = get_type_hints(kind, include_extras=True)
        properties: dict[str, Any] = {}
        added: set[str] = set()
        for field in dataclasses.fields(kind):
            if is_flat(hints[field.name]):
                inner = self.object(get_args(hints[field.name])[0])
                properties |= inner["properties"]
                added |= inner["properties"].keys() - inner["required"]
                continue
            if self._grows and field.default is None:
                added.add(name_of(field))
            about = {"description": texts[field.name]} if field.name in texts else {}
            properties[name_of(field)] = {**self._value(hints[field.name]), **about}
        return {
            "description": " ".join(doc.split("\n\n")[0].split()),
            "type": "object",
            "properties": properties,
            "required": [name for name in properties if name not in added],
            **({} if self._grows else {"additionalProperties": False}),
        }

    def _value(self, kind: Any) -> dict[str, Any]:
        """The schema of a field's type; dataclasses in it are added to the definitions."""
        origin, arguments = get_origin(kind), get_args(kind)
        if kind is Any:
            return {}
        if origin is Annotated:
            limits = [note for note in kind.__metadata__ if isinstance(note, Limits)]
            keywords = (limit.keywords() for limit in limits)
            return functools.reduce(operator.or_, keywords, self._value(arguments[0]))
        if kind in _SIMPLE:
            return {"type": _SIMPLE[kind]}
        if origin in (Union, UnionType):
            return {"anyOf": [self._value(argument) for argument in arguments]}
        if origin is Literal:
            return {"enum": list(arguments)}
        if origin is tuple and Ellipsis not in arguments:
            items = [self._value(argument) for argument in arguments]
            return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}
        if origin is not None and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self._value(arguments[1])}
        if origin is not None and issubclass(origin, Sequence):
            return {"type": "array", "items": self._value(arguments[0])}
        if isinstance(kind, type) and issubclass(kind, Enum):
            return {"enum": [member.value for member in kind]}
        if dataclasses.is_dataclass(kind) and isinstance(kind, type):
            if kind.__name__ not in self.definitions:
                self.definitions[kind.__name__] = {}  # a dataclass may hold others of its own kind
                self.definitions[kind.__name__] = self.object(kind)
            return {"$ref": f"#/$defs/{kind.__name__}"}
        raise TypeError(f"{kind} has no JSON form")
