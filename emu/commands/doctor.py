"""``macproof doctor``: say what is installed here, and what is not possible without the rest."""

from __future__ import annotations

import argparse

from rich.console import Console

from emu.commands.interface.outputs import add_report_options, publish, report_places
from emu.commands.interface.overwriting import refuse_overwriting
from emu.doctor.document import doctor_document
from emu.doctor.examination import examine
from emu.doctor.report import READY


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Look for everything; 0 if the main job can run, 3 if something that it needs is missing."""
    refuse_overwriting(report_places(arguments), ())
    report = examine()
    document = doctor_document(report)
    publish(document, arguments, console)
    return 0 if report.verdict == READY else 3
