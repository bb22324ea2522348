"""The results of a program and its reference on one scene, object by object, for drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import CaseError, UsageError
from emu.base.functions import resolve, told_as
from emu.cases.case import LINKED_LIST, Case
from emu.cases.keys.parts import Scene, describe_scene
from emu.cases.programs.subject import Subject
from emu.cases.scenes import columns_of, corners_of, scene_of
from emu.verify.answers.answers import ask_reference
from emu.verify.answers.repeatable import require_repeatable
from emu.verify.batches.bench import Bench
from emu.verify.batches.benches import bench_for
from emu.verify.images.observations import observation
from emu.verify.places.bound_case import BoundCase
from emu.verify.runs.prepared_scenes import prepare
from emu.verify.scenes.fills import Preparation
from emu.verify.scenes.scene_spec import SceneSpec
from emu.verify.views.scene_pictures import Pixels, draw_results


@dataclass(frozen=True, slots=True, eq=False)
class ReportedCollisions:
    """The collisions that a routine, or its reference, reports.

    Attributes:
        outlined: shape (objects,), whether each object is reported to collide. Objects that collide
            are drawn as outlines.
        partners: for each object, the indices of the objects that it is reported to collide with,
            ascending. They are empty if only a flag for each object is reported, and no pairs.
    """

    outlined: NDArray[np.bool_]
    partners: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class SceneView:
    """The results of a routine and of its reference on a scene, object by object.

    Attributes:
        corners: shape (objects, 2), int32: the left and top edge of each object in pixels. Shape
            (0, 2) if the scene has no corners and the picture needs none.
        sizes: int64, in pixels: the side or diameter of each object, shape (objects, 1); or its
            width and height, shape (objects, 2).
        grid: the rectangles of the picture's grid, each (left, top, right, bottom) in pixels.
        actual: the collisions in guest memory after the call.
        expected: the collisions that the reference reports.
        wrong: shape (objects,), whether any value of each object differs from the reference's.
        is_otherwise_wrong: whether something is wrong that belongs to no object: a rule of the call
            contract is broken, or a table or other memory has a wrong value.
        pictures: the program's result and the reference's, as the case's own function draws them;
            None if the case has no such function. Nothing else is drawn then.
        fault: why the call did not return; "" if it did. If it did not, ``actual`` is a copy of
            ``expected``.
    """

    corners: NDArray[np.int32]
    sizes: NDArray[np.int64]
    grid: list[tuple[int, int, int, int]]
    actual: ReportedCollisions
    expected: ReportedCollisions
    wrong: NDArray[np.bool_]
    is_otherwise_wrong: bool
    fault: str
    pictures: tuple[Pixels, Pixels] | None = None


def view_scene(case: Case, subject: Subject, spec: SceneSpec) -> SceneView:
    """Call a program's routine on a scene, and collect what is drawn of the result.

    Guest code runs in this process and may crash it; `emu.machine.guest_process.run_apart` calls a
    function in a process of its own.

    Args:
        case: the case; it must have a picture.
        subject: the program.
        spec: the scene.

    Raises:
        UsageError: the case has no picture, or its Python code refuses the scene.
        CaseError: the picture names an array or attribute that does not exist.
        ProgramError: the program has no variable of a name that the case gives.
    """
    bench = bench_for(case, subject)
    scene = scene_of(case, spec)
    answer = ask_reference(case, scene)
    require_repeatable(case, spec, scene, answer)
    return view_call(bench, scene, answer, prepare(case, spec))


def view_call(bench: Bench, scene: Scene, answer: Any, preparation: Preparation) -> SceneView:
    """Like `view_scene`, for a scene that was made already.

    Args:
        bench: the case on the program.
        scene: the scene.
        answer: the reference's answer for it.
        preparation: what the call finds beside the scene.

    Raises:
        UsageError, CaseError: as of `view_scene`.
    """
    case, picture = bench.case, bench.case.picture
    if picture is None:
        raise UsageError(f"case {case.name} has no picture")
    images = bench.expect(bench.before([scene], [preparation]), [answer])
    bound, wanted = images.bound, images.expected[0]
    batch = bench.run(images)
    after = batch.after[0] if batch.completed else wanted
    drawn = bool(picture.outline) or (hasattr(scene, "corners") and not picture.draw)
    corners = corners_of(case, scene) if drawn else np.zeros((0, 2), dtype=np.int32)
    reports = _Reports(bound, scene, answer, images.before[0])
    actual, expected = reports.of(after), reports.of(wanted)
    wrong = actual.outlined != expected.outlined
    for name in _arrays_of_objects(case, scene):
        seen, right = (observation(bound, image)[name] for image in (after, wanted))
        if seen.ndim == 1:
            wrong |= (seen != right)[: scene.objects]
    differs = bool(bench.differences(images).wrong(wanted, after).any())
    return SceneView(
        corners=corners,
        sizes=object_sizes(case, scene, len(corners)),
        grid=grid_of(case, scene, answer),
        actual=actual,
        expected=expected,
        wrong=wrong[: len(corners)],
        is_otherwise_wrong=bool(batch.completed and (batch.violations or differs)),
        fault=batch.fault.reason if batch.fault else "",
        pictures=draw_results(bound, scene, answer, after, wanted) if picture.draw else None,
    )


def object_sizes(case: Case, scene: Scene, count: int) -> NDArray[Any]:
    """The sizes at which the first objects of a scene are drawn.

    Args:
        case: the case. Its picture gives one size for all objects, or names the attributes of the
            scene that hold them. Without a picture every size is 1.
        scene: the scene.
        count: the number of objects.

    Returns:
        Sides or diameters in pixels, shape (count, 1); or widths and heights, shape (count, 2).

    Raises:
        CaseError: the scene has no such attribute, or it is not one integer for each object.
    """
    named = case.picture.object_size if case.picture is not None else 1
    if isinstance(named, int):
        return np.full((count, 1), named, dtype=np.int64)
    columns = []
    for name in (named,) if isinstance(named, str) else named:
        sizes = np.asarray(getattr(scene, name, ()))
        if sizes.shape != (scene.objects,) or sizes.dtype.kind not in "iu":
            raise CaseError(
                case.path,
                f"picture.object_size is {name}, and a scene of {case.make} has no "
                "whole number of that name for each object",
            )
        columns.append(sizes[:count])
    return np.column_stack(columns)


def grid_of(case: Case, scene: Scene, answer: Any) -> list[tuple[int, int, int, int]]:
    """The rectangles of the picture's grid, each (left, top, right, bottom) in pixels.

    Args:
        case: the case. Its picture names the function that makes the grid, or none.
        scene: the scene.
        answer: the reference's answer for it.

    Raises:
        UsageError: the function raises an error, or returns something else than rectangles.
    """
    if case.picture is None or not case.picture.grid:
        return []
    dotted = case.picture.grid
    with told_as(f"{dotted} fails on {describe_scene(scene)}"):
        draw = resolve(dotted, case.path.parent)
        given = [tuple(rectangle) for rectangle in draw(scene, answer)]
        whole = [tuple(int(edge) for edge in rectangle) for rectangle in given]
    grid = []
    for edges, rectangle in zip(given, whole, strict=True):
        if len(rectangle) != 4 or edges != rectangle:
            raise UsageError(
                f"{dotted} gives {edges} in place of four whole numbers: left, top, right, bottom"
            )
        left, top, right, bottom = rectangle
        grid.append((left, top, right, bottom))
    return grid


class _Reports:
    """Reads the reported collisions of one scene from images of guest memory.

    Raises:
        CaseError: ``picture.outline`` names no observed array of flags or of pairs.
    """

    def __init__(
        self, bound: BoundCase, scene: Scene, answer: Any, before: NDArray[np.uint8]
    ) -> None:
        case = bound.case
        assert case.picture is not None
        self._bound = bound
        self._names = case.picture.outline
        self._objects = scene.objects
        self._untouched = observation(bound, before)
        attributes = {
            f"{o.variable}.{o.member}" if o.member else o.variable: o.attribute
            for o in case.observed
        }
        possible = [name for name in attributes if self._untouched[name].ndim == 1]
        for name in self._names:
            flags = len(self._names) == 1
            if name not in possible or (flags and len(self._untouched[name]) < scene.objects):
                what = (
                    "a value for each object" if flags else "the first or second objects of pairs"
                )
                raise CaseError(
                    case.path,
                    f"picture.outline is {name}, which is no observed array with {what}",
                    remedy=f"The observed arrays are {', '.join(possible)}.",
                )
        self._reported = [np.asarray(getattr(answer, attributes[name])) for name in self._names]

    def of(self, image: NDArray[np.uint8]) -> ReportedCollisions:
        """The collisions that an image of guest memory holds."""
        outlined = np.zeros(self._objects, dtype=np.bool_)
        partners: list[set[int]] = [set() for _ in range(self._objects)]
        seen = observation(self._bound, image)
        columns = [seen[name] for name in self._names]
        if len(columns) == 1:
            outlined |= columns[0][: self._objects] != 0
        elif columns:
            for pair, other in self._pairs(columns):
                for object_, partner in ((pair, other), (other, pair)):
                    if 0 <= object_ < self._objects:
                        outlined[object_] = True
                        partners[object_].add(partner)
        return ReportedCollisions(outlined, tuple(tuple(sorted(numbers)) for numbers in partners))

    def _pairs(self, columns: Sequence[NDArray[Any]]) -> list[list[int]]:
        """The pairs that an image reports.

        A pair counts if the routine wrote it, or if it was in memory before the call and is also
        the reference's pair at this index (the routine may have written the same values again).
        """
        length = min(map(len, columns))
        reported = min(length, *map(len, self._reported))
        is_pair = np.zeros(length, dtype=np.bool_)
        is_pair[:reported] = True
        for wanted, column in zip(self._reported, columns, strict=True):
            is_pair[:reported] &= column[:reported] == wanted[:reported]
        for name, column in zip(self._names, columns, strict=True):
            is_pair |= (column != self._untouched[name])[:length]
        pairs: list[list[int]] = np.column_stack([c[:length][is_pair] for c in columns]).tolist()
        return pairs


def _arrays_of_objects(case: Case, scene: Scene) -> list[str]:
    """The observed members of the arrays that hold the scene's objects, as "gObjects.collided"."""
    columns = {*columns_of(case, scene), LINKED_LIST}
    arrays = {
        v
        for v, members in case.inputs.items()
        if columns & {member.attribute for member in members.values()}
    }
    return [f"{o.variable}.{o.member}" for o in case.observed if o.member and o.variable in arrays]
