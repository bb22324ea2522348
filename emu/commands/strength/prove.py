"""``macproof prove``: prove that a routine is right for all inputs."""

from __future__ import annotations

import argparse
import math
import re

from rich.console import Console

from emu.cases.programs.other_program import require_word, select_against
from emu.commands.interface.numbers import whole_number
from emu.commands.interface.options import (
    add_case_argument,
    add_program_options,
    chosen_case,
    files_of_cases,
    select,
)
from emu.commands.interface.outputs import add_report_options, publish, report_places
from emu.commands.interface.overwriting import refuse_overwriting
from emu.commands.interface.progress import counted_progress
from emu.prove.document import proof_document
from emu.prove.prove import DEFAULT_SECONDS, prove
from emu.prove.report import PROVED, REFUTED, UNDECIDED, InputRange

EXIT_CODES = {PROVED: 0, REFUTED: 1, UNDECIDED: 4}

_MOST_SECONDS = 86_400


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_case_argument(parser)
    add_program_options(parser)
    parser.add_argument(
        "--against",
        metavar="WHAT",
        help="prove that it does what another program of the case does: a processor, a build, a "
        "source file or a program",
    )
    parser.add_argument(
        "--seconds",
        type=_seconds,
        default=DEFAULT_SECONDS,
        metavar="N",
        help="give up on a program after so many seconds of processor time "
        f"(default: {DEFAULT_SECONDS:g})",
    )
    parser.add_argument(
        "--rounds",
        type=whole_number,
        metavar="N",
        help="a path may part N times at one instruction, which bounds loops (default: the case's)",
    )
    parser.add_argument(
        "--where",
        action="append",
        type=_range,
        default=[],
        metavar="NAME=LOW..HIGH",
        help="prove it for these values of an input alone; may be repeated (default: the case's)",
    )
    add_report_options(parser)


def _range(text: str) -> InputRange:
    match = re.fullmatch(r"([A-Za-z_]\w*(?:\[\d+\])*)=(-?\d{1,10})\.\.(-?\d{1,10})", text, re.ASCII)
    if match is None or int(match[2]) > int(match[3]):
        raise argparse.ArgumentTypeError(f"{text} is not NAME=LOW..HIGH, such as x=0..671")
    return InputRange(match[1], int(match[2]), int(match[3]))


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= _MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"{text} is not more than 0 and at most {_MOST_SECONDS}")
    return seconds


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Prove; the verdict decides the exit code."""
    case = chosen_case(arguments)
    refuse_overwriting(report_places(arguments), files_of_cases([case], arguments))
    if arguments.against is not None:
        require_word(case, arguments.against)
    selection = select(case, arguments, builds=arguments.build or [case.usual_build()])
    if arguments.against is not None:
        selection = select_against(selection, arguments.against, arguments.source)
    with counted_progress(arguments, "programs") as progress:
        task = progress.add_task(case.name, total=len(selection.subjects))
        report = prove(
            selection,
            seconds=arguments.seconds,
            rounds=arguments.rounds,
            where=arguments.where,
            command=arguments.command_line,
            on_progress=lambda done: progress.update(task, completed=done),
        )
    publish(proof_document(report), arguments, console)
    return EXIT_CODES[report.verdict]
