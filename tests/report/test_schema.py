"""Schemas made of dataclasses: what fits is taken, the rest refused, and all are shipped."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal

import jsonschema
import pytest

from emu.report.json_form import to_json
from emu.report.limits import Limits, Natural, Sha256
from emu.report.schema import schema_text
from tests.report.schemas import ROOT, SHIPPED, made


class Colour(Enum):
    RED = "red"


@dataclass(frozen=True, slots=True)
class Leaf:
    """A leaf.

    Attributes:
        path: where it is,
            seen from the root.
        with_: named like a word of Python.
    """

    path: Path
    with_: int


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree of leaves
    and trees.
    """

    leaves: Sequence[Leaf]
    below: tuple[Tree, ...]
    by_name: Mapping[str, float | None]
    area: tuple[int, int]
    colour: Colour
    kind: Literal["a", "b"]
    anything: Any = None


TREE = Tree([Leaf(Path("a"), 1)], (), {"x": 1.5, "y": None}, (1, 2), Colour.RED, "a", {"z": []})
WHOLE = dataclasses.replace(TREE, below=(TREE,))
SCHEMA = json.loads(schema_text(Tree, "made.up/1"))


def written(data: Tree) -> Any:
    return json.loads(to_json(data, "made.up/1"))


def test_what_is_written_fits_its_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(written(WHOLE), SCHEMA)
    assert SCHEMA["description"] == "A tree of leaves and trees."
    leaf = SCHEMA["$defs"]["Leaf"]["properties"]
    assert leaf["path"] == {"type": "string", "description": "where it is, seen from the root."}
    assert leaf["with"]["type"] == "integer"


@pytest.mark.parametrize(
    "wrong",
    [
        {"schema": "made.up/2"},
        {"leaves": {}},
        {"leaves": [{"path": "a"}]},
        {"leaves": [{"path": "a", "with": 1, "more": 1}]},
        {"below": [7]},
        {"by_name": {"x": "1"}},
        {"area": [1, 2, 3]},
        {"area": [1]},
        {"colour": "blue"},
        {"kind": "c"},
        {"more": 1},
    ],
)
def test_what_does_not_fit_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**written(WHOLE), **wrong}, SCHEMA)


def test_a_field_without_a_json_form_is_refused() -> None:
    kind = dataclasses.make_dataclass("Odd", [("words", set[str])])
    with pytest.raises(TypeError, match="has no JSON form"):
        schema_text(kind, "odd/1")


@dataclass(frozen=True, slots=True)
class Guarded:
    """Values with limits."""

    count: Natural
    digest: Sha256
    word: Annotated[str, Limits(enum=("a", "b"))]
    many: tuple[Annotated[int, Limits(minimum=1, maximum=3)], ...] = ()
    later: Natural | None = None


GUARDED = {"schema": "g/1", "count": 0, "digest": "0" * 64, "word": "a", "many": [1, 3]}


def test_limits_are_told_and_a_form_can_grow() -> None:
    grows = json.loads(schema_text(Guarded, "g/1", grows=True))
    jsonschema.validate(GUARDED, grows)
    jsonschema.validate({**GUARDED, "later": 7, "more": 1}, grows)
    fixed = json.loads(schema_text(Guarded, "g/1"))
    for refused in ({}, {"later": None, "more": 1}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**GUARDED, **refused}, fixed)
    jsonschema.validate({**GUARDED, "later": None}, fixed)


@pytest.mark.parametrize(
    "wrong",
    [
        {"count": -1},
        {"digest": "0" * 63},
        {"word": "c"},
        {"many": [0]},
        {"many": [4]},
        {"later": -1},
    ],
)
def test_what_is_beyond_its_limits_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(
            {**GUARDED, **wrong}, json.loads(schema_text(Guarded, "g/1", grows=True))
        )


@pytest.mark.parametrize("file", SHIPPED)
def test_the_schema_that_comes_along_is_that_of_the_code(file: str) -> None:
    """If what is written has changed in shape, its schema needs a new number first."""
    text = made(file)
    assert (ROOT / file).read_text() == text, "python -m tests.report.schemas writes it anew"
    assert all("description" in one for one in json.loads(text)["$defs"].values())
