"""``macproof domain``: search for the inputs for which a routine is correct and safe."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console

from emu.cases.case import DEFAULT_SEED
from emu.commands.interface.numbers import add_jobs_option, add_number_option
from emu.commands.interface.options import (
    add_case_argument,
    add_program_options,
    add_sanitize_option,
    chosen_case,
    files_of_cases,
    select,
)
from emu.commands.interface.outputs import (
    add_report_options,
    output_folder,
    publish,
    report_places,
)
from emu.commands.interface.overwriting import refuse_overwriting
from emu.commands.interface.progress import counted_progress
from emu.search.domain.document import domain_document
from emu.search.domain.report import FOUND, NOT_INSIDE, NOTHING, SAFE_ONLY, UNFINISHED
from emu.search.domain.search import DEFAULT_EXECUTIONS, DEFAULT_SCENES, domain

EXIT_CODES = {FOUND: 0, NOT_INSIDE: 1, NOTHING: 4, UNFINISHED: 4, SAFE_ONLY: 4}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_case_argument(parser)
    add_program_options(parser)
    add_sanitize_option(parser)
    add_number_option(parser, "--scenes", DEFAULT_SCENES, "how many scenes a box has to hold on")
    add_number_option(
        parser,
        "--executions",
        DEFAULT_EXECUTIONS,
        "a search of a program runs no more than N scenes",
    )
    add_number_option(parser, "--seed", DEFAULT_SEED, "seed of chance")
    parser.add_argument(
        "--folder",
        type=output_folder,
        metavar="FOLDER",
        help="write the scenes just outside of the box there (default: domain/CASE)",
    )
    add_jobs_option(parser)
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Search; the verdict decides the exit code."""
    case = chosen_case(arguments)
    folder = arguments.folder or Path("domain") / case.name
    refuse_overwriting(report_places(arguments), files_of_cases([case], arguments))
    selection = select(case, arguments, builds=arguments.build or [case.usual_build()])
    with counted_progress(arguments, "programs") as progress:
        task = progress.add_task(case.name, total=len(selection.subjects))
        report = domain(
            selection,
            folder,
            scenes=arguments.scenes,
            executions=arguments.executions,
            seed=arguments.seed,
            jobs=arguments.jobs,
            command=arguments.command_line,
            on_progress=lambda done: progress.update(task, completed=done),
        )
    document = domain_document(report, folder)
    publish(document, arguments, console)
    return EXIT_CODES[report.verdict]
