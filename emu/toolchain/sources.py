"""The source files of a guest program, read once, and their languages."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path, PurePosixPath

from emu.base.errors import CaseError, CompileError, UsageError
from emu.base.files import read_file
from emu.toolchain.compiler_choice import Named
from emu.toolchain.languages import LANGUAGES, Language, require_source_name
from emu.toolchain.mac_c.headers import HeaderSearch, StagedFolder
from emu.toolchain.mac_c.named_headers import PREFIX, Prefix, stage_prefixes
from emu.toolchain.mac_c.pragmas import TypeSizes
from emu.toolchain.mac_c.translation import gcc_text
from emu.toolchain.pascal_strings import has_pascal_strings

_HEADER_SUFFIXES = {".h", ".hpp", ".r"}


ARITHMETIC = "m68000"
"""The folder of the runtime with routines for arithmetic; every 68K executes what is in them."""


def mac_sources() -> Path:
    """The folder of Toolbox C++ programs that comes with macproof.

    Installed, it is data of the package macproof, because its name could be anybody's; in the
    repository it lies beside the packages.
    """
    packages = Path(__file__).resolve().parents[2]
    installed = packages / "macproof" / "mac_src"
    return installed if installed.is_dir() else packages / "mac_src"


@dataclass(frozen=True, slots=True)
class Unit:
    """A translation unit: files of one language that are compiled together, in this order."""

    paths: tuple[Path, ...]
    language: Language


def require_unit(paths: Sequence[Path]) -> Unit:
    """Make a translation unit of some files.

    Raises:
        UsageError: a file has a name that cannot be compiled, or the files are not all C++ or all
            C.
    """
    languages = [require_source_name(path.name) for path in paths]
    if len(paths) > 1 and (len(set(languages)) > 1 or not languages[0].is_compiled):
        files = ", ".join(path.name for path in paths)
        raise UsageError(f"{files} cannot be one unit: they are not all C++, or all C")
    return Unit(tuple(paths), languages[0])


@dataclass(frozen=True, slots=True)
class SourceTree:
    """The paths of the files that a guest program is made from.

    Attributes:
        routine: the function that will be called.
        state: the globals that are set or observed.
        units: the translation units, each the paths of its files, which are of one language.
        folders: the folders with the sources' own headers, searched in this order. The last is that
            of the program itself.
        compat: the folder with headers that let sources of 1994 compile today.
        runtime: the folder with the C files that replace the C library.
        flags: flags that these sources need besides the build's.
        foreign: the sources that somebody else wrote; they are compiled without warnings.
        asked_by: the file that names the routine and the globals, for messages.
        lines: the line of that file in which each name stands.
        include: further folders of headers, searched after ``folders``.
        cflags: flags that a case asks for, in addition to ``flags``. They may overrule the flags of
            the processor.
        also: further functions that are called, and whatever else the address of is needed.
        trimmed: whether functions that these names do not need are left out of the program.
        compilers: the compilers that the case or the caller names, by family of processors.
        prefix: the headers that every source of C or C++ begins with.
        headers: the folder of ``compat`` as the user has written it; "" if it is macproof's own.
    """

    routine: str
    state: tuple[str, ...]
    units: tuple[tuple[Path, ...], ...]
    folders: tuple[Path, ...]
    compat: Path
    runtime: Path
    flags: tuple[str, ...] = ()
    foreign: tuple[Path, ...] = ()
    asked_by: Path | None = None
    lines: Mapping[str, int] = field(default_factory=dict)
    include: tuple[Path, ...] = ()
    cflags: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    trimmed: bool = False
    compilers: Named = field(default_factory=dict)
    prefix: tuple[Prefix, ...] = ()
    headers: str = ""

    @property
    def _root(self) -> Path:
        """The folder that becomes ``program``: it contains the program's and all of `include`."""
        return Path(os.path.commonpath([self.folders[-1], *self.include]))

    @property
    def place(self) -> str:
        """The staged name of the program's own folder."""
        return self.staged_folder(self.folders[-1])

    @property
    def readable(self) -> tuple[Path, ...]:
        """The folders whose files compilers may read: those of sources and headers."""
        files = [*self.sources, *(path for path in self.prefix if isinstance(path, Path))]
        return (*self.folders, *self.include, *(path.parent for path in files))

    def user_folders(self) -> dict[str, str]:
        """What messages say for staged folders: the folders of the user."""
        names = {"program/": ""}
        if self.headers:
            names["compat/"] = f"{self.headers.rstrip('/')}/"
        for number, prefix in enumerate(self.prefix):
            if isinstance(prefix, Path):
                names[f"prefix{number}/"] = f"{prefix.parent}/"
        return names

    def staged_folder(self, folder: Path) -> str:
        """The staged name of the program's folder, or of one of `include`."""
        return str(PurePosixPath("program", folder.relative_to(self._root).as_posix()))

    def staged_name(self, source: Path) -> str:
        """The name of a source in the temporary folder.

        Sources keep their places in the program's folder; those from elsewhere come to lie directly
        in it.
        """
        own = self.folders[-1]
        is_own = source not in self.foreign and source.is_relative_to(own)
        name = source.relative_to(own).as_posix() if is_own else source.name
        return f"{self.place}/{name}"

    def search(self) -> tuple[str, ...]:
        """The staged folders in which the compiler looks for the program's headers."""
        return tuple(dict.fromkeys([self.place, *map(self.staged_folder, self.include)]))

    @property
    def sources(self) -> tuple[Path, ...]:
        """The sources of all units, in their order."""
        return tuple(path for unit in self.units for path in unit)

    def typed_units(self) -> tuple[Unit, ...]:
        """The units with their languages.

        Raises:
            UsageError: a source has a name that cannot be compiled, two sources have the same name,
                or the sources of one unit are not all C++ or all C.
        """
        names = [self.staged_name(path) for path in self.sources]
        for path, name in zip(self.sources, names, strict=True):
            if names.count(name) > 1:
                raise UsageError(f"two sources are named {path.name}; rename one of them")
        return tuple(require_unit(paths) for paths in self.units)

    def name_error(self, name: str, problem: str, remedy: str = "") -> CaseError:
        """The error for a name that a case asks for; it names the line in the case file."""
        line = self.lines.get(name)
        where = "" if line is None else f"line {line}"
        return CaseError(self.asked_by or self.sources[0], problem, where=where, remedy=remedy)

    def read(self) -> Sources:
        """Read every file.

        Raises:
            CompileError: a file cannot be read.
            CaseError: a case names a prefix header that is not there.
            UsageError: an option names one; or as for `typed_units`.
        """
        units, originals = self.typed_units(), dict[str, bytes]()
        layout = TypeSizes.of((*self.flags, *self.cflags))
        is_c = all(unit.language.name == "C" for unit in units)

        def read(path: Path, name: str) -> bytes:
            content = _read(path)
            text = gcc_text(content, layout, is_c=is_c or name.endswith(".c"))
            if text != content:
                originals[name] = content
            return text

        staged: dict[str, bytes] = {}
        places = [StagedFolder(self.staged_folder(folder), folder) for folder in self.include]
        places += [StagedFolder(self.place, folder) for folder in reversed(self.folders)]
        for place in places:
            for path in place.folder.iterdir():
                if path.suffix in _HEADER_SUFFIXES and path.is_file():
                    name = f"{place.staged}/{path.name}"
                    staged[name] = read(path, name)
        for path in self.sources:
            staged[self.staged_name(path)] = read(path, self.staged_name(path))
        prefixes = stage_prefixes(self.prefix, self._root, staged, read)
        if self.headers:  # GCC does not know the word that every routine of theirs begins with
            staged[PREFIX] = b"#ifndef pascal\n#define pascal\n#endif\n" + staged.get(PREFIX, b"")
        compat = StagedFolder("compat", self.compat)
        search = HeaderSearch(tuple(reversed(places)), compat, self._root, prefixes, read)
        search.add_included(staged)
        self._require_prefix(search)
        if layout.has_long_double:  # the compiler's own headers have a double of 8 bytes
            for path in (mac_sources() / "doubles").iterdir():
                staged[f"compat/{path.name}"] = read(path, f"compat/{path.name}")
        runtime = self.runtime
        for name, folder in (("runtime", runtime), (f"runtime/{ARITHMETIC}", runtime / ARITHMETIC)):
            for path in folder.iterdir():
                if path.is_file():
                    staged[f"{name}/{path.name}"] = _read(path)
        staged["guest.ld"] = resources.files("emu.toolchain").joinpath("guest.ld").read_bytes()
        return Sources(self, units, dict(sorted(staged.items())), originals)

    def _require_prefix(self, search: HeaderSearch) -> None:
        """Check that there are the prefix headers that are given by name.

        Raises:
            CaseError: there is none of a name that a case has.
            UsageError: there is none of a name that an option has.
        """
        for name in self.prefix:
            if isinstance(name, str) and not search.has(name, PREFIX):
                problem = (
                    f"there is no prefix header {name}: neither among the headers of the program "
                    f"nor in {self.headers or 'the headers of macproof'}"
                )
                remedy = "Name a file, or MacHeaders."
                if name in self.lines:
                    raise self.name_error(name, problem, remedy)
                raise UsageError(f"--prefix: {problem}. {remedy}")

    def digest(self) -> str:
        """`Sources.digest` of the files as they are now."""
        return self.read().digest()


@dataclass(frozen=True, slots=True)
class Sources:
    """The contents of a `SourceTree` when it was read; these are compiled and hashed.

    Attributes:
        tree: the paths they were read from.
        units: the translation units.
        files: the text of every file to compile, by its name in the temporary folder.
        originals: the contents of those files that were not compiled as they are.
    """

    tree: SourceTree
    units: tuple[Unit, ...]
    files: Mapping[str, bytes]
    originals: Mapping[str, bytes] = field(default_factory=dict)

    def digest(self) -> str:
        """SHA-256 over every file, the names that must be kept, and the flags."""
        summary = hashlib.sha256()
        for name, content in self.files.items():
            summary.update(os.fsencode(name) + f"\0{len(content)}\0".encode() + content)
        tree = self.tree
        names = [[tree.staged_name(path) for path in unit.paths] for unit in self.units]
        foreign = sorted(path.name for path in tree.foreign)
        asked = (names, foreign, tree.routine, tree.state, tree.flags, *tree.also)
        kept = () if tree.trimmed else ("and every function that other files could call",)
        summary.update(repr((*asked, tree.cflags, tree.search(), *kept)).encode())
        return summary.hexdigest()

    def digests(self) -> dict[str, str]:
        """SHA-256 of each file of the program itself and of the user's headers, by its name."""
        return {
            self.user_name(name): hashlib.sha256(self.originals.get(name, content)).hexdigest()
            for name, content in self.files.items()
            if self.user_name(name)
        }

    def user_name(self, staged: str) -> str:
        """The name of a file for the user; "" if it is macproof's own."""
        for room, folder in self.tree.user_folders().items():
            if staged.startswith(room):
                return folder + staged.removeprefix(room)
        return ""

    def languages(self) -> tuple[Language, ...]:
        """The languages of the units."""
        used = [unit.language for unit in self.units]
        return tuple(language for language in LANGUAGES if language in used)

    def have_pascal_strings(self) -> bool:
        """Whether a file of the program itself may contain a Pascal string."""
        own = (text for name, text in self.files.items() if name.startswith("program/"))
        return any(map(has_pascal_strings, own))

    def have_letters_beyond_ascii(self) -> bool:
        """Whether names in C may have letters that GCC takes there only if it is asked to."""
        own = (text for name, text in self.files.items() if name.startswith("program/"))
        return not all(map(bytes.isascii, own))

    def is_foreign(self, unit: Unit) -> bool:
        """Whether a unit contains a source that somebody else wrote."""
        return any(path in self.tree.foreign for path in unit.paths)


def _read(path: Path) -> bytes:
    try:
        return read_file(path)
    except OSError as error:
        raise CompileError(path, f"cannot be read: {error.strerror}") from error
