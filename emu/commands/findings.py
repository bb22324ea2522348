"""``macproof findings``: the defects of the published programs, shown again."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from emu.base.errors import UsageError
from emu.base.files import write_whole
from emu.base.yaml_document import did_you_mean
from emu.cases.case import load_case
from emu.commands.options import add_jobs_option, add_programs_option
from emu.commands.outputs import output_file, output_folder
from emu.commands.overwriting import Place, places_of, places_of_case, refuse_overwriting
from emu.commands.progress import counted_progress
from emu.machine.cpu import CPUS
from emu.studies.findings import NOT_RUN, NOT_SHOWN, SHOWN, Finding, FindingResult, check_findings
from emu.studies.findings.page import check_folder, possible_files, write_pages
from emu.studies.findings.read import find_findings_files, read_findings
from emu.studies.findings.report import make_report, to_json
from emu.studies.findings.words import seen_words, totals
from emu.verify.trials import Bench

_STYLES = {SHOWN: "green", NOT_SHOWN: "bold red", NOT_RUN: "yellow"}
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
    parser.add_argument(
        "--markdown", type=output_folder, metavar="FOLDER", help="write a page of evidence for each"
    )
    parser.add_argument("--json", type=output_file, metavar="FILE", help="write the report as JSON")


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Show each finding again; 1 if one is not shown, which means that something changed."""
    began = time.monotonic()
    known = [f for path in find_findings_files() for f in read_findings(path).findings]
    sources = _sources(arguments, known)
    if sources:
        chosen = [f for f in known if any(s.described.case.name in sources for s in f.steps)]
    else:
        chosen = _choose(known, arguments.which)
    refuse_overwriting(_written(arguments, chosen), _read(arguments, known))
    if arguments.markdown is not None:
        check_folder(arguments.markdown)
    results = _check(chosen, sources, arguments)
    seconds = time.monotonic() - began
    if not arguments.quiet:
        _print(results, console, verbose=arguments.verbose)
        console.print(Text(f"{seconds:.1f} s"))
    if arguments.json is not None:
        report = make_report(results, ["macproof", *arguments.words], seconds)
        write_whole(arguments.json, to_json(report).encode())
        _say_written(arguments, console, f"{arguments.json} written")
    if arguments.markdown is not None:
        files = write_pages(results, arguments.markdown)
        words = f"{files[-1]} written, and {len(files) - 1} pages and pictures beside it"
        _say_written(arguments, console, words)
    return _exit_code(results)


def _say_written(arguments: argparse.Namespace, console: Console, words: str) -> None:
    if not arguments.quiet:
        console.print(Text(words), soft_wrap=True)


def _written(arguments: argparse.Namespace, chosen: Sequence[Finding]) -> Iterator[Place]:
    yield from places_of(arguments, "json")
    if arguments.markdown is not None:
        for path in possible_files(chosen, arguments.markdown):
            yield Place("--markdown", path)


def _read(arguments: argparse.Namespace, known: Sequence[Finding]) -> Iterator[Place]:
    if arguments.source is not None:
        yield Place("--source", arguments.source)
    for path in dict.fromkeys(finding.path for finding in known):
        yield Place("the findings", path)
    sides = (
        side for f in known for step in f.steps for side in (step.described, step.corrected) if side
    )
    for case in {side.case.path: side.case for side in sides}.values():
        yield from places_of_case(case, f"case {case.name}", f"the source of {case.name}")


def _exit_code(results: Sequence[FindingResult]) -> int:
    statuses = {result.status for result in results}
    if NOT_SHOWN in statuses:
        return 1
    missing = [r for r in results if r.status == NOT_RUN and not r.finding.not_run]
    return 3 if missing and SHOWN not in statuses else 0


def _choose(known: Sequence[Finding], words: Sequence[str]) -> list[Finding]:
    """The findings of that number, case or folder; all of them if nothing is named.

    Raises:
        UsageError: there is none.
    """
    if not words:
        return list(known)
    chosen: dict[str, Finding] = {}
    names: set[str] = set()
    for word in words:
        names = {name for f in known for name in (f.id, f.path.parent.name, *f.case_names)}
        found = [
            f
            for f in known
            if word.upper() == f.id or word == f.path.parent.name or word in f.case_names
        ]
        if not found:
            raise UsageError(f"there is no finding of {word}{did_you_mean(word, sorted(names))}")
        chosen |= {f.id: f for f in found}
    return [f for f in known if f.id in chosen]


def _sources(arguments: argparse.Namespace, known: Sequence[Finding]) -> Mapping[str, Path]:
    """The cases whose own sources are replaced: the named one, and those that call its routines.

    Raises:
        UsageError: it is not said which case, or there is no such file.
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
        for finding in known
        for step in finding.steps
        if step.described.setup.keep and step.described.case.path.parent == case.path.parent
    }
    return dict.fromkeys({case.name, *callers}, arguments.source)


def _check(
    findings: Sequence[Finding], sources: Mapping[str, Path], arguments: argparse.Namespace
) -> list[FindingResult]:
    bench = Bench(
        builds=tuple(dict.fromkeys(arguments.build or [_DEFAULT_BUILD])),
        cpus=tuple(arguments.cpu) if arguments.cpu else None,
        jobs=arguments.jobs,
        programs=arguments.programs,
        sources=sources,
    )
    with counted_progress(arguments) as progress, bench:
        task = progress.add_task("findings", total=len(findings))
        return check_findings(findings, bench, lambda result: progress.advance(task))


def _print(results: Sequence[FindingResult], console: Console, *, verbose: bool) -> None:
    table = Table()
    for column in ("id", "finding", "CPUs", "calls", "status"):
        table.add_column(
            column, no_wrap=column != "finding", justify="right" if column == "calls" else "left"
        )
    post = ""
    for result in results:
        if post not in ("", result.finding.post):
            table.add_section()
        post = result.finding.post
        table.add_row(
            result.finding.id,
            Text(result.finding.title),
            ", ".join(result.cpus) or "-",
            f"{result.calls:,}",
            Text(result.status, style=_STYLES[result.status]),
        )
    console.print(table)
    for result in results:
        _print_details(result, console, verbose=verbose)
    console.print(Text(totals(results)), soft_wrap=True)


def _print_details(result: FindingResult, console: Console, *, verbose: bool) -> None:
    def say(text: str) -> None:
        console.print(Text(text), soft_wrap=True)

    if result.status == NOT_RUN:
        say(f"Not run: {result.finding.id}: {result.why_not_run}")
        return
    for problem in result.problems:
        say(f"{result.finding.id}: {problem}")
    for text in result.left_out:
        say(f"Not run: {result.finding.id}, {text}")
    if not verbose:
        return
    say(f"{result.finding.id}: {result.finding.says}")
    for step in result.steps:
        say(f"  {step.step.name or 'input'}: {step.step.input}")
        for form, side in (("as described", step.described), ("corrected", step.corrected)):
            for cpu, seen in side.items():
                say(f"    {cpu}, {form}: {seen_words(seen)}")
