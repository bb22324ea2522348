"""``macproof explain``: the smallest failing scene, its first wrong value, and the store to it."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

from rich.console import Console

from emu.cases.find import load_case
from emu.cases.programs.other_program import require_word
from emu.commands.interface.debugging import debugging_hint
from emu.commands.interface.options import (
    add_budget_option,
    add_program_options,
    add_scene_options,
    select,
    with_budget,
)
from emu.commands.interface.outputs import add_report_options, report_files
from emu.commands.interface.trust import add_trust_option, require_trust
from emu.commands.verify import EXIT_CODES, verify_with_bar
from emu.report.forms.terminal import print_document, say
from emu.report.forms.write import write_documents
from emu.verify.explain_failure import cases_to_run, explain
from emu.verify.verification import Verification


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "what",
        metavar="REPORT|CASE",
        help="a JSON report of verify, or a case, which is then verified first",
    )
    parser.add_argument(
        "--against",
        metavar="CPU|BUILD|FILE",
        help="another processor, another build, a source or a program: execute the scene with that "
        "too, and tell where the two part",
    )
    add_trust_option(parser)
    add_program_options(parser)
    add_scene_options(parser)
    add_budget_option(parser)
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Explain the first failure; the verdict on its program decides the exit code."""
    failed = _failed(arguments)
    if isinstance(failed, Path):
        require_trust(cases_to_run(failed), arguments, console)
    explained = explain(
        failed,
        cpus=arguments.cpu,
        builds=arguments.build,
        has_view=arguments.html is not None,
        against=arguments.against,
        source=arguments.source,
        budget=arguments.budget or 0,
        command=arguments.command_line,
    )
    if explained is None:
        if not arguments.quiet:
            say(console, "Nothing to explain: no scene failed.")
        return 0
    report = failed if isinstance(failed, Path) else None
    closing = debugging_hint(explained, arguments, report)
    document = dataclasses.replace(explained.document, closing=closing)
    print_document(document, console, verbose=arguments.verbose)
    write_documents([document], report_files(arguments))
    return EXIT_CODES[explained.verdict]


def _failed(arguments: argparse.Namespace) -> Verification | Path:
    """The report that is named; or a new one, made by verifying the case that is named."""
    path = Path(arguments.what)
    is_case = path.suffix in (".yaml", ".yml") or path.is_dir()
    if path.suffix == ".json" or (path.is_file() and not is_case):
        return path
    case = with_budget(load_case(arguments.what), arguments)
    if arguments.against is not None:
        require_word(case, arguments.against)
    return verify_with_bar(select(case, arguments), arguments)
