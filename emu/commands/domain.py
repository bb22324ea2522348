"""``macproof domain``: search for the inputs for which a routine is correct and safe."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from emu.cases.case import DEFAULT_SEED, Case
from emu.cases.find import default_case, load_case
from emu.commands.interface.options import (
    add_jobs_option,
    add_program_options,
    add_sanitize_option,
    select,
    source_files,
    whole_number,
)
from emu.commands.interface.outputs import (
    add_report_options,
    output_folder,
    report_files,
    report_places,
)
from emu.commands.interface.overwriting import (
    NamedFile,
    places_of,
    places_of_case,
    refuse_overwriting,
)
from emu.commands.interface.progress import counted_progress
from emu.report.forms.terminal import print_document
from emu.report.forms.write import write_documents
from emu.search.domain.document import domain_document
from emu.search.domain.report import FOUND, NOT_INSIDE, NOTHING, SAFE_ONLY, UNFINISHED
from emu.search.domain.search import DEFAULT_EXECUTIONS, DEFAULT_SCENES, domain

EXIT_CODES = {FOUND: 0, NOT_INSIDE: 1, NOTHING: 4, UNFINISHED: 4, SAFE_ONLY: 4}
_USUAL_BUILD = "O2"


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("case", nargs="?", metavar="CASE", help="case name, folder or file")
    add_program_options(parser)
    add_sanitize_option(parser)
    parser.add_argument(
        "--scenes",
        type=whole_number,
        default=DEFAULT_SCENES,
        metavar="N",
        help=f"how many scenes a box has to hold on (default: {DEFAULT_SCENES})",
    )
    parser.add_argument(
        "--executions",
        type=whole_number,
        default=DEFAULT_EXECUTIONS,
        metavar="N",
        help=f"a search of a program runs no more than N scenes (default: {DEFAULT_EXECUTIONS})",
    )
    parser.add_argument(
        "--seed",
        type=whole_number,
        default=DEFAULT_SEED,
        metavar="N",
        help=f"seed of chance (default: {DEFAULT_SEED})",
    )
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
    case = load_case(arguments.case) if arguments.case else default_case()
    folder = arguments.folder or Path("domain") / case.name
    refuse_overwriting(report_places(arguments), _read(case, arguments))
    usual = _USUAL_BUILD if _USUAL_BUILD in case.builds else next(iter(case.builds))
    selection = select(case, arguments, builds=arguments.build or [usual])
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
    write_documents([document], report_files(arguments))
    if not arguments.quiet:
        print_document(document, console, verbose=arguments.verbose)
    return EXIT_CODES[report.verdict]


def _read(case: Case, arguments: argparse.Namespace) -> Iterator[NamedFile]:
    yield from places_of(arguments, "program")
    for path in source_files(arguments.source):
        yield NamedFile("--source", path)
    yield from places_of_case(case, f"case {case.name}", f"the source of {case.name}")
