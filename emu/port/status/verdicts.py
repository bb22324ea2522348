"""The verdicts of a port's functions, in verdicts.json beside port.yaml."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from emu import __version__
from emu.base.errors import InputError
from emu.base.files import read_at_most, write_whole
from emu.port.model import GLOBAL, INCONCLUSIVE, PROVED, REFUTED, VERIFIED, FunctionVerdict
from emu.port.project.marked_text import MarkedTexts
from emu.port.project.marks import LARGEST_SOURCE, read_marks
from emu.port.project.project import Project
from emu.report.json_form import parse_json, to_json
from emu.toolchain import build_cache

SCHEMA = "macproof.verdicts/1"
VERDICTS_FILE = "verdicts.json"
_LARGEST = 64 << 20
_SOURCE, _SOURCES = "source", "sources"
_OFFSET = re.compile(r"0x[0-9a-f]{1,8}")
_WORDS = (VERIFIED, REFUTED, INCONCLUSIVE, PROVED)


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The verdicts of a port.

    Attributes:
        original: the digest of the old program that they are about.
        functions: a verdict for each function that was judged, in the order of places.
    """

    original: str
    functions: Sequence[FunctionVerdict]


def verdicts_path(project: Project) -> Path:
    """The file with the verdicts of a port."""
    return project.folder / VERDICTS_FILE


def read_verdicts(project: Project) -> dict[str, FunctionVerdict]:
    """The verdicts of a port by the places of functions; none if nothing was judged yet.

    A verdict that rests on another original, or on source that has changed since, is inconclusive
    now, and its reason says so.

    Raises:
        InputError: the file is damaged; the message has the place in it.
    """
    path = verdicts_path(project)
    if not path.exists():
        return {}
    file = _read(path)
    found: dict[str, FunctionVerdict] = {}
    for index, verdict in enumerate(file.functions):
        if verdict.place in found:
            raise _damaged(path, f"{verdict.place} has two verdicts", f"functions.{index}.place")
        found[verdict.place] = verdict
    digests = PortDigests(project)
    return {place: _as_of_now(verdict, file, digests) for place, verdict in found.items()}


def _as_of_now(verdict: FunctionVerdict, file: Verdicts, digests: PortDigests) -> FunctionVerdict:
    """A verdict, which is inconclusive if what it rests on has changed."""
    reason = ""
    known = verdict.digests
    if file.original != digests.project.digest:
        reason = "its verdict is about another original; verify it again"
    elif known.get(_SOURCE, "") not in ("", digests.of(verdict.place)):
        reason = "its source or a header has changed since its verdict; verify it again"
    elif known.get(_SOURCES, "") not in ("", digests.of_all):
        reason = "a source has changed since its verdict, which was about all; verify it again"
    return replace(verdict, verdict=INCONCLUSIVE, reason=reason) if reason else verdict


def _read(path: Path) -> Verdicts:
    """The verdicts in a file.

    Raises:
        InputError: as of `read_verdicts`.
    """
    content = read_at_most(path, _LARGEST, "a report")
    fits = build_cache.is_known(_key(content))
    files = parse_json(content, path, Verdicts, SCHEMA, fits=fits)
    if len(files) != 1:
        raise _damaged(path, f"it holds {len(files)} reports", "reports")
    for index, verdict in enumerate(files[0].functions):
        where = f"functions.{index}"
        if verdict.verdict not in _WORDS:
            problem = f"{verdict.verdict!r:.40} is no verdict; there are {', '.join(_WORDS)}"
            raise _damaged(path, problem, f"{where}.verdict")
        if not 0 <= verdict.reached <= verdict.blocks:
            problem = f"{verdict.reached} of {verdict.blocks} blocks cannot be reached"
            raise _damaged(path, problem, f"{where}.reached")
    return files[0]


def write_verdicts(project: Project, verdicts: Iterable[FunctionVerdict]) -> None:
    """Write verdicts beside those of other functions, whole or not at all.

    Verdicts about another original are left out. Each new one gets the digest of its source, if it
    has none.

    Args:
        project: the port.
        verdicts: new ones, which take the place of older ones of the same functions.

    Raises:
        InputError: the file that is there is damaged, or cannot be written.
    """
    path = verdicts_path(project)
    kept: Mapping[str, FunctionVerdict] = {}
    if path.exists():
        file = _read(path)
        kept = {one.place: one for one in file.functions if file.original == project.digest}
    digests = PortDigests(project)
    together = {**kept, **{one.place: digests.stamped(one) for one in verdicts}}
    ordered = [together[place] for place in sorted(together, key=_in_order)]
    content = to_json(Verdicts(project.digest, ordered), SCHEMA).encode()
    write_whole(path, content)
    build_cache.remember(_key(content))  # a check would take a tenth of a verdict's time


def _key(content: bytes) -> str:
    """What stands for contents of the file that macproof itself has written."""
    return build_cache.key_of(SCHEMA, __version__, hashlib.sha256(content).hexdigest())


class PortDigests:
    """The digests of what the functions of a port are compiled of.

    A function depends on its source file, on all headers, and on how they are compiled; what it
    calls is the old program's.

    Args:
        project: the port.

    Attributes:
        project: the port.
    """

    def __init__(self, project: Project) -> None:
        self.project = project

    @cached_property
    def _files(self) -> Mapping[str, Path]:
        """The source file of each function that is defined, by its place."""
        texts = MarkedTexts(self.project.marked_files)
        marks = [one for one in read_marks(self.project.marked_files) if one.kind != GLOBAL]
        found = ((mark.place, texts.definition(mark)) for mark in marks)
        return {place: excerpt.file for place, excerpt in found if excerpt is not None}

    @cached_property
    def _common(self) -> str:
        """The digest of what all sources have in common."""
        project = self.project
        files = [path for path in project.marked_files if path not in project.sources]
        files += [path for path in project.prefix if isinstance(path, Path)]
        names = [path for path in project.prefix if isinstance(path, str)]
        words = [project.cpu, project.convention, *project.flags, *project.ignore, *names]
        words += map(_digest, files)
        return hashlib.sha256("\0".join(words).encode()).hexdigest()

    def of(self, place: str) -> str:
        """The digest for the function at a place; "" if none is defined."""
        path = self._files.get(place)
        return "" if path is None else self._of_sources[path]

    @property
    def of_all(self) -> str:
        """The digest of all sources."""
        return hashlib.sha256("".join(self._of_sources.values()).encode()).hexdigest()

    @cached_property
    def _of_sources(self) -> Mapping[Path, str]:
        """The digest of each file with definitions and of all sources."""
        paths = dict.fromkeys([*self.project.sources, *self._files.values()])
        return {
            path: hashlib.sha256((self._common + _digest(path)).encode()).hexdigest()
            for path in paths
        }

    def read(self) -> None:
        """Read all files now; the digests are then those of this moment."""
        _ = self._of_sources

    def stamped(self, verdict: FunctionVerdict) -> FunctionVerdict:
        """A verdict with the digest of its source."""
        if _SOURCE in verdict.digests:
            return verdict
        return replace(verdict, digests={**verdict.digests, _SOURCE: self.of(verdict.place)})


def _in_order(place: str) -> tuple[str, int]:
    """A key that sorts places by the distance in their segment."""
    base, _, offset = place.rpartition("+")
    return base, int(offset, 0) if _OFFSET.fullmatch(offset) else 0


def _digest(path: Path) -> str:
    return hashlib.sha256(read_at_most(path, LARGEST_SOURCE, "a source")).hexdigest()


def _damaged(path: Path, problem: str, where: str) -> InputError:
    remedy = "Take an older one, or remove it and verify again: macproof port verify."
    return InputError(path, problem, where=where, remedy=remedy)
