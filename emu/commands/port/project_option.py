"""What commands about a port take from the command line, and the files that they read."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from emu.base.errors import UsageError
from emu.commands.interface.numbers import whole_number
from emu.commands.interface.overwriting import NamedFile
from emu.port.project.project import Project
from emu.program.mac_file.mac_file import host_files
from emu.toolchain.builds import BUILDS


def add_project(parser: argparse.ArgumentParser) -> None:
    """Declare the folder of a port."""
    parser.add_argument(
        "port",
        nargs="?",
        type=Path,
        default=Path(),
        metavar="DIR",
        help="the folder with port.yaml, or that file (default: the current folder)",
    )


def add_scripts(parser: argparse.ArgumentParser) -> None:
    """Declare the scripts that play the old program."""
    parser.add_argument(
        "--script",
        action="append",
        type=Path,
        default=[],
        metavar="FILE",
        help="what the user does; may be repeated (default: the scripts of port.yaml)",
    )


def scripts_of(arguments: argparse.Namespace, project: Project) -> tuple[Path, ...]:
    """The scripts that the command line names, or else the port.

    Raises:
        UsageError: there are none.
    """
    scripts = tuple(arguments.script) or project.scripts
    if not scripts:
        raise UsageError(
            f"{project.path}: it names no scripts; say what the user does with --script FILE "
            "(macproof run --describe helps to write one)"
        )
    return scripts


def add_functions(parser: argparse.ArgumentParser, text: str) -> None:
    """Declare which functions are meant; ``text`` says what is done with them."""
    parser.add_argument("--function", action="append", default=[], metavar="FUNCTION", help=text)


def add_build(parser: argparse.ArgumentParser) -> None:
    """Declare how the new source is compiled."""
    parser.add_argument(
        "--build",
        choices=list(BUILDS),
        default="O2",
        help="how the new source is compiled (default: O2)",
    )


def add_call(parser: argparse.ArgumentParser, text: str) -> None:
    """Declare which recorded call is meant; ``text`` says what is done with it."""
    parser.add_argument("--call", type=_call_number, default=0, metavar="N", help=text)


def _call_number(text: str) -> int:
    number = whole_number(text)
    if not number:
        raise argparse.ArgumentTypeError("calls are counted from 1")
    return number


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Declare the seed of changes."""
    parser.add_argument(
        "--seed", type=int, default=1, help="the same seed makes the same changes (default: 1)"
    )


def files_of_project(project: Project) -> Iterator[NamedFile]:
    """The files of a port, which no report may take the place of."""
    yield NamedFile("the port", project.path)
    yield from (NamedFile("the original", path) for path in host_files(project.original))
    for path in (*project.marked_files, *project.scripts):
        yield NamedFile(f"the file {path.name}", path)
