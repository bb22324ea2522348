"""The options ``--compiler`` and ``--toolchain``: which compilers a command uses."""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from emu.base.errors import UsageError
from emu.toolchain.compiler_choice import FAMILIES, named_compiler, variable_of
from emu.toolchain.retro68 import RETRO68, retro68_compiler, retro68_folder

_RETRO68_FAMILIES = ("m68k", "powerpc")


def add_compiler_option(parser: argparse.ArgumentParser) -> None:
    """Declare ``--compiler``."""
    parser.add_argument(
        "--compiler",
        action="append",
        default=[],
        type=_compiler,
        metavar="[FAMILY=]COMMAND",
        help="compile with this GCC, such as m68k-elf-g++ or powerpc=/opt/gcc/bin/g++; once for "
        f"each of {', '.join(FAMILIES)} (default: docs/compilers.md)",
    )
    parser.set_defaults(around=chosen_compilers)


def add_toolchain_option(parser: argparse.ArgumentParser) -> None:
    """Declare ``--toolchain``."""
    parser.add_argument(
        "--toolchain",
        choices=["gcc", "retro68"],
        help="retro68: compile with Retro68's compilers, in the folder that RETRO68 names or in "
        "PATH; gcc: do not, whatever RETRO68 names",
    )


def _compiler(text: str) -> tuple[str, str]:
    """The family and the command that ``--compiler`` names.

    Raises:
        argparse.ArgumentTypeError: there is no such family, or it is not said.
    """
    before, equals, after = text.partition("=")
    family, command = (before, after) if equals and "/" not in before else ("", text)
    if not family:
        family = Path(command).name.partition("-")[0]
        if family not in FAMILIES:
            raise argparse.ArgumentTypeError(
                f"say what {text} compiles for: m68k={text} (or {', '.join(FAMILIES[1:])})"
            )
    try:
        return family, named_compiler(family, command, "--compiler", Path.cwd()).command
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


@contextlib.contextmanager
def chosen_compilers(arguments: argparse.Namespace) -> Iterator[None]:
    """Let a command and all its processes use the compilers that its options name.

    Raises:
        UsageError: options contradict each other.
        ToolMissingError: there is no Retro68.
    """
    named = getattr(arguments, "compiler", None) or []
    toolchain = None if arguments.command == "build" else getattr(arguments, "toolchain", None)
    if not named and toolchain is None:
        yield
        return
    wanted: dict[str, str] = {}
    for family, command in named:
        if family in wanted:
            raise UsageError(f"--compiler names two compilers for the {family}")
        wanted[family] = command
    if getattr(arguments, "programs", None) == "prebuilt" or getattr(arguments, "program", None):
        raise UsageError(
            "--compiler and --toolchain are for compiling; leave them out with --programs prebuilt "
            "and --program"
        )
    if toolchain == "retro68":
        folder, _ = retro68_folder(None)
        for family in _RETRO68_FAMILIES:
            wanted.setdefault(family, str(retro68_compiler(folder, family).absolute()))
    changes = {variable_of(family): command for family, command in wanted.items()}
    if toolchain == "gcc":
        changes[RETRO68] = ""
    before = {name: os.environ.get(name) for name in changes}
    os.environ.update(changes)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
