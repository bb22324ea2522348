"""Finds case files by the name of their case, their folder or a line in them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from emu.base.arguments import path_of
from emu.base.errors import CaseError, UsageError
from emu.base.files import read_file
from emu.base.yaml_document import did_you_mean
from emu.cases.case import Case
from emu.cases.case_file import read_case
from emu.cases.files.places import (
    CASE_FILE,
    OTHER_CASES,
    cases_here,
    find_cases,
    name_in,
    word_for,
)
from emu.toolchain.languages import SOURCE_SUFFIXES


def cases_with(line: bytes) -> list[Path]:
    """Find the case files of ``mac_src`` that have a certain line, without checking them.

    Args:
        line: a regular expression for the line's beginning, such as ``rb"compare:"``.
    """
    wanted = re.compile(b"^" + line, re.MULTILINE)
    return [path for path in find_cases() if wanted.search(read_file(path))]


def load_case(name: Case | Path | str) -> Case:
    """Read a case by its name, its folder or its file, and check it.

    A folder stands for its ``case.yaml``, or for the one other case file in it.

    Args:
        name: the name of a case that comes with macproof; or a folder or file of your own. A case
            that has been read already is given back as it is.

    Raises:
        UsageError: there is no such case, or there are several.
        CaseError: its file is wrong; or no valid file has that name, and one of the files is
            invalid.

    Example:
        >>> case = macproof.load_case("four-shifts")
        >>> case.call, case.cpus
        ('_DetermineCollisions', ('68000', '68040', '601'))
    """
    if isinstance(name, Case):
        return name
    if name == "":
        raise UsageError("there is no case with an empty name; give its name, folder or file")
    path = path_of(name, "the case", "its name, its folder or its file, or what load_case returns")
    if path.is_dir():
        others = sorted(path.glob(OTHER_CASES))
        if not (path / CASE_FILE).is_file() and len(others) > 1:
            names = ", ".join(other.name for other in others)
            raise UsageError(f"{name} has several cases; name the file of one: {names}")
        path = others[0] if others and not (path / CASE_FILE).is_file() else path / CASE_FILE
    if path.is_file():
        if path.suffix in SOURCE_SUFFIXES:
            raise UsageError(
                f"{name} is a source and not a case; name the file of the case, and give a source "
                "in place of its own with --source"
            )
        return read_case(path)
    return case_named(str(name))


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
    raise UsageError(_not_found(name, [case.name for case in cases]))


def _not_found(name: str, words: list[str]) -> str:
    """Why there is no such case: a path is told apart from a name."""
    try:
        is_there, is_folder = Path(name).exists(), Path(name).is_dir()
    except (OSError, ValueError):  # no path can be like that
        is_there = is_folder = False
    if is_folder and name:
        return f"there is no case {name}; that folder has no {CASE_FILE} and no {OTHER_CASES}"
    if is_there and name:
        return f"there is no case {name}; that is no file that can be read as one"
    if "/" in name or name.endswith((".yaml", ".yml")):
        return f"there is no case {name}; there is no such file or folder"
    here = {word_for(path): name_in(path) for path in cases_here()}
    for word, called in here.items():
        if called == name:
            return f"{name} does not come with macproof; for the one in this folder give {word}"
    return f"there is no case {name}{did_you_mean(name, [*here, *words])}"


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
