"""Case files: what is called, on which scenes, what is observed, and what it must equal."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from emu.errors import UsageError
from emu.toolchain.builds import BUILDS, Build
from emu.toolchain.gcc import SourceTree
from emu.yaml_document import Place, YamlDocument, check_against_schema, did_you_mean

CASE_FILE = "case.yaml"
LINKED_LIST = "linked-list"


class Scene(Protocol):
    """What macproof needs of a scene; `pyref.scene.Scene` is one."""

    @property
    def corners(self) -> NDArray[np.int32]:
        """(objects, 2) upper-left corners in pixels."""

    @property
    def generator(self) -> str:
        """How the scene was made."""

    @property
    def seed(self) -> int:
        """And from which seed."""


@dataclass(frozen=True, slots=True)
class Observed:
    """A guest variable, or one member of a struct array, and the reference's name for it."""

    variable: str
    member: str
    attribute: str


@dataclass(frozen=True, slots=True)
class Picture:
    """How a scene is drawn: which observed array tells outlines, and the size of an object."""

    outline: str
    object_size: int


@dataclass(frozen=True, slots=True)
class Case:
    """A case file's contents, checked. See ``emu/case.schema.json`` for each key's meaning."""

    path: Path
    name: str
    title: str
    credit: str
    sources: tuple[str, ...]
    call: str
    make: str
    generators: tuple[str, ...]
    objects: tuple[int, ...]
    width: int
    height: int
    inputs: Mapping[str, Mapping[str, str]]
    observed: tuple[Observed, ...]
    reference: str
    builds: Mapping[str, Build]
    picture: Picture | None

    @property
    def variables(self) -> tuple[str, ...]:
        """The guest globals that it fills in or observes, by name."""
        return tuple(sorted({*self.inputs, *(o.variable for o in self.observed)}))

    def make_scene(self, generator: str, objects: int, seed: int) -> Scene:
        """One of the case's scenes.

        Raises:
            UsageError: the generator refuses, or gives something else than a scene.
        """
        what = f"{generator}, {objects} objects, seed {seed}"
        make = _resolve(self.make)
        try:
            scene: Scene = make(generator, objects, seed, width=self.width, height=self.height)
        except (Exception, SystemExit) as error:  # it is somebody else's code
            raise UsageError(f"{self.make} refuses {what}: {_words(error)}") from error
        shape = np.shape(getattr(scene, "corners", ()))
        if shape != (objects, 2):
            raise UsageError(
                f"{self.make} gives corners of shape {shape} for {what}, not ({objects}, 2)"
            )
        return scene

    def given_scene(self, scene: Scene, corners: NDArray[np.int32]) -> Scene:
        """A scene with other corners, of the same class and origin."""
        made: Scene = type(scene)(corners, scene.generator, scene.seed)  # type: ignore[call-arg]
        return made

    def expect(self, scene: Scene) -> Any:
        """What the reference says of a scene.

        Raises:
            UsageError: it refuses the scene.
        """
        reference = _resolve(self.reference)
        try:
            return reference(scene)
        except (Exception, SystemExit) as error:  # it is somebody else's code
            what = f"{scene.generator}, {len(scene.corners)} objects, seed {scene.seed}"
            raise UsageError(f"{self.reference} refuses {what}: {_words(error)}") from error

    def source_tree(self, source: Path | None = None) -> SourceTree:
        """The files to compile: the case's own, or ``source`` in their place.

        A foreign source is compiled as it is, with whatever a compiler of today has to say about
        the C++ of 1994 kept quiet.
        """
        folder = self.path.parent
        sources = tuple(folder / name for name in self.sources)
        folders: tuple[Path, ...] = (folder,)
        flags: tuple[str, ...] = ("-Dmacintosh",)
        if source is not None:
            if not source.is_file():
                problem = "it is not a file" if source.exists() else "there is no such file"
                raise UsageError(f"{source}: {problem}")
            sources, folders = (source,), (source.resolve().parent, folder)
            flags += ("-fpermissive", "-w")
        return SourceTree(
            routine=self.call,
            state=self.variables,
            sources=sources,
            folders=folders,
            compat=mac_sources() / "compat",
            runtime=mac_sources() / "runtime",
            flags=flags,
        )


def mac_sources() -> Path:
    """The folder of Toolbox C++ programs that comes with macproof."""
    return Path(__file__).resolve().parent.parent / "mac_src"


def find_cases(folder: Path | None = None) -> Iterator[Path]:
    """The case files below a folder, ``mac_src`` if none is given."""
    return iter(sorted((folder or mac_sources()).glob(f"*/{CASE_FILE}")))


def load_case(name: str) -> Case:
    """A case by its name, its folder or its file.

    Raises:
        UsageError: there is no such case.
        CaseError: its file is wrong.
    """
    path = Path(name)
    if path.is_dir():
        path = path / CASE_FILE
    if path.is_file():
        return read_case(path)
    cases = [read_case(found) for found in find_cases()]
    for case in cases:
        if case.name == name:
            return case
    raise UsageError(f"there is no case {name}{did_you_mean(name, [c.name for c in cases])}")


def read_case(path: Path) -> Case:
    """Read and check a case file.

    Raises:
        CaseError: with the line, and a suggestion where a word is misspelled.
    """
    document = YamlDocument(path)
    schema = json.loads(resources.files("emu").joinpath("case.schema.json").read_text())
    check_against_schema(document, schema)
    data = document.data
    builds = dict(BUILDS)
    for name, extra in data.get("extra_builds", {}).items():
        like = extra["like"]
        if like not in BUILDS:
            place: Place = ("extra_builds", name, "like")
            raise document.error(place, f"there is no build {like}{did_you_mean(like, BUILDS)}")
        defines = tuple(f"-D{word}" for word in extra["define"])
        builds[name] = Build(name, (*BUILDS[like].flags, *defines))
    observed = []
    for variable, what in data["observe"].items():
        members = {"": what} if isinstance(what, str) else what
        observed += [Observed(variable, member, name) for member, name in members.items()]
    for key in ("make", "reference"):
        place = ("scene", key) if key == "make" else (key,)
        dotted = data["scene"][key] if key == "make" else data[key]
        try:
            _resolve(dotted)
        except UsageError as error:
            raise document.error(place, str(error)) from error
    for index, name in enumerate(data["sources"]):
        if not (path.parent / name).is_file():
            raise document.error(("sources", index), f"there is no file {name} beside it")
    scene = data["scene"]
    return Case(
        path=path.resolve(),
        name=data["name"],
        title=data["title"],
        credit=data.get("credit", ""),
        sources=tuple(data["sources"]),
        call=data["call"],
        make=scene["make"],
        generators=tuple(scene["generators"]),
        objects=tuple(scene["objects"]),
        width=scene.get("width", 640),
        height=scene.get("height", 480),
        inputs=data["input"],
        observed=tuple(observed),
        reference=data["reference"],
        builds=builds,
        picture=Picture(**data["picture"]) if "picture" in data else None,
    )


def _resolve(dotted: str) -> Callable[..., Any]:
    module, _, name = dotted.partition(":")
    try:
        found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    except (Exception, SystemExit) as error:  # a module of somebody else's may do anything
        raise UsageError(f"{dotted} cannot be imported: {_words(error)}") from error
    if not callable(found):
        raise UsageError(f"{dotted} is not a function")
    return found


def _words(error: BaseException) -> str:
    """What an exception says; a plain refusal speaks for itself, others by their names too."""
    if isinstance(error, ValueError | ImportError | AttributeError):
        return str(error)
    return f"{type(error).__name__}: {error}"
