"""``macproof selfcheck``: break a routine on purpose, and show what its scenes do not find out."""

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
    add_scene_options,
    select,
    source_files,
    whole_number,
)
from emu.commands.interface.outputs import add_report_options, report_files, report_places
from emu.commands.interface.overwriting import (
    NamedFile,
    places_of,
    places_of_case,
    refuse_overwriting,
)
from emu.commands.interface.progress import counted_progress
from emu.report.forms.terminal import print_document
from emu.report.forms.write import write_documents
from emu.search.selfcheck.equivalent import read_equivalents
from emu.search.selfcheck.report import INCONCLUSIVE, KILLED, SURVIVED
from emu.search.selfcheck.selfcheck import selfcheck, usual_build, usual_cpus

EXIT_CODES = {KILLED: 0, SURVIVED: 1, INCONCLUSIVE: 4}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("case", nargs="?", metavar="CASE", help="case name, folder or file")
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
    case = load_case(arguments.case) if arguments.case else default_case()
    refuse_overwriting(report_places(arguments), _read(case, arguments))
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
    document = check.document
    write_documents([document], report_files(arguments))
    if not arguments.quiet:
        print_document(document, console, verbose=arguments.verbose)
    return EXIT_CODES[check.verdict]


def _read(case: Case, arguments: argparse.Namespace) -> Iterator[NamedFile]:
    yield from places_of(arguments, "program", "equivalent")
    for path in source_files(arguments.source):
        yield NamedFile("--source", path)
    yield from places_of_case(case, f"case {case.name}", f"the source of {case.name}")
