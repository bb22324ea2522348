"""``macproof port record``: run the old program with scripts, and keep calls of its functions."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from rich.console import Console

from emu.commands.interface.numbers import add_number_option
from emu.commands.interface.outputs import add_report_options, publish, report_places
from emu.commands.interface.overwriting import refuse_overwriting
from emu.commands.port.project_option import add_project, add_scripts, files_of_project, scripts_of
from emu.port.original.session import SessionTerms
from emu.port.project.project import Project, read_project
from emu.port.recording.recordings import open_store, record_script
from emu.port.verify.documents import RecordReport, record_document, record_report
from emu.port.verify.verifier import PortBuild, build_port, claimed

_KEPT = 60
_MEGABYTES = 1024


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_project(parser)
    add_scripts(parser)
    add_number_option(parser, "--calls", _KEPT, "keep N calls of each function")
    add_number_option(parser, "--megabytes", _MEGABYTES, "keep no more when N megabytes are kept")
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Record; the exit code is 0, or 4 if no call was kept."""
    project = read_project(arguments.port)
    refuse_overwriting(report_places(arguments), files_of_project(project))
    scripts = scripts_of(arguments, project)
    port = build_port(project)
    reports = [_record(project, port, script, arguments) for script in scripts]
    for report in reports:
        publish(record_document(report), arguments, console)
    return 0 if any(one.kept for report in reports for one in report.functions) else 4


def _record(
    project: Project, port: PortBuild, script: Path, arguments: argparse.Namespace
) -> RecordReport:
    functions = claimed(port.claims, (), project.path)
    began = time.process_time()
    terms = SessionTerms(project.original, project.cpu)
    with open_store(project, terms) as store:
        run, kept = record_script(
            terms,
            script,
            store,
            places=[one.place for one in functions],
            globals_=[(one.place, max(one.size, 1)) for one in port.claims.globals],
            most=arguments.calls,
            most_bytes=arguments.megabytes << 20,
        )
        size = store.size
    names = [(one.name, one.place) for one in functions]
    return record_report(script, names, run, kept, size, time.process_time() - began)
