"""The JSON form of a document's data: dataclasses as objects, keys in the order of their fields."""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from emu.base.errors import InputError
from emu.base.files import read_at_most
from emu.base.printable import one_line
from emu.report.limits import is_flat
from emu.report.schema import name_of, schema_of

T = TypeVar("T")

MANY = "macproof.reports/1"
"""The schema of a file that holds several reports, each as it is in a file of its own."""

_LARGEST = 64 << 20


def to_json(data: Any, schema: str) -> str:
    """Data as JSON text with the name of its schema in front, and one line end at its end.

    It can always be encoded: bytes of a file's name that are no text stand as JSON's escapes.

    Args:
        data: a dataclass. Its fields may be dataclasses, mappings with text for keys, sequences,
            sets, paths, enumerations by their values, numbers, text, booleans and None.
        schema: the schema's name, such as "macproof.report/2".

    Raises:
        TypeError: something in it has no JSON form.
    """
    text = json.dumps({"schema": schema, **plain(data)}, indent=1, ensure_ascii=False) + "\n"
    return text.encode("utf-8", "backslashreplace").decode()


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
            return [plain(element) for element in data]
        case frozenset():
            return sorted(plain(element) for element in data)
        case _ if dataclasses.is_dataclass(data):
            members: dict[str, Any] = {}
            for field in dataclasses.fields(data):
                value = plain(getattr(data, field.name))
                is_inside = field.name in _flat_fields(data.__class__)
                members.update(value if is_inside else {name_of(field): value})
            return members
    raise TypeError(f"{type(data).__name__} has no JSON form")


@functools.cache
def _flat_fields(kind: type) -> frozenset[str]:
    """The fields of a dataclass whose own fields stand among its keys."""
    hints = get_type_hints(kind, include_extras=True)
    return frozenset(name for name, hint in hints.items() if is_flat(hint))


def _key(key: object) -> str:
    if not isinstance(key, str | int):
        raise TypeError(f"a key is text or a whole number, not {key!r}")
    return str(key)


def from_plain(kind: type[T], data: Any) -> T:
    """The dataclass that `plain` made data of: ``Point(1, 2)`` for ``{"x": 1, "y": 2}``.

    Keys that the dataclass has no field for are left out.

    Args:
        kind: the dataclass. The types of its fields are such as `to_json` takes, sequences as
            ``tuple[X, ...]`` or ``Sequence[X]``; of a union at most one may be a mapping or a
            dataclass.
        data: what was read, after a schema has found it right.
    """
    value: T = _value(kind, data)
    return value


def _value(kind: Any, data: Any) -> Any:
    """Data as a value of a type: its parts are made values of their types first."""
    parts = get_args(kind)
    if isinstance(kind, UnionType):
        return None if data is None else _value(_fitting(parts, data), data)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        hints = get_type_hints(kind)
        flat = _flat_fields(kind)
        values = {
            name: data if name in flat else data[name]
            for name in (field.name for field in dataclasses.fields(kind) if field.init)
            if name in flat or name in data
        }
        return kind(**{name: _value(hints[name], value) for name, value in values.items()})
    if get_origin(kind) in (tuple, Sequence):
        return tuple(_value(parts[0], element) for element in data)
    if get_origin(kind) is frozenset:
        return frozenset(_value(parts[0], element) for element in data)
    if get_origin(kind) is Mapping:
        return {key: _value(parts[1], value) for key, value in data.items()}
    if isinstance(kind, type) and issubclass(kind, Enum | Path | int | float):
        return kind(data)  # JSON has 2.0 for 2
    return data


def _fitting(kinds: tuple[Any, ...], data: Any) -> Any:
    """The one of several types that data is of: objects are told from everything else."""
    objects = [k for k in kinds if dataclasses.is_dataclass(k) or get_origin(k) is Mapping]
    others = [kind for kind in kinds if kind not in (*objects, NoneType)]
    return (objects if isinstance(data, dict) else others)[0]


def read_json(path: Path, kind: type[T], schema: str) -> list[T]:
    """Read the reports of a schema in a file: the one that it is, or the several that it holds.

    Args:
        path: the file; one that holds several has the schema `MANY`.
        kind: the dataclass of a report, such as `from_plain` takes.
        schema: the schema's name, which each report must have.

    Raises:
        InputError: it is missing, too large, not JSON, or not of this schema, with the place in it
            ("results.0.build").
    """
    return parse_json(read_at_most(path, _LARGEST, "a report"), path, kind, schema)


def names_schema(path: Path, schema: str) -> bool:
    """Whether a file is JSON that names this schema.

    Raises:
        InputError: it is missing or too large.
    """
    try:
        data = json.loads(read_at_most(path, _LARGEST, "a report"))
    except (ValueError, RecursionError):
        return False
    return isinstance(data, dict) and data.get("schema") == schema


def parse_json(
    content: bytes, path: Path, kind: type[T], schema: str, *, fits: bool = False
) -> list[T]:
    """Like `read_json`, for the contents of a file that was read already.

    Args:
        content: the contents.
        path: the file that messages name.
        kind: as for `read_json`.
        schema: as for `read_json`.
        fits: whether these contents are known to fit their schema, so that they are not checked.

    Raises:
        InputError: as of `read_json`.
    """
    try:
        data = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InputError(path, f"it is not JSON: {error}") from error
    if not isinstance(data, dict) or data.get("schema") != MANY:
        return [from_plain(kind, data) if fits else _checked(data, path, kind, schema)]
    reports = data.get("reports")
    if not isinstance(reports, list):
        raise InputError(path, "the report is damaged: it has no list of reports", where="reports")
    return [
        _checked(report, path, kind, schema, f"reports.{index}.")
        for index, report in enumerate(reports)
    ]


def _checked(data: Any, path: Path, kind: type[T], schema: str, place: str = "") -> T:
    """A report that is as its schema wants it; ``place`` begins the places in messages."""
    import jsonschema

    if not isinstance(data, dict) or data.get("schema") != schema:
        what = f"{place.rstrip('.')} is" if place else "it is"
        given_schema = data.get("schema") if isinstance(data, dict) else None
        other = f", but a {given_schema:.60}" if isinstance(given_schema, str) else ""
        raise InputError(path, f"{what} not a macproof report of schema {schema}{one_line(other)}")
    validator = jsonschema.Draft202012Validator(schema_of(kind, schema))  # type: ignore[arg-type]
    wrong = jsonschema.exceptions.best_match(validator.iter_errors(data))
    if wrong is not None:
        where = place + ".".join(map(str, wrong.absolute_path))
        raise InputError(path, f"the report is damaged: {wrong.message:.200}", where=where)
    return from_plain(kind, data)
