"""Finds PowerPC shared libraries in files and folders, and tells which of them a program needs.

A file's code fragment resource ('cfrg' 0) names its fragments. The Code Fragment Manager looks for
a library by that name, first in the program's own file, then in the files of its folder.
Source: Inside Macintosh: PowerPC System Software, chapter 3.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import ProgramError
from emu.base.files import open_file
from emu.program.fragments.cfrg import CODE_FRAGMENTS, CodeFragment, parse_code_fragments
from emu.program.mac_file.mac_file import MacFile, read_files_beside, read_mac_file
from emu.program.pef.pef import PEF_TAG, is_pef, parse_pef
from emu.program.pef.pef_model import PefContainer

_MOST_FILES = 1000
"""Files of a folder that are looked at; a folder of programs has fewer."""


@dataclass(frozen=True, slots=True)
class SharedLibrary:
    """A library in a file.

    Attributes:
        name: the fragment's name, by which programs import from it.
        file: the file.
        fragment: its place in the data fork; None if the file is nothing but the container.
    """

    name: str
    file: MacFile
    fragment: CodeFragment | None = None

    def container(self) -> PefContainer:
        """Read it.

        Raises:
            ProgramError: it is damaged.
        """
        data, path = self.file.data, self.file.path
        return parse_pef(self.fragment.cut(data, path) if self.fragment else data, path)


def libraries_of(file: MacFile) -> tuple[SharedLibrary, ...]:
    """The PowerPC libraries in a file; a container without a main routine is one of its own name.

    Raises:
        ProgramError: the file's code fragment resource is damaged, or a bare container is.
    """
    resource = file.resources.find(CODE_FRAGMENTS, 0)
    if resource is None:
        bare = is_pef(file.data) and parse_pef(file.data, file.path).main is None
        return (SharedLibrary(file.name, file),) if bare else ()
    return tuple(
        SharedLibrary(fragment.name, file, fragment)
        for fragment in parse_code_fragments(resource.contents, file.path)
        if fragment.architecture == "powerpc"
        and fragment.usage == "library"
        and fragment.where == "data fork"
    )


def libraries_for(file: MacFile, path: Path, folder: Path | None) -> dict[str, SharedLibrary]:
    """The libraries that a program can import from, by name.

    Args:
        file: the program's file.
        path: where it was found, as for `read_mac_file`.
        folder: a folder of the host in which libraries are looked for last; None for none.
    """
    by_name: dict[str, SharedLibrary] = {}
    files = _neighbours(path) if folder is None else (*_neighbours(path), *_files(folder))
    for mac_file in (file, *files):
        try:
            libraries = libraries_of(mac_file)
        except ProgramError:
            continue  # another program's damage
        for library in libraries:
            by_name.setdefault(library.name, library)
    return by_name


def _neighbours(path: Path) -> tuple[MacFile, ...]:
    try:
        in_image = read_files_beside(path)
    except ProgramError:
        return ()
    return in_image or tuple(_files(path.parent))


def _files(folder: Path) -> Iterator[MacFile]:
    """The Mac files of a folder that may have a PowerPC container in the data fork."""
    try:
        entries = sorted(folder.iterdir())[:_MOST_FILES]
    except OSError:
        return
    for entry in entries:
        try:
            if entry.is_file() and _may_have_container(entry):
                yield read_mac_file(entry)
        except (OSError, ProgramError):
            continue


def _may_have_container(path: Path) -> bool:
    """Whether the beginning of a file is a container, or a MacBinary header before one."""
    with open_file(path) as file:
        head = file.read(128 + len(PEF_TAG))
    return head.startswith(PEF_TAG) or head.endswith(PEF_TAG)


@dataclass(frozen=True, slots=True)
class MissingImport:
    """Symbols that a fragment needs from a library, and that are missing.

    Attributes:
        importer: the fragment that imports it.
        library: the library that has it.
        symbols: the missing symbols.
        found: whether the library itself exists.
    """

    importer: str
    library: str
    symbols: tuple[str, ...]
    found: bool

    def __str__(self) -> str:
        count = len(self.symbols)
        names = ", ".join(self.symbols[:3]) + f" and {count - 3} more" * (count > 3)
        if self.found:
            them = "it" if count == 1 else "them"
            return (
                f"{self.importer} imports {names} from {self.library}, which does not have {them}"
            )
        return f"{self.importer} imports {names} from {self.library}, which is not there"


def required(
    name: str,
    container: PefContainer,
    available: Mapping[str, SharedLibrary],
    system: Collection[str],
    variables: Collection[str],
) -> tuple[dict[str, PefContainer], list[MissingImport]]:
    """The libraries that a program is connected to when it starts.

    Args:
        name: the program.
        container: its container.
        available: the libraries that it finds, by name.
        system: the libraries that the machine itself has. A routine of theirs that is not here
            stops a program when it is called.
        variables: the variables of those libraries. The value of one that is not here would be
            wrong, so it counts as missing.

    Returns:
        The containers by library, and what is missing. What is imported weakly never is.

    Raises:
        ProgramError: a library that is needed is damaged.
    """
    connected: dict[str, PefContainer] = {}
    lacking: list[MissingImport] = []
    waiting = [(name, container)]
    while waiting:
        importer, pef_container = waiting.pop(0)
        for library in pef_container.libraries:
            imports = [
                symbol
                for symbol in pef_container.imports[library.first : library.first + library.count]
                if not symbol.weak
            ]
            is_system = library.name in system
            if is_system:
                imports = [symbol for symbol in imports if symbol.kind == "data"]
            elif library.name not in connected and library.name in available:
                connected[library.name] = available[library.name].container()
                waiting.append((library.name, connected[library.name]))
            exporter = connected.get(library.name)
            names = {export.name for export in exporter.exports} if exporter else set()
            if is_system:
                names = set(variables)
            absent = tuple(symbol.name for symbol in imports if symbol.name not in names)
            if absent:
                is_there = is_system or exporter is not None
                lacking.append(MissingImport(importer, library.name, absent, is_there))
    return connected, lacking
