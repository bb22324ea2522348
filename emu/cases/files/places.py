"""Finds case files, and the word that a user types for each, reading only lines with a name.

A shell asks for these words when Tab is pressed, so nothing is imported here that takes long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from emu.toolchain.sources import mac_sources

CASE_FILE = "case.yaml"
OTHER_CASES = "*.case.yaml"

_PATTERNS = (CASE_FILE, OTHER_CASES)
_NAME = re.compile(rb"^name:[ \t]*[\"']?([a-z0-9][a-z0-9-]*)[\"']?[ \t\r]*(?:#.*)?$", re.MULTILINE)
_LARGEST = 1 << 20  # bytes of a file in which a name is looked for


def find_cases(folder: Path | None = None) -> Iterator[Path]:
    """Find the case files in the folders below a folder; below ``mac_src`` if none is given."""
    root = folder or mac_sources()
    return iter(sorted({path for pattern in _PATTERNS for path in root.glob(f"*/{pattern}")}))


def cases_here() -> list[Path]:
    """Find the case files in the current folder and in those below it, but not the kit's own."""
    root, kit = Path(), {path.resolve() for path in find_cases()}
    try:
        paths = {
            path
            for pattern in _PATTERNS
            for path in (*root.glob(pattern), *root.glob(f"*/{pattern}"))
        }
        return sorted(path for path in paths if path.is_file() and path.resolve() not in kit)
    except OSError:  # the folder was removed, or may not be read
        return []


def name_in(path: Path) -> str:
    """The name in a case file's line ``name:``, without checking the file; "" if it has none."""
    try:
        with path.open("rb") as file:
            match = _NAME.search(file.read(_LARGEST))
    except OSError:
        return ""
    return match[1].decode() if match else ""


def word_for(path: Path) -> str:
    """What a user types for a case file that is not the kit's: its folder if that is enough."""
    folder = path.parent
    stands_for = [folder / CASE_FILE] if (folder / CASE_FILE).is_file() else []
    stands_for = stands_for or list(folder.glob(OTHER_CASES))
    return str(folder) if stands_for == [path] and folder != Path() else str(path)


def words() -> list[str]:
    """What a user can type for a case: the names of the kit's own, and paths in this folder.

    A path with a line break or another control character is left out.
    """
    candidates = [*(name_in(path) for path in find_cases()), *map(word_for, cases_here())]
    return [word for word in candidates if word and word.isprintable()]
