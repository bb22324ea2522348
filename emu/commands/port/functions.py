"""``macproof port functions``: list the functions of the old program, and what to port next."""

from __future__ import annotations

import argparse

from rich.console import Console

from emu.commands.interface.outputs import add_report_options, publish, report_places
from emu.commands.interface.overwriting import refuse_overwriting
from emu.commands.port.project_option import add_project, files_of_project
from emu.port.project.project import read_project
from emu.port.status.documents import functions_document
from emu.port.status.table import survey_port


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_project(parser)
    parser.add_argument(
        "--disassemble",
        action="append",
        default=[],
        metavar="FUNCTION",
        help="show the instructions of a function beside its new source, by its name or place; may "
        "be repeated",
    )
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """List them; the exit code is 0."""
    project = read_project(arguments.port)
    refuse_overwriting(report_places(arguments), files_of_project(project))
    publish(functions_document(survey_port(project), arguments.disassemble), arguments, console)
    return 0
