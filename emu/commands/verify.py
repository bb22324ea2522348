"""``macproof verify``: run every program of a case on scenes and compare with the reference."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from rich.console import Console

from emu.base.workers import Workers
from emu.cases.case import Case
from emu.cases.find import find_cases, load_case
from emu.cases.programs import Selection
from emu.commands.options import (
    add_engine_option,
    add_program_options,
    add_sanitize_option,
    add_scene_options,
    require_one_case,
    select_on_engines,
    source_files,
)
from emu.commands.outputs import add_report_options, report_files, report_places
from emu.commands.overwriting import NamedFile, places_of, places_of_case, refuse_overwriting
from emu.commands.progress import counted_progress
from emu.report.document import Document
from emu.report.terminal import print_document, print_line
from emu.report.write import write_documents
from emu.verify.document import document_of
from emu.verify.failure_figures import failure_figures
from emu.verify.report import VerifyReport
from emu.verify.summary import line_of, summary_of
from emu.verify.verdicts import INCONCLUSIVE, REFUTED, VERIFIED, worst
from emu.verify.verification import Verification, verify

EXIT_CODES = {VERIFIED: 0, REFUTED: 1, INCONCLUSIVE: 4}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("cases", nargs="*", metavar="CASE", help="case name, folder or file")
    add_program_options(parser)
    add_sanitize_option(parser)
    add_engine_option(parser)
    add_scene_options(parser)
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Verify each case; the worst verdict decides the exit code.

    Of several cases, a verified one is printed as one line, any other with its whole table.
    """
    names = arguments.cases or [str(path) for path in find_cases()]
    require_one_case(names, arguments)
    cases = [load_case(name) for name in names]
    refuse_overwriting(report_places(arguments), _read(cases, arguments))
    reports: list[VerifyReport] = []
    documents: list[Document] = []
    with Workers(arguments.jobs) as workers:
        for case in cases:
            selection = select_on_engines(case, arguments)
            reports.append(verify_with_bar(selection, arguments, workers).report)
            is_drawn = arguments.html is not None
            figures = failure_figures(case, selection.subjects, reports[-1]) if is_drawn else ()
            documents.append(document_of(reports[-1], figures))
            if not arguments.quiet:
                is_short = len(cases) > 1 and not arguments.verbose
                _print(reports[-1], console, is_short=is_short, verbose=arguments.verbose)
    write_documents(documents, report_files(arguments))
    if len(cases) > 1 and not arguments.quiet:
        console.print()
        print_document(summary_of(reports), console)
    return EXIT_CODES[worst(report.verdict for report in reports)]


def _read(cases: Sequence[Case], arguments: argparse.Namespace) -> Iterator[NamedFile]:
    yield from places_of(arguments, "program")
    for path in source_files(arguments.source):
        yield NamedFile("--source", path)
    for case in cases:
        yield from places_of_case(case, f"case {case.name}", f"the source of {case.name}")


def _print(report: VerifyReport, console: Console, *, is_short: bool, verbose: bool) -> None:
    document = document_of(report)
    if is_short and report.verdict == VERIFIED and document.outcome is not None:
        print_line(document.outcome, line_of(report), console)
    else:
        print_document(document, console, verbose=verbose)


def verify_with_bar(
    selection: Selection, arguments: argparse.Namespace, workers: Workers | None = None
) -> Verification:
    """Verify the programs of a selection, with a progress bar."""
    with counted_progress(arguments, "calls") as progress:
        task = progress.add_task(selection.case.name, total=None)
        return verify(
            selection.case,
            selection,
            scenes=arguments.scenes,
            seed=arguments.seed,
            objects=arguments.objects,
            jobs=arguments.jobs,
            workers=workers,
            command=arguments.command_line,
            on_progress=lambda more, calls: progress.update(task, advance=more, total=calls),
        )
