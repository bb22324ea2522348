"""Compiles sources with this computer's own compiler, and links what makes calls of them."""

from __future__ import annotations

import platform
from collections.abc import Sequence
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
_LINK_FLAGS = ("-no-pie", "-Wl,--gc-sections", "-Wl,-T,keep.ld")
# Goes into the computer's own linker script. Without it the linker drops the pointers to static
# names, and with them the names.
_KEEP_SCRIPT = "SECTIONS { .macproof.keep : { KEEP(*(.macproof.keep)) } } INSERT AFTER .data;\n"


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
    """The making of a program for this computer; its own libraries are linked too.

    A function stays out that calls what this computer lacks, such as the Toolbox, unless the
    case's routine needs it.
    """

    sanitizers: tuple[str, ...] = ()

    def _link(self, objects: Sequence[str], shown: Sequence[str], more: Sequence[str]) -> bytes:
        (self.stage.folder / _DRIVER.name).write_bytes(_DRIVER.read_bytes())
        (self.stage.folder / "keep.ld").write_text(_KEEP_SCRIPT)
        compiler, blamed = HOST.compiler, self.sources.tree.sources[0]
        driver = self.stage.compile(
            [compiler, "-O2", "-fno-pic", "-x", "c"], _DRIVER.name, "driver.o", blamed
        )
        command = [compiler, *_LINK_FLAGS, *self.sanitizers, *objects, driver.name]
        return self._link_most([*command, "-o", "program.elf"], shown, more)


def compile_native(tree: SourceTree, build: Build, *, has_sanitizers: bool) -> Path:
    """Compile a case's sources for this computer, or take the program from the cache.

    Args:
        tree: the sources.
        build: the build, whose flags are used here too.
        has_sanitizers: whether the program ends at accesses beyond variables and at operations
            that the language does not define.

    Raises:
        ToolMissingError, UsageError: as of `host_compiler`.
        CompileError: a source is not for this computer, as one in assembler, or the routine calls
            the Toolbox.
        CaseError: the sources do not define the routine or a global, or define it more than once.
    """
    version, sources = host_compiler(), tree.read()
    more = SANITIZERS if has_sanitizers else ()
    build = Build(build.name, (*build.flags, *more))
    flags = compile_flags(sources, build, HOST)
    making = (*_LINK_FLAGS, _KEEP_SCRIPT, _DRIVER.read_text())
    key = build_cache.key_of("host", version, *flags, sources.digest(), *making)
    cached = build_cache.find(key, ".native")
    if cached is None:
        with staged(sources.files, sources.tree.readable, sources.tree.user_folders()) as stage:
            content = _Native(sources, build, HOST, version, stage, more).program()
            cached = build_cache.keep(key, ".native", content, stage.read)
    cached.path.chmod(0o755)
    return cached.path
