"""``macproof show``: a scene as the window of 1994 drew it."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from emu.base.errors import CaseError, GuestError, UsageError
from emu.cases.case import LINKED_LIST, Case, Scene, load_case
from emu.commands.options import (
    DEFAULT_SEED,
    add_program_options,
    object_count,
    select,
    whole_number,
)
from emu.commands.outputs import output_file
from emu.commands.scene_source import ChosenScene, failed_before, from_report, require_generator
from emu.evidence.picture import Window, draw_scene, save_png
from emu.machine.apart import run_apart
from emu.verify.compare import Comparison
from emu.verify.repeatable import require_repeatable
from emu.verify.scene_runs import prepare
from emu.verify.schedule import SceneSpec, comparison_for

_DEFAULT_OUTPUT = Path("macproof-scene.png")
_USUAL_CPU = "68040"


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """What a routine and its reference say of a scene, object by object."""

    corners: NDArray[np.int32]
    sizes: NDArray[np.int64]
    grid: list[tuple[int, int, int, int]]
    outlined: NDArray[np.bool_]
    wrong: NDArray[np.bool_]
    otherwise: bool
    """Whether the contract, a table or other memory is wrong, whatever the objects are."""
    fault: str


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("case", nargs="?", default="four-shifts", metavar="CASE")
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
    seen = run_apart(_look, chosen)
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
    columns = case.columns(case.make_scene(spec.generator, spec.objects, spec.seed))
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
    case = load_case(arguments.case)
    usual = _USUAL_CPU if _USUAL_CPU in case.cpus else case.cpus[0]
    arguments.cpu = (arguments.cpu or [usual])[:1]
    if arguments.program is None:
        arguments.build = (arguments.build or ["O2"])[:1]
    selection = select(arguments.case, arguments)
    generator = case.generators[0] if arguments.generator is None else arguments.generator
    require_generator(case, generator)
    objects = max(case.objects) if arguments.objects is None else arguments.objects
    spec = SceneSpec(generator, objects, arguments.seed)
    return ChosenScene(selection.case, selection.subjects[0], spec)


def _look(chosen: ChosenScene) -> _Seen:
    case, spec = chosen.case, chosen.spec
    picture = case.picture
    assert picture is not None
    comparison = comparison_for(case.path, chosen.subject)
    scene = case.make_scene(spec.generator, spec.objects, spec.seed)
    answer = case.expect(scene)
    require_repeatable(case, spec, scene, answer)
    preparations = [prepare(case, spec)]
    before = comparison.before([scene], preparations)
    images, _ = comparison.expected(before, [answer])
    batch = comparison.machine.run_batch(
        comparison.routine, before, (), comparison.surroundings(preparations)
    )
    after = batch.after[0] if batch.completed else images[0]
    drawn = bool(picture.outline) or hasattr(scene, "corners")
    corners = case.corners(scene) if drawn else np.zeros((0, 2), dtype=np.int32)
    outlines = _Outlines(comparison, scene, answer, before[0])
    outlined, expected = outlines.of(after), outlines.of(images[0])
    wrong = outlined != expected
    for name in _arrays_of_objects(case, scene):
        seen, wanted = (comparison.observation(image)[name] for image in (after, images[0]))
        if seen.ndim == 1:
            wrong |= (seen != wanted)[: scene.objects]
    return _Seen(
        corners=corners,
        sizes=case.object_sizes(scene, len(corners)),
        grid=case.grid(scene, answer),
        outlined=outlined[: len(corners)],
        wrong=wrong[: len(corners)],
        otherwise=bool(batch.completed)
        and (bool(batch.violations) or bool(comparison.differences.wrong(images[0], after).any())),
        fault=batch.fault.reason if batch.fault else "",
    )


class _Outlines:
    """Which objects of a scene are drawn as outlines, given what is in memory.

    Raises:
        CaseError: the picture names something else than observed arrays that can tell.
    """

    def __init__(
        self, comparison: Comparison, scene: Scene, answer: Any, before: NDArray[np.uint8]
    ) -> None:
        case = comparison.case
        assert case.picture is not None
        self._comparison = comparison
        self._names = case.picture.outline
        self._objects = scene.objects
        self._untouched = comparison.observation(before)
        attributes = {
            f"{o.variable}.{o.member}" if o.member else o.variable: o.attribute
            for o in case.observed
        }
        possible = [name for name in attributes if self._untouched[name].ndim == 1]
        for name in self._names:
            flags = len(self._names) == 1
            if name not in possible or (flags and len(self._untouched[name]) < scene.objects):
                what = "with a value an object" if flags else "of first or second objects of pairs"
                raise CaseError(
                    case.path,
                    f"picture.outline is {name}, which is no observed array {what}",
                    remedy=f"There are {', '.join(possible)}.",
                )
        self._reported = [np.asarray(getattr(answer, attributes[name])) for name in self._names]

    def of(self, image: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """One for each object, shape (objects,)."""
        outlined = np.zeros(self._objects, dtype=np.bool_)
        if not self._names:
            return outlined
        seen = self._comparison.observation(image)
        columns = [seen[name] for name in self._names]
        if len(columns) == 1:
            return np.asarray(columns[0][: self._objects] != 0)
        # A pair is one that was written, or was there before and is what the reference reports.
        length = min(map(len, columns))
        reported = min(length, *map(len, self._reported))
        pairs = np.zeros(length, dtype=np.bool_)
        pairs[:reported] = True
        for wanted, column in zip(self._reported, columns, strict=True):
            pairs[:reported] &= column[:reported] == wanted[:reported]
        for name, column in zip(self._names, columns, strict=True):
            pairs |= (column != self._untouched[name])[:length]
        for column in columns:
            members = column[:length][pairs]
            outlined[members[(members >= 0) & (members < self._objects)]] = True
        return outlined


def _arrays_of_objects(case: Case, scene: Scene) -> list[str]:
    """Observed members of the arrays in which the scene's objects themselves lie."""
    columns = {*case.columns(scene), LINKED_LIST}
    arrays = {v for v, members in case.inputs.items() if columns & set(members.values())}
    return [f"{o.variable}.{o.member}" for o in case.observed if o.member and o.variable in arrays]
