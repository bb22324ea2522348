"""Compiles sources with this computer's own compiler, and links what makes calls of them."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import ToolMissingError
from emu.base.system.support import require_linux
from emu.toolchain import build_cache
from emu.toolchain.builds import Build, Target
from emu.toolchain.compiler import compiler_version, staged
from emu.toolchain.programs.gcc import compile_flags
from emu.toolchain.programs.linking import LinkJob
from emu.toolchain.sources import SourceTree

HOST = Target("host", "", ("-fsigned-char",), command="g++")
"""This computer, with the compiler of its own."""

SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")

_MACHINES = ("x86_64", "aarch64")
_DRIVER = Path(__file__).parent / "native_driver.c"


def host_compiler() -> str:
    """The compiler's version line, and the processor of this computer.

    Raises:
        ToolMissingError: it is not installed, or functions cannot be called in the driver's way
            on this computer.
    """
    require_linux("the engine host")
    if platform.machine() not in _MACHINES:
        raise ToolMissingError(
            f"the engine host runs on {' and '.join(_MACHINES)} only, and this is "
            f"{platform.machine()}"
        )
    version = compiler_version(HOST.compiler)
    if version is None:
        raise ToolMissingError(
            f"{HOST.compiler} is not installed, which the engine host needs. On Debian and Ubuntu: "
            f"apt-get install {HOST.package}"
        )
    return f"{version.partition(',')[0]}, {platform.machine()}"


@dataclass(frozen=True, slots=True)
class _Native(LinkJob):
    """The making of a program for this computer; its own libraries are linked too."""

    sanitizers: tuple[str, ...] = ()

    def program(self) -> bytes:
        """The linked program.

        Raises:
            CompileError: a tool refused something, such as a call of the Toolbox.
        """
        objects = [self._compile(number).name for number in range(len(self.sources.units))]
        blamed = self.sources.tree.sources[0]
        (self.stage.folder / _DRIVER.name).write_bytes(_DRIVER.read_bytes())
        command = [HOST.compiler, "-O2", "-fno-pic", "-x", "c"]
        objects.append(self.stage.compile(command, _DRIVER.name, "driver.o", blamed).name)
        link = [HOST.compiler, "-no-pie", *self.sanitizers, *objects, "-o", "program.elf"]
        self.stage.run(link, blamed)
        return (self.stage.folder / "program.elf").read_bytes()


def compile_native(tree: SourceTree, build: Build, *, has_sanitizers: bool) -> Path:
    """Compile a case's sources for this computer, or take the program from the cache.

    Args:
        tree: the sources.
        build: the build, whose flags are used here too.
        has_sanitizers: whether the program ends at accesses beyond variables and at operations
            that the language does not define.

    Raises:
        ToolMissingError, UsageError: as of `host_compiler`.
        CompileError: a source is not for this computer, as one in assembler, or calls the Toolbox.
    """
    version, sources = host_compiler(), tree.read()
    more = SANITIZERS if has_sanitizers else ()
    build = Build(build.name, (*build.flags, *more))
    flags = compile_flags(sources, build, HOST)
    key = build_cache.key_of("host", version, *flags, sources.digest(), _DRIVER.read_text())
    cached = build_cache.find(key, ".native")
    if cached is None:
        with staged(sources.files, sources.tree.readable, sources.tree.user_folders()) as stage:
            content = _Native(sources, build, HOST, version, stage, more).program()
            cached = build_cache.keep(key, ".native", content, stage.read)
    cached.path.chmod(0o755)
    return cached.path
