"""Who may import whom: nothing upwards or sideways, and no module itself by way of others."""

from __future__ import annotations

import functools
import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from types import ModuleType

import pytest

import emu
import posts
import pyref
from tests.source_code import ROOT, read_source, source_of

# From low to high. A room may import what stands in lines above its own, and nothing else of emu.
ROOMS = (
    ("base",),
    ("report", "program", "quickdraw"),
    ("machine",),
    ("checks",),
    ("cycles", "lift", "toolbox"),
    ("toolchain",),
    ("runner",),
    ("disk", "cases", "engines"),
    ("results",),
    ("verify",),
    ("timing", "campaign", "search", "prove", "port", "doctor", "play", "debug"),
    ("commands", "pytest_plugin"),
    ("cli",),
)
LEVELS = {room: level for level, rooms in enumerate(ROOMS) for room in rooms}

EMU = sorted((ROOT / "emu").rglob("*.py"))
KIT = [*EMU, *sorted((ROOT / "macproof").rglob("*.py"))]
POSTS = sorted((ROOT / "posts").rglob("*.py"))
PYREF = sorted((ROOT / "pyref").rglob("*.py"))


@functools.cache
def name_of(path: Path) -> str:
    """The dotted name of a module."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(dotted: str) -> str:
    """The room of a module of emu; "" for what lies in emu itself, such as its version."""
    parts = dotted.split(".")
    return parts[1] if len(parts) > 1 and is_room(parts[1]) else ""


def is_room(name: str) -> bool:
    """Whether emu has a package or a module of this name."""
    place = ROOT / "emu" / name
    return (place / "__init__.py").exists() or place.with_suffix(".py").exists()


def missing(rooms: Iterable[str]) -> list[str]:
    """Those that are no rooms of emu."""
    return [room for room in rooms if not is_room(room)]


def graph_of(files: Iterable[Path]) -> dict[str, set[str]]:
    """The modules of some files, and which of them each imports, be it for types only."""
    paths = {name_of(path): path for path in files}

    def module(dotted: str) -> str:
        return dotted if dotted in paths else dotted.rpartition(".")[0]

    return {
        name: {module(dotted) for dotted, _ in source_of(path).imports} & paths.keys()
        for name, path in paths.items()
    }


def files_of(room: str) -> list[Path]:
    """The files of a room of emu."""
    return [path for path in EMU if room_of(name_of(path)) == room]


def cycle_in(graph: Mapping[str, Iterable[str]]) -> list[str]:
    """The modules of a cycle, of which the last is the first again; none if there is no cycle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.parametrize(("package", "checked"), [(emu, EMU), (posts, POSTS), (pyref, PYREF)])
def test_every_module_is_checked(package: ModuleType, checked: list[Path]) -> None:
    """What Python itself finds in the packages is what is looked at here."""
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    names = {package.__name__, *(module.name for module in found)}
    assert names == {name_of(path) for path in checked}


def test_every_room_has_its_place() -> None:
    rooms = {room_of(name_of(path)) for path in EMU} - {""}
    assert rooms <= LEVELS.keys(), "give a new room its line in ROOMS"


def test_every_listed_room_is_there() -> None:
    assert missing(LEVELS) == []


def test_a_room_that_is_not_there_is_seen() -> None:
    assert missing(["base", "attic", "cli"]) == ["attic"]


@pytest.mark.slow
def test_something_is_seen_of_every_room() -> None:
    """A room of which no import of emu is seen would pass every test here."""
    seen = {
        room_of(name_of(path))
        for path in EMU
        if any(dotted.split(".")[0] == "emu" for dotted, _ in source_of(path).imports)
    }
    assert seen == LEVELS.keys()


def wrong_imports(path: Path) -> Iterator[str]:
    """The imports of a file that go upwards or sideways."""
    own = room_of(name_of(path))
    for dotted, line in source_of(path).imports:
        other = room_of(dotted) if dotted.split(".")[0] == "emu" else ""
        if other not in ("", own) and (not own or LEVELS[other] >= LEVELS[own]):
            yield f"{path.relative_to(ROOT)}:{line}: {own or 'the package emu'} imports {dotted}"


def test_no_import_goes_upwards_or_sideways() -> None:
    assert [wrong for path in EMU for wrong in wrong_imports(path)] == []


@pytest.mark.parametrize(
    ("room", "imported"), [("base", "program"), ("report", "program"), ("", "base")]
)
def test_an_import_upwards_or_sideways_is_seen(
    room: str, imported: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = ROOT / "emu" / room / "__init__.py"
    text = "\n" * 6 + f"import emu.{imported}.model"
    monkeypatch.setitem(globals(), "source_of", lambda path: read_source(text))
    who = room or "the package emu"
    (wrong,) = wrong_imports(path)
    assert wrong == f"{path.relative_to(ROOT)}:7: {who} imports emu.{imported}.model"


@pytest.mark.parametrize("room", LEVELS)
def test_no_module_imports_itself_by_way_of_others(room: str) -> None:
    assert cycle_in(graph_of(files_of(room))) == []


def test_no_module_or_room_of_the_posts_imports_itself_by_way_of_others() -> None:
    modules = graph_of(POSTS)
    assert cycle_in(modules) == []
    rooms: dict[str, set[str]] = {}
    for name, imported in modules.items():
        room = name.split(".")[1:2]
        rooms.setdefault("".join(room), set()).update(
            "".join(other.split(".")[1:2]) for other in imported
        )
    assert cycle_in({room: others - {room} for room, others in rooms.items()}) == []
    assert rooms["commands"] >= {"audit", "comparison", "findings", "habits", "timing"}


def test_a_cycle_is_seen() -> None:
    graph = {"a": {"b"}, "b": {"c", "d"}, "c": {"d"}, "d": set()}
    assert cycle_in(graph) == []
    cycle = cycle_in({**graph, "d": {"b"}})
    assert cycle[0] == cycle[-1]
    assert {"b", "d"} <= set(cycle) <= {"b", "c", "d"}
    assert cycle_in({"a": {"a"}}) == ["a", "a"]


def test_imports_of_a_room_are_seen() -> None:
    assert "emu.cases.keys.parts" in graph_of(files_of("cases"))["emu.cases.case"]


def test_only_the_engine_module_imports_the_engine() -> None:
    users = {
        name_of(path)
        for path in EMU
        if any(dotted.split(".")[0] == "unicorn" for dotted, _ in source_of(path).imports)
    }
    assert users == {user for user in users if user.startswith("emu.machine.engine.")} != set()


def imports_from(package: str, paths: Iterable[Path]) -> list[str]:
    """Where some files import something of a package."""
    return [
        f"{path.relative_to(ROOT)}:{line}: {dotted}"
        for path in paths
        for dotted, line in source_of(path).imports
        if dotted.split(".")[0] == package
    ]


def test_the_references_know_nothing_of_the_kit() -> None:
    assert imports_from("emu", PYREF) == []


def test_the_kit_knows_nothing_of_the_posts() -> None:
    """They are a guest, which could be any other package."""
    assert imports_from("posts", [*KIT, *PYREF]) == []


def test_the_kit_names_no_module_of_the_posts() -> None:
    """Nor in texts, by which modules are imported late."""
    named = re.compile(r"\bposts[.:/]\w")
    assert [path for path in KIT if named.search(path.read_text())] == []
    assert any(named.search(path.read_text()) for path in POSTS)


def test_only_commands_know_how_words_are_parsed() -> None:
    """Below them everything is called with keyword arguments, never with a Namespace."""
    below = [path for path in EMU if room_of(name_of(path)) not in ("commands", "cli")]
    below += [path for path in POSTS if path.parent.name != "commands"]
    assert imports_from("argparse", below) == []
    assert imports_from("argparse", EMU) != []


def test_the_kit_names_no_reference() -> None:
    """References are named by case files, as dotted names, and by nothing else."""
    assert imports_from("pyref", EMU) == []


def test_what_is_imported_of_a_package_is_seen() -> None:
    assert len(imports_from("yaml", EMU)) >= 1


def test_every_form_of_import_is_seen() -> None:
    source = """
import emu.cases.case
from emu.verify import schedule
from ..engine import run
from . import base
if TYPE_CHECKING:
    from emu.base import files
def late():
    import a.b
"""
    found = read_source(source, ("emu", "machine", "abi"))
    assert sorted(dotted for dotted, _ in found.imports) == [
        "a.b",
        "emu.base.files",
        "emu.cases.case",
        "emu.machine.abi.base",
        "emu.machine.engine.run",
        "emu.verify.schedule",
    ]


def rooms_in(package: str) -> dict[str, set[str]]:
    """The rooms of a package of emu, by the path to them, and which other rooms each imports."""
    above = f"emu.{package}."
    paths = {name_of(path): path for path in EMU if name_of(path).startswith(above)}

    def room(dotted: str) -> str:
        module = dotted if dotted in paths else dotted.rpartition(".")[0]
        if module in paths and paths[module].name == "__init__.py":
            return module[len(above) :]
        return module[len(above) :].rpartition(".")[0]

    graph: dict[str, set[str]] = {}
    for name, path in paths.items():
        if path.name != "__init__.py":
            others = {
                room(dotted) for dotted, _ in source_of(path).imports if dotted.startswith(above)
            }
            graph.setdefault(room(name), set()).update(others - {room(name)})
    return graph


def parted_packages() -> list[str]:
    """Packages of emu with rooms in them: folders, and perhaps modules beside these.

    Every process that runs tests asks this before the first, so that no file is read for it.
    """
    rooms: dict[str, set[str]] = {}
    for path in EMU:
        folders = path.relative_to(ROOT / "emu").parts[:-1] if path.stem != "__init__" else ()
        for end in range(1, len(folders) + 1):
            inside = rooms.setdefault(".".join(folders[:end]), set())
            inside.add(".".join(folders[end:]))
    return [package for package, inside in rooms.items() if len(inside) > 1]


PARTED = parted_packages()


def test_packages_with_rooms_are_found() -> None:
    assert {"base", "machine.engine", "toolbox.managers", "toolchain", "verify"} <= set(PARTED)
    assert not {"emu", "disk"} & set(PARTED)


@pytest.mark.parametrize("package", PARTED)
def test_no_room_imports_itself_by_way_of_others(package: str) -> None:
    assert cycle_in(rooms_in(package)) == []


def test_rooms_are_seen() -> None:
    rooms = rooms_in("verify")
    assert "images" in rooms["runs"]
    assert "runs" not in rooms["images"]


def test_no_folder_has_more_modules_than_a_reader_keeps_in_mind() -> None:
    counts: dict[str, int] = {}
    for path in (*EMU, *POSTS, *PYREF):
        if path.name != "__init__.py":
            folder = path.parent.relative_to(ROOT).as_posix()
            counts[folder] = counts.get(folder, 0) + 1
    crowded = {folder: count for folder, count in counts.items() if count > 16}
    assert crowded == {}
