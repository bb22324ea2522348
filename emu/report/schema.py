"""The JSON Schema of a document's data: made of its dataclasses, described by their docstrings."""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from emu.report.json_form import name_of

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


def schema_text(kind: type, schema: str) -> str:
    """The schema of what `emu.report.json_form.to_json` makes of a dataclass, as a file's text.

    Args:
        kind: the dataclass.
        schema: the name that such data has, such as "macproof.report/2".

    Raises:
        TypeError: a field is of a type that has no JSON form.
    """
    definitions: dict[str, Any] = {}
    whole = _object(kind, definitions)
    whole["properties"] = {"schema": {"const": schema}, **whole["properties"]}
    whole["required"] = ["schema", *whole["required"]]
    made = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": schema,
        **whole,
        "$defs": dict(sorted(definitions.items())),
    }
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"


def _object(kind: type, definitions: dict[str, Any]) -> dict[str, Any]:
    doc = inspect.getdoc(kind) or ""
    docs = [inspect.getdoc(one) or "" for one in reversed(kind.__mro__)]
    entries = (entry for text in docs for entry in _ATTRIBUTE.findall(text))
    texts = {name: " ".join(text.split()) for name, text in entries}
    hints = get_type_hints(kind)
    properties = {}
    for field in dataclasses.fields(kind):
        about = {"description": texts[field.name]} if field.name in texts else {}
        properties[name_of(field)] = {**_value(hints[field.name], definitions), **about}
    return {
        "description": " ".join(doc.split("\n\n")[0].split()),
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _value(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """The schema of a field's type; dataclasses in it are added to the definitions."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any:
        return {}
    if kind in _SIMPLE:
        return {"type": _SIMPLE[kind]}
    if origin in (Union, UnionType):
        return {"anyOf": [_value(one, definitions) for one in arguments]}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is tuple and Ellipsis not in arguments:
        items = [_value(one, definitions) for one in arguments]
        return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _value(arguments[1], definitions)}
    if origin is not None and issubclass(origin, Sequence):
        return {"type": "array", "items": _value(arguments[0], definitions)}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"enum": [one.value for one in kind]}
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        if kind.__name__ not in definitions:
            definitions[kind.__name__] = {}  # a dataclass may hold others of its own kind
            definitions[kind.__name__] = _object(kind, definitions)
        return {"$ref": f"#/$defs/{kind.__name__}"}
    raise TypeError(f"{kind} has no JSON form")
