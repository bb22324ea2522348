"""The argument that names a port, and the files that a command about it reads."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from emu.commands.interface.overwriting import NamedFile
from emu.port.project.project import Project
from emu.program.mac_file.mac_file import host_files


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


def files_of_project(project: Project) -> Iterator[NamedFile]:
    """The files of a port, which no report may take the place of."""
    yield NamedFile("the port", project.path)
    yield from (NamedFile("the original", path) for path in host_files(project.original))
    for path in (*project.marked_files, *project.scripts):
        yield NamedFile(f"the file {path.name}", path)
