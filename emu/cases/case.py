"""Case files: what is called, on which scenes, what is observed, and what it must equal."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from emu.base.errors import CaseError, UsageError
from emu.base.yaml_document import YamlDocument, check_against_schema, did_you_mean
from emu.cases.arguments import (
    RESULT,
    Argument,
    Phrase,
    addresses_in,
    arguments_of,
    phrase_of,
    phrases_in,
)
from emu.cases.parts import (
    Contender,
    Figures,
    Harness,
    Listing,
    Observed,
    Picture,
    Scene,
    Timing,
)
from emu.cases.references import (
    Routine,
    convention_of,
    digests_of,
    places_of,
    reference_words,
    require_places,
    routine_of,
)
from emu.cases.sections import (
    cflags_of,
    contender_of,
    cpus_of,
    extra_builds,
    include_of,
    lines_of,
    load_functions,
    members_of,
    more_objects,
    picture_of,
    prebuilt_of,
    timing_of,
    units_of,
)
from emu.toolchain.builds import BUILDS, TARGETS, Build
from emu.toolchain.sources import mac_sources

__all__ = [
    "CASE_FILE",
    "DEFAULT_SCENES",
    "DEFAULT_SEED",
    "LINKED_LIST",
    "OTHER_CASES",
    "Case",
    "Contender",
    "Figures",
    "Harness",
    "Listing",
    "Observed",
    "Picture",
    "Scene",
    "Timing",
    "case_named",
    "cases_with",
    "default_case",
    "find_cases",
    "load_case",
    "mac_sources",
    "read_case",
]

CASE_FILE = "case.yaml"
OTHER_CASES = "*.case.yaml"
LINKED_LIST = "linked-list"
DEFAULT_SCENES = 3000
DEFAULT_SEED = 1994
"""Of the first scene of each kind, wherever none is asked for."""


@dataclass(frozen=True, slots=True)
class Case:
    """A case file's contents, checked: what `load_case` gives.

    ``emu/cases/case.schema.json`` tells what each key of the file means.

    Attributes:
        path: the case file.
        name: the name that a user types.
        title: the title, in a few words.
        credit: author and year of the original.
        units: the file names of each translation unit.
        call: the guest routine that is called.
        make: the dotted name of the Python function that makes scenes.
        generators: the names of the ways in which it makes them.
        objects: the numbers of objects that scenes have.
        width: the width of the screen that scenes are made for, in pixels.
        height: its height, in pixels.
        inputs: for each guest variable, what fills its members; the member "" is the whole
            variable.
        observed: the variables and members that are compared with the reference.
        reference: the dotted name of the Python function that says what is right; or the name of
            the routine that does.
        builds: sets of compiler flags by their names.
        picture: how scenes are drawn, or None.
        cpus: the names of the processors that the case is for.
        scene_count: the number of scenes that are run by default.
        also: further numbers of objects for some generators, in addition to ``objects``.
        timing: which scenes are timed, and the published figures, or None.
        prebuilt: the names of the builds whose programs come with macproof.
        listing: where the original is printed, or None.
        contender: how the case takes part where systems are compared, or None.
        defines: preprocessor names that its sources are compiled with.
        include: folders of headers, relative to the case file.
        cflags: further flags of the compiler.
        arguments: what the routine is called with, by the names of its parameters.
        repeat: the scene's attribute that says how often the routine is called; "" for once.
        before: the routines that are called before it, in this order.
        ignored: the globals that the routine may change and that are not compared.
        prototype: how the routine is declared, if the case says so.
        convention: the name of its calling convention, if the case says so.
        routine: the routine of another program or library that says what is right, or None.
        toolbox: the scene's attributes that answer Toolbox routines, by the routines' names.
        lines: the line of the case file in which the routine and each variable is named.
        sha256: the digest of the case file.
        python: the digests of the Python files of its functions and of the reference's program, by
            their names.

    Example:
        >>> case = macproof.load_case("examples/bounce")
        >>> [one.variable for one in case.observed], case.reference
        (['gBalls', 'gBalls', 'gBounceCount'], 'bounce_reference:move_balls')
    """

    path: Path
    name: str
    title: str
    credit: str
    units: tuple[tuple[str, ...], ...]
    call: str
    make: str
    generators: tuple[str, ...]
    objects: tuple[int, ...]
    width: int
    height: int
    inputs: Mapping[str, Mapping[str, Phrase]]
    observed: tuple[Observed, ...]
    reference: str
    builds: Mapping[str, Build]
    picture: Picture | None
    cpus: tuple[str, ...] = tuple(TARGETS)
    scene_count: int = DEFAULT_SCENES
    also: tuple[tuple[str, int], ...] = ()
    timing: Timing | None = None
    prebuilt: tuple[str, ...] = tuple(BUILDS)
    listing: Listing | None = None
    contender: Contender | None = None
    defines: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    cflags: tuple[str, ...] = ()
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    repeat: str = ""
    before: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    prototype: str = ""
    convention: str = ""
    routine: Routine | None = None
    toolbox: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    sha256: str = ""
    python: Mapping[str, str] = field(default_factory=dict)

    @property
    def read_from(self) -> dict[str, str]:
        """The digests of the case file and of the files of its functions, by their names."""
        return {self.path.name: self.sha256, **self.python}

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the files to compile, of all units in their order."""
        return tuple(name for unit in self.units for name in unit)

    def error(self, name: str, problem: str, remedy: str = "") -> CaseError:
        """An error about something that the case file names, with its line where it is known.

        Args:
            name: a name of ``lines``.
            problem: what is wrong, as a clause.
            remedy: what the reader can do about it, as a sentence.
        """
        line = self.lines.get(name)
        where = "" if line is None else f"line {line}"
        return CaseError(self.path, problem, where=where, remedy=remedy)

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of the scene's attributes that the case uses."""
        phrases = [phrase for members in self.inputs.values() for phrase in members.values()]
        for argument in self.arguments.values():
            phrases += phrases_in(argument)
        names = [phrase.attribute for phrase in phrases] + [self.repeat] * bool(self.repeat)
        names += self.toolbox.values()
        return tuple(dict.fromkeys(names))

    @property
    def object_counts(self) -> tuple[int, ...]:
        """All numbers of items that scenes have."""
        return (*self.objects, *(number for _, number in self.also))

    @property
    def functions(self) -> tuple[str, ...]:
        """The names of the guest functions that are called before, or whose addresses are given."""
        known = set(self.variables)
        given = [name for one in self.arguments.values() for name in addresses_in(one)]
        return tuple(dict.fromkeys([*self.before, *(n for n in given if n not in known)]))

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the guest globals that the case sets, observes or ignores."""
        named = {*self.inputs, *(o.variable for o in self.observed), *self.ignored}
        return tuple(sorted(name for name in named if is_global(name)))


def is_global(name: str) -> bool:
    """Whether a name in a case file is that of a global: neither of an argument nor of a static."""
    return not name.startswith("*") and name != RESULT and "::" not in name


def find_cases(folder: Path | None = None) -> Iterator[Path]:
    """Find the case files in the folders below a folder; below ``mac_src`` if none is given."""
    root = folder or mac_sources()
    return iter(sorted({*root.glob(f"*/{CASE_FILE}"), *root.glob(f"*/{OTHER_CASES}")}))


def cases_with(line: bytes) -> list[Path]:
    """Find the case files of ``mac_src`` that have a certain line, without checking them.

    Args:
        line: a regular expression for the line's beginning, such as ``rb"compare:"``.
    """
    wanted = re.compile(b"^" + line, re.MULTILINE)
    return [path for path in find_cases() if wanted.search(path.read_bytes())]


def load_case(name: str | Path) -> Case:
    """Read a case by its name, its folder or its file, and check it.

    A folder stands for its ``case.yaml``, or for the one other case file in it.

    Args:
        name: the name of a case that comes with macproof; or a folder or file of your own.

    Raises:
        UsageError: there is no such case, or there are several.
        CaseError: its file is wrong; or no valid file has that name, and one of the files is
            invalid.

    Example:
        >>> case = macproof.load_case("four-shifts")
        >>> case.call, case.cpus
        ('_DetermineCollisions', ('68000', '68040', '601'))
    """
    path = Path(name)
    if path.is_dir():
        others = sorted(path.glob(OTHER_CASES))
        if not (path / CASE_FILE).is_file() and len(others) > 1:
            names = ", ".join(other.name for other in others)
            raise UsageError(f"{name} has several cases; name the file of one: {names}")
        path = others[0] if others and not (path / CASE_FILE).is_file() else path / CASE_FILE
    return read_case(path) if path.is_file() else case_named(str(name))


def case_named(name: str) -> Case:
    """One of the cases that come with macproof.

    Raises:
        UsageError: there is no such case, or there are several.
        CaseError: no valid file has that name, and one of the files is invalid.
    """
    files = list(find_cases())
    # Checking a case takes time, so files that seem to contain the name are read first.
    quoted = re.escape(name.encode("utf-8", "surrogateescape"))
    cases, wrong = _read_cases(cases_with(rb"name:[ \t]*[\"']?" + quoted + rb"[\"']?[ \t\r]*$"))
    if name not in [case.name for case in cases]:
        cases, wrong = _read_cases(files)
    meant = [case for case in cases if case.name == name]
    if len(meant) > 1:
        places = ", ".join(str(case.path) for case in meant)
        raise UsageError(f"several cases are named {name}; give the file of one: {places}")
    if meant:
        return meant[0]
    if wrong:
        raise wrong[0]
    raise UsageError(f"there is no case {name}{did_you_mean(name, [c.name for c in cases])}")


def default_case() -> Case:
    """The case that commands use if none is given: the one whose file says ``default: true``.

    Raises:
        UsageError: no case that comes with macproof says so, or several do.
        CaseError: its file is wrong.
    """
    files = cases_with(rb"default:[ \t]*true\b")
    if len(files) != 1:
        several = f"several cases are the default: {', '.join(map(str, files))}"
        raise UsageError(f"{several if files else 'there is no default case'}; name one")
    return read_case(files[0])


def _read_cases(files: Iterable[Path]) -> tuple[list[Case], list[CaseError]]:
    """Read case files; the cases, and the errors of the files that are wrong."""
    cases, wrong = [], []
    for path in files:
        try:
            cases.append(read_case(path))
        except CaseError as error:
            wrong.append(error)
    return cases, wrong


def _checked_document(path: Path) -> YamlDocument:
    """A case file that fits the schema.

    Raises:
        CaseError: it does not.
    """
    document = YamlDocument(path)
    schema = json.loads(resources.files("emu.cases").joinpath("case.schema.json").read_text())
    check_against_schema(document, schema)
    if not {"input", "arguments"} & document.data.keys():
        raise document.error((), "the key input is missing, or arguments")
    return document


def read_case(path: Path) -> Case:
    """Read and check a case file.

    Raises:
        CaseError: the file is wrong. The message names the line, and suggests the right spelling of
            a misspelled word.
    """
    document = _checked_document(path)
    data = document.data
    python = load_functions(document)
    units = units_of(document)
    scene = data["scene"]
    routine = routine_of(document)
    builds = {**BUILDS, **extra_builds(document, ("extra_builds",), data.get("extra_builds", {}))}
    return Case(
        path=path.resolve(),
        name=data["name"],
        title=data["title"],
        credit=data.get("credit", ""),
        units=units,
        call=data["call"],
        make=scene["make"],
        generators=tuple(scene["generators"]),
        objects=tuple(scene["objects"]),
        width=scene.get("width", 640),
        height=scene.get("height", 480),
        inputs={
            variable: {member: phrase_of(name) for member, name in members_of(what).items()}
            for variable, what in data.get("input", {}).items()
        },
        arguments=arguments_of(document),
        repeat=data.get("repeat", ""),
        before=tuple(data.get("before", ())),
        ignored=tuple(data.get("ignore", ())),
        toolbox=dict(data.get("toolbox", {})),
        observed=tuple(_observed(document)),
        reference=reference_words(document),
        prototype=data.get("prototype", ""),
        convention=convention_of(document, data, ("convention",)),
        routine=routine,
        builds=builds,
        picture=picture_of(document, data["picture"]) if "picture" in data else None,
        cpus=cpus_of(document),
        scene_count=scene.get("count", DEFAULT_SCENES),
        also=more_objects(document),
        timing=timing_of(document, builds) if "timing" in data else None,
        prebuilt=prebuilt_of(document, builds),
        listing=Listing(**data["listing"]) if "listing" in data else None,
        contender=contender_of(document) if "compare" in data else None,
        defines=tuple(data.get("define", ())),
        include=include_of(document),
        cflags=cflags_of(document),
        lines=lines_of(document),
        sha256=document.sha256,
        python={**python, **digests_of(routine)},
    )


def _observed(document: YamlDocument) -> list[Observed]:
    """Read what is compared with the reference."""
    written = document.data["observe"]
    if isinstance(written, list):
        return places_of(document)
    require_places(document)
    return [
        Observed(variable, member, phrase_of(name))
        for variable, what in written.items()
        for member, name in members_of(what).items()
    ]
