"""Hosted programs: they need a whole C++ library, so they run under Linux in qemu-user.

Only findings about the library itself are shown in this way. All other findings call a routine
directly, see `posts.trials`.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from emu.base.system.support import require_linux
from emu.base.temporary import temporary_folder
from emu.toolchain import build_cache
from emu.toolchain.builds import ALL_TARGETS
from emu.toolchain.compiler import compiler_version, run_compiler
from emu.toolchain.compilers.find import how_to_install
from emu.toolchain.objects import dependencies_of
from macproof import CompileError, ToolMissingError
from posts.findings.model import StepSide

_EMULATORS = {"68040": ("qemu-m68k", "-cpu", "m68040"), "601": ("qemu-ppc",)}
_FLAGS = ("-std=gnu++98", "-O2", "-static", "-w")
_SECONDS = 20
# The limit of processor time ends a program that loops for ever, even if this process has been
# killed and cannot end it.
_LIMITED = ("/bin/sh", "-c", f'ulimit -t {2 * _SECONDS}; exec "$@"', "macproof")


@dataclass(frozen=True, slots=True)
class HostedOutput:
    """The lines that a program wrote; `problem` says why it failed, or is ""."""

    lines: tuple[str, ...]
    problem: str = ""


def run_hosted(side: StepSide, cpu: str) -> HostedOutput:
    """Compile the hosted program of a side, and run it.

    Raises:
        ToolMissingError: a compiler with its library, or the emulator, is not installed.
        CompileError: the program does not compile.
    """
    emulator = _EMULATORS.get(cpu)
    if emulator is None:
        raise ToolMissingError(f"no emulator is known that runs Linux programs for the {cpu}")
    require_linux("a hosted program, in qemu-user,")
    if shutil.which(emulator[0]) is None:
        raise ToolMissingError(
            f"{emulator[0]} is not installed. On Debian and Ubuntu: apt-get install qemu-user"
        )
    program = _compile(side, cpu)
    with temporary_folder() as folder:
        copy = folder / "program"
        copy.write_bytes(program.read_bytes())
        copy.chmod(0o755)
        try:
            done = subprocess.run(
                [*_LIMITED, *emulator, str(copy)],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return HostedOutput((), f"the program did not end within {_SECONDS} seconds")
    problem = f"the program ended with status {done.returncode}" if done.returncode else ""
    return HostedOutput(tuple(done.stdout.splitlines()), problem)


def _compile(side: StepSide, cpu: str) -> Path:
    target = ALL_TARGETS[cpu]
    version = compiler_version(target.compiler)
    if version is None:
        raise ToolMissingError(
            f"{target.compiler} is not installed, whose C++ library is needed, too. "
            f"{how_to_install([target])}"
        )
    folder = side.case.path.parent
    source = folder / side.hosted
    flags = [*_FLAGS, *(f"-D{word}" for word in side.setup.defines)]
    key = hashlib.sha256("\0".join((version, target.compiler, side.hosted, *flags)).encode())
    for path in sorted([*folder.glob("*.h"), *folder.glob("*.cpp")]):
        key.update(path.name.encode() + b"\0" + path.read_bytes())
    cached = build_cache.find(key.hexdigest(), ".hosted")
    if cached is not None:
        return cached.path
    with temporary_folder() as passing:
        executable = passing / "program"
        rules = passing / "rules.d"
        command = [
            target.compiler,
            *flags,
            str(source),
            "-o",
            str(executable),
            "-MD",
            "-MF",
            str(rules),
        ]
        try:
            run_compiler(command, passing, source)
        except CompileError as error:
            if "cannot find -lstdc++" in str(error) or "iostream: No such file" in str(error):
                raise ToolMissingError(f"{target.compiler} has no C++ library") from error
            raise
        read = {
            str(folder / dependency): build_cache.digest_of(folder / dependency)
            for dependency in dependencies_of(rules)
        }
        return build_cache.keep(key.hexdigest(), ".hosted", executable.read_bytes(), read).path
