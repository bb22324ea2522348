"""The JSON form of a document's data: dataclasses as objects, keys in the order of their fields."""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Mapping
from enum import Enum
from importlib import resources
from pathlib import Path
from typing import Any

from emu.base.errors import InputError
from emu.base.files import read_at_most

_LARGEST = 64 << 20


def to_json(data: Any, schema: str) -> str:
    """Data as JSON text with the name of its schema in front, and one line end at its end.

    Args:
        data: a dataclass. Its fields may be dataclasses, mappings with text for keys, sequences,
            paths, enumerations by their values, numbers, text, booleans and None.
        schema: the schema's name, such as "macproof.report/2".

    Raises:
        TypeError: something in it has no JSON form.
    """
    return json.dumps({"schema": schema, **plain(data)}, indent=1, ensure_ascii=False) + "\n"


def plain(data: Any) -> Any:
    """Data as what `json.dumps` takes; see `to_json`.

    Raises:
        TypeError: something in it has no JSON form.
    """
    match data:
        case None | bool() | int() | float() | str():
            return data
        case Enum():
            return plain(data.value)
        case Path():
            return str(data)
        case Mapping():
            return {_key(key): plain(value) for key, value in data.items()}
        case list() | tuple():
            return [plain(one) for one in data]
        case _ if dataclasses.is_dataclass(data):
            fields = dataclasses.fields(data)
            return {name_of(field): plain(getattr(data, field.name)) for field in fields}
    raise TypeError(f"{type(data).__name__} has no JSON form")


def name_of(field: dataclasses.Field[Any]) -> str:
    """The key of a field; the underscore of one named like a word of Python, ``with_``, goes."""
    return field.name.rstrip("_")


def _key(key: object) -> str:
    if not isinstance(key, str | int):
        raise TypeError(f"a key is text or a whole number, not {key!r}")
    return str(key)


def read_json(path: Path, schema: str, package: str, file: str) -> dict[str, Any]:
    """Read a file of a schema, and see that it is as the schema wants it.

    Args:
        path: the file.
        schema: the schema's name, which the file must have.
        package: the package with the schema.
        file: the schema's file in it.

    Raises:
        InputError: it is missing, too large, not JSON, or not of this schema, with the place in it
            ("results.0.build").
    """
    import jsonschema

    try:
        data = json.loads(read_at_most(path, _LARGEST, "a report"))
    except (ValueError, RecursionError) as error:
        raise InputError(path, f"it is not JSON: {error}") from error
    if not isinstance(data, dict) or data.get("schema") != schema:
        raise InputError(path, f"it is not a macproof report of schema {schema}")
    validator = jsonschema.Draft202012Validator(_schema(package, file))
    wrong = jsonschema.exceptions.best_match(validator.iter_errors(data))
    if wrong is not None:
        where = ".".join(map(str, wrong.absolute_path))
        raise InputError(path, f"the report is damaged: {wrong.message:.200}", where=where)
    return data


@functools.cache
def _schema(package: str, file: str) -> dict[str, Any]:
    text = resources.files(package).joinpath(file).read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
