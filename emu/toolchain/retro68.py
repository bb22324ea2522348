"""Retro68, a GCC for classic Macintoshes: where it is on this computer, and what is missing in it.

Retro68 is not part of macproof, and nothing needs it unless it is chosen. The user says where it is
installed.

Source of the toolchain's layout: https://github.com/autc04/Retro68, its README and toolchain files.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import ToolMissingError

RETRO68 = "RETRO68"
"""The environment variable that names Retro68's folder."""

RETRO68_HOME = "https://github.com/autc04/Retro68"

RETRO68_CONVENTION = "m68k-retro68"
"""How its 68K compiler calls routines."""

_BUILD_TOOLS = {"make": "Unix Makefiles", "ninja": "Ninja"}


@dataclass(frozen=True, slots=True)
class Retro68Target:
    """Retro68's tools for one processor.

    Attributes:
        cpu: the processor that the programs are built for.
        prefix: the beginning of the names of its tools, such as "m68k-apple-macos".
        toolchain_file: CMake's toolchain file, relative to the toolchain's folder.
        tools: the tools that make an application from a linked program.
        symbols: the suffix of the linked file with symbols; it follows the target's name.
    """

    cpu: str
    prefix: str
    toolchain_file: str
    tools: tuple[str, ...]
    symbols: str

    @property
    def needed(self) -> tuple[str, ...]:
        """The files that must exist, relative to the toolchain's folder."""
        compilers = (f"bin/{self.prefix}-gcc", f"bin/{self.prefix}-g++")
        return (
            *compilers,
            *(f"bin/{tool}" for tool in self.tools),
            self.toolchain_file,
            f"{self.prefix}/include/Types.h",
        )


RETRO68_TARGETS = {
    target.cpu: target
    for target in (
        Retro68Target(
            "68000",
            "m68k-apple-macos",
            "m68k-apple-macos/cmake/retro68.toolchain.cmake",
            ("Rez",),
            ".code.bin.gdb",
        ),
        Retro68Target(
            "601",
            "powerpc-apple-macos",
            "powerpc-apple-macos/cmake/retroppc.toolchain.cmake",
            ("Rez", "MakePEF"),
            ".xcoff",
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Retro68:
    """An installed toolchain in which nothing is missing.

    Attributes:
        folder: its folder.
        cmake: the command that runs CMake.
        generator: CMake's name for the build tool, such as "Ninja".
    """

    folder: Path
    cmake: str
    generator: str

    @property
    def interfaces(self) -> str:
        """Which declarations of the Toolbox are installed in it, as words for a message."""
        for target in RETRO68_TARGETS.values():
            if (self.folder / target.prefix / "include" / "Multiverse.h").exists():
                return "the open (multiversal) interfaces"
        return "Apple's Universal Interfaces"


def find_retro68(given: Path | None, cpus: Sequence[str]) -> Retro68:
    """Find a toolchain that can build for some processors.

    It is taken from the given folder, or else from the folder that the environment variable RETRO68
    names, or else from the folder of a Retro68 compiler in PATH.

    Args:
        given: its folder, or a build folder that contains it as ``toolchain``.
        cpus: names in `RETRO68_TARGETS`.

    Raises:
        ToolMissingError: it was not found, or files in it or CMake are missing; the message names
            everything that is missing.
    """
    folder, said_by = retro68_folder(given)
    targets = [RETRO68_TARGETS[cpu] for cpu in cpus]
    if not folder.is_dir():
        raise ToolMissingError(f"{folder}, {said_by}, is no folder. Retro68: {RETRO68_HOME}")
    if not (folder / "bin").is_dir() and (folder / "toolchain" / "bin").is_dir():
        folder /= "toolchain"
    missing = []
    for name in dict.fromkeys(name for target in targets for name in target.needed):
        path = folder / name
        if not path.is_file():
            missing.append(f"{path} is not there" + _what_it_is(name))
        elif name.startswith("bin/") and not os.access(path, os.X_OK):
            missing.append(f"{path} may not be executed" + _what_it_is(name))
    cmake = shutil.which("cmake")
    if cmake is None:
        missing.append("cmake is not installed. On Debian and Ubuntu: apt-get install cmake")
    generator = next((name for tool, name in _BUILD_TOOLS.items() if shutil.which(tool)), None)
    if generator is None:
        missing.append(
            "neither make nor ninja is installed. On Debian and Ubuntu: apt-get install make"
        )
    if cmake is None or generator is None or missing:
        what = f"Retro68 in {folder}, {said_by}, cannot build for the {' and the '.join(cpus)}:"
        raise ToolMissingError("\n  ".join((what, *missing)))
    return Retro68(folder.resolve(), cmake, generator)


def retro68_folder(given: Path | None) -> tuple[Path, str]:
    """The toolchain's folder, and who names it.

    Args:
        given: the folder that the user gives, or None for what the environment tells.

    Raises:
        ToolMissingError: there is none.
    """
    if given is not None:
        return given, "given with --retro68"
    named = os.environ.get(RETRO68)
    if named:
        return Path(named), f"which the environment variable {RETRO68} names"
    for target in RETRO68_TARGETS.values():
        compiler = shutil.which(f"{target.prefix}-g++")
        if compiler is not None:
            return Path(compiler).resolve().parents[1], f"of which {compiler} is in PATH"
    compilers = " nor ".join(f"{target.prefix}-g++" for target in RETRO68_TARGETS.values())
    raise ToolMissingError(
        f"Retro68 was not found: --retro68 was not given, the environment variable {RETRO68} is "
        f"not set, and neither {compilers} is in PATH. It is free: {RETRO68_HOME}. "
        "Without it: macproof build --app"
    )


def _what_it_is(name: str) -> str:
    if name.endswith("g++"):
        return ", the C++ compiler"
    if name.endswith("gcc"):
        return ", the C compiler"
    if name.endswith(".cmake"):
        return ", the toolchain file for CMake"
    if name.endswith("Types.h"):
        return ": no interfaces are installed"
    return ", which makes applications"


def retro68_by_environment() -> str:
    """The folder that the environment names for Retro68; "" if it names none."""
    return os.environ.get(RETRO68, "")


def retro68_compiler(folder: Path, family: str) -> Path:
    """The path of Retro68's compiler for the 68K or PowerPC in its folder."""
    name = f"{family}-apple-macos-g++"
    built = folder / "toolchain" / "bin" / name  # in the folder in which Retro68 was built
    return built if built.exists() else folder / "bin" / name
