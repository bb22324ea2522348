"""``macproof port match``: propose where functions and globals lie in the old program."""

from __future__ import annotations

import argparse
from dataclasses import replace

from rich.console import Console

from emu.base.errors import UsageError
from emu.commands.interface.outputs import add_report_options, publish, report_places
from emu.commands.interface.overwriting import refuse_overwriting
from emu.commands.port.project_option import add_project, files_of_project
from emu.port.match.answer import CERTAIN, NAMED, UNCERTAIN
from emu.port.match.document import match_document
from emu.port.match.match import MatchSources, match, without_names
from emu.port.match.written_marks import write_marks
from emu.port.project.project import read_project


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_project(parser)
    parser.add_argument(
        "--write",
        action="store_true",
        help="write the certain places as marks into the sources, above the definitions",
    )
    parser.add_argument(
        "--all", action="store_true", help="of --write: also those that are not certain"
    )
    parser.add_argument(
        "--without-names",
        action="store_true",
        help="do as if the old program had no names of functions, to see how good proposals are",
    )
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Propose them; the exit code is 0.

    Raises:
        UsageError: ``--all`` without ``--write``.
    """
    if arguments.all and not arguments.write:
        raise UsageError("--all is about --write; without it, nothing is written")
    project = read_project(arguments.port)
    refuse_overwriting(report_places(arguments), files_of_project(project))
    program = project.read_original()
    sources = MatchSources.of(project)
    report = match(without_names(program) if arguments.without_names else program, sources)
    if arguments.write:
        certainties = (NAMED, CERTAIN, *((UNCERTAIN,) if arguments.all else ()))
        written = write_marks(report.proposals, certainties, sources.named())
        report = replace(
            report,
            files_changed=tuple(sources.name(path) for path in written.files),
            not_written=written.left_out,
        )
    publish(match_document(report), arguments, console)
    return 0
