"""Who may import whom: nothing upwards, nothing sideways, one module that knows the engine."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# From low to high. A room may import what stands in lines above its own, and nothing else of emu.
ROOMS = (
    ("base",),
    ("program", "quickdraw"),
    ("machine",),
    ("cycles", "checks", "toolbox"),
    ("toolchain", "runner"),
    ("disk", "cases"),
    ("results",),
    ("verify",),
    ("evidence",),
    ("timing",),
    ("studies",),
    ("commands",),
    ("cli",),
)
LEVELS = {room: level for level, rooms in enumerate(ROOMS) for room in rooms}

EMU = sorted((ROOT / "emu").rglob("*.py"))
PYREF = sorted((ROOT / "pyref").rglob("*.py"))


def name_of(path: Path) -> str:
    """The dotted name of a module."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(source: str, package: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """Every module that a source imports anywhere in it, as a dotted name, with the line.

    ``from emu.cases import case`` counts as emu.cases.case, and a relative import as what it
    stands for.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*above, *((node.module,) if node.module else ())))
            for alias in node.names:
                yield f"{module}.{alias.name}", node.lineno


def imports(path: Path) -> Iterator[tuple[str, int]]:
    """Every module that a file of the repository imports."""
    return imports_of(path.read_text(), path.relative_to(ROOT).parts[:-1])


def room_of(dotted: str) -> str:
    """The room of a module of emu; "" for what lies in emu itself, such as its version."""
    parts = dotted.split(".")
    room = parts[1] if len(parts) > 1 else ""
    is_module = (ROOT / "emu" / room).is_dir() or (ROOT / "emu" / f"{room}.py").exists()
    return room if room and is_module else ""


def test_there_is_something_to_check() -> None:
    assert len(EMU) > 20
    assert len(PYREF) >= 3


def test_every_room_has_its_place() -> None:
    rooms = {room_of(name_of(path)) for path in EMU} - {""}
    assert rooms <= LEVELS.keys(), "give a new room its line in ROOMS"


@pytest.mark.parametrize("path", EMU, ids=name_of)
def test_no_import_goes_upwards_or_sideways(path: Path) -> None:
    own = room_of(name_of(path))
    for dotted, line in imports(path):
        other = room_of(dotted) if dotted.split(".")[0] == "emu" else ""
        if other in ("", own):
            continue
        assert own, f"{path.name}:{line}: the package emu itself imports {dotted}"
        assert LEVELS[other] < LEVELS[own], f"{path.name}:{line}: {own} imports {dotted}"


def test_only_the_engine_module_imports_the_engine() -> None:
    users = {
        name_of(path)
        for path in EMU
        if any(dotted.split(".")[0] == "unicorn" for dotted, _ in imports(path))
    }
    assert users == {user for user in users if user.startswith("emu.machine.engine.")} != set()


@pytest.mark.parametrize("path", PYREF, ids=name_of)
def test_the_references_know_nothing_of_the_kit(path: Path) -> None:
    found = [(dotted, line) for dotted, line in imports(path) if dotted.split(".")[0] == "emu"]
    assert not found


def test_the_kit_names_no_reference() -> None:
    """References are named by case files, as dotted names, and by nothing else."""
    for path in EMU:
        found = [line for dotted, line in imports(path) if dotted.split(".")[0] == "pyref"]
        assert not found, f"{path.name}: lines {found}"


def test_every_form_of_import_is_seen() -> None:
    source = """
import emu.cases.case
from emu.verify import schedule
from ..engine import run
from . import base
def late():
    import a.b
"""
    found = imports_of(source, ("emu", "machine", "abi"))
    assert sorted(dotted for dotted, _ in found) == [
        "a.b",
        "emu.cases.case",
        "emu.machine.abi.base",
        "emu.machine.engine.run",
        "emu.verify.schedule",
    ]
