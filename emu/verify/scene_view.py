"""What can be seen of a scene: where its objects are drawn, and which of them are wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import CaseError, UsageError
from emu.base.functions import resolve, told_as
from emu.cases.case import LINKED_LIST, Case, Scene
from emu.cases.parts import describe_scene
from emu.cases.programs import Subject
from emu.cases.scenes import ask_reference, columns_of, corners_of, scene_of
from emu.verify.bound_case import BoundCase
from emu.verify.fills import Preparation
from emu.verify.prepared_scenes import prepare
from emu.verify.repeatable import require_repeatable
from emu.verify.scene_runs import bound_case_for
from emu.verify.verdicts import SceneSpec


@dataclass(frozen=True, slots=True, eq=False)
class Reported:
    """What is reported of the objects of a scene: by a routine, or by its reference.

    Attributes:
        outlined: (objects,) which are drawn as outlines, for they are reported in a collision.
        partners: with which others each object is reported. Where only flags are reported, and no
            pairs, nobody knows: it is then empty for every object.
    """

    outlined: NDArray[np.bool_]
    partners: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class SceneView:
    """What a routine and its reference say of a scene, object by object.

    Attributes:
        corners: (objects, 2) int32 upper-left corners in pixels; (0, 2) if the scene has none and
            none are needed.
        sizes: sides or diameters in pixels, (objects, 1), or widths and heights, (objects, 2).
        grid: rectangles of the picture's grid, each (left, top, right, bottom) in pixels.
        came: what the routine left in memory.
        expected: what the reference says.
        wrong: (objects,) about which the two differ.
        otherwise: whether the contract, a table or other memory is wrong, whatever the objects are.
        fault: why the call did not come back, or "". What came is then as the reference has it.
    """

    corners: NDArray[np.int32]
    sizes: NDArray[np.int64]
    grid: list[tuple[int, int, int, int]]
    came: Reported
    expected: Reported
    wrong: NDArray[np.bool_]
    otherwise: bool
    fault: str


def view_scene(case: Case, subject: Subject, spec: SceneSpec) -> SceneView:
    """Call a program's routine on a scene of a case that has a picture.

    Guest code runs in this process, and may bring it down: see `emu.machine.apart.run_apart`.

    Raises:
        UsageError: the case has no picture, or its Python code refuses the scene.
        CaseError, ProgramError: the picture or the program lacks what the case names.
    """
    bound = bound_case_for(case.path, subject)
    scene = scene_of(case, *spec.scene)
    answer = ask_reference(case, scene)
    require_repeatable(case, spec, scene, answer)
    return view_call(bound, scene, answer, prepare(case, spec))


def view_call(bound: BoundCase, scene: Scene, answer: Any, preparation: Preparation) -> SceneView:
    """Like `view_scene`, on a scene that is made already.

    Args:
        bound: the case on the program's machine.
        scene: the scene.
        answer: what the reference says of it.
        preparation: how memory is filled before the call.

    Raises:
        UsageError, CaseError: as of `view_scene`.
    """
    case, picture = bound.case, bound.case.picture
    if picture is None:
        raise UsageError(f"case {case.name} has no picture")
    before = bound.before([scene], [preparation])
    images, _ = bound.expected(before, [answer])
    batch = bound.machine.run_batch(bound.routine, before, (), bound.surroundings([preparation]))
    after = batch.after[0] if batch.completed else images[0]
    drawn = bool(picture.outline) or hasattr(scene, "corners")
    corners = corners_of(case, scene) if drawn else np.zeros((0, 2), dtype=np.int32)
    reports = _Reports(bound, scene, answer, before[0])
    came, expected = reports.of(after), reports.of(images[0])
    wrong = came.outlined != expected.outlined
    for name in _arrays_of_objects(case, scene):
        seen, wanted = (bound.observation(image)[name] for image in (after, images[0]))
        if seen.ndim == 1:
            wrong |= (seen != wanted)[: scene.objects]
    return SceneView(
        corners=corners,
        sizes=object_sizes(case, scene, len(corners)),
        grid=grid_of(case, scene, answer),
        came=came,
        expected=expected,
        wrong=wrong[: len(corners)],
        otherwise=bool(batch.completed)
        and (bool(batch.violations) or bool(bound.differences.wrong(images[0], after).any())),
        fault=batch.fault.reason if batch.fault else "",
    )


def object_sizes(case: Case, scene: Scene, count: int) -> NDArray[Any]:
    """How large the first objects of a scene are drawn, in pixels; 1 without a picture.

    Returns:
        Sides or diameters, shape (count, 1), or widths and heights, shape (count, 2).

    Raises:
        CaseError: the scene does not have what the picture names.
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

    Raises:
        UsageError: the function refuses the scene, or gives something else.
    """
    if case.picture is None or not case.picture.grid:
        return []
    dotted = case.picture.grid
    with told_as(f"{dotted} refuses {describe_scene(scene)}"):
        draw = resolve(dotted, case.path.parent)
        given = [tuple(rectangle) for rectangle in draw(scene, answer)]
        whole = [tuple(int(edge) for edge in rectangle) for rectangle in given]
    found = []
    for edges, rectangle in zip(given, whole, strict=True):
        if len(rectangle) != 4 or edges != rectangle:
            raise UsageError(
                f"{dotted} gives {edges}, where four whole numbers are wanted: "
                "left, top, right, bottom"
            )
        left, top, right, bottom = rectangle
        found.append((left, top, right, bottom))
    return found


class _Reports:
    """What is reported of the objects of a scene, given what is in memory.

    Raises:
        CaseError: the picture names something else than observed arrays that can tell.
    """

    def __init__(
        self, bound: BoundCase, scene: Scene, answer: Any, before: NDArray[np.uint8]
    ) -> None:
        case = bound.case
        assert case.picture is not None
        self._bound = bound
        self._names = case.picture.outline
        self._objects = scene.objects
        self._untouched = bound.observation(before)
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

    def of(self, image: NDArray[np.uint8]) -> Reported:
        """What an image of memory reports."""
        outlined = np.zeros(self._objects, dtype=np.bool_)
        partners: list[set[int]] = [set() for _ in range(self._objects)]
        seen = self._bound.observation(image)
        columns = [seen[name] for name in self._names]
        if len(columns) == 1:
            outlined |= columns[0][: self._objects] != 0
        elif columns:
            for one, other in self._pairs(columns):
                for object_, partner in ((one, other), (other, one)):
                    if 0 <= object_ < self._objects:
                        outlined[object_] = True
                        partners[object_].add(partner)
        return Reported(outlined, tuple(tuple(sorted(numbers)) for numbers in partners))

    def _pairs(self, columns: Sequence[NDArray[Any]]) -> list[list[int]]:
        """The pairs reported: those written, or there before and as the reference reports them."""
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
    """Observed members of the arrays in which the scene's objects themselves lie."""
    columns = {*columns_of(case, scene), LINKED_LIST}
    arrays = {v for v, members in case.inputs.items() if columns & set(members.values())}
    return [f"{o.variable}.{o.member}" for o in case.observed if o.member and o.variable in arrays]
