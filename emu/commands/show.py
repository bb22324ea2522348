"""``macproof show``: a scene as the window of 1994 drew it."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from rich.console import Console

from emu.base.errors import GuestError, UsageError
from emu.cases.case import default_case, load_case
from emu.cases.scenes import columns_of, scene_of
from emu.commands.options import (
    DEFAULT_SEED,
    add_program_options,
    object_count,
    select,
    whole_number,
)
from emu.commands.outputs import output_file
from emu.commands.scene_source import ChosenScene, failed_before, from_report, require_generator
from emu.machine.apart import run_apart
from emu.report.picture import Window, draw_scene, save_png
from emu.verify.scene_view import view_scene
from emu.verify.verdicts import SceneSpec

_DEFAULT_OUTPUT = Path("macproof-scene.png")
_USUAL_CPU = "68040"


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "case",
        nargs="?",
        metavar="CASE",
        help="case name, folder or file (default: the one whose file says default: true)",
    )
    parser.add_argument("--report", type=Path, metavar="FILE", help="the first failing scene of it")
    parser.add_argument("--generator", help="how the scene is made (default: the case's first)")
    parser.add_argument(
        "--objects", type=object_count, metavar="N", help="how many (default: the case's most)"
    )
    parser.add_argument("--seed", type=whole_number, default=DEFAULT_SEED, metavar="N")
    parser.add_argument("-o", "--output", type=output_file, default=_DEFAULT_OUTPUT, metavar="FILE")
    add_program_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Draw the scene; objects about which the routine is wrong are framed in red."""
    chosen = _choose(arguments)
    picture = chosen.case.picture
    if picture is None:
        raise UsageError(_why_not_drawn(chosen))
    seen = run_apart(view_scene, chosen.case, chosen.subject, chosen.spec)
    subject, spec = chosen.subject, chosen.spec
    wrong = np.flatnonzero(seen.wrong)
    marks = {int(i): f"{i}" if len(wrong) <= 40 else "" for i in wrong}
    state = f"{len(wrong)} objects wrong" if len(wrong) else "as the reference"
    if not len(wrong) and seen.otherwise:
        state = "no object wrong, but refuted: something else is"
    is_right = not (len(wrong) or seen.otherwise or seen.fault)
    if chosen.said and is_right:
        raise GuestError(failed_before(chosen))
    if seen.fault:
        state = "did not come back; drawn as the reference has it"
    outlined = int(seen.outlined.sum())
    collided = f"{outlined} in a collision; " if picture.outline else ""
    caption = f"{chosen.case.name} {subject.cpu} {subject.build}: {spec}; {collided}{state}"
    window = Window(chosen.case.width, chosen.case.height, shape=picture.shape)
    pixels = draw_scene(
        seen.corners,
        seen.outlined,
        window,
        sizes=seen.sizes,
        grid=seen.grid,
        marks=marks,
        caption=caption,
    )
    save_png(pixels, arguments.output, {"Title": caption, "Software": "macproof"})
    if not arguments.quiet:
        console.print(
            f"{arguments.output}: {caption}", soft_wrap=True, highlight=False, markup=False
        )
    return 1 if len(wrong) or seen.otherwise else 4 if seen.fault else 0


def _why_not_drawn(chosen: ChosenScene) -> str:
    """A case without a picture: what its scenes are of, and who tells more in words."""
    case, spec = chosen.case, chosen.spec
    columns = columns_of(case, scene_of(case, *spec.scene))
    each = f"each of its objects has {', '.join(columns)}"
    return (
        f"case {case.name} has no picture. A scene of it ({spec}) has no coordinates to draw: "
        f"{each if columns else 'it has no value for each of its objects'}. Where a program goes "
        f"wrong with one is told in words by macproof explain {case.name}"
    )


def _choose(arguments: argparse.Namespace) -> ChosenScene:
    if arguments.report is not None:
        chosen = from_report(arguments.report, arguments)
        if chosen is None:
            raise UsageError(f"{arguments.report}: no scene of it failed, so there is none to show")
        return chosen
    case = default_case() if arguments.case is None else load_case(arguments.case)
    usual = _USUAL_CPU if _USUAL_CPU in case.cpus else case.cpus[0]
    arguments.cpu = (arguments.cpu or [usual])[:1]
    if arguments.program is None:
        arguments.build = (arguments.build or ["O2"])[:1]
    selection = select(case, arguments)
    generator = case.generators[0] if arguments.generator is None else arguments.generator
    require_generator(case, generator)
    objects = max(case.objects) if arguments.objects is None else arguments.objects
    spec = SceneSpec(generator, objects, arguments.seed)
    return ChosenScene(case, selection[0], spec)
