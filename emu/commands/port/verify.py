"""``macproof port verify``: make recorded calls on the old and the new functions, and compare."""

from __future__ import annotations

import argparse

from rich.console import Console

from emu.base.errors import UsageError
from emu.commands.interface.options import whole_number
from emu.commands.interface.outputs import add_report_options, publish, report_places
from emu.commands.interface.overwriting import refuse_overwriting
from emu.commands.port.project_option import (
    add_build,
    add_call,
    add_functions,
    add_project,
    add_seed,
    files_of_project,
)
from emu.port.original.session import SessionTerms
from emu.port.project.project import read_project
from emu.port.recording.recordings import open_store
from emu.port.status.verdicts import write_verdicts
from emu.port.verify.changed_calls import ChangedCalls, VaryTerms
from emu.port.verify.documents import PortVerifyReport, exit_code, verify_document
from emu.port.verify.verifier import PortVerifier, build_port, claimed


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_project(parser)
    add_functions(parser, "judge this function only, by its name or place; may be repeated")
    add_build(parser)
    parser.add_argument(
        "--vary",
        type=whole_number,
        default=None,
        metavar="N",
        help="compare N changed calls of each function, too, and tell which blocks of the old one "
        "no call reaches; 0 only tells the blocks",
    )
    add_seed(parser)
    add_call(
        parser,
        "make only this call of the one --function, by its number; its verdict is not kept",
    )
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Verify; the exit code is that of the worst verdict."""
    if arguments.call and (len(arguments.function) != 1 or arguments.vary is not None):
        raise UsageError(
            "--call N is a recorded call of one function: give one --function with it and no --vary"
        )
    project = read_project(arguments.port)
    refuse_overwriting(report_places(arguments), files_of_project(project))
    port = build_port(project, arguments.build)
    functions = claimed(port.claims, arguments.function, project.path)
    terms = SessionTerms(project.original, project.cpu)
    with open_store(project, terms) as store:
        verifier = PortVerifier(port, store, terms)
        verdicts = tuple(verifier.verdicts(functions, arguments.call))
        if arguments.vary is not None:
            changed = ChangedCalls(verifier, VaryTerms(arguments.vary, arguments.seed))
            verdicts = tuple(
                changed.verdict(function, functions, verdict)
                for function, verdict in zip(functions, verdicts, strict=True)
            )
    if not arguments.call:
        write_verdicts(project, verdicts)
    report = PortVerifyReport(project.path.name, arguments.build, verdicts)
    publish(verify_document(report), arguments, console)
    return exit_code(report)
