"""Positive decimals in YAML files, which the strict reader leaves as text."""

from __future__ import annotations

import re

from emu.base.yaml_document import YamlDocument, YamlPath

DECIMAL = {
    "anyOf": [
        {"type": "integer", "minimum": 1},
        {"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)?(e-?[0-9]{1,2})?$"},
    ]
}
"""The JSON Schema of such a number: 33, 0.95 or 1.476e-04."""

TEXT = {"type": "string", "minLength": 1}
"""The JSON Schema of a text that is not empty."""

DATE = {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
"""The JSON Schema of a date: 2026-11-28."""

_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]{1,2})?")


def positive(text: str) -> float | None:
    """A number above 0 that a text is, as programs print it; None if it is none."""
    if not _NUMBER.fullmatch(text):
        return None
    number = float(text)
    return number if number > 0 else None


def decimal_at(document: YamlDocument, place: YamlPath) -> float:
    """The number above 0 at a place of a document that fits its schema.

    Raises:
        CaseError: it is 0, with the line.
    """
    value = document.data
    for key in place:
        value = value[key]
    number = positive(str(value))
    if number is None:
        raise document.error(place, f"{place[-1]} is {value!r}, not a number above 0")
    return number
