"""``macproof fuzz``: change scenes at random, and keep those on which a program fails."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console

from emu.commands.interface.checks import add_checks_option
from emu.commands.interface.numbers import add_number_option, whole_number
from emu.commands.interface.options import (
    add_case_argument,
    add_program_options,
    add_sanitize_option,
    add_scene_options,
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
from emu.search.fuzz.report import FOUND, NOTHING_FOUND, NOTHING_TRIED
from emu.search.fuzz.search import DEFAULT_EXECUTIONS, fuzz

EXIT_CODES = {NOTHING_FOUND: 0, FOUND: 1, NOTHING_TRIED: 4}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_case_argument(parser)
    add_program_options(parser)
    add_sanitize_option(parser)
    add_checks_option(parser)
    add_scene_options(parser)
    add_number_option(
        parser,
        "--executions",
        DEFAULT_EXECUTIONS,
        "no new round, of 128 scenes, begins after N scenes were run",
    )
    parser.add_argument(
        "--seconds",
        type=whole_number,
        metavar="S",
        help="no new round begins after S seconds of processor time (default: no limit)",
    )
    parser.add_argument(
        "--within", action="store_true", help="leave out scenes that the reference refuses"
    )
    parser.add_argument(
        "--folder",
        type=output_folder,
        metavar="FOLDER",
        help="write corpus and findings there, and go on with those that are there (default: "
        "fuzz/CASE)",
    )
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Search; 1 if anything was found, 4 if nothing was tried."""
    case = chosen_case(arguments)
    folder = arguments.folder or Path("fuzz") / case.name
    refuse_overwriting(report_places(arguments), files_of_cases([case], arguments))
    selection = select(case, arguments, builds=arguments.build or [case.usual_build()])
    with counted_progress(arguments, "scenes") as progress:
        task = progress.add_task(case.name, total=None)
        search = fuzz(
            case,
            selection,
            folder=folder,
            executions=arguments.executions,
            seconds=float("inf") if arguments.seconds is None else arguments.seconds,
            seed=arguments.seed,
            scenes=arguments.scenes,
            objects=arguments.objects,
            within=arguments.within,
            checks=arguments.checks,
            jobs=arguments.jobs,
            command=arguments.command_line,
            on_progress=lambda done, _: progress.update(task, completed=done),
        )
    publish(search.document, arguments, console)
    return EXIT_CODES[search.verdict]
