"""``macproof verify``: run every program of a case on scenes and compare with the reference."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from rich.console import Console
from rich.progress import TaskID

from emu.base.files import write_whole
from emu.base.processes.workers import Workers
from emu.cases.case import Case
from emu.cases.files.places import find_cases
from emu.cases.find import load_case
from emu.cases.programs.other_program import select_against
from emu.cases.programs.selection import Selection
from emu.commands.interface.checks import add_checks_option
from emu.commands.interface.options import (
    add_budget_option,
    add_code_option,
    add_engine_option,
    add_layouts_option,
    add_program_options,
    add_sanitize_option,
    add_scene_options,
    files_of_cases,
    require_one_case,
    select_on_engines,
    with_budget,
)
from emu.commands.interface.outputs import (
    add_report_options,
    output_file,
    report_files,
    report_places,
)
from emu.commands.interface.overwriting import places_of, refuse_overwriting
from emu.commands.interface.progress import counted_progress
from emu.report.document import Document
from emu.report.forms.terminal import print_document, print_line
from emu.report.forms.write import write_documents
from emu.timing.old_and_new import cycles_beside, require_other_program
from emu.verify.documents.coverage_document import covered_of
from emu.verify.documents.document import document_of
from emu.verify.documents.summary import line_of, summary_of
from emu.verify.report.lcov import lcov_of
from emu.verify.report.report import VerifyReport
from emu.verify.runs.coverage import path_of_source, texts_of
from emu.verify.runs.verdicts import INCONCLUSIVE, REFUTED, VERIFIED, worst
from emu.verify.scenes.scene_plan import plan_scenes
from emu.verify.verification import Verification, verify, verify_each

EXIT_CODES = {VERIFIED: 0, REFUTED: 1, INCONCLUSIVE: 4}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("cases", nargs="*", metavar="CASE", help="case name, folder or file")
    add_program_options(parser)
    add_code_option(parser)
    add_sanitize_option(parser)
    add_layouts_option(parser)
    add_engine_option(parser)
    add_scene_options(parser)
    add_checks_option(parser, is_verdict=True)
    add_budget_option(parser)
    parser.add_argument(
        "--against",
        metavar="WHAT",
        help="compare with another program of the case in place of its reference: a processor, a "
        "build, a source file or a program",
    )
    parser.add_argument(
        "--cycles",
        action="store_true",
        default=None,
        help="tell the cycles of calls beside those of the program that says what is right, by "
        "function, by the cycle model of each processor",
    )
    add_report_options(parser)
    parser.add_argument(
        "--coverage", action="store_true", help="tell which lines and branches were executed"
    )
    parser.add_argument(
        "--lcov",
        type=output_file,
        metavar="FILE",
        help="write the executed lines and branches as a tracefile of LCOV; implies --coverage",
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Verify each case; the worst verdict decides the exit code.

    Of several cases, a verified one is printed as one line, any other with its whole table.
    """
    names = arguments.cases or [str(path) for path in find_cases()]
    require_one_case(names, arguments, ("source", "program", "against", "cycles"))
    cases = [with_budget(load_case(name), arguments) for name in names]
    outputs = (*report_places(arguments), *places_of(arguments, "lcov"))
    refuse_overwriting(outputs, files_of_cases(cases, arguments))
    reports: list[VerifyReport] = []
    documents: list[Document] = []
    traces: list[str] = []
    covers = arguments.coverage or arguments.lcov is not None
    with Workers(arguments.jobs) as workers:
        for selection, verification in _verified(cases, arguments, workers, coverage=covers):
            reports.append(_with_cycles(selection, verification.report, arguments, workers))
            documents.append(_document(selection, reports[-1], is_drawn=arguments.html is not None))
            traces.append(lcov_of(reports[-1], partial(path_of_source, selection)))
            if not arguments.quiet:
                is_short = len(cases) > 1 and not arguments.verbose
                _print(reports[-1], console, is_short=is_short, verbose=arguments.verbose)
    write_documents(documents, report_files(arguments))
    if arguments.lcov is not None:
        write_whole(arguments.lcov, "".join(traces).encode("utf-8", "surrogateescape"))
    if len(cases) > 1 and not arguments.quiet:
        console.print()
        print_document(summary_of(reports), console)
    return EXIT_CODES[worst(report.verdict for report in reports)]


def _verified(
    cases: Sequence[Case], arguments: argparse.Namespace, workers: Workers, *, coverage: bool
) -> Iterator[tuple[Selection, Verification]]:
    """Verify cases, with a progress bar for each that is under way."""
    if len(cases) == 1:
        selection = select_on_engines(cases[0], arguments)
        if arguments.against is not None:
            selection = select_against(selection, arguments.against, arguments.source)
        if arguments.cycles:
            require_other_program(selection.case)
        yield (
            selection,
            verify_with_bar(
                selection, arguments, workers, coverage=coverage, checks=arguments.checks
            ),
        )
        return
    with counted_progress(arguments, "calls") as progress:
        tasks: dict[str, TaskID] = {}

        def advance(case: Case, more: int, calls: int) -> None:
            progress.update(tasks[case.name], advance=more, total=calls)

        def selections() -> Iterator[Selection]:
            for case in cases:
                selection = select_on_engines(case, arguments)
                tasks[case.name] = progress.add_task(case.name, total=None)
                yield selection

        for selection, verification in verify_each(
            selections(),
            workers,
            scenes=arguments.scenes,
            seed=arguments.seed,
            objects=arguments.objects,
            coverage=coverage,
            checks=arguments.checks,
            command=arguments.command_line,
            on_progress=advance,
        ):
            progress.remove_task(tasks[selection.case.name])
            yield selection, verification


def _with_cycles(
    selection: Selection, report: VerifyReport, arguments: argparse.Namespace, workers: Workers
) -> VerifyReport:
    """The report with cycles of the old and of the new programs, if that is asked for."""
    if not arguments.cycles:
        return report
    case = selection.case
    count = case.scene_count if arguments.scenes is None else arguments.scenes
    specs = plan_scenes(case, count, arguments.seed, arguments.objects)
    return replace(report, cycles=cycles_beside(case, selection.subjects, specs, workers))


def _document(selection: Selection, report: VerifyReport, *, is_drawn: bool) -> Document:
    """The document of a case; what is drawn has pictures and annotated sources, too."""
    if not is_drawn:
        return document_of(report)
    from emu.verify.explain.failure_figures import (
        failure_figures,  # loaded only where something is drawn
    )

    figures = failure_figures(selection.case, selection.subjects, report)
    covered = [files for _, files in covered_of(report)]
    return document_of(report, figures, texts_of(selection, covered) if covered else None)


def _print(report: VerifyReport, console: Console, *, is_short: bool, verbose: bool) -> None:
    document = document_of(report)
    if is_short and report.verdict == VERIFIED and document.outcome is not None:
        print_line(document.outcome, line_of(report), console)
    else:
        print_document(document, console, verbose=verbose)


def verify_with_bar(
    selection: Selection,
    arguments: argparse.Namespace,
    workers: Workers | None = None,
    *,
    coverage: bool = False,
    checks: str | None = None,
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
            coverage=coverage,
            checks=checks,
            command=arguments.command_line,
            on_progress=lambda more, calls: progress.update(task, advance=more, total=calls),
        )
