"""``macproof port export``: write a case whose scenes are recorded calls of a function."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console

from emu.commands.interface.outputs import add_report_options, publish, report_places
from emu.commands.interface.overwriting import refuse_overwriting
from emu.commands.port.project_option import add_project, files_of_project
from emu.port.carry.documents import export_document
from emu.port.carry.export import CaseExporter
from emu.port.original.session import SessionTerms
from emu.port.project.project import read_project
from emu.port.recording.recordings import open_store
from emu.port.verify.verifier import build_port, claimed


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
    terms = SessionTerms(project.original, project.cpu)
    with open_store(project, terms) as store:
        case = CaseExporter(port, store, terms).export(function, arguments.to)
    publish(export_document(case), arguments, console)
    return 0
