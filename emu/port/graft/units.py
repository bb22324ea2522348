"""Compiles the sources of a port, each unit on its own, into objects with separate definitions."""

from __future__ import annotations

import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol

from elftools.elf.elffile import ELFFile

from emu.port.graft.assembly import NEW, separated
from emu.port.graft.dialect import Dialect
from emu.toolchain import build_cache
from emu.toolchain.builds import ALL_TARGETS, BUILDS, Build, Target
from emu.toolchain.compiler import compiler_version, staged
from emu.toolchain.compilers.find import require_compiler
from emu.toolchain.mac_c.named_headers import Prefix
from emu.toolchain.programs.callable_functions import MAIN
from emu.toolchain.programs.gcc import compile_flags
from emu.toolchain.programs.linking import LinkJob
from emu.toolchain.sources import Sources, SourceTree, mac_sources

_MAKING = "separate definitions 1"
"""It becomes another word when the same sources, compiler and flags give other objects."""
_KINDS = {"STT_FUNC": "function", "STT_OBJECT": "object"}


class PortSources(Protocol):
    """What is compiled of a project; `emu.port.project` has all of it."""

    @property
    def path(self) -> Path:
        """The project's file."""

    @property
    def cpu(self) -> str:
        """The processor of the old program."""

    @property
    def convention(self) -> str:
        """The calling convention of the old program."""

    @property
    def sources(self) -> tuple[Path, ...]:
        """The source files."""

    @property
    def include(self) -> tuple[Path, ...]:
        """Further folders with headers."""

    @property
    def prefix(self) -> tuple[Prefix, ...]:
        """The headers that every source begins with."""

    @property
    def flags(self) -> tuple[str, ...]:
        """Further flags for the compiler."""


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
    """

    path: Path
    image: bytes
    symbols: tuple[UnitSymbol, ...]


@dataclass(frozen=True, slots=True)
class PortObjects:
    """All sources of a port, compiled for one build.

    Attributes:
        sources: the sources as they were read.
        target: the compiler.
        build: the build.
        dialect: how they were compiled.
        units: the source files.
    """

    sources: Sources
    target: Target
    build: Build
    dialect: Dialect
    units: tuple[PortUnit, ...]


def compile_units(project: PortSources, dialect: Dialect, build: str = "O2") -> PortObjects:
    """Compile the sources of a port; what has not changed since the last time is not compiled.

    Args:
        project: the project.
        dialect: how its code calls and is called.
        build: the name of the build.

    Raises:
        ToolMissingError: there is no compiler.
        CompileError: the compiler refuses a source.
        UsageError: a source has a name that cannot be compiled.
    """
    sources = _tree(project, dialect).read()
    target = require_compiler(ALL_TARGETS[project.cpu], sources.tree.compilers)
    job = _Compilation(sources, target, BUILDS[build])
    with ThreadPoolExecutor(2) as pool:
        images = list(pool.map(job.image, range(len(sources.units))))
    units = tuple(
        PortUnit(unit.paths[0], image, tuple(_symbols(image)))
        for unit, image in zip(sources.units, images, strict=True)
    )
    return PortObjects(sources, target, BUILDS[build], dialect, units)


def _tree(project: PortSources, dialect: Dialect) -> SourceTree:
    files = tuple(path.resolve() for path in project.sources)
    own = project.path.resolve().parent
    return SourceTree(
        routine="",
        state=(),
        units=tuple((path,) for path in files),
        folders=tuple(dict.fromkeys((*(path.parent for path in files), own))),
        compat=mac_sources() / "compat",
        runtime=mac_sources() / "runtime",
        flags=("-Dmacintosh",),
        foreign=files,
        include=tuple(folder.resolve() for folder in project.include),
        prefix=tuple(project.prefix),
        cflags=(*dialect.flags, *project.flags),
    )


@dataclass(frozen=True, slots=True)
class _Compilation:
    """The compilation of units, one by one."""

    sources: Sources
    target: Target
    build: Build

    def image(self, number: int) -> bytes:
        """The object file of a unit."""
        unit = self.sources.units[number]
        version = compiler_version(self.target.compiler) or ""
        flags = compile_flags(self.sources, self.build, self.target)
        files = dict(self._files(number))
        contents = (
            f"{name}\0{len(text)}\0{text.decode('latin-1')}" for name, text in files.items()
        )
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
            (stage.folder / "separate.s").write_text(separated(text, unit.paths[0].name), "utf-8")
            command = [self.target.compiler, *self.target.flags]
            image = stage.compile(command, "separate.s", "separate.o", unit.paths[0]).read_bytes()
            build_cache.keep(key, ".o", image, stage.read)
        return image

    def _files(self, number: int) -> Iterator[tuple[str, bytes]]:
        """The files that a unit is made of: all but other units, which none may include."""
        tree = self.sources.tree
        units = {tree.staged_name(path) for path in tree.sources}
        texts = self.sources.files
        included = {
            name
            for name in units
            if any(f'{PurePosixPath(name).name}"'.encode() in text for text in texts.values())
        }
        own = tree.staged_name(self.sources.units[number].paths[0])
        for name, text in texts.items():
            if name not in units or name == own or name in included:
                yield name, text


def _symbols(image: bytes) -> Iterator[UnitSymbol]:
    elf = ELFFile(io.BytesIO(image))
    table = elf.get_section_by_name(".symtab")
    for entry in table.iter_symbols() if table is not None else ():
        kind = _KINDS.get(entry["st_info"]["type"])
        if kind is not None and entry.name.startswith(NEW):
            yield UnitSymbol(entry.name.removeprefix(NEW), kind, entry["st_size"])


def source_name_of(symbol: str) -> str:
    """The name in the source of a symbol: macproof compiles ``main`` under another one."""
    return "main" if symbol == MAIN else symbol
