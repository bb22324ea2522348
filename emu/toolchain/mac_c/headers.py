"""Finds the headers that sources include, as compilers on a Macintosh found them.

Names of files have no case there, and ``:`` stands between the names of folders: ``":Foo.h"``
lies in the folder of the program, ``"::Foo.h"`` in the one above it, and ``"Disk:Headers:Foo.h"``
wherever the end of that path leads from a folder that is searched.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

_INCLUDED = re.compile(rb'^([ \t]*#[ \t]*include[ \t]*["<])([^">\n]+)([">])', re.MULTILINE)
_OF_C = frozenset(
    f"{name}.h"
    for names in (
        ("assert", "ctype", "errno", "float", "limits", "locale", "math", "setjmp", "signal"),
        ("stdarg", "stddef", "stdint", "stdio", "stdlib", "string", "time"),
    )
    for name in names
)
"""The headers of the C language, whose names are in small letters."""

_LATER = (
    ("GestaltEqu.h", "Gestalt.h"),
    ("OSUtil.h", "OSUtils.h"),
    ("SegmentLdr.h", "SegLoad.h"),
    ("SerialDvr.h", "Serial.h"),
    ("SoundDvr.h", "Sound.h"),
    ("StdFilePkg.h", "StandardFile.h"),
    ("ToolboxUtil.h", "ToolUtils.h"),
)


@dataclass(frozen=True, slots=True)
class StagedFolder:
    """A folder that is searched.

    Attributes:
        staged: its name in the temporary folder.
        folder: where it is.
    """

    staged: str
    folder: Path


@dataclass(frozen=True, slots=True)
class HeaderSearch:
    """Searches the folders of a program, then the headers of the Toolbox.

    Attributes:
        own: the program's folders.
        toolbox: the folder with the Toolbox's headers.
        root: the folder whose staged name is "program".
        prefixes: the folders of prefix headers from elsewhere; only these headers search them.
        read: reads a file; it is given the path and the staged name.
    """

    own: tuple[StagedFolder, ...]
    toolbox: StagedFolder
    root: Path
    prefixes: tuple[StagedFolder, ...]
    read: Callable[[Path, str], bytes]
    _listings: dict[Path, dict[str, str]] = field(default_factory=dict)

    def add_included(self, staged: dict[str, bytes]) -> None:
        """Add what staged files include, and correct the names that GCC would not find.

        Both a header of the program and one of the Toolbox are added if they have the same name:
        which of them the compiler takes depends on its options and on the includer.
        """
        waiting = list(staged)
        while waiting:
            includer = waiting.pop()
            names = {match[2] for match in _INCLUDED.finditer(staged[includer])}
            corrected: dict[bytes, bytes] = {}
            for header in sorted(names):
                name = os.fsdecode(header)
                for spelling in self._spellings(name, includer):
                    found = [*self._candidates(spelling, includer)]
                    if not found:
                        continue
                    if spelling != name:
                        corrected[header] = os.fsencode(spelling)
                    for staged_as, path in found:
                        if staged_as not in staged:
                            staged[staged_as] = self.read(path, staged_as)
                            waiting.append(staged_as)
                    break
                else:
                    if name.lower() in _OF_C and name not in _OF_C:
                        corrected[header] = os.fsencode(name.lower())
                    elif name.lower() == "size_t.h":  # of THINK C
                        corrected[header] = b"stddef.h"
            if corrected:
                staged[includer] = _renamed(staged[includer], corrected)

    def has(self, name: str, includer: str) -> bool:
        """Whether a staged file finds a header."""
        return any(any(self._candidates(s, includer)) for s in self._spellings(name, includer))

    def _spellings(self, name: str, includer: str) -> Iterator[str]:
        """The name as it is, then paths that it may stand for, in the letters that files have."""
        yield name
        if name.lower() in _OF_C:
            return
        paths = [*_unix_paths(name)] if ":" in name else [name]
        for path in [*paths, *_later_names(name)]:
            for place in (*self._beside(includer), *self.own, self.toolbox):
                spelling = self._in_letters_of_files(place.folder, path)
                if spelling:
                    yield spelling

    def _candidates(self, name: str, includer: str) -> Iterator[tuple[str, Path]]:
        """The staged names and paths of what a name may mean: of the program, and the Toolbox."""
        for several in ((*self._beside(includer), *self.own), (self.toolbox,)):
            candidates = (_candidate(name, place) for place in several)
            yield from list(filter(None, candidates))[:1]

    def _beside(self, includer: str) -> list[StagedFolder]:
        """The folder of a staged file."""
        beside = posixpath.dirname(includer)
        if not beside:
            return []
        if any(beside == place.staged for place in self.own):  # several may come to lie there
            return [place for place in self.own if place.staged == beside]
        rooms = (StagedFolder("program", self.root), self.toolbox, *self.prefixes)
        room = next(one for one in rooms if beside.split("/")[0] == one.staged)
        below = PurePosixPath(beside).relative_to(room.staged)
        return [StagedFolder(beside, room.folder / below)]

    def _in_letters_of_files(self, folder: Path, path: str) -> str:
        """A relative path with the names that the files have; "" if there is no such file."""
        names: list[str] = []
        parts = path.split("/")
        for part in parts:
            listed = part if part in ("..", ".") else self._listing(folder).get(part.casefold())
            if listed is None:
                return ""
            names.append(listed)
            folder = folder / listed
        return "/".join(names)

    def _listing(self, folder: Path) -> dict[str, str]:
        if folder not in self._listings:
            try:
                names = sorted(os.listdir(folder))
            except OSError:
                names = []
            self._listings[folder] = {name.casefold(): name for name in names}
        return self._listings[folder]


def _later_names(name: str) -> list[str]:
    """The names that a header may have in later interfaces."""
    if name.isidentifier():  # <MacHeaders>
        return [f"{name}.h"]
    manager = re.fullmatch(r"(\w+?)Mgr\.h", name)  # of THINK C before version 4
    names = [f"{manager[1]}s.h", f"{manager[1]}.h"] if manager else []
    return names + [later for early, later in _LATER if early.lower() == name.lower()]


def _unix_paths(name: str) -> Iterator[str]:
    """What a Macintosh path may be from a folder that is searched: all of it, then its ends."""
    first, *parts = name.split(":")
    names = [part or ".." for part in parts]
    if first:  # of a disk, or of a folder
        yield "/".join([first, *names])
    yield "/".join(names)
    for start in range(1, len(names)):
        yield "/".join(names[start:])


def _candidate(name: str, place: StagedFolder) -> tuple[str, Path] | None:
    """The staged name and the path of an included file, if there is one in a folder."""
    staged_as, path = posixpath.normpath(f"{place.staged}/{name}"), place.folder / name
    room = place.staged.split("/")[0]
    is_inside = staged_as.startswith(f"{room}/") and not name.startswith("/")
    return (staged_as, path) if is_inside and path.is_file() else None


def _renamed(text: bytes, names: dict[bytes, bytes]) -> bytes:
    return _INCLUDED.sub(lambda match: match[1] + names.get(match[2], match[2]) + match[3], text)
