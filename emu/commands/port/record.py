"""``macproof port record``: run the old program with scripts, and keep calls of its functions."""

from __future__ import annotations

import argparse

from rich.console import Console

from emu.commands.interface.numbers import add_number_option, whole_number
from emu.commands.interface.outputs import add_report_options, publish, report_places
from emu.commands.interface.overwriting import refuse_overwriting
from emu.commands.interface.progress import progress_in_words
from emu.commands.port.project_option import add_project, add_scripts, files_of_project, scripts_of
from emu.port.project.project import read_project
from emu.port.verify.documents import record_document
from emu.port.verify.record import RecordLimits, record_port

_LONGEST = 86_400


def _seconds(text: str) -> int:
    """Read a time in seconds.

    Raises:
        argparse.ArgumentTypeError: it is none that a run can take.
    """
    seconds = whole_number(text)
    if not 0 < seconds <= _LONGEST:
        raise argparse.ArgumentTypeError(f"{seconds} is not a whole number from 1 to {_LONGEST}")
    return seconds


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_project(parser)
    add_scripts(parser)
    usual = RecordLimits()
    add_number_option(parser, "--calls", usual.calls, "keep N calls of each function")
    add_number_option(
        parser, "--megabytes", usual.megabytes, "keep no more when N megabytes are kept"
    )
    add_number_option(
        parser,
        "--timeout",
        usual.seconds,
        "end a run after N seconds of the processor's time",
        _seconds,
    )
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Record; the exit code is 0, or 4 if no call was kept."""
    project = read_project(arguments.port)
    refuse_overwriting(report_places(arguments), files_of_project(project))
    scripts = scripts_of(arguments, project)
    limits = RecordLimits(arguments.calls, arguments.megabytes, arguments.timeout)
    with progress_in_words(arguments) as show:
        reports = record_port(project, scripts, limits, show)
    for report in reports:
        publish(record_document(report), arguments, console)
    return 0 if any(one.kept for report in reports for one in report.functions) else 4
