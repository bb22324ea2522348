"""``macproof port explain``: what a refuted function does differently first."""

from __future__ import annotations

import argparse

from rich.console import Console

from emu.base.errors import UsageError
from emu.commands.interface.numbers import whole_number
from emu.commands.interface.outputs import add_report_options, publish, report_places
from emu.commands.interface.overwriting import refuse_overwriting
from emu.commands.port.project_option import (
    add_build,
    add_call,
    add_project,
    add_seed,
    files_of_project,
)
from emu.port.explain.documents import explanation_document
from emu.port.explain.request import ExplainTerms, explain_port
from emu.port.project.project import read_project
from emu.port.verify.terms import VaryTerms
from emu.report.forms.terminal import say


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("function", metavar="FUNCTION", help="its name or place")
    add_project(parser)
    add_call(parser, "explain this recorded call, by its number (default: the first that differs)")
    add_build(parser)
    parser.add_argument(
        "--vary",
        type=whole_number,
        default=0,
        metavar="N",
        help="if no recorded call differs, look for a difference among N changed ones",
    )
    add_seed(parser)
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Explain; 1 if there is a difference, 0 if there is none, 4 if nothing was compared."""
    if arguments.call and arguments.vary:
        raise UsageError("--call and --vary exclude each other: a changed call has no number")
    project = read_project(arguments.port)
    refuse_overwriting(report_places(arguments), files_of_project(project))
    vary = VaryTerms(arguments.vary, arguments.seed) if arguments.vary else None
    terms = ExplainTerms(arguments.build, arguments.call, vary, arguments.port)
    outcome = explain_port(project, arguments.function, terms)
    if outcome.explanation is None:
        if not arguments.quiet:
            say(console, f"Nothing to explain: {outcome.remark}.")
        return 0 if outcome.compared else 4
    publish(explanation_document(outcome.explanation), arguments, console)
    return 1
