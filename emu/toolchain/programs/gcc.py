"""Compiles a case with a cross GCC into a small program without a C library.

Everything is copied into a folder of its own and compiled there under relative names. So the result
depends only on the sources, the flags and the compiler.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from emu.toolchain import build_cache
from emu.toolchain.builds import Build, Target
from emu.toolchain.compiler import compiler_version, staged
from emu.toolchain.compilers.find import find_compiler, require_compiler
from emu.toolchain.programs.linking import LinkJob, code_flags
from emu.toolchain.programs.placement import moved_script
from emu.toolchain.sources import Sources, SourceTree

_MAKING = "Pascal strings"
"""It becomes another word when the same sources, compiler and flags give another program."""


@dataclass(frozen=True, slots=True)
class BuiltProgram:
    """A compiled program and where it came from.

    Attributes:
        path: the program file. A program that the user gave may lie in a disk image.
        cpu: the name of the processor that executes it.
        build: the build's name, with whose code it is if that is for another processor.
        compiler: the compiler's own version line.
        flags: every flag it was given.
        source_digest: `SourceTree.digest` of what was compiled.
        origin: "compiled", "cache", "prebuilt" or "given".
        sha256: SHA-256 of the program file when it was made or found.
        files: SHA-256 of each file it was made of. The key is the file's name; for a file outside
            the sources' folder it is the full path.
        sanitizers: the names of the sanitizers in it.
        code: the processor that the code is for, if that is another one than ``cpu``; else "".
        command: the compiler's command; "" if nothing was compiled here.
    """

    path: Path
    cpu: str
    build: str
    compiler: str
    flags: tuple[str, ...]
    source_digest: str
    origin: str
    sha256: str
    files: Mapping[str, str] = field(default_factory=dict)
    sanitizers: tuple[str, ...] = ()
    code: str = ""
    command: str = ""


def compile_flags(sources: Sources, build: Build, target: Target) -> tuple[str, ...]:
    """Every flag that affects the program's code, for receipts."""
    languages = sources.languages()
    own = [flag for language in languages for flag in language.flags]
    quiet = (
        [flag for language in languages for flag in language.quiet] if sources.tree.foreign else []
    )
    return tuple(dict.fromkeys((*own, *code_flags(sources, target, build.flags), *quiet)))


def is_compiled(sources: Sources, build: Build, target: Target) -> bool:
    """Whether the cache has a program, so that `compile_program` need not compile it."""
    found = find_compiler(target, sources.tree.compilers)
    if found is None:
        return False
    version = compiler_version(found.compiler) or ""
    return build_cache.find(*_place_in_cache(sources, build, found, version)) is not None


def _place_in_cache(
    sources: Sources, build: Build, target: Target, version: str
) -> tuple[str, str]:
    """The key and the suffix of a program in the cache."""
    flags = compile_flags(sources, build, target)
    place = (moved_script(sources.files["guest.ld"].decode(), []),) if build.is_moved else ()
    key = build_cache.key_of(_MAKING, version, target.compiler, *flags, sources.digest(), *place)
    return key, ".xcoff" if target.makes_xcoff else ".elf"


def compile_program(tree: SourceTree | Sources, build: Build, target: Target) -> BuiltProgram:
    """Compile a program, or take it from the cache.

    Each translation unit is compiled on its own, in its language; then all are linked.

    Args:
        tree: the sources: a `SourceTree`, which is read now, or `Sources` that were read before.
        build: the build.
        target: the processor, and whose code it executes.

    Raises:
        ToolMissingError: there is no compiler for the target.
        CompileError: the compiler or linker failed; the message quotes it.
        CaseError: the sources do not define the routine or a global, or define it more than once.
        UsageError: a source has a name that cannot be compiled.
    """
    sources = tree if isinstance(tree, Sources) else tree.read()
    target = require_compiler(target, sources.tree.compilers)
    version = compiler_version(target.compiler) or ""
    flags = compile_flags(sources, build, target)
    key, suffix = _place_in_cache(sources, build, target, version)
    # To compile and link four-shifts takes 270 ms of processor time, to find it here 3.
    cached = build_cache.find(key, suffix)
    origin = "cache"
    if cached is None:
        origin = "compiled"
        with staged(sources.files, sources.tree.readable, sources.tree.user_folders()) as stage:
            content = LinkJob(sources, build, target, version, stage).program()
            cached = build_cache.keep(key, suffix, content, stage.read)
    return BuiltProgram(
        path=cached.path,
        cpu=target.cpu,
        build=target.label(build.name),
        compiler=version,
        flags=flags,
        source_digest=sources.digest(),
        origin=origin,
        sha256=cached.sha256,
        files={**sources.digests(), **cached.read},
        sanitizers=build.sanitizers,
        code=target.code,
        command=target.compiler,
    )


def compile_everything(sources: Sources, build: Build, target: Target) -> bytes:
    """Compile all that sources define into an ELF file that is read and never executed.

    Raises:
        ToolMissingError, CompileError: as of `compile_program`.
    """
    with _survey(sources, build, target) as job:
        return job.everything()


def compile_objects(sources: Sources, build: Build, target: Target) -> list[bytes]:
    """Compile sources without linking them: an object file for each unit, to be looked at.

    Raises:
        ToolMissingError, CompileError: as of `compile_program`.
    """
    with _survey(sources, build, target) as job:
        return job.object_files()


@contextlib.contextmanager
def _survey(sources: Sources, build: Build, target: Target) -> Iterator[LinkJob]:
    """Stage sources that are compiled to be looked at; messages name the user's folders."""
    target = require_compiler(target, sources.tree.compilers)
    version = compiler_version(target.compiler) or ""
    with staged(sources.files, sources.tree.readable, sources.tree.user_folders()) as stage:
        yield LinkJob(sources, build, target, version, stage)
