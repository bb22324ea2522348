"""``macproof timing``: predict speeds, beside published and measured ones."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, TaskID

from emu.base.errors import UsageError
from emu.cases.case import DEFAULT_SEED, Case
from emu.cases.find import default_case, load_case
from emu.cases.source_texts import SourceTexts
from emu.commands.options import (
    add_code_option,
    add_jobs_option,
    add_program_options,
    object_counts,
    select,
    source_files,
    whole_number,
    whole_source,
)
from emu.commands.outputs import add_report_options, output_file, report_files, report_places
from emu.commands.overwriting import NamedFile, places_of, places_of_case, refuse_overwriting
from emu.commands.progress import counted_progress
from emu.cycles.models import model_for
from emu.program.mac_file import host_files
from emu.report.document import Document
from emu.report.plot_files import require_picture_name
from emu.report.terminal import print_document, say
from emu.report.write import plots_of, write_documents
from emu.runner.virtual_time import QUICK_SECONDS
from emu.studies.habits.price_document import price_document
from emu.studies.habits.price_file import read_habits
from emu.studies.habits.price_report import make_price_report
from emu.studies.habits.prices import price_habits
from emu.timing.annotated_document import annotated
from emu.timing.comparison import CHOICE
from emu.timing.document import timing_document
from emu.timing.harness import HarnessRequest
from emu.timing.machines import MACHINES, ModelledMachine, memory_of, modelled_machine
from emu.timing.measured import read_measured
from emu.timing.plots import EVENTS, SPEEDS
from emu.timing.predict import Plan
from emu.timing.profile_document import profile_document
from emu.timing.profile_report import ProfileReport
from emu.timing.programs import (
    DEFAULT_SCENES,
    TimedPrograms,
    make_plan,
    programs_to_time,
)
from emu.timing.report import TimingReport
from emu.timing.run import profile, time_programs

_MOST_SCENES = 1000
_SLOWEST, _FASTEST = 0.001, 10_000.0  # MHz
_PLOTS = {"plot": SPEEDS, "events_plot": EVENTS}
"""The options that draw plots of the document, and the names of these plots."""
_OF_COMPARISON = (*_PLOTS, "measured", "harness")
"""Options that belong to the comparison. If one of them is given, the comparison is made even when
a profile is asked for."""
_REPORTS = ("json", "junit", "markdown", "html")
"""The same, unless annotated source is asked for, which these forms can hold alone."""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "case",
        nargs="?",
        metavar="CASE",
        help="case name, folder or file (default: the one whose file says default: true)",
    )
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
    parser.add_argument(
        "--scenes",
        type=_scene_count,
        default=DEFAULT_SCENES,
        metavar="N",
        help=f"how many scenes with each number of objects (default: {DEFAULT_SCENES})",
    )
    parser.add_argument(
        "--seed",
        type=whole_number,
        default=DEFAULT_SEED,
        metavar="N",
        help=f"seed of the first scene (default: {DEFAULT_SEED})",
    )
    add_jobs_option(parser)
    _add_measurement_options(parser)
    _add_output_options(parser)


def _add_measurement_options(parser: argparse.ArgumentParser) -> None:
    """Declare ``--measured``, ``--harness`` and ``--quick``: what predictions are compared with."""
    parser.add_argument(
        "--measured",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="times of a real machine: the text the program printed, a file of PortCheck's, or "
        "the JSON of macproof results; may be repeated",
    )
    parser.add_argument(
        "--harness",
        action="store_true",
        help="also run the program's own measurements, on the clock of the cycle model",
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help=f"its experiments take {QUICK_SECONDS} virtual seconds, and not 30",
    )


def _add_output_options(parser: argparse.ArgumentParser) -> None:
    """Declare options for plots, reports and the profile."""
    add_report_options(parser)
    parser.add_argument(
        "--plot",
        type=output_file,
        metavar="FILE",
        help="draw calls in a second over objects (.png, .svg or .pdf)",
    )
    parser.add_argument(
        "--events-plot",
        type=output_file,
        metavar="FILE",
        help="draw what each event costs (.png, .svg or .pdf)",
    )
    parser.add_argument(
        "--profile",
        action="store_true",
        help="print where the cycles go, by function and by line, with the most objects, of the "
        f"build {CHOICE} if none is chosen; in place of the comparison, unless that is asked for "
        "too, as by --json",
    )
    parser.add_argument(
        "--annotate",
        action="store_true",
        help="the same with the source, the cost of each line beside it, and the machine "
        "instructions of each line; --html writes it as a page to read it in",
    )
    parser.add_argument(
        "--habits",
        action="store_true",
        help="print instead what habits of compilers of the time would add to each event, by the "
        "file habits.yaml beside the case",
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Predict speeds, compare them with published and measured ones, and print the report."""
    case = default_case() if arguments.case is None else load_case(arguments.case)
    machine = _machine(arguments)
    _check(case, arguments)
    if arguments.habits:
        return _habits(case, arguments, console)
    plan = make_plan(case, objects=arguments.objects, scenes=arguments.scenes, seed=arguments.seed)
    compares, profiles = _wanted(arguments)
    report = _compare(case, plan, arguments) if compares else None
    profiled = _profile(case, plan, arguments) if profiles else None
    if report is not None:
        report = replace(
            report, profile=profiled[0] if profiled is not None else None, machine=machine
        )
        document = timing_document(report)
    elif profiled is not None:
        document = profile_document(profiled[0])
    if profiled is not None and arguments.annotate:
        document = annotated(document, *profiled)
    pictures = _pictures(document, arguments)
    written = write_documents([document], report_files(arguments), pictures)
    if not arguments.quiet:
        print_document(document, console, verbose=arguments.verbose)
        for path in written:
            say(console, f"{path} written")
    return 0


def _machine(arguments: argparse.Namespace) -> ModelledMachine | None:
    """The machine that is asked for; its processor and clock become those of the options.

    Raises:
        UsageError: there is no such machine, or the options ask for another one.
    """
    if arguments.machine is None:
        return None
    if arguments.cpu or arguments.mhz is not None or arguments.habits:
        raise UsageError("--machine chooses processor and clock: leave out --cpu, --mhz, --habits")
    machine = modelled_machine(arguments.machine)
    arguments.cpu, arguments.mhz = [machine.cpu], machine.megahertz
    return machine


def _habits(case: Case, arguments: argparse.Namespace, console: Console) -> int:
    """Price habits of compilers, and print what each adds."""
    unused = {"--objects": arguments.objects, "--mhz": arguments.mhz, "--cpu": arguments.cpu}
    unused |= {"--build": arguments.build, "--source": arguments.source}
    unused |= {
        "--code": arguments.code,
        "--program": arguments.program,
        "--programs": arguments.programs,
    }
    unused |= {"--profile": arguments.profile, "--annotate": arguments.annotate}
    unused |= {f"--{o.replace('_', '-')}": getattr(arguments, o) for o in _OF_COMPARISON}
    for option, given in unused.items():
        if given not in (None, False, [], "auto"):
            raise UsageError(f"--habits and {option} do not go together")
    file = read_habits(case)
    plan = make_plan(case, scenes=arguments.scenes, seed=arguments.seed)
    with counted_progress(arguments, "builds") as progress:
        show = _shown_by(progress)
        found = price_habits(case, file, plan, jobs=arguments.jobs, on_progress=show)
    report = make_price_report(case.name, file, plan, found, arguments.command_line)
    document = price_document(report)
    written = write_documents([document], report_files(arguments))
    if not arguments.quiet:
        print_document(document, console, verbose=arguments.verbose)
        for path in written:
            say(console, f"{path} written")
    return 0


def _wanted(arguments: argparse.Namespace) -> tuple[bool, bool]:
    """Whether the comparison is asked for, and whether a profile is.

    The comparison is made unless only a profile is asked for.
    """
    profiles = arguments.profile or arguments.annotate
    options = _OF_COMPARISON if arguments.annotate else (*_OF_COMPARISON, *_REPORTS)
    asked = any(getattr(arguments, option) for option in options)
    return asked or not profiles, profiles


def _check(case: Case, arguments: argparse.Namespace) -> None:
    """Refuse options that do not go together, before any work.

    Raises:
        UsageError: the message says what to change.
    """
    for option in _PLOTS:
        path = getattr(arguments, option)
        if path is not None:
            require_picture_name(path, f"--{option.replace('_', '-')}")
    if arguments.quick and not arguments.harness:
        raise UsageError("--quick shortens the experiments of --harness")
    if arguments.harness:
        whole_source(arguments.source, "--harness")
        if case.timing is None or case.timing.harness is None:
            raise UsageError(
                f"--harness: {case.name} has no program of its own that measures; its case file "
                "would name one as timing.harness"
            )
        if arguments.program is not None:
            raise UsageError("--harness builds the program; leave out --program")
    written = [*report_places(arguments), *places_of(arguments, *_PLOTS)]
    refuse_overwriting(written, _read(case, arguments))


def _read(case: Case, arguments: argparse.Namespace) -> Iterator[NamedFile]:
    yield from places_of_case(case, "the case", "a source of the case")
    yield from (NamedFile("--source", file) for file in source_files(arguments.source))
    if arguments.program is not None:
        yield from (NamedFile("--program", file) for file in host_files(arguments.program))
    for path in arguments.measured:
        yield from (NamedFile("--measured", file) for file in host_files(path))


# -- what comes of it ------------------------------------------------------------------------


def _programs(
    case: Case,
    arguments: argparse.Namespace,
    builds: Sequence[str] | None,
    codes: Sequence[str] | None,
    *,
    with_own: bool = True,
) -> TimedPrograms:
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


def _compare(case: Case, plan: Plan, arguments: argparse.Namespace) -> TimingReport:
    # Read files first: an error in one should be reported before half a minute of work.
    measured = read_measured(arguments.measured, case.name)
    timed = _programs(case, arguments, arguments.build, arguments.code or None)
    harness = None
    if arguments.harness:
        builds = tuple(dict.fromkeys(arguments.build or [CHOICE]))
        harness = HarnessRequest(builds, is_quick=arguments.quick)
    with counted_progress(arguments, "programs") as progress:
        return time_programs(
            timed,
            plan,
            megahertz=arguments.mhz,
            measured=measured,
            harness=harness,
            jobs=arguments.jobs,
            command=arguments.command_line,
            on_progress=_shown_by(progress),
        )


def _shown_by(progress: Progress) -> Callable[[str, int, int], None]:
    """A function that shows the progress of each kind of work in a bar of its own."""
    tasks: dict[str, TaskID] = {}

    def show(what: str, more: int, of: int) -> None:
        if what not in tasks:
            tasks[what] = progress.add_task(what, total=of)
        progress.advance(tasks[what], more)

    return show


def _profile(
    case: Case, plan: Plan, arguments: argparse.Namespace
) -> tuple[ProfileReport, SourceTexts]:
    """Profile the given source; one build if none is chosen."""
    usual = CHOICE if CHOICE in case.builds else next(iter(case.builds))
    # A processor that the case names has its own code alone; another one what it executes.
    named = set(arguments.cpu or ()) <= set(case.cpus)
    codes = arguments.code or ([] if named else None)
    timed = _programs(case, arguments, arguments.build or [usual], codes, with_own=False)
    return profile(
        timed,
        plan,
        megahertz=arguments.mhz,
        jobs=arguments.jobs,
        command=arguments.command_line,
    )


def _pictures(document: Document, arguments: argparse.Namespace) -> dict[str, Path]:
    """The files to draw plots into, by the plots' names.

    Raises:
        UsageError: a plot is asked for that the document does not have.
    """
    given = {name: getattr(arguments, option) for option, name in _PLOTS.items()}
    wanted = {name: path for name, path in given.items() if path is not None}
    if not wanted.keys() <= {plot.name for plot in plots_of(document)}:
        raise UsageError("--events-plot: this report has no cycles of single events")
    return wanted


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
