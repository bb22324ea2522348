"""Compiles a case with Debian's cross GCC into a small program without a C library.

Everything is staged in a folder of its own and compiled there by relative names, so that the
result depends on the sources, the flags and the compiler, and on nothing else.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import platformdirs

from emu.errors import CompileError, ToolMissingError
from emu.files import write_whole
from emu.program import host_file
from emu.toolchain.builds import Build, Target

_LANGUAGE_FLAGS = ("-std=gnu++98", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics")
_CODE_FLAGS = (
    "-g",
    "-gno-record-gcc-switches",
    "-ffreestanding",
    "-fno-pic",
    "-no-pie",
    "-fno-asynchronous-unwind-tables",
    "-fno-stack-protector",
    "-ffunction-sections",
    "-fdata-sections",
)
# Without the first the loops of memset become calls to memset.
_RUNTIME_FLAGS = ("-O2", "-fno-tree-loop-distribute-patterns", "-x", "c")
_LINK_FLAGS = (
    "-nostdlib",
    "-static",
    "-no-pie",
    "-Wl,--gc-sections,--build-id=none,-z,max-page-size=4096,-T,guest.ld",
)
_COMPILER_SECONDS = 120
# They bring in headers, libraries and tools that neither the cache nor a receipt knows of.
_MISLEADING = {
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "LIBRARY_PATH",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
}
# Of what a compiler says: given a program instead of a source it can say tens of megabytes.
_MOST_LINES, _WIDEST_LINE = 60, 300
_HEADER_SUFFIXES = {".h", ".hpp", ".r"}


@dataclass(frozen=True, slots=True)
class SourceTree:
    """The files a guest program is made of.

    Attributes:
        routine: the function that will be called.
        state: the globals that are set or observed.
        sources: C++ files, in the order in which the wrapper includes them.
        folders: where the sources' own headers lie; the first that has a name wins.
        compat: headers that let source of 1994 compile today.
        runtime: C files that stand in for the C library.
        flags: what these sources need beyond the build's flags.
    """

    routine: str
    state: tuple[str, ...]
    sources: tuple[Path, ...]
    folders: tuple[Path, ...]
    compat: Path
    runtime: Path
    flags: tuple[str, ...] = ()

    def wrapper(self) -> str:
        """The one file that is compiled: it includes the sources as they are.

        ``main`` gets another name, for the program's own start-up is not wanted here. Pointers
        to the routine and to its state keep them, ``static`` or not: without a reader in sight
        the compiler would drop stores to them.
        """
        includes = "".join(f'#include "program/{source.name}"\n' for source in self.sources)
        state = ", ".join(f"&{name}" for name in self.state)
        return (
            "#define main macproof_main_of_the_program\n"
            f"{includes}"
            "#undef main\n"
            "extern void (*const macproof_entry)();\n"
            '__attribute__((used, section(".macproof.keep")))\n'
            f"void (*const macproof_entry)() = (void (*)()) &{self.routine};\n"
            "extern const volatile void *const macproof_state[];\n"
            '__attribute__((used, section(".macproof.keep")))\n'
            f"const volatile void *const macproof_state[] = {{ {state} }};\n"
        )

    def files(self) -> dict[str, bytes]:
        """Every file of the staged folder, by relative name."""
        staged = {"wrapper.cpp": self.wrapper().encode()}
        for folder in reversed(self.folders):
            for path in folder.iterdir():
                if path.suffix in _HEADER_SUFFIXES and path.is_file():
                    staged[f"program/{path.name}"] = _read(path)
        for path in self.sources:
            staged[f"program/{path.name}"] = _read(path)
        for name, folder in (("compat", self.compat), ("runtime", self.runtime)):
            for path in folder.iterdir():
                if path.is_file():
                    staged[f"{name}/{path.name}"] = _read(path)
        staged["guest.ld"] = resources.files("emu.toolchain").joinpath("guest.ld").read_bytes()
        return dict(sorted(staged.items()))

    def digest(self) -> str:
        """SHA-256 over every file that goes into the program, and the flags."""
        summary = hashlib.sha256()
        for name, content in self.files().items():
            summary.update(f"{name}\0{len(content)}\0".encode() + content)
        summary.update("\0".join(self.flags).encode())
        return summary.hexdigest()


@dataclass(frozen=True, slots=True)
class BuiltProgram:
    """A compiled program and where it came from.

    Attributes:
        path: the program file; for one that was given, perhaps a file in a disk image.
        cpu: the processor's name.
        build: the build's name.
        compiler: the compiler's own version line.
        flags: every flag it was given.
        source_digest: `SourceTree.digest` of what was compiled.
        origin: "compiled", "cache", "prebuilt" or "given".
    """

    path: Path
    cpu: str
    build: str
    compiler: str
    flags: tuple[str, ...]
    source_digest: str
    origin: str

    def digest(self) -> str:
        """SHA-256 of the program file."""
        return hashlib.sha256(host_file(self.path).read_bytes()).hexdigest()


def cache_folder() -> Path:
    """Where compiled programs are kept: ``$MACPROOF_CACHE``, or the user's cache folder."""
    chosen = os.environ.get("MACPROOF_CACHE")
    return Path(chosen) if chosen else platformdirs.user_cache_path("macproof")


@functools.cache
def compiler_version(command: str) -> str | None:
    """What the compiler and its linker call themselves, or None where it is not installed.

    Both shape a program: the same compiler with another linker may give other bytes.
    """
    if shutil.which(command) is None:
        return None
    linker = _run([command, "-print-prog-name=ld"], Path.cwd()).stdout.strip()
    names = [_first_line([tool, "--version"]) for tool in (command, linker)]
    return ", ".join(names) if all(names) else None


def _first_line(command: list[str]) -> str:
    try:
        completed = _run(command, Path.cwd())
    except OSError:
        return ""
    return completed.stdout.partition("\n")[0] if completed.returncode == 0 else ""


def missing_compilers(targets: Sequence[Target]) -> list[Target]:
    """The targets whose compiler is not installed."""
    return [target for target in targets if compiler_version(target.compiler) is None]


def compile_flags(tree: SourceTree, build: Build, target: Target) -> tuple[str, ...]:
    """Every flag that shapes the program's code, for the compiler and for receipts."""
    return (*_LANGUAGE_FLAGS, *_CODE_FLAGS, *tree.flags, *target.flags, *build.flags)


def compile_program(tree: SourceTree, build: Build, target: Target) -> BuiltProgram:
    """Compile, or take from the cache, the program of a source tree.

    Raises:
        ToolMissingError: the target's compiler is not installed.
        CompileError: the compiler or linker refused; the message holds what it said.
    """
    version = compiler_version(target.compiler)
    if version is None:
        raise ToolMissingError(
            f"{target.compiler} is not installed, which compiles for the {target.cpu}. "
            f"On Debian and Ubuntu: apt-get install {target.package}"
        )
    flags = compile_flags(tree, build, target)
    digest = tree.digest()
    key = hashlib.sha256("\0".join((version, target.compiler, *flags, digest)).encode())
    cached = cache_folder() / "programs" / f"{key.hexdigest()}.elf"
    origin = "cache"
    if not cached.exists():
        origin = "compiled"
        write_whole(cached, _compile(tree, flags, target))
    return BuiltProgram(cached, target.cpu, build.name, version, flags, digest, origin)


def _compile(tree: SourceTree, flags: tuple[str, ...], target: Target) -> bytes:
    with tempfile.TemporaryDirectory(prefix="macproof-") as name:
        stage = Path(name)
        for relative, content in tree.files().items():
            path = stage / relative
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
        prefix = f"-ffile-prefix-map={stage}=."
        includes = ("-Icompat", "-Iprogram")
        compiler = target.compiler
        run_compiler(
            [compiler, *flags, prefix, *includes, "-c", "wrapper.cpp", "-o", "wrapper.o"],
            stage,
            tree.sources[0],
        )
        objects = ["wrapper.o"]
        for source in sorted(stage.glob("runtime/*.c")):
            made = f"{source.stem}.o"
            command = [compiler, *_CODE_FLAGS, *target.flags, *_RUNTIME_FLAGS, prefix]
            run_compiler([*command, "-c", f"runtime/{source.name}", "-o", made], stage, source)
            objects.append(made)
        link = [compiler, *target.flags, *_LINK_FLAGS, *objects, "-lgcc", "-o", "program.elf"]
        run_compiler(link, stage, tree.sources[0])
        return (stage / "program.elf").read_bytes()


def run_compiler(command: list[str], stage: Path, blamed: Path) -> None:
    """Run a compiler or another of its tools in the folder with the staged files.

    Raises:
        CompileError: it failed; the message names the blamed file and holds what was said.
    """
    completed = _run(command, stage)
    if completed.returncode:
        said = (completed.stderr or completed.stdout).strip().replace("program/", "")
        lines = [line[:_WIDEST_LINE] for line in said.splitlines()]
        if len(lines) > _MOST_LINES:
            lines[_MOST_LINES:] = [f"... and {len(lines) - _MOST_LINES} more lines"]
        raise CompileError(blamed, f"{command[0]} refused it:\n" + "\n".join(lines))


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    inherited = {name: text for name, text in os.environ.items() if name not in _MISLEADING}
    environment = {**inherited, "LC_ALL": "C", "SOURCE_DATE_EPOCH": "0"}
    try:
        return subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_COMPILER_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise CompileError(
            folder, f"{command[0]} did not finish within {_COMPILER_SECONDS} seconds"
        ) from error


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CompileError(path, f"cannot be read: {error.strerror}") from error
