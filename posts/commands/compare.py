"""``macproof compare``: run all collision systems on the same objects."""

from __future__ import annotations

import argparse

from rich.console import Console

from emu.cases.case import DEFAULT_SEED
from emu.commands.interface.numbers import add_jobs_option, add_number_option
from emu.commands.interface.options import (
    add_code_option,
    add_programs_option,
    object_counts,
    scene_count,
)
from emu.commands.interface.outputs import (
    add_report_options,
    output_file,
    publish,
    report_places,
)
from emu.commands.interface.overwriting import (
    places_of,
    places_of_case,
    refuse_overwriting,
)
from emu.commands.interface.progress import counted_progress
from emu.commands.timing import megahertz
from emu.cycles.models import MODELS
from emu.report.plots.plot_files import require_picture_name
from emu.toolchain.builds import targets_of
from posts.comparison import plots
from posts.comparison.document import comparison_document
from posts.comparison.judge import AGREE, DISAGREE
from posts.comparison.plan import read_plan
from posts.comparison.run import compare_systems
from posts.comparison.system import choose_cases

_CPUS = ("68040", "601")
_BUILD = "O2"
_EXIT = {AGREE: 0, DISAGREE: 1}
_UNDECIDED = 4


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "case",
        nargs="*",
        metavar="CASE",
        help="case name, folder or file with a section compare (default: all that come with "
        "macproof)",
    )
    parser.add_argument(
        "--also",
        action="append",
        default=[],
        metavar="CASE",
        help="a further case that takes part, such as your own; may be repeated",
    )
    _add_scene_options(parser)
    parser.add_argument(
        "--cpu",
        action="append",
        choices=list(MODELS),
        help=f"only this processor; may be repeated (default: {' and '.join(_CPUS)})",
    )
    add_code_option(parser)
    parser.add_argument(
        "--build", default=_BUILD, metavar="BUILD", help=f"build (default: {_BUILD})"
    )
    parser.add_argument(
        "--mhz",
        type=megahertz,
        metavar="MHZ",
        help="clock of predicted speeds (default: each model's own)",
    )
    add_programs_option(parser)
    add_jobs_option(parser)
    add_report_options(parser)
    parser.add_argument(
        "--plot",
        type=output_file,
        metavar="FILE",
        help="draw speeds and tests over objects (.png, .svg or .pdf)",
    )


def _add_scene_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--objects",
        type=object_counts,
        default=[],
        metavar="N,N,...",
        help="numbers of objects (default: 10 to 2000)",
    )
    parser.add_argument(
        "--kind",
        action="append",
        default=[],
        metavar="KIND",
        help="only this kind of scenes, uniform or clustered; may be repeated",
    )
    parser.add_argument(
        "--scenes",
        type=scene_count,
        default=0,
        metavar="N",
        help="how many scenes of each kind and size (default: 20 of small ones, fewer of large)",
    )
    add_number_option(parser, "--seed", DEFAULT_SEED, "seed of the first scene")


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Compare the systems and print the report; 1 if a system is wrong."""
    if arguments.plot is not None:
        require_picture_name(arguments.plot, "--plot")
    plan = read_plan(
        generators=arguments.kind,
        objects=arguments.objects,
        scenes=arguments.scenes,
        seed=arguments.seed,
    )
    cases = choose_cases(arguments.case, arguments.also)
    written = [*report_places(arguments), *places_of(arguments, "plot")]
    read = (one for case in cases for one in places_of_case(case, "a case", "a source of a case"))
    refuse_overwriting(written, read)
    with counted_progress(arguments) as progress:
        task = progress.add_task("compare", total=None)
        report = compare_systems(
            cases,
            plan,
            targets=targets_of(
                tuple(dict.fromkeys(arguments.cpu or _CPUS)),
                arguments.code,
                needs_all=arguments.cpu is not None,
            ),
            build=arguments.build,
            megahertz=arguments.mhz,
            programs=arguments.programs,
            jobs=arguments.jobs,
            command=arguments.command_line,
            on_progress=lambda done, of: progress.update(task, advance=done, total=of),
        )
    document = comparison_document(report)
    pictures = {} if arguments.plot is None else {plots.NAME: arguments.plot}
    publish(document, arguments, console, pictures, names_files=True)
    return _EXIT.get(report.verdict, _UNDECIDED)
