"""Schemas made of dataclasses: what fits is taken, the rest refused, and changes are seen."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import jsonschema
import pytest

from emu.commands.schema import all_schemas, schema_text
from emu.report.json_form import to_json
from emu.report.limits import Limits, Natural, Sha256
from emu.report.schema import schema_of
from tests.report.schemas import DIGESTS, EVERY, digest, digests

ROOT = Path(__file__).parents[2]


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
SCHEMA = schema_of(Tree, "made.up/1")


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
        schema_of(kind, "odd/1")


@dataclass(frozen=True, slots=True)
class Guarded:
    """Values with limits."""

    count: Natural
    digest: Sha256
    word: Annotated[str, Limits(enum=("a", "b"))]
    many: tuple[Annotated[int, Limits(minimum=1, maximum=3)], ...] = ()
    later: Natural | None = None


@dataclass(frozen=True, slots=True)
class Growing(Guarded):
    """The same, of which there are later versions."""

    grows: ClassVar[bool] = True


GUARDED = {"schema": "g/1", "count": 0, "digest": "0" * 64, "word": "a", "many": [1, 3]}


def test_limits_are_told_and_a_form_can_grow() -> None:
    grows = schema_of(Growing, "g/1")
    jsonschema.validate(GUARDED, grows)
    jsonschema.validate({**GUARDED, "later": 7, "more": 1}, grows)
    fixed = schema_of(Guarded, "g/1")
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
        jsonschema.validate({**GUARDED, **wrong}, schema_of(Growing, "g/1"))


def test_schemas_have_the_shapes_that_are_remembered() -> None:
    """If data that were right are wrong now, or lack something, the schema needs a new number."""
    assert DIGESTS.read_text() == digests(), "python -m tests.report.schemas writes it anew"


def test_a_change_of_shape_is_seen_and_one_of_words_is_not() -> None:
    kinds = [
        dataclasses.make_dataclass("Kind", fields)
        for fields in ([("one", int)], [("one", int)], [("one", str)], [("one", int), ("two", int)])
    ]
    kinds[1].__doc__ = "Kind.\n\nAttributes:\n    one: what it is.\n"
    first, words, *changed = (schema_of(kind, "kind/1") for kind in kinds)
    assert digest(first) == digest(words)
    assert first != words
    assert len({digest(first), *map(digest, changed)}) == 3
    named = dataclasses.make_dataclass("Kind", [("description", str)])
    assert digest(schema_of(named, "kind/1")) != digest(schema_of(kinds[0], "kind/1"))


@pytest.mark.parametrize("name", EVERY)
def test_every_part_is_described(name: str) -> None:
    schema = json.loads(schema_text(name))
    assert schema["properties"]["schema"] == {"const": name}
    assert all("description" in one for one in [schema, *schema["$defs"].values()])


def test_every_name_of_a_schema_is_known_to_the_command() -> None:
    others = {
        "macproof.campaign-store/3",  # in a database
        "macproof.disk/1",  # without a dataclass
        "macproof.functions/1",  # without a dataclass
        "macproof.kept/1",  # macproof's own notes: what was compiled, and from what
        "macproof.prebuilt-applications/1",
        "macproof.prebuilt/1",
    }
    written = {
        name
        for package in ("emu", "posts")
        for path in (ROOT / package).rglob("*.py")
        for name in re.findall(r'^\w+ = "(macproof\.[a-z-]+/\d+)"$', path.read_text(), re.MULTILINE)
    }
    assert others <= written
    assert written - others <= all_schemas().keys()
    assert EVERY.keys() <= written
    places = [home.split(":") for home, _ in all_schemas().values()]
    files = {f"{place}/{file}" for place, file in places if file.endswith(".json")}
    assert files == {
        f"{'.'.join(path.relative_to(ROOT).parts[:-1])}/{path.name}"
        for package in ("emu", "posts")
        for path in (ROOT / package).rglob("*.schema.json")
    }
