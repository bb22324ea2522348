"""What the posts add to ``macproof timing``: published and measured speeds, and habits."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from emu.commands import timing
from emu.commands.interface.options import chosen_case, files_of_cases
from emu.commands.interface.outputs import output_file, publish, report_places
from emu.commands.interface.overwriting import NamedFile, places_of, refuse_overwriting
from emu.commands.interface.progress import counted_progress
from emu.commands.interface.source_options import whole_source
from emu.program.mac_file.mac_file import host_files
from emu.report.document import Document
from emu.report.forms.write import plots_of
from emu.report.plots.plot_files import require_picture_name
from emu.runner.virtual_time import QUICK_SECONDS
from emu.timing.annotated_document import annotated
from emu.timing.predict import TimingPlan
from emu.timing.programs import make_plan
from macproof import Case, UsageError
from posts.habits.price_document import price_document
from posts.habits.price_file import read_habits
from posts.habits.price_report import make_price_report
from posts.habits.prices import price_habits
from posts.timing.comparison import CHOICE
from posts.timing.document import timing_document
from posts.timing.events import work_of
from posts.timing.harness import HarnessRequest
from posts.timing.measured_times import read_measured
from posts.timing.plots import EVENTS, SPEEDS
from posts.timing.report import TimingReport
from posts.timing.run import time_programs

_PLOTS = {"plot": SPEEDS, "events_plot": EVENTS}
"""The options that draw plots of the document, and the names of these plots."""
_OF_COMPARISON = (*_PLOTS, "measured", "harness")
"""Options that belong to the comparison. If one of them is given, the comparison is made even when
a profile is asked for."""
_REPORTS = ("json", "junit", "markdown", "html")
"""The same, unless annotated source is asked for, which these forms can hold alone."""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options, and compare unless only a profile is asked for."""
    parser.set_defaults(run=run)
    _add_measurement_options(parser)
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
        "--habits",
        dest="run",
        action="store_const",
        const=run_habits,
        help="print instead what habits of compilers of the time would add to each event, by the "
        "file habits.yaml beside the case",
    )


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


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Predict speeds, compare them with published and measured ones, and print the report."""
    case = chosen_case(arguments)
    compares, profiles = _wanted(arguments)
    _check(case, arguments)
    if not compares:
        return timing.run(arguments, console)
    machine = timing.chosen_machine(arguments)
    plan = timing.chosen_plan(case, arguments)
    report = replace(_compare(case, plan, arguments), machine=machine)
    if not profiles:
        document = timing_document(report)
    else:
        profile, texts = timing.profile_of(case, plan, arguments)
        document = timing_document(replace(report, profile=profile))
        if arguments.annotate:
            document = annotated(document, profile, texts)
    publish(document, arguments, console, _pictures(document, arguments), names_files=True)
    return 0


def run_habits(arguments: argparse.Namespace, console: Console) -> int:
    """Price habits of compilers, and print what each adds."""
    case = chosen_case(arguments)
    _check(case, arguments)
    unused = {"--objects": arguments.objects, "--mhz": arguments.mhz, "--cpu": arguments.cpu}
    unused |= {"--machine": arguments.machine, "--build": arguments.build}
    unused |= {"--source": arguments.source}
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
        show = timing.shown_by(progress)
        prices = price_habits(case, file, plan, jobs=arguments.jobs, on_progress=show)
    report = make_price_report(case.name, file, plan, prices, arguments.command_line)
    document = price_document(report)
    publish(document, arguments, console, names_files=True)
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
        if work_of(case).harness is None:
            raise UsageError(
                f"--harness: {case.name} has no program of its own that measures; its case file "
                "would name one as extra.posts.timing.harness"
            )
        if arguments.program is not None:
            raise UsageError("--harness builds the program; leave out --program")
    written = [*report_places(arguments), *places_of(arguments, *_PLOTS)]
    refuse_overwriting(written, _read(case, arguments))


def _read(case: Case, arguments: argparse.Namespace) -> Iterator[NamedFile]:
    yield from files_of_cases([case], arguments)
    for path in arguments.measured:
        yield from (NamedFile("--measured", file) for file in host_files(path))


def _compare(case: Case, plan: TimingPlan, arguments: argparse.Namespace) -> TimingReport:
    # Read files first: an error in one should be reported before half a minute of work.
    measured = read_measured(arguments.measured, case.name)
    timed = timing.programs_of_line(case, arguments, arguments.build, arguments.code or None)
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
            on_progress=timing.shown_by(progress),
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
