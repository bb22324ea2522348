"""No command writes over what it reads, or writes two things to one place."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import UsageError
from emu.cases.case import Case
from emu.cases.sources import source_tree


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file that a command reads or writes, with a name for it in messages.

    Attributes:
        what: what it is to the command, for a message ("--json").
        path: the file, which need not exist yet.
    """

    what: str
    path: Path


def places_of(arguments: argparse.Namespace, *options: str) -> Iterator[NamedFile]:
    """The files that were given to options such as ``"json"``; those not given name none."""
    for option in options:
        path = getattr(arguments, option)
        if path is not None:
            yield NamedFile(f"--{option.replace('_', '-')}", path)


def places_of_case(case: Case, what: str, source: str) -> Iterator[NamedFile]:
    """A case's file and the sources it is made of, each by what it is to the command."""
    yield NamedFile(what, case.path)
    for path in source_tree(case).sources:
        yield NamedFile(source, path)


def refuse_overwriting(written: Iterable[NamedFile], read: Iterable[NamedFile]) -> None:
    """Make sure that every file that is written is none that is read, and is written once.

    Devices and pipes are no such files: what is written to them replaces nothing.

    Raises:
        UsageError: two are the same, perhaps by a link or by another way to the same folder.
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
    except (OSError, ValueError, RuntimeError):  # whoever opens it says what is wrong with it
        return path


def _is_special(path: Path) -> bool:
    try:
        return path.exists() and not path.is_file() and not path.is_dir()
    except (OSError, ValueError):
        return False


def _are_same(one: Path, other: Path) -> bool:
    """Also where the file system makes no difference between small and capital letters."""
    if one == other:
        return True
    try:
        return one.name.casefold() == other.name.casefold() and one.samefile(other)
    except (OSError, ValueError):
        return False
