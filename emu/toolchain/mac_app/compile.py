"""Compiles and links the program of an application, with macproof's runtime and glue."""

from __future__ import annotations

import functools
import hashlib
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import resources as package_files
from pathlib import Path

from emu.base.errors import CompileError, UsageError
from emu.base.files import read_file
from emu.base.temporary import temporary_folder
from emu.toolchain import build_cache
from emu.toolchain.builds import TARGETS, Build, Target
from emu.toolchain.compiler import compiler_version, run_compiler, write_files
from emu.toolchain.compilers.find import require_compiler, tool_of
from emu.toolchain.mac_app.glue import glue
from emu.toolchain.mac_c.late_declarations import compile_declared
from emu.toolchain.mac_c.named_headers import PREFIX, HeaderFolder, Prefix
from emu.toolchain.objects import definitions_of
from emu.toolchain.pascal_strings import translate_pascal_strings
from emu.toolchain.retro68 import RETRO68_CONVENTION
from emu.toolchain.sanitizers import (
    application_flags,
    application_linker_flags,
    application_runtime_flags,
)
from emu.toolchain.sanitizers import runtime_files as sanitizer_files
from emu.toolchain.sources import SourceTree, mac_sources

_COMMON_FLAGS = (
    "-Dmacintosh",
    "-nostdinc",
    "-fno-asynchronous-unwind-tables",
    "-fno-stack-protector",
    "-fno-strict-aliasing",
    "-fno-common",
    "-ffunction-sections",
    "-fdata-sections",
    "-gno-record-gcc-switches",
)
_CPLUS_FLAGS = (
    "-std=gnu++98",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-threadsafe-statics",
    "-nostdinc++",
)
# A program of 1994 is compiled unchanged, so warnings about it are switched off.
_PROGRAM_FLAGS = ("-Wno-multichar",)
_RUNTIME_FLAGS = ("-O2", "-ffreestanding", "-fno-tree-loop-distribute-patterns", "-Wall", "-Wextra")
_ARCHITECTURE_FLAGS = {
    # The Toolbox finds the program's globals by A5, so the compiler must not use that register.
    "m68k": ("-fno-pic", "-no-pie", "-msoft-float", "-ffixed-a5"),
    "powerpc": ("-fPIC", "-mno-altivec"),
}
_LINK_FLAGS = (
    "-nostdlib",
    "-static",
    "-no-pie",
    "-Wl,--emit-relocs,--gc-sections,--build-id=none,--no-warn-rwx-segments",
    "-Wl,-z,noexecstack,-z,max-page-size=16,-z,common-page-size=16",
)
_MISMATCHED_MAIN = "main' must return 'int'"
_USUAL_ALIGNMENT, _ALIGNMENT_OF_CHECKED = b". = ALIGN(4); }", b". = ALIGN(32); }"
_GLOBALS = "qd"
_OLD_NAMES_OF_GLOBALS = (
    *("randSeed", "screenBits", "arrow", "dkGray", "ltGray", "gray", "black", "white"),
    "thePort",
)
"""THINK C's names of places in the runtime's ``qd``."""
_M68K_ONLY = "m68000"
"""The folder of the runtime with arithmetic that every 68K application gets."""
_INCLUDES = ("-iquoteprogram", "-Iinclude", "-Icompat", "-Iprogram")
_SOURCE_SUFFIXES = (".cpp", ".c", ".cp", ".cc")


def program_files(
    sources: Sequence[Path],
    *,
    flags: Sequence[str] = (),
    prefix: Sequence[Prefix] = (),
    headers: HeaderFolder | None = None,
) -> dict[str, bytes]:
    """The program's files by their staged names: sources, what they include, and prefix headers.

    Args:
        sources: the C and C++ files.
        flags: the compiler's flags, which pragmas may contradict.
        prefix: the headers that every source begins with.
        headers: the folder of headers in place of macproof's; those that are included are staged,
            too.

    Raises:
        CompileError: a file cannot be read, is no source, or has the name of another.
    """
    names = [source.name for source in sources]
    for number, source in enumerate(sources):
        if source.suffix not in _SOURCE_SUFFIXES:
            raise CompileError(
                source, f"it is not a source file: their names end in {', '.join(_SOURCE_SUFFIXES)}"
            )
        if source.name in names[:number]:
            raise CompileError(source, "another source has the same name")
        if not source.is_file():
            raise CompileError(source, "cannot be read: there is no such file")
    files = tuple(source.absolute() for source in sources)
    tree = SourceTree(
        routine="",
        state=(),
        units=tuple((path,) for path in files),
        folders=tuple(dict.fromkeys(path.parent for path in files)),
        compat=mac_sources() / "compat" if headers is None else headers.path,
        runtime=mac_sources() / "runtime",
        foreign=files,
        cflags=tuple(flags),
        prefix=tuple(prefix),
        headers="" if headers is None else headers.written,
    )
    read = tree.read()
    return {
        name: translate_pascal_strings(text, Path(read.user_name(name) or name))
        for name, text in read.files.items()
        if (name == PREFIX or read.user_name(name)) and not name.endswith(".r")
    }


def runtime_files(mac_sources: Path) -> dict[str, bytes]:
    """The files of the runtime and all headers, by their staged names."""
    staged = {}
    runtime = mac_sources / "runtime"
    folders = (
        ("compat", mac_sources / "compat"),
        ("compat/records", mac_sources / "compat" / "records"),
        ("compat/routines", mac_sources / "compat" / "routines"),
        ("compat/callbacks", mac_sources / "compat" / "callbacks"),
        ("compat/absent", mac_sources / "compat" / "absent"),
        ("runtime", runtime),
        ("runtime", runtime / "mac"),
        (_M68K_ONLY, runtime / _M68K_ONLY),
        ("include", runtime / "mac" / "include"),
    )
    for name, folder in folders:
        for path in folder.iterdir():
            if path.is_file():
                staged[f"{name}/{path.name}"] = _read(path)
    return staged


def _read(path: Path) -> bytes:
    try:
        return read_file(path)
    except OSError as error:
        raise CompileError(path, f"cannot be read: {error.strerror}") from error


@functools.cache
def _own_headers(compiler: str) -> str:
    """The folder of the compiler's own headers, such as ``stddef.h``; they need no library."""
    said = subprocess.run(
        [compiler, "-print-file-name=include"], capture_output=True, text=True, check=True
    )
    return said.stdout.strip()


@dataclass(frozen=True, slots=True)
class ApplicationCompiler:
    """Compiles applications for one processor with one set of flags.

    Attributes:
        cpu: a processor of `TARGETS`.
        mac_sources: the folder with ``compat`` and ``runtime``.
        build: the compiler's flags for the program; the runtime is always compiled the same.
        flags: further flags for the program.
        debug: whether the program is compiled with debugging information. The runtime never is:
            its names would clash with the program's.
        prefix: the headers that every source of the program begins with.
        headers: the folder of headers in place of macproof's, for the program.
    """

    cpu: str
    mac_sources: Path
    build: Build
    flags: tuple[str, ...]
    debug: bool
    prefix: tuple[Prefix, ...] = ()
    headers: HeaderFolder | None = None

    @property
    def target(self) -> Target:
        """The compiler.

        Raises:
            ToolMissingError, UsageError: there is none, or it calls routines in another way than
                the glue to the Toolbox expects.
        """
        target = require_compiler(TARGETS[self.cpu], {})
        if target.convention == RETRO68_CONVENTION:
            raise UsageError(
                f"{target.compiler} is Retro68's, which makes applications by itself: macproof "
                "build --app --toolchain retro68"
            )
        return target

    @property
    def architecture(self) -> str:
        """The processor's architecture: "m68k" or "powerpc"."""
        return "powerpc" if self.cpu == "601" else "m68k"

    def elf(self, sources: Sequence[Path]) -> bytes:
        """Link the program, or take it from the cache if the same was built before."""
        asked = (*self.build.flags, *self.flags)
        program = program_files(sources, flags=asked, prefix=self.prefix, headers=self.headers)
        compiler = self.target.compiler
        version = compiler_version(compiler) or ""
        program |= self._sanitizers()
        runtime = runtime_files(self.mac_sources)
        runtime["runtime/toolbox_glue.s"] = glue(self.architecture).encode()
        script = f"application_{self.architecture}.ld"
        script_text = package_files.files("emu.toolchain.mac_app").joinpath(script).read_bytes()
        if "address" in self.build.sanitizers:  # initialised and zeroed data adjoin, as A5 has them
            script_text = script_text.replace(_USUAL_ALIGNMENT, _ALIGNMENT_OF_CHECKED)
        flags = "\0".join((version, *self._flags(()), *_RUNTIME_FLAGS)).encode()
        checks, wraps = application_flags(self.build), application_linker_flags(self.build)
        own = (*self.build.flags, *checks, *self.flags, *_LINK_FLAGS, *wraps)
        more = (*_PROGRAM_FLAGS, str(self.debug), *own)
        key = _digest(
            flags, "\0".join(more).encode(), script_text, *_pairs(program), *_pairs(runtime)
        )
        cached = build_cache.find(key, ".elf")
        if cached is not None:
            return read_file(cached.path)
        archive = self._runtime(runtime, flags)
        with temporary_folder() as stage:
            hidden = ("compat/",) if self.headers else ()
            others = {n: text for n, text in runtime.items() if not n.startswith(hidden)}
            write_files(stage, {**others, **program, script: script_text})
            begin = ("-include", PREFIX) if PREFIX in program else ()
            objects = [self._compile_program(stage, source, begin) for source in sources]
            objects += self._compile_sanitizers(stage)
            shutil.copy(archive, stage / "runtime.a")
            if any(one.symbol == _GLOBALS for o in objects for one in definitions_of(stage / o)):
                self._leave_globals(stage)
            libraries = ["-Wl,--whole-archive", "runtime.a", "-Wl,--no-whole-archive"]
            if self.architecture == "powerpc":
                libraries.append("-lgcc")
            command = [compiler, *self.target.flags, *_LINK_FLAGS, *wraps, f"-Wl,-T,{script}"]
            run_compiler([*command, *objects, *libraries, "-o", "program.elf"], stage, sources[0])
            elf = (stage / "program.elf").read_bytes()
        build_cache.keep(key, ".elf", elf, {})
        return elf

    def _leave_globals(self, stage: Path) -> None:
        """Let the program's own ``qd`` be QuickDraw's globals, as MPW and Retro68 expect one.

        The names for places in the runtime's are removed: they would be places of the wrong one.
        """
        names = [f"--strip-symbol={name}" for name in _OLD_NAMES_OF_GLOBALS]
        objcopy = tool_of(self.target.compiler, "objcopy")
        run_compiler([objcopy, f"--weaken-symbol={_GLOBALS}", *names, "runtime.a"], stage, stage)

    def without_relocations(self, elf: bytes) -> bytes:
        """Remove the relocations from a program; its symbols stay."""
        objcopy = tool_of(self.target.compiler, "objcopy")
        with temporary_folder() as stage:
            (stage / "program.elf").write_bytes(elf)
            run_compiler([objcopy, "-R", ".rela*", "program.elf", "small.elf"], stage, stage)
            return (stage / "small.elf").read_bytes()

    def _flags(self, more: Sequence[str]) -> tuple[str, ...]:
        return (
            *_COMMON_FLAGS,
            *_ARCHITECTURE_FLAGS[self.architecture],
            *self.target.flags,
            *more,
        )

    def _compile(self, stage: Path, source: str, output: str, more: Sequence[str]) -> list[str]:
        compiler = self.target.compiler
        own = _own_headers(compiler)
        language = _CPLUS_FLAGS if source.endswith(("cpp", "cp", "cc")) else ()
        kind = ("-x", "c") if source.endswith(".c") else ()
        return [
            compiler,
            *self._flags(more),
            *language,
            f"-ffile-prefix-map={stage}=.",
            f"-ffile-prefix-map={own}=gcc",
            *_INCLUDES,
            "-isystem",
            own,
            *kind,
            "-c",
            source,
            "-o",
            output,
        ]

    def _compile_program(self, stage: Path, source: Path, begin: Sequence[str]) -> str:
        output = f"program_{source.name}.o"
        debug = ("-g",) if self.debug else ()
        checks = application_flags(self.build)
        more = (*_PROGRAM_FLAGS, *debug, *self.build.flags, *checks, *self.flags, *begin)
        command = self._compile(stage, f"program/{source.name}", output, more)
        try:
            compile_declared(lambda: run_compiler(command, stage, source), stage / "program")
        except CompileError as error:
            # This compiler accepts "void main" only in a freestanding program. Changing it to int
            # would not help: without a return statement it would run into the code behind it.
            if _MISMATCHED_MAIN not in str(error):
                raise
            run_compiler([*command, "-ffreestanding"], stage, source)
        return output

    def _sanitizers(self) -> dict[str, bytes]:
        """The files of the sanitizers' runtime, by staged names; none for a build without."""
        if not self.build.sanitizers:
            return {}
        paths = sanitizer_files(self.mac_sources / "runtime", self.build)
        return {name: _read(path) for name, path in paths.items()}

    def _compile_sanitizers(self, stage: Path) -> list[str]:
        objects = []
        for source in sorted(self._sanitizers()):
            if source.endswith(".c"):
                objects.append(f"{Path(source).stem}_sanitizer.o")
                more = (*_RUNTIME_FLAGS, *application_runtime_flags(self.build))
                command = self._compile(stage, source, objects[-1], more)
                run_compiler(command, stage, self.mac_sources / "runtime" / source)
        return objects

    def _runtime(self, runtime: dict[str, bytes], flags: bytes) -> Path:
        """The compiled runtime and the glue, as an archive that is kept in the cache."""
        key = _digest(flags, *_pairs(runtime))
        cached = build_cache.find(key, ".a")
        if cached is not None:
            return cached.path
        with temporary_folder() as stage:
            write_files(stage, runtime)
            sources = sorted(
                path
                for path in runtime
                if path.endswith((".c", ".cpp", ".s")) and self._is_for(path)
            )

            def compile_one(source: str) -> str:
                output = f"{Path(source).name}.o"
                command = self._compile(stage, source, output, _RUNTIME_FLAGS)
                run_compiler(
                    command, stage, self.mac_sources / "runtime" / "mac" / Path(source).name
                )
                return output

            with ThreadPoolExecutor(2) as threads:
                objects = list(threads.map(compile_one, sources))
            archiver = tool_of(self.target.compiler, "ar")
            run_compiler([archiver, "rcsD", "runtime.a", *objects], stage, self.mac_sources)
            return build_cache.keep(key, ".a", (stage / "runtime.a").read_bytes(), {}).path

    def _is_for(self, path: str) -> bool:
        other = "_powerpc.s" if self.architecture == "m68k" else "_m68k.s"
        if self.architecture != "m68k" and path.startswith(f"{_M68K_ONLY}/"):
            return False
        return not path.endswith(other)


def _pairs(files: dict[str, bytes]) -> Iterable[bytes]:
    for name, content in sorted(files.items()):
        yield name.encode()
        yield content


def _digest(*pieces: bytes) -> str:
    summary = hashlib.sha256()
    for piece in pieces:
        summary.update(len(piece).to_bytes(8, "big") + piece)
    return summary.hexdigest()
