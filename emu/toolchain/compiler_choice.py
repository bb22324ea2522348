"""Which compiler makes code for a processor: the one that the user names, or one that is there.

The first of these that says something decides, for each family of processors (m68k, powerpc, mips):

1. ``--compiler`` and ``--toolchain``, or the argument ``compilers`` of `programs_of`;
2. the environment variable ``MACPROOF_M68K_CXX``, ``MACPROOF_POWERPC_CXX`` or
   ``MACPROOF_MIPS_CXX``;
3. ``compilers`` in the case file;
4. ``compilers`` in the user's configuration file;
5. Retro68's compilers in the folder that the environment variable ``RETRO68`` names;
6. the first of `_USUAL` in PATH: Debian's, then those of other distributions and of Homebrew.

Any GCC that makes ELF files will do, and that of Retro68 for the PowerPC. It needs no library:
macproof has its own for programs.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from emu.base.errors import UsageError
from emu.base.yaml_document import YamlDocument, YamlPath, did_you_mean
from emu.toolchain.retro68 import RETRO68, retro68_by_environment, retro68_compiler

USUAL = {
    "m68k": (
        "m68k-linux-gnu-g++",
        "m68k-unknown-linux-gnu-g++",
        "m68k-elf-g++",
        "m68k-unknown-elf-g++",
        "m68k-apple-macos-g++",
    ),
    "powerpc": (
        "powerpc-linux-gnu-g++",
        "powerpc-unknown-linux-gnu-g++",
        "powerpc-elf-g++",
        "powerpc-eabi-g++",
        "powerpc-apple-macos-g++",
    ),
    "mips": ("mips-linux-gnu-g++", "mips-unknown-linux-gnu-g++", "mips-elf-g++"),
}
"""The names of compilers in PATH, by family, in the order in which they are looked for."""

FAMILIES = tuple(USUAL)
"""The families of processors that there are compilers for, by GCC's names of them."""


@dataclass(frozen=True, slots=True)
class NamedCompiler:
    """A compiler that somebody names.

    Attributes:
        command: its name in PATH, or its path.
        by: who names it, as the subject of a sentence: "case.yaml, line 7,".
        is_first: whether the environment cannot name another one in its place.
    """

    command: str
    by: str
    is_first: bool = False


Named = Mapping[str, NamedCompiler]
"""The compilers that a case or a caller names, by family."""


def variable_of(family: str) -> str:
    """The environment variable that names a compiler: "MACPROOF_M68K_CXX"."""
    return f"MACPROOF_{family.upper()}_CXX"


def named_compiler(family: str, command: str, by: str, folder: Path, **more: bool) -> NamedCompiler:
    """A compiler that is named in some place.

    Args:
        family: the family of processors.
        command: its name in PATH, or its path. ``~`` stands for the user's home.
        by: who names it; see `NamedCompiler`.
        folder: what a path is relative to.
        more: further attributes of `NamedCompiler`.

    Raises:
        UsageError: there is no such family, or nothing is named.
    """
    if family not in FAMILIES:
        hint = did_you_mean(family, FAMILIES)
        raise UsageError(f"{by} names a compiler for {family}, for which there is none{hint}")
    if not command.strip():
        raise UsageError(f"{by} names no compiler for the {family}")
    if "/" in command:
        command = str(folder / Path(command).expanduser())
    return NamedCompiler(command, by, **more)


def chosen_compiler(family: str, named: Named) -> NamedCompiler | None:
    """The compiler that is named for a family by the first of those who may name one."""
    own = named.get(family)
    if own is not None and own.is_first:
        return own
    variable = variable_of(family)
    if os.environ.get(variable):
        by = f"--compiler, --toolchain or the environment variable {variable}"
        return named_compiler(family, os.environ[variable], by, Path.cwd())
    configured = own or configuration().get(family)
    if configured is not None:
        return configured
    folder = retro68_by_environment()
    if not folder or family == "mips":
        return None
    path = retro68_compiler(Path(folder), family)
    if family == "powerpc" and not path.exists():  # Retro68 can be built for the 68K alone
        return None
    return NamedCompiler(str(path), f"the environment variable {RETRO68}")


def configuration() -> Named:
    """The compilers that the user's configuration file names.

    Raises:
        CaseError: it is no configuration file.
    """
    chosen = os.environ.get("MACPROOF_CONFIG")
    path = Path(chosen) if chosen else platformdirs.user_config_path("macproof") / "config.yaml"
    if not path.is_file():
        if chosen:
            raise UsageError(f"{path}, which MACPROOF_CONFIG names, is no file")
        return {}
    document = YamlDocument(path, "a configuration file")
    data = {} if document.data is None else document.data
    if not isinstance(data, dict) or data.keys() - {"compilers"}:
        raise document.error((), 'a configuration file has the key "compilers" and no other')
    return compilers_of(document, ("compilers",), data.get("compilers", {}))


def compilers_of(document: YamlDocument, place: YamlPath, written: object) -> Named:
    """The compilers that a YAML file names at a place, by family.

    Raises:
        CaseError: they are no texts by the names of families.
    """
    if not isinstance(written, dict):
        raise document.error(place, "compilers are named by families: m68k: m68k-elf-g++")
    compilers = {}
    for family, command in written.items():
        where = (*place, family)
        if not isinstance(command, str):
            raise document.error(where, f"{command!r} is not the name or path of a compiler")
        by = f"{document.path.name}, line {document.line(where)},"
        try:
            compilers[family] = named_compiler(family, command, by, document.path.resolve().parent)
        except UsageError as error:
            raise document.error(where, str(error)) from error
    return compilers
