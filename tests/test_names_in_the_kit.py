"""No part of emu knows a case, a post or a program of mac_src by its name."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from emu.cases.files.places import find_cases
from emu.toolchain.mac_app.applications import APPLICATION_FILE
from emu.toolchain.sources import mac_sources

ROOT = Path(__file__).parents[1]
EMU = sorted((ROOT / "emu").rglob("*.py"))
DATA = sorted(path for path in (ROOT / "emu").rglob("*") if path.suffix in (".json", ".yaml"))
ALLOWED = {"port_check", "portcheck"}
"""The kit's own program that measures: `emu.results` reads and writes its files, by their names."""


@functools.cache
def names_of_mac_src() -> set[str]:
    """Names of cases, routines, variables, Python modules, folders, claims and findings."""
    cases = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in find_cases()]
    applications = mac_sources().glob(f"*/{APPLICATION_FILE}")
    told = [*cases, *(yaml.safe_load(path.read_text(encoding="utf-8")) for path in applications)]
    names = {one["name"] for one in told} | {path.parent.name for path in find_cases()}
    for case in cases:
        guest = {case["call"], *case["input"], *case["observe"]}
        names |= {name for name in guest if not re.fullmatch("[a-z]+", name)}  # a word may be one
        names.add(case["reference"].partition(":")[0])
    for path in (ROOT / "posts" / "claims").glob("*.yaml"):
        post = yaml.safe_load(path.read_text(encoding="utf-8"))
        names |= {claim["id"] for claim in post["claims"]}
    return names | {name.replace("-", "_") for name in names}


def strings_in(source: str) -> Iterator[tuple[str, int]]:
    """Every string of a module that is no docstring, with its line."""
    tree = ast.parse(source)
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value, node.lineno


def named(text: str, names: set[str]) -> list[str]:
    """Those of some names that stand in a text as words of their own."""
    words = set(re.findall(r"[A-Za-z_][\w.-]*", text))
    return sorted(name for name in words & names if name.lower() not in ALLOWED)


def test_there_are_names_to_look_for() -> None:
    assert {"four-shifts", "four_shifts", "gObjects", "_DetermineCollisions"} <= names_of_mac_src()
    assert {"pyref.blockmap.blockmap", "faster-than-halves", "port-check"} <= names_of_mac_src()


def test_no_module_has_one_of_them() -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in EMU}
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path, source in sources.items()
        if named(source, names_of_mac_src())  # most have none, not even in a docstring
        for text, line in strings_in(source)
        for name in named(text, names_of_mac_src())
    ]
    assert found == []


def test_no_data_file_has_one_of_them() -> None:
    """What a JSON schema says in its descriptions is prose, like a docstring."""
    prose = re.compile(r'"description": "(\\.|[^"])*"')
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in DATA
        for name in named(prose.sub("", path.read_text(encoding="utf-8")), names_of_mac_src())
    ]
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        'DEFAULT = "four-shifts"\n',
        'def add(parser):\n    parser.add_argument("case", default="four-shifts")\n',
        'print(f"Next: macproof verify four-shifts --source {path}")\n',
        'values["gObjects"]\n',
    ],
)
def test_one_would_be_seen(source: str) -> None:
    assert [words for text, _ in strings_in(source) for words in named(text, names_of_mac_src())]


def test_a_docstring_may_tell_an_example() -> None:
    source = '"""Such as four-shifts."""\ndef f():\n    """Or gObjects."""\n    return "it"\n'
    assert [text for text, _ in strings_in(source)] == ["it"]
