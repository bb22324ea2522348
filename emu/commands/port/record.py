"""``macproof port record``: run the old program with scripts, and keep calls of its functions."""

from __future__ import annotations

import argparse

from rich.console import Console

from emu.commands.interface.numbers import add_number_option
from emu.commands.interface.outputs import add_report_options, publish, report_places
from emu.commands.interface.overwriting import refuse_overwriting
from emu.commands.port.project_option import add_project, add_scripts, files_of_project, scripts_of
from emu.port.project.project import read_project
from emu.port.verify.documents import record_document
from emu.port.verify.record import RecordLimits, record_port


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_project(parser)
    add_scripts(parser)
    usual = RecordLimits()
    add_number_option(parser, "--calls", usual.calls, "keep N calls of each function")
    add_number_option(
        parser, "--megabytes", usual.megabytes, "keep no more when N megabytes are kept"
    )
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Record; the exit code is 0, or 4 if no call was kept."""
    project = read_project(arguments.port)
    refuse_overwriting(report_places(arguments), files_of_project(project))
    scripts = scripts_of(arguments, project)
    reports = record_port(project, scripts, RecordLimits(arguments.calls, arguments.megabytes))
    for report in reports:
        publish(record_document(report), arguments, console)
    return 0 if any(one.kept for report in reports for one in report.functions) else 4
