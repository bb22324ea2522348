"""``macproof selfcheck``: break a routine on purpose, and show what its scenes do not find out."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console

from emu.commands.interface.checks import add_checks_option
from emu.commands.interface.numbers import whole_number
from emu.commands.interface.options import (
    add_case_argument,
    add_program_options,
    add_scene_options,
    chosen_case,
    files_of_cases,
    select,
)
from emu.commands.interface.outputs import add_report_options, publish, report_places
from emu.commands.interface.overwriting import refuse_overwriting
from emu.commands.interface.progress import counted_progress
from emu.search.selfcheck.equivalent import read_equivalents
from emu.search.selfcheck.report import INCONCLUSIVE, KILLED, SURVIVED
from emu.search.selfcheck.selfcheck import selfcheck, usual_build, usual_cpus

EXIT_CODES = {KILLED: 0, SURVIVED: 1, INCONCLUSIVE: 4}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_case_argument(parser)
    add_program_options(parser)
    add_checks_option(parser)
    add_scene_options(parser)
    parser.add_argument(
        "--code",
        dest="on_code",
        action="store_true",
        help="change instructions of the programs, although there are sources",
    )
    parser.add_argument(
        "--limit",
        type=whole_number,
        default=0,
        metavar="N",
        help="try at most N mutants, evenly spread (default: all)",
    )
    parser.add_argument(
        "--equivalent",
        type=Path,
        metavar="FILE",
        help="the list of equivalent mutants (default: equivalent_mutants.yaml beside the case)",
    )
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Try the mutants of a case; the verdict decides the exit code."""
    case = chosen_case(arguments)
    refuse_overwriting(report_places(arguments), files_of_cases([case], arguments, "equivalent"))
    if arguments.equivalent is not None:
        read_equivalents(arguments.equivalent, case.name)
    is_given = case.program is not None or arguments.program is not None
    selection = select(
        case,
        arguments,
        cpus=arguments.cpu if is_given else arguments.cpu or usual_cpus(case),
        builds=arguments.build if is_given else arguments.build or [usual_build(case)],
    )
    with counted_progress(arguments, "steps") as progress:
        task = progress.add_task(case.name, total=None)
        check = selfcheck(
            case,
            selection,
            scenes=arguments.scenes,
            seed=arguments.seed,
            objects=arguments.objects,
            checks=arguments.checks,
            on_code=arguments.on_code,
            limit=arguments.limit,
            equivalent=arguments.equivalent,
            jobs=arguments.jobs,
            command=arguments.command_line,
            on_progress=lambda more, total: progress.update(task, advance=more, total=total),
        )
    publish(check.document, arguments, console)
    return EXIT_CODES[check.verdict]
