"""``macproof show``: a scene as the window of 1994 drew it."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from emu.commands.options import (
    DEFAULT_SEED,
    add_program_options,
    object_count,
    select,
    whole_number,
)
from emu.commands.scene_source import ChosenScene, from_report, require_generator
from emu.errors import CaseError, UsageError
from emu.evidence.picture import Window, draw_scene, save_png
from emu.verify import SceneSpec, comparison_for
from emu.workers import run_apart

_DEFAULT_OUTPUT = Path("macproof-scene.png")


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """What a routine and its reference say of a scene, object by object."""

    corners: NDArray[np.int32]
    outlined: NDArray[np.bool_]
    expected: NDArray[np.bool_]
    wrong: NDArray[np.bool_]
    otherwise: bool
    """Whether the contract, a table or other memory is wrong, whatever the objects are."""
    fault: str


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("case", nargs="?", default="four-shifts", metavar="CASE")
    parser.add_argument("--report", type=Path, metavar="FILE", help="the first failing scene of it")
    parser.add_argument("--generator", default="uniform", help="how the scene is made")
    parser.add_argument("--objects", type=object_count, default=200, metavar="N")
    parser.add_argument("--seed", type=whole_number, default=DEFAULT_SEED, metavar="N")
    parser.add_argument("-o", "--output", type=Path, default=_DEFAULT_OUTPUT, metavar="FILE")
    add_program_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Draw the scene; objects about which the routine is wrong are framed in red."""
    chosen = _choose(arguments)
    picture = chosen.case.picture
    if picture is None:
        raise UsageError(f"case {chosen.case.name} does not say how it is drawn")
    seen = run_apart(_look, chosen)
    subject, spec = chosen.subject, chosen.spec
    wrong = np.flatnonzero(seen.wrong)
    marks = {int(i): f"{i}" if len(wrong) <= 40 else "" for i in wrong}
    state = f"{len(wrong)} objects wrong" if len(wrong) else "as the reference"
    if not len(wrong) and seen.otherwise:
        state = "no object wrong, but refuted: something else is"
    if seen.fault:
        state = "did not come back; drawn as the reference has it"
    outlined = int(seen.outlined.sum())
    caption = (
        f"{chosen.case.name} {subject.cpu} {subject.build}: {spec}; "
        f"{outlined} in a collision; {state}"
    )
    window = Window(chosen.case.width, chosen.case.height, picture.object_size)
    pixels = draw_scene(seen.corners, seen.outlined, window, marks=marks, caption=caption)
    save_png(pixels, arguments.output, {"Title": caption, "Software": "macproof"})
    if not arguments.quiet:
        console.print(
            f"{arguments.output}: {caption}", soft_wrap=True, highlight=False, markup=False
        )
    return 1 if len(wrong) or seen.otherwise else 4 if seen.fault else 0


def _choose(arguments: argparse.Namespace) -> ChosenScene:
    if arguments.report is not None:
        chosen = from_report(arguments.report, arguments)
        if chosen is None:
            raise UsageError(f"{arguments.report}: no scene of it failed, so there is none to show")
        return chosen
    arguments.cpu = (arguments.cpu or ["68040"])[:1]
    if arguments.program is None:
        arguments.build = (arguments.build or ["O2"])[:1]
    selection = select(arguments.case, arguments)
    require_generator(selection.case, arguments.generator)
    spec = SceneSpec(arguments.generator, arguments.objects, arguments.seed)
    return ChosenScene(selection.case, selection.subjects[0], spec)


def _look(chosen: ChosenScene) -> _Seen:
    case, spec = chosen.case, chosen.spec
    assert case.picture is not None
    comparison = comparison_for(case.path, chosen.subject)
    scene = case.make_scene(spec.generator, spec.objects, spec.seed)
    before = comparison.before([scene])
    images, _ = comparison.expected(before, [case.expect(scene)])
    expected = comparison.observation(images[0])
    outline = case.picture.outline
    if outline not in expected or expected[outline].ndim != 1:
        raise CaseError(
            case.path,
            f"picture.outline is {outline}, which is no observed array with a value an object",
            remedy=f"There are {', '.join(n for n, v in expected.items() if v.ndim == 1)}.",
        )
    batch = comparison.machine.run_batch(comparison.routine, before)
    found = comparison.observation(batch.after[0]) if batch.completed else expected
    objects = len(scene.corners)
    wrong = np.zeros(objects, dtype=np.bool_)
    for name, values in expected.items():
        if values.ndim == 1:  # one value an object
            wrong |= (values != found[name])[:objects]
    return _Seen(
        corners=scene.corners,
        outlined=found[outline][:objects] != 0,
        expected=expected[outline][:objects] != 0,
        wrong=wrong,
        otherwise=bool(batch.completed)
        and (bool(batch.violations) or bool((images[0] != batch.after[0]).any())),
        fault=batch.fault.reason if batch.fault else "",
    )
