"""Finds the compiler for a target, checks it, and tells in what it differs from Debian's."""

from __future__ import annotations

import functools
import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from emu.base.errors import ToolMissingError, UsageError
from emu.toolchain.builds import Target
from emu.toolchain.compiler import compiler_version, first_line
from emu.toolchain.compiler_choice import (
    USUAL,
    Named,
    NamedCompiler,
    chosen_compiler,
)
from emu.toolchain.retro68 import RETRO68, RETRO68_CONVENTION, RETRO68_HOME

OWN_HEADERS = ("-idirafter", "include")
"""The flags by which a compiler without a C library gets macproof's headers of one."""

_HOMEBREW = {
    "m68k": f"brew install m68k-elf-gcc (Homebrew), or install Retro68 ({RETRO68_HOME}) and name "
    f"its folder with {RETRO68}",
    "powerpc": "build a GCC for powerpc-elf or powerpc-linux-gnu and name it with "
    "MACPROOF_POWERPC_CXX",
    "mips": "build a GCC for mips-elf and name it with MACPROOF_MIPS_CXX",
}


@dataclass(frozen=True, slots=True)
class _System:
    """What a compiler does in another way than that for Linux.

    Attributes:
        flags: flags by which it makes the same code.
        absent: flags of the target that it does not have.
        link_flags: flags by which it links as macproof asks.
        convention: how its code calls routines; "" if it does as that for Linux.
    """

    flags: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    link_flags: tuple[str, ...] = ()
    convention: str = ""


_LINUX = _System()
# Retro68 puts a program in the place of the linker that makes an application of what it is given;
# the linker itself is there under the name by which it was built.
_RETRO68 = {
    "m68k": _System(link_flags=("-fuse-ld=bfd",), convention=RETRO68_CONVENTION),
    # Its debugging information would be that of XCOFF, which has no types that macproof reads. An
    # XCOFF file always has the one calling convention of a Power Macintosh.
    "powerpc": _System(flags=("-gdwarf-4",), absent=("-msdata=none",)),
}
_BARE = {
    # A struct that does not fit into registers is returned at the address in A0, not in A1.
    # Source: GCC, config/m68k/m68kelf.h.
    "m68k": _System(convention="m68k-bare"),
    # Linux returns every struct in memory; the embedded ABI has small ones in R3 and R4.
    "powerpc": _System(flags=("-mno-eabi", "-maix-struct-return")),
}


def find_compiler(target: Target, named: Named) -> Target | None:
    """The target with the compiler that is used for it; None if none is named and none is there.

    Args:
        target: a target of `ALL_TARGETS`, or one with the code of another.
        named: the compilers that the case or the caller names.

    Raises:
        ToolMissingError: the compiler that is named is not there.
        UsageError: it cannot be executed, is no GCC, or is not for this processor.
    """
    family = target.architecture
    chosen = chosen_compiler(family, named)
    if chosen is None:
        command = next(filter(shutil.which, USUAL[family]), "")
        chosen = NamedCompiler(command, "PATH")
    if not chosen.command or (chosen.by == "PATH" and compiler_version(chosen.command) is None):
        return None
    _require_working(target, chosen)
    return _target_of(target, chosen)


def require_compiler(target: Target, named: Named) -> Target:
    """The target with the compiler that is used for it.

    Raises:
        ToolMissingError, UsageError: there is none, or as of `find_compiler`.
    """
    compiler = find_compiler(target, named)
    if compiler is None:
        raise ToolMissingError(f"{absent(target)}. {how_to_install([target])}")
    return compiler


def missing_compilers(targets: Sequence[Target], named: Named) -> list[Target]:
    """The targets for which there is no compiler.

    Raises:
        ToolMissingError, UsageError: as of `find_compiler`.
    """
    return [target for target in targets if find_compiler(target, named) is None]


def absent(target: Target) -> str:
    """That there is no compiler for a target, as a sentence without a full stop."""
    return f"{target.compiler} is not installed, which compiles for the {target.code or target.cpu}"


def how_to_install(targets: Sequence[Target]) -> str:
    """How to get the compilers of some targets on this computer, as a sentence."""
    if sys.platform == "darwin":
        families = dict.fromkeys(target.architecture for target in targets)
        return "On macOS: " + "; ".join(_HOMEBREW[family] for family in families)
    packages = " ".join(sorted({target.package for target in targets}))
    return f"On Debian and Ubuntu: apt-get install {packages}"


def tool_of(compiler: str, tool: str) -> str:
    """A further tool of a compiler, such as "ar": GCC knows where it is."""
    return _tool_of(shutil.which(compiler) or "", tool)


@functools.cache
def _tool_of(path: str, tool: str) -> str:
    return first_line([path, f"-print-prog-name={tool}"]) or tool


def has_library(target: Target) -> bool:
    """Whether a compiler has the library that its code calls for arithmetic (libgcc)."""
    return Path(library_of(target)).is_file()


def library_of(target: Target) -> str:
    """The path of this library; a name alone, or "", if the compiler has none."""
    return _library_of(shutil.which(target.compiler) or "", target.flags)


@functools.cache
def _library_of(path: str, flags: tuple[str, ...]) -> str:
    return first_line([path, *flags, "-print-libgcc-file-name"])


def _require_working(target: Target, chosen: NamedCompiler) -> None:
    """Refuse a compiler that macproof cannot use.

    Raises:
        ToolMissingError, UsageError: as of `find_compiler`.
    """
    what = f"{chosen.command}, which {chosen.by} names for the {target.architecture},"
    path = Path(chosen.command)
    if shutil.which(chosen.command) is None:
        if path.is_file():
            raise UsageError(f"{what} may not be executed")
        if path.is_dir():
            raise UsageError(f"{what} is a folder")
        raise ToolMissingError(f"{what} is not there")
    version, machine = compiler_version(chosen.command), machine_of(chosen.command)
    if version is None or not machine:
        raise UsageError(f"{what} is no working GCC: it does not tell its version and its linker")
    if "clang" in version:
        raise UsageError(f"{what} is Clang; macproof compiles with GCC")
    if machine.partition("-")[0] != target.architecture:
        raise UsageError(f"{what} compiles for {machine}")
    if "aix" in machine:
        raise UsageError(f"{what} compiles for {machine}, not for a Macintosh")


def machine_of(command: str) -> str:
    """What a compiler says that it compiles for, such as "m68k-elf"; "" if it says nothing."""
    return _machine_of(shutil.which(command) or command)


@functools.cache
def _machine_of(path: str) -> str:
    return first_line([path, "-dumpmachine"])


@functools.cache
def _has_headers(path: str) -> bool:
    """Whether a compiler has the headers of a C library."""
    return bool(first_line([path, "-E", "-x", "c", "-include", "string.h", os.devnull]))


def _target_of(target: Target, chosen: NamedCompiler) -> Target:
    """The target with what is different of a compiler."""
    machine = machine_of(chosen.command)
    system = _LINUX
    if "macos" in machine:
        system = _RETRO68.get(target.architecture, _LINUX)
    elif "linux" not in machine:
        system = _BARE.get(target.architecture, _LINUX)
    headers = () if _has_headers(shutil.which(chosen.command) or "") else OWN_HEADERS
    return replace(
        target,
        command=chosen.command,
        machine=machine,
        flags=(*(f for f in target.flags if f not in system.absent), *system.flags, *headers),
        link_flags=system.link_flags,
        convention=system.convention,
    )
