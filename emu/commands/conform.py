"""``macproof conform``: hold the engine's instructions against public test vectors."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from rich.console import Console

from emu.commands.interface.numbers import add_jobs_option, add_number_option
from emu.commands.interface.outputs import add_report_options, publish, report_places
from emu.commands.interface.overwriting import NamedFile, refuse_overwriting
from emu.engines.conformity.conform import conform, find_vectors
from emu.engines.conformity.document import NOT_EXECUTED, RIGHT, WRONG, conformity_document
from emu.machine.engine.base.models import describe_engine

EXIT_CODES = {RIGHT: 0, WRONG: 1, NOT_EXECUTED: 4}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "vectors",
        nargs="+",
        type=Path,
        metavar="PATH",
        help="files with test vectors, or folders with such files: those of SingleStepTests/m68000 "
        "and of DingusPPC",
    )
    add_number_option(parser, "--most", 0, "vectors of each instruction; 0 for all")
    add_jobs_option(parser)
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Execute the vectors; 1 if a result is wrong, 4 if one cannot be executed."""
    began = time.monotonic()
    found = find_vectors(arguments.vectors)
    files = [NamedFile("the vectors", path) for paths in found.values() for path in paths]
    refuse_overwriting(report_places(arguments), files)
    document = conformity_document(
        conform(found, arguments.most, arguments.jobs),
        engine=describe_engine(),
        command=arguments.command_line,
        seconds=time.monotonic() - began,
    )
    publish(document, arguments, console, names_files=True)
    return EXIT_CODES[document.data.verdict]
