"""Which case files `macproof_cases` lists; a pattern that lists none would be a test of nothing."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from emu.cases.files.places import CASE_FILE, OTHER_CASES

_WILD = "*?["
_PORT_FILE = "port.yaml"
_NAMES = (CASE_FILE, OTHER_CASES, _PORT_FILE)


def patterns_of(config: pytest.Config) -> list[str]:
    """The patterns of `macproof_cases`, as they are compared with paths."""
    return [PurePosixPath(pattern).as_posix() for pattern in config.getini("macproof_cases")]


def is_listed(path: Path, pattern: str, root: Path) -> bool:
    """Whether a pattern matches this file or a folder above it."""
    if not path.is_relative_to(root):
        return False
    own = path.relative_to(root)
    return any(fnmatch.fnmatchcase(place.as_posix(), pattern) for place in (own, *own.parents))


def require_listed_cases(config: pytest.Config) -> None:
    """Refuse a pattern by which no case is run.

    Raises:
        UsageError: it matches no case file; or pytest looks for tests in the folders of
            ``testpaths``, and none of its case files is in these.
    """
    root = config.rootpath
    for pattern in patterns_of(config):
        listed = [path for path in _case_files(pattern, root) if is_listed(path, pattern, root)]
        if not listed:
            raise pytest.UsageError(
                f"macproof_cases: {pattern!r} matches no case file below {root}; one is named "
                f"{CASE_FILE} or {OTHER_CASES}, and a port {_PORT_FILE}"
            )
        if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
            start = config.invocation_params.dir
            places = [Path(os.path.abspath(start / place)) for place in config.args]
            if not any(path.is_relative_to(place) for path in listed for place in places):
                raise pytest.UsageError(
                    f"macproof_cases: {pattern!r} is outside of testpaths "
                    f"({', '.join(config.getini('testpaths'))}), so pytest never comes to it; add "
                    "its folder to testpaths"
                )


def _case_files(pattern: str, root: Path) -> Iterator[Path]:
    """The case files below the last folder that a pattern names without a wildcard."""
    place = root
    for part in PurePosixPath(pattern).parts:
        if any(letter in part for letter in _WILD):
            break
        place /= part
    if ".." in place.parts or not place.is_relative_to(root):
        return  # no path below the root folder is compared with such a pattern
    if place.is_file():
        if any(fnmatch.fnmatchcase(place.name, name) for name in _NAMES):
            yield place
        return
    for name in _NAMES:
        yield from place.rglob(name)
