"""Refuses commands that would write over a file they read, or write one file twice."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from emu.base.errors import UsageError

if TYPE_CHECKING:
    from emu.cases.case import Case


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file that a command reads or writes.

    Attributes:
        what: its name in messages: an option such as "--json", or "the case".
        path: the file, which need not exist yet.
    """

    what: str
    path: Path


def places_of(arguments: argparse.Namespace, *options: str) -> Iterator[NamedFile]:
    """The files given with options such as ``"json"``; an option not given has none."""
    for option in options:
        path = getattr(arguments, option)
        if path is not None:
            yield NamedFile(f"--{option.replace('_', '-')}", path)


def places_of_case(case: Case, what: str, source: str) -> Iterator[NamedFile]:
    """The file of a case and its sources; ``what`` and ``source`` name them in messages."""
    from emu.cases.programs.sources import (
        source_tree,  # not every command with output files has a case
    )

    yield NamedFile(what, case.path)
    if case.program is not None:
        yield NamedFile(f"the program of {case.name}", case.program)
        return
    for path in source_tree(case).sources:
        yield NamedFile(source, path)


def refuse_overwriting(written: Iterable[NamedFile], read: Iterable[NamedFile]) -> None:
    """Check that no written file is also read, and that no file is written twice.

    Devices and pipes may be named twice, because writing to them replaces nothing.

    Raises:
        UsageError: two names lead to the same file, also by a link or another path.
    """
    inputs = [(place, _resolved(place.path)) for place in read]
    outputs: list[tuple[NamedFile, Path]] = []
    for place in written:
        if _is_special(place.path):
            continue
        path = _resolved(place.path)
        for other, there in inputs:
            if _are_same(path, there):
                raise UsageError(
                    f"{place.what} would be written over {other.what}: both are {place.path}. "
                    "Nothing has been written"
                )
        for other, there in outputs:
            if _are_same(path, there):
                raise UsageError(
                    f"{other.what} and {place.what} would be the same file, {place.path}. "
                    "Nothing has been written"
                )
        outputs.append((place, path))


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, ValueError, RuntimeError):  # opening the file will report the error
        return path


def _is_special(path: Path) -> bool:
    try:
        return path.exists() and not path.is_file() and not path.is_dir()
    except (OSError, ValueError):
        return False


def _are_same(path: Path, other: Path) -> bool:
    """Whether two paths are one file, also if the file system ignores the case of letters."""
    if path == other:
        return True
    try:
        return path.name.casefold() == other.name.casefold() and path.samefile(other)
    except (OSError, ValueError):
        return False
