"""``macproof cases``: show the cases that there are."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console

from emu.base.errors import UsageError
from emu.cases.files.places import words
from emu.commands.interface.outputs import (
    add_report_options,
    publish,
    report_files,
    report_places,
)
from emu.commands.interface.overwriting import NamedFile, refuse_overwriting
from emu.report.forms.write import ReportFiles


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--names",
        action="store_true",
        help="print only what can be typed for a case, one a line, as shells ask for it",
    )
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """List them; 2 if a case file is wrong, which is told with the others."""
    if arguments.names:
        if report_files(arguments) != ReportFiles():
            raise UsageError("--names prints words only; leave out the options that write reports")
        for word in words():
            print(word)
        return 0
    from emu.cases.overview.document import cases_document  # a shell that asks for names waits
    from emu.cases.overview.report import list_cases

    report = list_cases()
    files = [NamedFile(f"the case {case.name}", Path(case.file)) for case in report.cases]
    refuse_overwriting(report_places(arguments), files)
    document = cases_document(report)
    publish(document, arguments, console)
    return 2 if report.wrong else 0
