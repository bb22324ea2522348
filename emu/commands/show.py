"""``macproof show``: draw a scene as the window of 1994 did."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from emu.base.errors import GuestError, UsageError
from emu.cases.case import DEFAULT_SEED, Case
from emu.cases.keys.parts import ScenePicture
from emu.cases.scenes import columns_of, scene_of
from emu.commands.interface.numbers import whole_number
from emu.commands.interface.options import (
    add_case_argument,
    add_program_options,
    chosen_case,
    object_count,
    select,
)
from emu.commands.interface.outputs import (
    add_report_options,
    output_file,
    report_files,
    report_places,
)
from emu.commands.interface.overwriting import places_of, refuse_overwriting
from emu.commands.interface.trust import add_trust_option, require_trust
from emu.machine.guest_process import run_apart
from emu.report.document import Tone
from emu.report.forms.figure_png import draw_figure, save_png
from emu.report.forms.terminal import say
from emu.report.forms.write import write_documents
from emu.verify.explain.failed_scene import (
    ChosenScene,
    cases_named,
    first_failure,
    not_reproduced_message,
)
from emu.verify.report.read_report import read_reports
from emu.verify.scenes.scene_spec import SceneSpec
from emu.verify.views.scene_document import outcome_of, scene_document
from emu.verify.views.scene_figures import figures_of
from emu.verify.views.scene_view import view_scene

_DEFAULT_OUTPUT = Path("macproof-scene.png")
_USUAL_CPU = "68040"
_MOST_NUMBERS = 40  # of wrong objects; more would cover the scene
_EXIT_CODES = {Tone.GOOD: 0, Tone.BAD: 1, Tone.DOUBTFUL: 4}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_case_argument(parser)
    parser.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help="show the first failing scene of this JSON report",
    )
    add_trust_option(parser)
    parser.add_argument(
        "--generator", help="the generator that makes the scene (default: the case's first)"
    )
    parser.add_argument(
        "--objects",
        type=object_count,
        metavar="N",
        help="how many objects (default: the case's most)",
    )
    parser.add_argument("--seed", type=whole_number, default=DEFAULT_SEED, metavar="N")
    parser.add_argument("-o", "--output", type=output_file, default=_DEFAULT_OUTPUT, metavar="FILE")
    add_program_options(parser)
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Draw the scene; objects about which the routine is wrong are framed in red.

    Of a picture that the case's own function draws, pixels that are wrong are red.
    """
    chosen = _choose(arguments, console)
    case, subject, spec = chosen.case, chosen.subject, chosen.spec
    picture = _picture_of(case, spec)
    refuse_overwriting([*report_places(arguments), *places_of(arguments, "output")], ())
    view = run_apart(view_scene, case, subject, spec)
    outcome = outcome_of(view)
    if chosen.summary and outcome.tone is Tone.GOOD:
        raise GuestError(not_reproduced_message(chosen))
    count = int(view.actual.outlined.sum())
    collided = f"{count} in a collision; " if picture.outline else ""
    caption = f"{case.name} {subject.cpu} {subject.build}: {spec}; {collided}{outcome}"
    if view.pictures is not None:
        pixels = view.pictures[0]
    else:
        actual, _ = figures_of(case, view, program=f"{subject.cpu} {subject.build}")
        few = int(view.wrong.sum()) <= _MOST_NUMBERS
        pixels = draw_figure(replace(actual, caption=caption), has_numbers=few)
    save_png(pixels, arguments.output, {"Title": caption, "Software": "macproof"})
    document = scene_document(case, subject, spec, view, command=arguments.command_line)
    write_documents([document], report_files(arguments))
    if not arguments.quiet:
        say(console, f"{arguments.output}: {caption}")
    return _EXIT_CODES[outcome.tone]


def _picture_of(case: Case, spec: SceneSpec) -> ScenePicture:
    """How scenes of a case are drawn.

    Raises:
        UsageError: they are not; the message names the command that explains one in words.
    """
    if case.picture is not None:
        return case.picture
    columns = columns_of(case, scene_of(case, spec))
    each = f"each of its objects has {', '.join(columns)}"
    raise UsageError(
        f"case {case.name} has no picture. A scene of it ({spec}) has no coordinates to draw: "
        f"{each if columns else 'it has no value for each of its objects'}. What a program "
        f"does wrong with a scene is told in words by macproof explain {case.name}"
    )


def _choose(arguments: argparse.Namespace, console: Console) -> ChosenScene:
    if arguments.report is not None:
        reports = read_reports(arguments.report)
        named = cases_named(report.receipt.case for report in reports)
        require_trust(named, arguments, console)
        chosen = first_failure(
            reports,
            cpus=arguments.cpu,
            builds=arguments.build,
            path=arguments.report,
        )
        if chosen is None:
            raise UsageError(f"{arguments.report}: no scene of it failed, so there is none to show")
        return chosen
    case = chosen_case(arguments)
    generator = case.generators[0] if arguments.generator is None else arguments.generator
    _require_generator(case, generator)
    objects = max(case.objects) if arguments.objects is None else arguments.objects
    spec = SceneSpec(generator, objects, arguments.seed)
    _picture_of(case, spec)
    usual = _USUAL_CPU if _USUAL_CPU in case.cpus else case.cpus[0]
    build = case.usual_build()
    selection = select(
        case,
        arguments,
        cpus=(arguments.cpu or [usual])[:1],
        builds=None if arguments.program else (arguments.build or [build])[:1],
    )
    return ChosenScene(case, selection[0], spec)


def _require_generator(case: Case, generator: str) -> None:
    """Refuse a generator the case does not have."""
    if generator not in case.generators:
        raise UsageError(
            f"there is no generator {generator}; there are {', '.join(case.generators)}"
        )
