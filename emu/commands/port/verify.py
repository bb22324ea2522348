"""``macproof port verify``: make recorded calls on the old and the new functions, and compare."""

from __future__ import annotations

import argparse

from rich.console import Console

from emu.base.errors import UsageError
from emu.base.files import write_whole
from emu.commands.interface.numbers import add_jobs_option, whole_number
from emu.commands.interface.outputs import (
    add_report_options,
    output_file,
    publish,
    report_places,
)
from emu.commands.interface.overwriting import places_of, refuse_overwriting
from emu.commands.port.project_option import (
    add_build,
    add_call,
    add_functions,
    add_project,
    add_seed,
    files_of_project,
)
from emu.cycles.models import MODELS, model_for
from emu.machine.cpu import CPUS
from emu.port.cycles.pair_entry import BUILD, pair_text
from emu.port.project.project import Project, read_project
from emu.port.verify.documents import exit_code, verify_document
from emu.port.verify.judgement import verify_port
from emu.port.verify.terms import VaryTerms, VerifyTerms

OWN_PROCESSOR = ""
"""What ``--cycles`` is if no processor is named."""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_project(parser)
    add_functions(parser, "judge this function only, by its name or place; may be repeated")
    add_build(parser)
    parser.add_argument(
        "--vary",
        type=whole_number,
        default=None,
        metavar="N",
        help="compare N changed calls of each function, too, and tell which blocks of the old one "
        "no call reaches; 0 only tells the blocks",
    )
    add_seed(parser)
    add_call(
        parser,
        "make only this call of the one --function, by its number; its verdict is not kept",
    )
    parser.add_argument(
        "--changed",
        action="store_true",
        help="judge only functions whose source, headers, recorded calls or options have changed "
        "since their verdicts",
    )
    parser.add_argument(
        "--together",
        action="store_true",
        help="let new functions call new functions (default: the old ones)",
    )
    parser.add_argument(
        "--cycles",
        nargs="?",
        const=OWN_PROCESSOR,
        metavar="CPU",
        help="tell the cycles of the recorded calls in the old and in the new function, by the "
        f"cycle model of a processor (default: the port's own): {', '.join(MODELS)}",
    )
    parser.add_argument(
        "--figures",
        type=output_file,
        metavar="FILE",
        help=f"write the cycles of --build {BUILD} --cycles as an entry for macproof's file of "
        "compilers that were measured",
    )
    add_jobs_option(parser)
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Verify; the exit code is that of the worst verdict."""
    only_one = len(arguments.function) == 1 and arguments.vary is None and not arguments.changed
    if arguments.call and not only_one:
        raise UsageError(
            "--call N is a recorded call of one function: give one --function with it, and neither "
            "--vary nor --changed"
        )
    if arguments.figures is not None and (arguments.build != BUILD or arguments.cycles is None):
        raise UsageError(f"--figures are those of --build {BUILD} --cycles: give both")
    project = read_project(arguments.port)
    written = (*report_places(arguments), *places_of(arguments, "figures"))
    refuse_overwriting(written, files_of_project(project))
    vary = None if arguments.vary is None else VaryTerms(arguments.vary, arguments.seed)
    terms = VerifyTerms(
        arguments.build,
        vary,
        arguments.together,
        arguments.changed,
        arguments.jobs,
        arguments.call,
        _priced_by(arguments.cycles, project),
    )
    report = verify_port(project, arguments.function, terms)
    if arguments.figures is not None:
        text = pair_text(report.functions, project.original.name, project.convention)
        write_whole(arguments.figures, text.encode())
    publish(verify_document(report), arguments, console)
    return exit_code(report)


def _priced_by(cpu: str | None, project: Project) -> str:
    """The processor by whose model calls are priced; "" if they are not.

    Raises:
        UsageError: there is no model of it, or it is none that executes the port's code.
    """
    if cpu is None:
        return ""
    name = cpu or project.cpu
    model_for(name)
    if CPUS[name].architecture != project.architecture:
        raise UsageError(
            f"--cycles {name}: it does not execute the code of this port, which is {project.cpu}"
        )
    return name
