"""``macproof port export``: write a case whose scenes are recorded calls of a function."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console

from emu.commands.interface.outputs import add_report_options, publish, report_places
from emu.commands.interface.overwriting import refuse_overwriting
from emu.commands.port.project_option import add_project, files_of_project
from emu.machine.guest_process import run_apart
from emu.port.carry.documents import export_document
from emu.port.carry.export import export_case
from emu.port.project.project import read_project
from emu.port.verify.build import build_port, claimed


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "function", metavar="FUNCTION", help="a function of the port, by its name or place"
    )
    add_project(parser)
    parser.add_argument(
        "--to",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="the folder of the case, which is made; its name becomes the name of the case",
    )
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Export; the exit code is 0."""
    project = read_project(arguments.port)
    refuse_overwriting(report_places(arguments), files_of_project(project))
    port = build_port(project)
    (function,) = claimed(port.claims, [arguments.function], project.path)
    case = run_apart(export_case, port, function, arguments.to, program=project.original.name)
    publish(export_document(case), arguments, console)
    return 0
