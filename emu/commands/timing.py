"""``macproof timing``: predicted speeds beside published and measured ones."""

from __future__ import annotations

import argparse
import math
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from emu.base.files import write_whole
from emu.cases.case import Case, default_case, load_case
from emu.commands.options import (
    DEFAULT_SEED,
    add_jobs_option,
    add_program_options,
    object_counts,
    source_files,
    whole_number,
)
from emu.commands.outputs import output_file
from emu.commands.overwriting import Place, places_of, places_of_case, refuse_overwriting
from emu.commands.progress import counted_progress
from emu.commands.timing_profile import (
    add_profile_options,
    check_profile,
    make_profile_result,
    places_written,
    wants_comparison,
    wants_profile,
)
from emu.commands.timing_programs import (
    Chosen,
    check_harness,
    choose_programs,
    clock_of,
    harness_programs,
    make_plan,
)
from emu.cycles.micro_loops import check, micro_loops
from emu.cycles.models import model_for
from emu.program.mac_file import host_files
from emu.runner.virtual_time import QUICK_SECONDS
from emu.timing.comparison import CHOICE
from emu.timing.events import count_events
from emu.timing.harness import (
    HarnessProgram,
    HarnessRun,
    run_harness,
)
from emu.timing.markdown import to_markdown
from emu.timing.measured import Measurements, read_measured
from emu.timing.plots import event_plot, require_known_suffix, speed_plot
from emu.timing.predict import Plan, Prediction, Unpriced, UnpricedError, predict
from emu.timing.report import Comparison, Report, make_report, to_json
from emu.timing.terminal import print_report

_DEFAULT_SCENES = 30
_MOST_SCENES = 1000
_SLOWEST, _FASTEST = 0.001, 10_000.0  # MHz


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "case",
        nargs="?",
        metavar="CASE",
        help="case name, folder or file (default: the one whose file says default: true)",
    )
    add_program_options(parser)
    parser.add_argument(
        "--mhz",
        type=megahertz,
        metavar="MHZ",
        help="clock of predicted speeds (default: that of the published figures)",
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
        default=_DEFAULT_SCENES,
        metavar="N",
        help=f"how many scenes with each number of objects (default: {_DEFAULT_SCENES})",
    )
    parser.add_argument(
        "--seed",
        type=whole_number,
        default=DEFAULT_SEED,
        metavar="N",
        help=f"seed of the first scene (default: {DEFAULT_SEED})",
    )
    add_jobs_option(parser)
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
    parser.add_argument("--json", type=output_file, metavar="FILE", help="write the report as json")
    parser.add_argument(
        "--markdown", type=output_file, metavar="FILE", help="write the report as markdown"
    )
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
    add_profile_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Predict, compare, print."""
    for option in ("plot", "events_plot"):
        path = getattr(arguments, option)
        if path is not None:
            require_known_suffix(path, f"--{option.replace('_', '-')}")
    check_profile(arguments)
    case = default_case() if arguments.case is None else load_case(arguments.case)
    check_harness(case, arguments)
    refuse_overwriting(_written(arguments), _read(case, arguments))
    plan = make_plan(case, arguments)
    report = _compare(case, plan, arguments) if wants_comparison(arguments) else None
    profile = make_profile_result(case, plan, arguments) if wants_profile(arguments) else None
    if report is not None and profile is not None:
        report["profile"] = profile.report
    contents = [*_contents(report, arguments)] if report is not None else []
    if profile is not None and arguments.annotate is not None:
        contents.append((arguments.annotate, profile.page()))
    for path, content in contents:
        write_whole(path, content)
    if not arguments.quiet:
        if report is not None:
            print_report(report, console, verbose=arguments.verbose)
        if profile is not None:
            profile.show(console, is_whole=arguments.verbose)
        for path, _ in contents:
            console.print(Text(f"{path} written"), soft_wrap=True)
    return 0


# -- what comes of it ------------------------------------------------------------------------


def _compare(case: Case, plan: Plan, arguments: argparse.Namespace) -> Report:
    # Short work and likely mistakes first: a bad file should not cost half a minute.
    measured = read_measured(arguments.measured, case.name)
    chosen = choose_programs(case, arguments)
    with tempfile.TemporaryDirectory(prefix="macproof-") as folder:
        harness = harness_programs(case, arguments, Path(folder))
        return _report(case, chosen, plan, measured, harness, arguments)


def _contents(report: Report, arguments: argparse.Namespace) -> Iterator[tuple[Path, bytes]]:
    """What is written of the comparison, and where."""
    files = [
        (arguments.json, to_json),
        (arguments.markdown, to_markdown),
    ]
    pictures = [(arguments.plot, speed_plot), (arguments.events_plot, event_plot)]
    for path, make in files:
        if path is not None:
            yield path, make(report).encode("utf-8", "backslashreplace")
    for path, draw in pictures:
        if path is not None:
            yield path, draw(report, path.suffix)


def _report(
    case: Case,
    chosen: Chosen,
    plan: Plan,
    measured: Measurements,
    harness: Sequence[HarnessProgram],
    arguments: argparse.Namespace,
) -> Report:
    began = time.monotonic()
    only_one = len({program.subject.build for program in chosen.programs}) == 1
    with counted_progress(arguments, "programs") as progress:
        task = progress.add_task(case.name, total=len(chosen.programs))
        outcomes = predict(
            case,
            chosen.programs,
            plan,
            varied=lambda program: only_one or program.subject.build == CHOICE,
            jobs=arguments.jobs,
            on_progress=lambda count: progress.advance(task, count),
        )
        unpriced = [one for one in outcomes if isinstance(one, Unpriced)]
        if len(unpriced) == len(outcomes):
            raise UnpricedError("; ".join(f"{one.program}: {one.why}" for one in unpriced[:3]))
        runs: list[HarnessRun] = []
        if harness:
            second = progress.add_task("in virtual time", total=len(harness))
            runs = run_harness(
                harness,
                jobs=arguments.jobs,
                on_progress=lambda count: progress.advance(second, count),
            )
    predictions = [one for one in outcomes if isinstance(one, Prediction)]
    models = {cpu: model_for(cpu) for cpu in dict.fromkeys(one.cpu for one in predictions)}
    timing = case.timing
    return make_report(
        Comparison(
            case=case,
            plan=plan,
            events=count_events(case, plan, timing.events if timing is not None else {}),
            also=count_events(case, plan, timing.also if timing is not None else {}),
            predictions=predictions,
            programs=[
                program
                for program, one in zip(chosen.built, outcomes, strict=True)
                if isinstance(one, Prediction)
            ],
            models=models,
            megahertz={cpu: clock_of(case, cpu, arguments.mhz) for cpu in models},
            measured=measured,
            loops=check(tuple(loop for loop in micro_loops() if loop.cpu in models)),
            harness=runs,
            not_run=[*((str(one.program), one.why) for one in unpriced), *chosen.not_run],
            provision=chosen.note,
            command=["macproof", *arguments.words],
            seconds=time.monotonic() - began,
        )
    )


def _written(arguments: argparse.Namespace) -> Iterator[Place]:
    yield from places_of(arguments, "json", "markdown", "plot", "events_plot")
    yield from places_written(arguments)


def _read(case: Case, arguments: argparse.Namespace) -> Iterator[Place]:
    yield from places_of_case(case, "the case", "a source of the case")
    yield from (Place("--source", file) for file in source_files(arguments.source))
    if arguments.program is not None:
        yield from (Place("--program", file) for file in host_files(arguments.program))
    for path in arguments.measured:
        yield from (Place("--measured", file) for file in host_files(path))


def megahertz(text: str) -> float:
    """A clock.

    Raises:
        argparse.ArgumentTypeError: it is none.
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
    """How many scenes.

    Raises:
        argparse.ArgumentTypeError: none, or more than memory should be asked to hold.
    """
    number = whole_number(text)
    if not 1 <= number <= _MOST_SCENES:
        raise argparse.ArgumentTypeError(f"{text} is not from 1 to {_MOST_SCENES}")
    return number
