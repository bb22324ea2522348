"""Names of classes and modules: each stands once, and is a noun."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.source_code import ROOT, read_source, source_of

MODULES = sorted(path for room in ("emu", "posts") for path in (ROOT / room).rglob("*.py"))

# What something has undergone, or is doing, says nothing of what it is: `Told`, `Refused`. Before a
# noun a participle is fine: `RefusedInstruction`; and so are nouns in -ing: `Timing`.
NOUNS = frozenset({"bed", "extended", "feed", "need", "seed", "speed"})  # SANE's type is one
PROMISED = frozenset({"CheckFailed"})  # users know it as `macproof.CheckFailed`
IRREGULAR = frozenset(
    {
        *("begun", "built", "chosen", "done", "drawn", "found", "given", "held", "hidden", "kept"),
        *(
            "known",
            "laid",
            "left",
            "lost",
            "made",
            "met",
            "said",
            "seen",
            "sent",
            "shown",
            "sought",
        ),
        *("taken", "told", "unseen", "written"),
    }
)
PRESENT = frozenset(
    {
        *("asking", "being", "calling", "changing", "constructing", "failing", "judging"),
        *("lacking", "making", "missing", "moving", "parting", "passing", "replacing"),
        *("saying", "selecting", "telling", "trying"),
    }
)


def words_of(name: str) -> str:
    """A name in small letters, with underscores between its words: "CallSite" is "call_site"."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def several(classes: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The modules of each class whose name stands more than once."""
    places: dict[str, list[str]] = {}
    for name, module in classes:
        places.setdefault(name, []).append(module)
    return {name: modules for name, modules in sorted(places.items()) if len(modules) > 1}


def is_participle(name: str) -> bool:
    """Whether the last word of a name, which says what it is a name of, is a participle."""
    word = words_of(name).rpartition("_")[2]
    if name in PROMISED:
        return False
    is_past = word.endswith("ed") and word not in NOUNS
    return is_past or word in IRREGULAR | PRESENT


@functools.cache
def public_classes() -> tuple[tuple[str, str], ...]:
    """Every public class of emu and posts: its name, and the file that defines it."""
    return tuple(
        (name, path.relative_to(ROOT).as_posix())
        for path in MODULES
        for name in source_of(path).classes
    )


def is_bare_participle(name: str) -> bool:
    """Whether a function's name is one participle, which does not say of what: `told`, `_made`.

    A regular one is fine, since it gives back its argument changed: `rounded`, as `sorted` does.
    """
    return name.strip("_") in IRREGULAR | PRESENT


def stem_of(path: Path) -> str:
    """What a module or a package is called, without the packages above it."""
    return path.parent.name if path.name == "__init__.py" else path.stem


def test_classes_are_seen() -> None:
    assert ("CallingConvention", "emu/machine/abi/base.py") in set(public_classes())


def test_no_two_classes_have_one_name() -> None:
    assert several(public_classes()) == {}


def test_two_classes_of_one_name_are_seen() -> None:
    sources = {
        "a": "class Plan:\n    class Part: ...\n",
        "b": "class Plan: ...\nclass _Part: ...\n",
    }
    classes = [
        (name, module) for module, text in sources.items() for name in read_source(text).classes
    ]
    assert several(classes) == {"Plan": ["a", "b"]}
    assert several([*classes[:1], ("Part", "b")]) == {}


def test_no_class_is_called_by_a_participle() -> None:
    assert [place for place in public_classes() if is_participle(place[0])] == []


def test_no_module_is_called_by_a_participle() -> None:
    wrong = [path for path in MODULES if is_participle(stem_of(path))]
    assert [path.relative_to(ROOT).as_posix() for path in wrong] == []


def test_no_function_is_called_by_a_bare_participle() -> None:
    wrong = [
        (path.relative_to(ROOT).as_posix(), name)
        for path in MODULES
        for name, _ in source_of(path).functions
        if is_bare_participle(name)
    ]
    assert wrong == []


def test_a_function_called_by_a_bare_participle_is_seen() -> None:
    source = "def told(): ...\nclass A:\n    def _made(self):\n        def left(): ...\n"
    source += "def rounded(): ...\ndef made_from(): ...\ndef __init__(): ...\n"
    found = [name for name, _ in read_source(source).functions if is_bare_participle(name)]
    assert sorted(found) == ["_made", "left", "told"]


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("Told", True),
        ("moved", True),
        ("Selecting", True),
        ("BeforeFailed", True),
        ("code_seen", True),
        ("random_seed", False),
        ("RefusedInstruction", False),
        ("Timing", False),
        ("linked_values", False),
        ("Region", False),
    ],
)
def test_a_participle_is_seen(name: str, is_one: bool) -> None:
    assert is_participle(name) is is_one
