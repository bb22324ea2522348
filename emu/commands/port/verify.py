"""``macproof port verify``: make recorded calls on the old and the new functions, and compare."""

from __future__ import annotations

import argparse

from rich.console import Console

from emu.commands.interface.numbers import add_jobs_option, whole_number
from emu.commands.interface.outputs import add_report_options, publish, report_places
from emu.commands.interface.overwriting import refuse_overwriting
from emu.commands.port.project_option import add_build, add_functions, add_project, files_of_project
from emu.port.project.project import read_project
from emu.port.verify.changed_calls import VaryTerms
from emu.port.verify.documents import exit_code, verify_document
from emu.port.verify.judgement import VerifyTerms, verify_port


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
    parser.add_argument(
        "--seed",
        type=whole_number,
        default=1,
        metavar="N",
        help="the same seed makes the same changes (default: 1)",
    )
    parser.add_argument(
        "--changed",
        action="store_true",
        help="judge only functions whose source, headers, recorded calls or options have changed "
        "since their verdicts",
    )
    parser.add_argument(
        "--together",
        action="store_true",
        help="let new functions call new functions (default: the old ones)",
    )
    add_jobs_option(parser)
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Verify; the exit code is that of the worst verdict."""
    project = read_project(arguments.port)
    refuse_overwriting(report_places(arguments), files_of_project(project))
    vary = None if arguments.vary is None else VaryTerms(arguments.vary, arguments.seed)
    terms = VerifyTerms(
        arguments.build, vary, arguments.together, arguments.changed, arguments.jobs
    )
    report = verify_port(project, arguments.function, terms)
    publish(verify_document(report), arguments, console)
    return exit_code(report)
