"""``macproof port explain``: what a refuted function does differently first."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console

from emu.base.errors import UsageError
from emu.commands.interface.numbers import whole_number
from emu.commands.interface.outputs import add_report_options, publish, report_places
from emu.commands.interface.overwriting import refuse_overwriting
from emu.commands.port.project_option import (
    add_build,
    add_call,
    add_project,
    add_seed,
    files_of_project,
)
from emu.port.explain.documents import explanation_document
from emu.port.explain.explanation import PortExplainer
from emu.port.model import ClaimedFunction
from emu.port.original.session import SessionTerms
from emu.port.project.project import read_project
from emu.port.recording.recordings import open_store
from emu.port.verify.changed_calls import ChangedCalls, VaryTerms
from emu.port.verify.tally import RefutedCall
from emu.port.verify.verifier import PortVerifier, build_port, claimed
from emu.report.forms.terminal import say


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("function", metavar="FUNCTION", help="its name or place")
    add_project(parser)
    add_call(parser, "explain this recorded call, by its number (default: the first that differs)")
    add_build(parser)
    parser.add_argument(
        "--vary",
        type=whole_number,
        default=0,
        metavar="N",
        help="if no recorded call differs, look for a difference among N changed ones",
    )
    add_seed(parser)
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Explain; 1 if there is a difference, 0 if there is none, 4 if nothing was compared."""
    if arguments.call and arguments.vary:
        raise UsageError("--call and --vary exclude each other: a changed call has no number")
    project = read_project(arguments.port)
    refuse_overwriting(report_places(arguments), files_of_project(project))
    port = build_port(project, arguments.build)
    (function,) = claimed(port.claims, [arguments.function], project.path)
    terms = SessionTerms(project.original, project.cpu)
    with open_store(project, terms) as store:
        verifier = PortVerifier(port, store, terms)
        compared, refuted, why = _refuted(verifier, function, arguments)
        if refuted is None:
            if not arguments.quiet:
                say(console, f"Nothing to explain: {why}.")
            return 0 if compared else 4
        explained = PortExplainer(verifier, _again(arguments, function)).explain(function, refuted)
    publish(explanation_document(explained), arguments, console)
    return 1


def _refuted(
    verifier: PortVerifier, function: ClaimedFunction, arguments: argparse.Namespace
) -> tuple[int, RefutedCall | None, str]:
    """How many calls were compared, the first that differs, and what is said if none does."""
    among = claimed(verifier.port.claims, (), verifier.port.project.path)
    tally = verifier.tally(function, among, arguments.call)
    verdict = verifier.judged(function, tally)
    if tally.first is not None or not tally.compared:
        return tally.compared, tally.first, verdict.reason
    words = [f"{tally.compared} recorded calls leave the same on both"]
    if arguments.vary:
        changed = ChangedCalls(verifier, VaryTerms(arguments.vary, arguments.seed))
        varied = changed.verdict(function, among, verdict)
        if function.name in changed.refuted:
            return tally.compared, changed.refuted[function.name], ""
        words.append(f"and {varied.varied} changed ones")
    return tally.compared, None, "; ".join([" ".join(words), *verdict.remarks])


def _again(arguments: argparse.Namespace, function: ClaimedFunction) -> list[str]:
    """The words of the command that judges the function again."""
    words = ["macproof", "port", "verify"]
    words += [] if arguments.port == Path() else [str(arguments.port)]
    words += ["--function", function.name]
    words += [] if arguments.build == "O2" else ["--build", arguments.build]
    return [*words, *_varied(arguments)]


def _varied(arguments: argparse.Namespace) -> list[str]:
    if not arguments.vary:
        return []
    seed = [] if arguments.seed == 1 else ["--seed", str(arguments.seed)]
    return ["--vary", str(arguments.vary), *seed]
