"""Reads port.yaml: which old program a port stands for, and of what sources it consists."""

from __future__ import annotations

import functools
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import CaseError, ProgramError
from emu.base.files import read_at_most, read_file
from emu.base.yaml_document import YamlDocument, YamlPath, did_you_mean
from emu.cases.keys.compiling import cflags_of, include_of, prefixes_of
from emu.machine.abi import CALLING_CONVENTIONS
from emu.machine.cpu import CPUS
from emu.port.project.marks import LARGEST_SOURCE
from emu.program.mac_file.mac_file import read_mac_file
from emu.program.model.model import Program
from emu.program.whole_program import read_whole_program
from emu.toolchain.known_documents import check_once
from emu.toolchain.languages import language_of
from emu.toolchain.mac_c.named_headers import Prefix

PROJECT_FILE = "port.yaml"
SCHEMA = "macproof.port/1"
RECORDINGS = ".recordings"
_HOME = "emu.port.project:port.schema.json"
_WHAT = "a file of a port"
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\r\n]+)"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Project:
    """A port: an old program, and the new source that stands for it.

    Attributes:
        path: its file, port.yaml.
        original: the old program.
        digest: the digest of the old program that the port is about; see `original_digest`.
        cpu: the processor that the old program runs on.
        convention: the calling convention of its compiler.
        sources: the new sources, each a translation unit.
        include: folders of headers.
        prefix: the headers that every source begins with.
        flags: further flags of the compiler.
        marks: CSV files with marks.
        scripts: scripts that play the old program.
        ignore: places that are not compared, each with a number of bytes: "A5-0x1a2+4".
        recordings: the folder of recordings.
        double: the bytes of a ``double`` of the old program, 8 or 12.
        disk: the folder that is the old program's disk; None for an empty disk.
    """

    path: Path
    original: Path
    digest: str
    cpu: str
    convention: str
    sources: tuple[Path, ...]
    include: tuple[Path, ...] = ()
    prefix: tuple[Prefix, ...] = ()
    flags: tuple[str, ...] = ()
    marks: tuple[Path, ...] = ()
    scripts: tuple[Path, ...] = ()
    ignore: tuple[str, ...] = ()
    recordings: Path = Path(RECORDINGS)
    double: int = 8
    disk: Path | None = None

    @property
    def folder(self) -> Path:
        """The folder of port.yaml."""
        return self.path.parent

    @property
    def architecture(self) -> str:
        """Its architecture: "m68k" or "powerpc"."""
        return CPUS[self.cpu].architecture

    @property
    def marked_files(self) -> tuple[Path, ...]:
        """The files that may have marks.

        They are sources, the headers beside them and in `include`, what sources include from beside
        them whatever its name is, and CSV.
        """
        folders = dict.fromkeys([*(path.parent for path in self.sources), *self.include])
        headers = [
            path
            for folder in folders
            for path in sorted(folder.iterdir())
            if path.suffix.lower() in (".h", ".hpp") and path.is_file()
        ]
        included = [path for source in self.sources for path in _included(source)]
        return tuple(dict.fromkeys([*self.sources, *headers, *included, *self.marks]))

    def read_original(self) -> Program:
        """The old program.

        Raises:
            CaseError: it cannot be read, or is not the one that the port is about.
            ProgramError: its program is damaged.
        """
        try:
            digest = original_digest(self.original)
        except ProgramError as error:
            raise self.error(("original",), f"the original cannot be read: {error}") from error
        if digest != self.digest:
            raise self.error(
                ("sha256",),
                f"the original {self.original} has changed: its digest is {digest}",
                "Put the right one there; or, if this is the program to be ported, write its "
                "digest here and record its calls again.",
            )
        program = _program(digest, self.original, self.architecture)
        if program.architecture != self.architecture:
            raise self.error(("cpu",), f"the original has no program for the {self.cpu}")
        return program

    def line(self, place: YamlPath) -> int:
        """The line of a value of its file."""
        return YamlDocument(self.path, _WHAT).line(place)

    def error(self, place: YamlPath, problem: str, remedy: str = "") -> CaseError:
        """What is wrong with a value of its file, with the line."""
        return YamlDocument(self.path, _WHAT).error(place, problem, remedy)


@functools.lru_cache(maxsize=4)
def _program(digest: str, path: Path, architecture: str) -> Program:
    """The program of a file with a digest; each step of a command asks for it."""
    return read_whole_program(path, architecture)


def original_digest(path: Path) -> str:
    """SHA-256 of an old program, which its container does not change.

    Args:
        path: the program.

    Returns:
        The digest of the data fork's size, the data fork and the resource fork. A program that is
        no Mac file, such as an ELF file, counts as a data fork.

    Raises:
        ProgramError: it is not there, or is no Mac file.
    """
    if path.is_file() and (image := read_file(path))[:4] == b"\x7fELF":
        data, resources = image, b""
    else:
        file = read_mac_file(path)
        data, resources = file.data, file.resource_fork
    return hashlib.sha256(len(data).to_bytes(8, "big") + data + resources).hexdigest()


def project_file(place: Path) -> Path:
    """The file of a port, given its folder or the file itself.

    Raises:
        CaseError: there is none.
    """
    path = place / PROJECT_FILE if place.is_dir() else place
    if not path.is_file():
        raise CaseError(
            path, "there is no such file", remedy="macproof port new DIR --original FILE writes it."
        )
    return path


def read_project(place: Path) -> Project:
    """Read a port.

    Args:
        place: port.yaml, or the folder with it.

    Raises:
        CaseError: the file is wrong or names what is not there; the message has the line.
    """
    document = YamlDocument(project_file(place), _WHAT)
    check_once(document, _HOME)
    data = document.data
    _require_one_of(document, "cpu", {n: c for n, c in CPUS.items() if c.architecture != "mips"})
    _require_one_of(document, "convention", CALLING_CONVENTIONS)
    if data.get("double", 8) != 8 and CPUS[data["cpu"]].architecture != "m68k":
        raise document.error(("double",), "a double of 12 bytes is one of the 68K")
    original = _from(document, data["original"])
    sources = _files(document, "sources")
    for index, path in enumerate(sources):
        language = language_of(path.name)
        if language is None or not language.is_compiled:
            raise document.error(("sources", index), f"{path.name} is no source of C or C++")
    return Project(
        path=document.path.resolve(),
        original=original,
        digest=data["sha256"],
        cpu=data["cpu"],
        convention=data["convention"],
        sources=sources,
        include=tuple(_from(document, name).resolve() for name in include_of(document)),
        prefix=prefixes_of(document),
        flags=cflags_of(document),
        marks=_files(document, "marks"),
        scripts=_files(document, "scripts"),
        ignore=tuple(data.get("ignore", ())),
        recordings=_from(document, data.get("recordings", RECORDINGS)),
        double=data.get("double", 8),
        disk=_disk(document),
    )


def _from(document: YamlDocument, name: str) -> Path:
    """A path that the file names."""
    return document.path.resolve().parent / Path(name).expanduser()


def _disk(document: YamlDocument) -> Path | None:
    """The folder that is the disk of the old program."""
    if "disk" not in document.data:
        return None
    path = _from(document, document.data["disk"])
    if not path.is_dir():
        raise document.error(("disk",), f"there is no folder {path}")
    return path.resolve()


def _files(document: YamlDocument, key: str) -> tuple[Path, ...]:
    found = []
    for index, name in enumerate(document.data.get(key, ())):
        path = _from(document, name)
        if not path.is_file():
            raise document.error((key, index), f"there is no file {name} beside it")
        found.append(path.resolve())
    return tuple(found)


def _require_one_of(document: YamlDocument, key: str, known: object) -> None:
    value = document.data[key]
    names = list(known)  # type: ignore[call-overload]
    if value not in names:
        hint = did_you_mean(value, names)
        raise document.error((key,), f"there is no {key} {value}{hint}")


def _included(source: Path) -> list[Path]:
    """The files beside a source that it includes."""
    if not source.is_file():
        return []
    text = read_at_most(source, LARGEST_SOURCE, "a source", CaseError).replace(b"\r", b"\n")
    names = (name.decode("latin-1") for name in _INCLUDE.findall(text))
    found = (source.parent / name for name in names)
    return [path for path in found if path.is_file()]
