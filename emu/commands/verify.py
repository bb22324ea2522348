"""``macproof verify``: the main job."""

from __future__ import annotations

import argparse
import time

from rich.console import Console

from emu.base.errors import UsageError
from emu.base.files import write_whole
from emu.base.workers import Workers
from emu.cases.case import find_cases, load_case, read_case
from emu.cases.programs import Selection
from emu.commands.options import (
    add_program_options,
    add_scene_options,
    require_one_case,
    scenes,
    select,
)
from emu.commands.outputs import output_file
from emu.commands.progress import counted_progress
from emu.evidence.junit import to_junit
from emu.evidence.markdown import to_markdown
from emu.evidence.report import Report, make_report, to_json
from emu.evidence.terminal import print_line, print_report, print_summary
from emu.verify.schedule import INCONCLUSIVE, REFUTED, VERIFIED, verify

EXIT_CODES = {VERIFIED: 0, REFUTED: 1, INCONCLUSIVE: 4}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("cases", nargs="*", metavar="CASE", help="case name, folder or file")
    add_program_options(parser)
    add_scene_options(parser)
    for form in ("json", "junit", "markdown"):
        parser.add_argument(
            f"--{form}", type=output_file, metavar="FILE", help=f"write the report as {form}"
        )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Verify each case; the worst verdict decides the exit code.

    Of several cases those that are verified get a line each, any other its whole table.
    """
    names = arguments.cases or [read_case(path).name for path in find_cases()]
    require_one_case(names, arguments)
    forms = {"json": to_json, "junit": to_junit, "markdown": to_markdown}
    if len(names) > 1 and any(getattr(arguments, form) for form in forms):
        raise UsageError("a report file holds one case; name one")
    reports = []
    with Workers(arguments.jobs) as workers:
        for name in names:
            selection = select(load_case(name), arguments)
            report = verify_selection(selection, arguments, workers)
            if not arguments.quiet:
                whole = len(names) == 1 or arguments.verbose or report["verdict"] != VERIFIED
                say = print_report if whole else print_line
                say(report, console, verbose=arguments.verbose)
            for form, render in forms.items():
                path = getattr(arguments, form)
                if path is not None:
                    write_whole(path, render(report).encode("utf-8", "backslashreplace"))
            reports.append(report)
    if len(names) > 1 and not arguments.quiet:
        print_summary(reports, console)
    codes = {EXIT_CODES[report["verdict"]] for report in reports}
    return next((code for code in (1, 4) if code in codes), 0)


def verify_selection(
    selection: Selection, arguments: argparse.Namespace, workers: Workers | None = None
) -> Report:
    """Run a selection on the scenes asked for; its report."""
    specs = scenes(selection.case, arguments)
    subjects = selection.subjects
    began = time.monotonic()
    with counted_progress(arguments, "calls") as progress:
        task = progress.add_task(selection.case.name, total=len(specs) * len(subjects))
        results = verify(
            selection.case,
            subjects,
            specs,
            jobs=arguments.jobs,
            workers=workers,
            on_progress=lambda count: progress.advance(task, count),
        )
    return make_report(
        selection.case,
        selection.built,
        results,
        specs,
        source=selection.source,
        provision=selection.note,
        not_run=selection.not_run,
        command=["macproof", *arguments.words],
        seconds=time.monotonic() - began,
    )
