"""Phrases and arguments as a case file writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.base.errors import CaseError
from emu.base.yaml_document import YamlDocument
from emu.cases.keys.arguments import (
    AddressOf,
    Members,
    Phrase,
    Pointer,
    PythonFunction,
    addresses_in,
    arguments_of,
    phrase_of,
    phrases_in,
)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("count", Phrase("count")),
        ("pascal title", Phrase("title", text="pascal")),
        ("c path", Phrase("path", text="c")),
        ("pascal", Phrase("pascal")),
        ("c", Phrase("c")),
        ("next into gItems", Phrase("next", into="gItems")),
        ("consumed into **source", Phrase("consumed", into="**source")),
        ("at into Step::room", Phrase("at", into="Step::room")),
        ("x within 2 ulp", Phrase("x", tolerance=2, in_ulp=True)),
        ("x within 1.5e-3", Phrase("x", tolerance=0.0015)),
    ],
)
def test_a_phrase(text: str, phrase: Phrase):
    assert phrase_of(text) == phrase


@pytest.mark.parametrize("text", ["", "a b", "x within", "x within ulp", "into gItems", "a into 3"])
def test_what_is_no_phrase(text: str):
    with pytest.raises(ValueError, match="is no phrase"):
        phrase_of(text)


def test_arguments_of_every_kind(tmp_path: Path):
    file = tmp_path / "case.yaml"
    file.write_text(
        "arguments:\n"
        "  number: count\n"
        "  where: {v: v, bounds.top: top}\n"
        "  none: null\n"
        "  order: {address_of: Compare}\n"
        "  room: {count: 9}\n"
        "  source: {points_to: {points_to: packed, count: 700}}\n"
        "  items: {points_to: {key: keys}, count: 4}\n"
        "  handle: {points_to: {address_of: gBlock}}\n"
        "  compare: {python: 'sorting:compare'}\n"
        "  list: {count: used, first: entries}\n"
        "  queue: {points_to: {count: used}, count: 2}\n"
        "  item: {key: key, order: {address_of: Compare}, next: null}\n"
    )
    found = arguments_of(YamlDocument(file))
    assert found == {
        "number": Phrase("count"),
        "where": Members({"v": Phrase("v"), "bounds.top": Phrase("top")}),
        "none": AddressOf(""),
        "order": AddressOf("Compare"),
        "room": Pointer(None, 9),
        "source": Pointer(Pointer(Phrase("packed"), 700), None),
        "items": Pointer(Members({"key": Phrase("keys")}), 4),
        "handle": Pointer(AddressOf("gBlock"), None),
        "compare": PythonFunction("sorting:compare"),
        "list": Members({"count": Phrase("used"), "first": Phrase("entries")}),
        "queue": Pointer(Members({"count": Phrase("used")}), 2),
        "item": Members(
            {"key": Phrase("key")}, {"order": AddressOf("Compare"), "next": AddressOf("")}
        ),
    }
    names = [phrase.attribute for one in found.values() for phrase in phrases_in(one)]
    assert names == ["count", "v", "top", "packed", "keys", *("used", "entries", "used"), "key"]
    addresses = [name for one in found.values() for name in addresses_in(one)]
    assert addresses == ["Compare", "gBlock", "Compare"]


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("{address_of: a, count: 2}", "line 2: address_of cannot have another key"),
        (
            "{points_to: a, size: 2}",
            "line 2: the key size is not known beside points_to, count and aligned",
        ),
        ("{python: 'a:b', count: 2}", "line 2: python cannot have another key"),
        ("{points_to: {v: a}, count: b}", "line 2: count beside points_to is a number of elements"),
        ("{v: {h: a}}", "line 2: the member v needs the name of an attribute; a pointer"),
    ],
)
def test_what_is_given_in_two_ways(tmp_path: Path, written: str, words: str):
    file = tmp_path / "case.yaml"
    file.write_text(f"arguments:\n  where: {written}\n")
    with pytest.raises(CaseError, match=words):
        arguments_of(YamlDocument(file))
