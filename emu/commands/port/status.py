"""``macproof port status``: say how far a port is."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console

from emu.base.files import write_whole
from emu.commands.interface.outputs import add_report_options, output_file, publish, report_places
from emu.commands.interface.overwriting import places_of, refuse_overwriting
from emu.commands.port.project_option import add_project, files_of_project
from emu.port.project.project import read_project
from emu.port.status.badge import status_svg
from emu.port.status.difference import changes, read_status
from emu.port.status.documents import status_document
from emu.port.status.table import survey_port


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_project(parser)
    parser.add_argument(
        "--svg", type=output_file, metavar="FILE", help="draw a bar of the states for a README"
    )
    parser.add_argument(
        "--diff",
        type=Path,
        metavar="FILE",
        help="compare with an earlier --json of this command; the exit code is 1 if something "
        "became worse",
    )
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Say it; the exit code is 1 if something became worse since --diff."""
    project = read_project(arguments.port)
    read = [*files_of_project(project), *places_of(arguments, "diff")]
    refuse_overwriting([*report_places(arguments), *places_of(arguments, "svg")], read)
    survey = survey_port(project)
    found = None
    if arguments.diff is not None:
        found = changes(read_status(arguments.diff), survey.status)
    publish(status_document(survey, found), arguments, console)
    if arguments.svg is not None:
        write_whole(arguments.svg, status_svg(survey.status).encode())
    return int(any(change.is_worse for change in found or ()))
