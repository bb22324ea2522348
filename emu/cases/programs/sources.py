"""Finds the sources of a case; the user may replace some or all of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from emu.base.arguments import path_of, require
from emu.base.errors import UsageError
from emu.base.yaml_document import did_you_mean
from emu.cases.case import Case
from emu.toolchain.sources import SourceTree, mac_sources

Replacements: TypeAlias = Mapping[str, Path]
"""Files that replace sources of a case, by the names of the replaced sources."""

GivenSource: TypeAlias = Path | str | Mapping[str, Path | str] | None
"""A file in place of all sources of a case, files in place of some, or None for the case's own."""


def given_source(source: GivenSource) -> Path | Replacements | None:
    """What a user gives in place of the sources of a case, each file as a path.

    Raises:
        UsageError: it is something else.
    """
    if source is None:
        return None
    if isinstance(source, Mapping):
        return {
            require(name, str, "a key of source", "the name of a source of the case"): path_of(
                path, f"source[{name!r}]"
            )
            for name, path in source.items()
        }
    wanted = 'the path of a file, or paths by names of sources: {"unpack.c": "mine.c"}'
    return path_of(source, "source", wanted)


def source_tree(case: Case, source: GivenSource = None) -> SourceTree:
    """The files to compile: the case's own, with all or some of them replaced.

    A source that somebody else wrote is compiled unchanged, and without GCC's warnings about the C
    or C++ of 1994. The programs of cases that come with macproof are kept small: they have only
    those functions that their routine needs.

    Raises:
        UsageError: there is no such file, or the case has no source of that name, or none at all.
    """
    if not case.units:
        program = "a program" if case.program is None else case.program.name
        raise UsageError(f"{case.name} has no sources; it tests the program {program}")
    folder = case.path.parent
    units, foreign = _replaced(case.name, folder, case.units, given_source(source))
    # What replaces a source includes the headers that lay beside it.
    beside = [
        path.parent
        for path in _paths(folder, case.sources)
        if path.parent != folder and path.is_relative_to(folder)
    ]
    own = [path.parent for unit in units for path in unit if path not in foreign]
    further = [*beside, *((folder / name).resolve() for name in case.include)]
    headers = case.headers
    return SourceTree(
        routine=case.call,
        state=case.variables,
        units=units,
        folders=_folders(folder, foreign, own),
        compat=mac_sources() / "compat" if headers is None else headers.path,
        runtime=mac_sources() / "runtime",
        flags=("-Dmacintosh", *(f"-D{name}" for name in case.defines)),
        foreign=foreign,
        also=case.functions,
        asked_by=case.path,
        lines=case.lines,
        include=tuple(dict.fromkeys(further)),
        cflags=case.cflags,
        compilers=case.compilers,
        trimmed=case.path.resolve().is_relative_to(mac_sources()),
        prefix=case.prefix,
        headers="" if headers is None else headers.written,
    )


def _replaced(
    case: str,
    folder: Path,
    units: tuple[tuple[str, ...], ...],
    source: Path | Replacements | None,
) -> tuple[tuple[tuple[Path, ...], ...], tuple[Path, ...]]:
    """The translation units of a case, and which files in them are somebody else's.

    Args:
        case: the case's name, for messages.
        folder: where its own files lie.
        units: their names, by units.
        source: a file in place of all of them, or files in place of some.

    Raises:
        UsageError: there is no such file, or the case has no source of that name.
    """
    given = source if isinstance(source, Mapping) else {}
    names = [name for unit in units for name in unit]
    for name in given:
        if name not in names:
            raise UsageError(f"{case} has no source {name}{did_you_mean(name, names)}")
    foreign = (source,) if isinstance(source, Path) else tuple(given.values())
    for path in foreign:
        if not path.is_file():
            problem = "it is not a file" if path.exists() else "there is no such file"
            raise UsageError(f"{path}: {problem}")
    if isinstance(source, Path):
        return (foreign,), foreign
    own = {name: path for name, path in zip(names, _paths(folder, names), strict=True)}
    return tuple(tuple(given.get(n, own[n]) for n in unit) for unit in units), foreign


def _paths(folder: Path, names: Sequence[str]) -> list[Path]:
    """The paths of sources that a case in a folder names; some lie above it."""
    return [Path(os.path.normpath(folder / name)) for name in names]


def _folders(folder: Path, foreign: Sequence[Path], own: Sequence[Path]) -> tuple[Path, ...]:
    """The folders with headers of sources that do not lie in the case's folder, and that folder."""
    elsewhere = [parent for parent in own if not parent.is_relative_to(folder)]
    others = (*(path.resolve().parent for path in foreign), *elsewhere)
    return (*(parent for parent in dict.fromkeys(others) if parent != folder), folder)
