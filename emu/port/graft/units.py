"""Compiles the sources of a port, each unit on its own, into objects with separate definitions."""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from emu.base.errors import UsageError
from emu.port.graft.assembly import NEW
from emu.port.graft.dialect import Dialect, dialect_of
from emu.port.project.objects import source_tree
from emu.port.project.project import Project
from emu.toolchain import build_cache
from emu.toolchain.builds import ALL_TARGETS, BUILDS, Build, Target
from emu.toolchain.compiler import compiler_version, staged
from emu.toolchain.compilers.find import require_compiler
from emu.toolchain.mac_c.characters import code_only, decoded
from emu.toolchain.programs.callable_functions import MAIN
from emu.toolchain.programs.gcc import compile_flags
from emu.toolchain.programs.linking import LinkJob
from emu.toolchain.sources import Sources

_MAKING = "separate definitions 7"
"""It becomes another word when the same sources, compiler and flags give other objects."""


_INCLUDED = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)', re.MULTILINE)


_PASCAL = re.compile(r"\bpascal\b[^;{}()=]+?(\w+)\s*\((?!\s*\*)")


@dataclass(frozen=True, slots=True)
class UnitSymbol:
    """Something that a unit defines.

    Attributes:
        reference: the name by which code uses it; see `assembly`.
        kind: "function" or "object".
        size: its bytes.
    """

    reference: str
    kind: str
    size: int


@dataclass(frozen=True, slots=True)
class PortUnit:
    """A source file of a port, compiled.

    Attributes:
        path: the source file.
        image: its object file.
        symbols: what it defines.
        undefined: the names that it needs from others; those of calls begin with `CALL`.
        pointed: the references of its own functions whose address code or data take.
    """

    path: Path
    image: bytes
    symbols: tuple[UnitSymbol, ...]
    undefined: frozenset[str]
    pointed: frozenset[str]


@dataclass(frozen=True, slots=True)
class PortObjects:
    """All sources of a port, compiled for one build.

    Attributes:
        sources: the sources as they were read.
        target: the compiler.
        build: the build.
        dialect: how they were compiled.
        units: the source files.
        pascal: the functions that are declared ``pascal``.
    """

    sources: Sources
    target: Target
    build: Build
    dialect: Dialect
    units: tuple[PortUnit, ...]
    pascal: frozenset[str]


def compile_units(project: Project, build: str = "O2") -> PortObjects:
    """Compile the sources of a port; what has not changed since the last time is not compiled.

    Args:
        project: the project.
        build: the name of the build.

    Raises:
        CaseError: nothing is compiled for its convention.
        ToolMissingError: there is no compiler.
        CompileError: the compiler refuses a source.
        UsageError: a source has a name that cannot be compiled.
    """
    try:
        dialect = dialect_of(project.convention, project.cpu)
    except UsageError as error:
        raise project.error(("convention",), str(error)) from error
    sources = source_tree(project, (*dialect.flags, "-w")).read()
    target = require_compiler(ALL_TARGETS[project.cpu], sources.tree.compilers)
    digests = {name: hashlib.sha256(text).hexdigest() for name, text in sources.files.items()}
    job = _Compilation(sources, target, BUILDS[build], dialect, _apart(sources), digests)
    with ThreadPoolExecutor(2) as pool:
        images = list(pool.map(job.image, range(len(sources.units))))
    units = tuple(
        _unit(unit.paths[0], image) for unit, image in zip(sources.units, images, strict=True)
    )
    # On the PowerPC the word means nothing.
    pascal = _pascal(sources) if project.architecture == "m68k" else frozenset()
    return PortObjects(sources, target, BUILDS[build], dialect, units, pascal)


def _pascal(sources: Sources) -> frozenset[str]:
    """The functions that are declared ``pascal``, a word that GCC is not given.

    As in ``static pascal Boolean Filter(DialogPtr dialog)``; a pointer to such a function has a
    star where the parameters would begin.
    """
    names: set[str] = set()
    for name, text in sources.files.items():
        if b"pascal" in text and name.startswith(("program/", "prefix")):
            names.update(_PASCAL.findall(code_only(decoded(text))))
    return frozenset(names)


def _apart(sources: Sources) -> frozenset[str]:
    """The staged names of units that no file includes."""
    units = {sources.tree.staged_name(path) for path in sources.tree.sources}
    named = {
        PurePosixPath(name.decode("latin-1")).name
        for text in sources.files.values()
        for name in _INCLUDED.findall(text)
    }
    return frozenset(name for name in units if PurePosixPath(name).name not in named)


@dataclass(frozen=True, slots=True)
class _Compilation:
    """The compilation of units, one by one."""

    sources: Sources
    target: Target
    build: Build
    dialect: Dialect
    apart: frozenset[str]
    digests: Mapping[str, str]

    def image(self, number: int) -> bytes:
        """The object file of a unit."""
        unit = self.sources.units[number]
        version = compiler_version(self.target.compiler) or ""
        flags = compile_flags(self.sources, self.build, self.target)
        files = dict(self._files(number))
        contents = (f"{name}\0{self.digests[name]}" for name in files)
        staged_name = self.sources.tree.staged_name(unit.paths[0])
        key = build_cache.key_of(
            _MAKING, version, self.target.compiler, *flags, staged_name, *contents
        )
        cached = build_cache.find(key, ".o")
        if cached is not None:
            return cached.path.read_bytes()
        tree = self.sources.tree
        with staged(files, tree.readable, tree.user_folders()) as stage:
            text = LinkJob(self.sources, self.build, self.target, version, stage).assembly(number)
            (stage.folder / "separate.s").write_text(
                self.dialect.separated(text, unit.paths[0].name), "utf-8"
            )
            command = [self.target.compiler, *self.target.flags]
            image = stage.compile(command, "separate.s", "separate.o", unit.paths[0]).read_bytes()
            build_cache.keep(key, ".o", image, stage.read)
        return image

    def _files(self, number: int) -> Iterator[tuple[str, bytes]]:
        """The files that a unit is made of: all but other units that nobody includes."""
        own = self.sources.tree.staged_name(self.sources.units[number].paths[0])
        for name, text in self.sources.files.items():
            if name == own or name not in self.apart:
                yield name, text


_SYMBOL = struct.Struct(">IIIBBH")
_FUNCTION, _OBJECT = 2, 1
_RELOCATIONS, _IN_MEMORY = 4, 2


def _unit(path: Path, image: bytes) -> PortUnit:
    """A unit, with the names of what it defines and calls.

    The table of symbols is read here, for pyelftools takes ten times as long.
    """
    (sections,) = struct.unpack_from(">I", image, 32)
    size, count = struct.unpack_from(">HH", image, 46)
    headers = [struct.unpack_from(">10I", image, sections + size * n) for n in range(count)]
    table = next(header for header in headers if header[1] == 2)
    names = headers[table[6]][4]
    symbols, undefined, every = [], set(), []
    for name_at, _, extent, about, _, section in _SYMBOL.iter_unpack(
        image[table[4] : table[4] + table[5]]
    ):
        start = names + name_at
        name = image[start : image.index(b"\0", start)].decode()
        every.append(name)
        if not section:
            undefined.add(name)
        elif name.startswith(NEW) and about & 15 in (_FUNCTION, _OBJECT):
            kind = "function" if about & 15 == _FUNCTION else "object"
            symbols.append(UnitSymbol(name.removeprefix(NEW), kind, extent))
    functions = {symbol.reference for symbol in symbols if symbol.kind == "function"}
    pointed = {
        every[number >> 8]
        for header in headers
        if header[1] == _RELOCATIONS and headers[header[7]][2] & _IN_MEMORY
        for _, number, _ in struct.iter_unpack(">3I", image[header[4] : header[4] + header[5]])
    }
    return PortUnit(
        path,
        image,
        tuple(symbols),
        frozenset(undefined - {""}),
        frozenset(functions & pointed),
    )


def source_name_of(symbol: str) -> str:
    """The name in the source of a symbol: macproof compiles ``main`` under another one."""
    return "main" if symbol == MAIN else symbol
