"""``macproof port run``: the old program with all new functions at once, beside it alone."""

from __future__ import annotations

import argparse

from rich.console import Console

from emu.commands.interface.outputs import add_report_options, publish, report_places
from emu.commands.interface.overwriting import NamedFile, refuse_overwriting
from emu.commands.port.project_option import (
    add_build,
    add_functions,
    add_project,
    add_scripts,
    files_of_project,
    scripts_of,
)
from emu.machine.guest_process import run_apart
from emu.port.hybrid.documents import exit_code, hybrid_document
from emu.port.hybrid.hybrid import HybridRequest, run_hybrid
from emu.port.project.project import read_project


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_project(parser)
    add_scripts(parser)
    add_functions(
        parser,
        "make only this function new, by its name or place; may be repeated (default: all that are "
        "verified)",
    )
    parser.add_argument(
        "--all", action="store_true", help="take functions that are not verified as well"
    )
    parser.add_argument(
        "--bisect", action="store_true", help="trace a difference to the functions that cause it"
    )
    add_build(parser)
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Play the scripts; 0 if the hybrid does the same, 1 if not, 4 if there is no verdict."""
    project = read_project(arguments.port)
    read = [NamedFile("--script", script) for script in arguments.script]
    refuse_overwriting(report_places(arguments), [*files_of_project(project), *read])
    request = HybridRequest(
        project,
        scripts_of(arguments, project),
        tuple(arguments.function),
        is_any=arguments.all,
        build=arguments.build,
        bisect=arguments.bisect,
    )
    report = run_apart(run_hybrid, request, program=project.original.name)
    publish(hybrid_document(report), arguments, console)
    return exit_code(report)
