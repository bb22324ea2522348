"""``macproof timing``: predict how long programs take on real machines, and where."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.progress import Progress, TaskID

from emu.base.errors import UsageError
from emu.cases.case import DEFAULT_SEED, Case
from emu.cases.programs.source_texts import SourceTexts
from emu.commands.interface.numbers import add_jobs_option, add_number_option, whole_number
from emu.commands.interface.options import (
    add_case_argument,
    add_code_option,
    add_program_options,
    chosen_case,
    files_of_cases,
    object_counts,
    select,
)
from emu.commands.interface.outputs import add_report_options, publish, report_places
from emu.commands.interface.overwriting import refuse_overwriting
from emu.commands.timing_validation import add_validation_options
from emu.cycles.models import model_for
from emu.timing.annotated_document import annotated
from emu.timing.machines import MACHINES, ModelledMachine, memory_of, modelled_machine
from emu.timing.predict import TimingPlan
from emu.timing.profile_document import profile_document
from emu.timing.profile_report import ProfileReport
from emu.timing.programs import (
    DEFAULT_SCENES,
    PROFILED_BUILD,
    TimedPrograms,
    make_plan,
    programs_to_time,
)
from emu.timing.run import profile

_MOST_SCENES = 1000
_SLOWEST, _FASTEST = 0.001, 10_000.0  # MHz


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_case_argument(parser)
    add_program_options(parser)
    add_code_option(parser, "its own, and that of the published figures")
    parser.add_argument(
        "--mhz",
        type=megahertz,
        metavar="MHZ",
        help="clock of predicted speeds (default: that of the published figures)",
    )
    parser.add_argument(
        "--machine",
        metavar="NAME",
        help=f"the Macintosh whose processor, clock and memory are taken: {', '.join(MACHINES)}",
    )
    parser.add_argument(
        "--objects",
        type=object_counts,
        metavar="N,N,...",
        help="numbers of objects (default: those the case is timed with)",
    )
    add_number_option(
        parser,
        "--scenes",
        DEFAULT_SCENES,
        "how many scenes with each number of objects",
        _scene_count,
    )
    add_number_option(parser, "--seed", DEFAULT_SEED, "seed of the first scene")
    add_jobs_option(parser)
    add_report_options(parser)
    parser.add_argument(
        "--profile",
        action="store_true",
        help="print where the cycles go, by function and by line, with the most objects, of the "
        f"build {PROFILED_BUILD} if none is chosen; in place of a comparison, unless that is "
        "asked for too, as by --json",
    )
    parser.add_argument(
        "--annotate",
        action="store_true",
        help="the same with the source, the cost of each line beside it, and the machine "
        "instructions of each line; --html writes it as a page to read it in",
    )
    add_validation_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Profile programs, and print where their cycles go."""
    case = chosen_case(arguments)
    chosen_machine(arguments)
    refuse_overwriting(report_places(arguments), files_of_cases([case], arguments))
    report, texts = profile_of(case, chosen_plan(case, arguments), arguments)
    document = profile_document(report)
    if arguments.annotate:
        document = annotated(document, report, texts)
    publish(document, arguments, console, names_files=True)
    return 0


def chosen_plan(case: Case, arguments: argparse.Namespace) -> TimingPlan:
    """The scenes that are asked for."""
    return make_plan(case, objects=arguments.objects, scenes=arguments.scenes, seed=arguments.seed)


def chosen_machine(arguments: argparse.Namespace) -> ModelledMachine | None:
    """The machine that is asked for; its processor and clock become those of the options.

    Raises:
        UsageError: there is no such machine, or the options ask for another one.
    """
    if arguments.machine is None:
        return None
    if arguments.cpu or arguments.mhz is not None:
        raise UsageError("--machine chooses processor and clock: leave out --cpu, --mhz")
    machine = modelled_machine(arguments.machine)
    arguments.cpu, arguments.mhz = [machine.cpu], machine.megahertz
    return machine


def programs_of_line(
    case: Case,
    arguments: argparse.Namespace,
    builds: Sequence[str] | None,
    codes: Sequence[str] | None,
    *,
    with_own: bool = True,
) -> TimedPrograms:
    """The programs that are asked for, in some builds and code; None is all."""
    if arguments.program is not None:
        for cpu in arguments.cpu or ():
            model_for(cpu)
        given = select(case, arguments)
        return TimedPrograms(case, {arguments.program.name: given}, memory_of(arguments.machine))
    return programs_to_time(
        case,
        cpus=arguments.cpu,
        builds=builds,
        source=arguments.source,
        use=arguments.programs,
        codes=codes,
        with_own=with_own,
        memory=memory_of(arguments.machine),
    )


def shown_by(progress: Progress) -> Callable[[str, int, int], None]:
    """A function that shows the progress of each kind of work in a bar of its own."""
    tasks: dict[str, TaskID] = {}

    def show(what: str, more: int, of: int) -> None:
        if what not in tasks:
            tasks[what] = progress.add_task(what, total=of)
        progress.advance(tasks[what], more)

    return show


def profile_of(
    case: Case, plan: TimingPlan, arguments: argparse.Namespace
) -> tuple[ProfileReport, SourceTexts]:
    """Profile the given source; one build if none is chosen."""
    usual = case.usual_build(PROFILED_BUILD)
    # A processor that the case names has its own code alone; another one what it executes.
    named = set(arguments.cpu or ()) <= set(case.cpus)
    codes = arguments.code or ([] if named else None)
    timed = programs_of_line(case, arguments, arguments.build or [usual], codes, with_own=False)
    return profile(
        timed,
        plan,
        megahertz=arguments.mhz,
        jobs=arguments.jobs,
        command=arguments.command_line,
    )


def megahertz(text: str) -> float:
    """Read a clock in MHz.

    Raises:
        argparse.ArgumentTypeError: the text is no such clock.
    """
    try:
        number = float(text) if text.isascii() else math.nan
    except ValueError:
        number = math.nan
    if not _SLOWEST <= number <= _FASTEST:
        raise argparse.ArgumentTypeError(
            f"{text[:40]!r} is not a clock in MHz, from {_SLOWEST:g} to {_FASTEST:,.0f}"
        )
    return number


def _scene_count(text: str) -> int:
    """Read a number of scenes.

    Raises:
        argparse.ArgumentTypeError: the number is 0, or too large to hold in memory.
    """
    number = whole_number(text)
    if not 1 <= number <= _MOST_SCENES:
        raise argparse.ArgumentTypeError(f"{text} is not from 1 to {_MOST_SCENES}")
    return number
