"""``macproof explain``: the smallest failing scene, its first wrong value, and who wrote it."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console

from emu.base.errors import GuestError
from emu.cases.case import load_case
from emu.commands.options import add_program_options, add_scene_options, select
from emu.commands.outputs import add_report_options, report_files
from emu.commands.scene_source import ChosenScene, failed_before, from_report, from_results
from emu.commands.verify import verify_selection
from emu.machine.apart import run_apart
from emu.report.terminal import print_document, say
from emu.report.write import write_documents
from emu.verify.explain import Explanation, explain
from emu.verify.explanation_document import explanation_document
from emu.verify.schedule import comparison_for


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "what",
        metavar="REPORT|CASE",
        help="a JSON report of verify, or a case, which is then verified first",
    )
    add_program_options(parser)
    add_scene_options(parser)
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Explain the first failure; 0 if there is none."""
    chosen = _choose(arguments)
    if chosen is None:
        if not arguments.quiet:
            say(console, "Nothing to explain: no scene failed.")
        return 0
    found = run_apart(_explain, chosen, arguments.html is not None)
    if found is None:
        raise GuestError(failed_before(chosen))
    document = explanation_document(
        chosen.case, chosen.subject, found, command=["macproof", *arguments.words]
    )
    print_document(document, console, verbose=arguments.verbose)
    write_documents([document], report_files(arguments))
    return 1


def _choose(arguments: argparse.Namespace) -> ChosenScene | None:
    path = Path(arguments.what)
    is_case = path.suffix in (".yaml", ".yml") or path.is_dir()
    if path.suffix == ".json" or (path.is_file() and not is_case):
        return from_report(path, arguments)
    selection = select(load_case(arguments.what), arguments)
    report = verify_selection(selection, arguments)
    return from_results([report], arguments, Path("the report"))


def _explain(chosen: ChosenScene, has_view: bool) -> Explanation | None:
    comparison = comparison_for(chosen.case.path, chosen.subject)
    return explain(comparison, chosen.spec, has_view=has_view)
