"""``macproof fuzz``: change scenes at random, and keep those on which a program fails."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from emu.cases.case import Case
from emu.cases.find import default_case, load_case
from emu.commands.interface.options import (
    add_checks_option,
    add_program_options,
    add_sanitize_option,
    add_scene_options,
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
from emu.search.fuzz.report import FOUND, NOTHING_FOUND, NOTHING_TRIED
from emu.search.fuzz.search import DEFAULT_EXECUTIONS, fuzz, usual_build

EXIT_CODES = {NOTHING_FOUND: 0, FOUND: 1, NOTHING_TRIED: 4}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("case", nargs="?", metavar="CASE", help="case name, folder or file")
    add_program_options(parser)
    add_sanitize_option(parser)
    add_checks_option(parser)
    add_scene_options(parser)
    parser.add_argument(
        "--executions",
        type=whole_number,
        default=DEFAULT_EXECUTIONS,
        metavar="N",
        help="no new round, of 64 scenes, begins after N scenes were run "
        f"(default: {DEFAULT_EXECUTIONS})",
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
    case = load_case(arguments.case) if arguments.case else default_case()
    folder = arguments.folder or Path("fuzz") / case.name
    refuse_overwriting(report_places(arguments), _read(case, arguments))
    selection = select(case, arguments, builds=arguments.build or [usual_build(case)])
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
    document = search.document
    write_documents([document], report_files(arguments))
    if not arguments.quiet:
        print_document(document, console, verbose=arguments.verbose)
    return EXIT_CODES[search.verdict]


def _read(case: Case, arguments: argparse.Namespace) -> Iterator[NamedFile]:
    yield from places_of(arguments, "program")
    for path in source_files(arguments.source):
        yield NamedFile("--source", path)
    yield from places_of_case(case, f"case {case.name}", f"the source of {case.name}")
