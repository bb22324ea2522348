"""``macproof port bundle``: pack a port into one file that macproof replay runs elsewhere."""

from __future__ import annotations

import argparse

from rich.console import Console

from emu.commands.interface.outputs import output_file
from emu.commands.interface.overwriting import places_of, refuse_overwriting
from emu.commands.port.project_option import add_project, files_of_project
from emu.port.project.project import read_project
from emu.port.status.bundle import write_bundle
from emu.report.forms.terminal import say


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("bundle", type=output_file, metavar="FILE", help="the file to write")
    add_project(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Write it; the exit code is 0."""
    project = read_project(arguments.port)
    refuse_overwriting(places_of(arguments, "bundle"), files_of_project(project))
    bundle = write_bundle(project, arguments.bundle)
    if not arguments.quiet:
        say(
            console,
            f"{arguments.bundle} written: {len(bundle.files):,} files, "
            f"{len(bundle.verdicts):,} verdicts, {len(bundle.cases):,} cases, "
            f"{len(bundle.receipts):,} receipts. Neither the original nor recordings are in it.",
        )
    return 0
