"""``macproof findings``: show the defects of the published programs again."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rich.console import Console

from emu.base.yaml_document import did_you_mean
from emu.commands.interface.numbers import add_jobs_option
from emu.commands.interface.options import add_programs_option
from emu.commands.interface.outputs import add_report_options, publish, report_places
from emu.commands.interface.overwriting import NamedFile, places_of_case, refuse_overwriting
from emu.commands.interface.progress import counted_progress
from emu.machine.cpu import CPUS
from macproof import UsageError, load_case
from posts.findings.check import check_findings
from posts.findings.document import findings_document
from posts.findings.model import Finding
from posts.findings.read import find_findings_files, read_findings
from posts.findings.result import NOT_RUN, NOT_SHOWN, SHOWN, FindingResult
from posts.trials.trial_runner import TrialRunner

_DEFAULT_BUILD = "O2"


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "which", nargs="*", metavar="FINDING", help="number (B5), or a case or folder of cases"
    )
    parser.add_argument(
        "--cpu", action="append", choices=list(CPUS), help="only this processor; may be repeated"
    )
    parser.add_argument(
        "--build",
        action="append",
        metavar="BUILD",
        help=f"with this build; may be repeated (default: {_DEFAULT_BUILD})",
    )
    parser.add_argument(
        "--source",
        type=Path,
        metavar="FILE",
        help="compile this C++ file in place of a case's own; name that case",
    )
    add_programs_option(parser)
    add_jobs_option(parser)
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Show each finding again; 1 if one is not shown, because something has changed."""
    began = time.monotonic()
    findings = [f for path in find_findings_files() for f in read_findings(path).findings]
    sources = _sources(arguments, findings)
    if sources:
        chosen = [f for f in findings if any(s.described.case.name in sources for s in f.steps)]
    else:
        chosen = _choose(findings, arguments.which)
    refuse_overwriting(report_places(arguments), _read(arguments, findings))
    results = _check(chosen, sources, arguments)
    document = findings_document(
        results, command=arguments.command_line, seconds=time.monotonic() - began
    )
    publish(document, arguments, console, names_files=True)
    return _exit_code(results)


def _read(arguments: argparse.Namespace, findings: Sequence[Finding]) -> Iterator[NamedFile]:
    if arguments.source is not None:
        yield NamedFile("--source", arguments.source)
    for path in dict.fromkeys(finding.path for finding in findings):
        yield NamedFile("the findings", path)
    sides = (
        side
        for f in findings
        for step in f.steps
        for side in (step.described, step.corrected)
        if side
    )
    for case in {side.case.path: side.case for side in sides}.values():
        yield from places_of_case(case, f"case {case.name}", f"the source of {case.name}")


def _exit_code(results: Sequence[FindingResult]) -> int:
    statuses = {result.status for result in results}
    if NOT_SHOWN in statuses:
        return 1
    if SHOWN in statuses:
        return 0
    missing = [r for r in results if r.status == NOT_RUN and not r.finding.not_run]
    return 3 if missing else 4


def _choose(every: Sequence[Finding], words: Sequence[str]) -> list[Finding]:
    """The findings of the given numbers, cases or folders; all if nothing is named.

    Raises:
        UsageError: there is no finding of a name.
    """
    if not words:
        return list(every)
    chosen: dict[str, Finding] = {}
    names: set[str] = set()
    for word in words:
        names = {name for f in every for name in (f.id, f.path.parent.name, *f.case_names)}
        findings = [
            f
            for f in every
            if word.upper() == f.id or word == f.path.parent.name or word in f.case_names
        ]
        if not findings:
            raise UsageError(f"there is no finding of {word}{did_you_mean(word, sorted(names))}")
        chosen |= {f.id: f for f in findings}
    return [f for f in every if f.id in chosen]


def _sources(arguments: argparse.Namespace, findings: Sequence[Finding]) -> Mapping[str, Path]:
    """The cases whose sources ``--source`` replaces, with the file.

    These are the named case, and cases in the same folder of which findings call single routines.

    Raises:
        UsageError: not exactly one case is named, or there is no such file.
    """
    if arguments.source is None:
        return {}
    if len(arguments.which) != 1:
        raise UsageError("--source takes the place of one case's own; name that case alone")
    if not arguments.source.is_file():
        raise UsageError(f"{arguments.source}: there is no such file")
    case = load_case(arguments.which[0])
    callers = {
        step.described.case.name
        for finding in findings
        for step in finding.steps
        if step.described.setup.keep and step.described.case.path.parent == case.path.parent
    }
    return dict.fromkeys({case.name, *callers}, arguments.source)


def _check(
    findings: Sequence[Finding], sources: Mapping[str, Path], arguments: argparse.Namespace
) -> list[FindingResult]:
    runner = TrialRunner(
        builds=tuple(dict.fromkeys(arguments.build or [_DEFAULT_BUILD])),
        cpus=tuple(arguments.cpu) if arguments.cpu else None,
        jobs=arguments.jobs,
        programs=arguments.programs,
        sources=sources,
    )
    with counted_progress(arguments) as progress, runner:
        task = progress.add_task("findings", total=len(findings))
        return check_findings(findings, runner, lambda result: progress.advance(task))
