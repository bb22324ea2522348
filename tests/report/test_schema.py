"""Schemas made of dataclasses: what fits is taken, the rest refused, and all are shipped."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Literal

import jsonschema
import pytest

from emu.report.json_form import to_json
from emu.report.schema import schema_text
from tests.report.schemas import ROOT, SHIPPED


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


@pytest.mark.parametrize("file", SHIPPED)
def test_the_schema_that_comes_along_is_that_of_the_code(file: str) -> None:
    """If what is written has changed in shape, its schema needs a new number first."""
    made = schema_text(*SHIPPED[file])
    assert (ROOT / file).read_text() == made, "python -m tests.report.schemas writes it anew"
    assert all("description" in one for one in json.loads(made)["$defs"].values())
