"""Pictures of findings: what either form made of a scene, object by object."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import CaseError
from emu.cases.scenes import corners_of
from emu.evidence.picture import Window, draw_scene
from emu.studies.findings.model import Drawing, Side
from emu.studies.findings.result import StepResult
from emu.verify.scene_view import object_sizes
from emu.verify.trials import Outcome

_MARGIN = 24
_SMALLEST, _LARGEST = 240, 1600
_USUAL_CPU = "68040"


@dataclass(frozen=True, slots=True, eq=False)
class Pictures:
    """A step as drawn, (height, width, 3) uint8 each, and on which processor it was seen."""

    cpu: str
    described: NDArray[np.uint8]
    corrected: NDArray[np.uint8] | None


def draw_step(result: StepResult) -> Pictures | None:
    """Draw a step, both forms, with the objects framed about which they differ.

    Raises:
        CaseError: the step is drawn by arrays that its cases do not observe.
    """
    step = result.step
    if step.drawing is None or not result.described:
        return None
    cpu = next(
        (c for c in result.described if c.startswith(_USUAL_CPU)), next(iter(result.described))
    )
    first = _Drawn.of(step.described, step.drawing, result.described[cpu].outcomes)
    if not len(first.corners):
        return None
    second = None
    if step.corrected is not None and cpu in result.corrected:
        second = _Drawn.of(step.corrected, step.drawing, result.corrected[cpu].outcomes)
    marks: list[int] = []
    same_scene = second is not None and np.array_equal(first.corners, second.corners)
    if second is not None and same_scene:
        marks = np.flatnonzero(first.outlined != second.outlined).tolist()
    return Pictures(cpu, first.draw(marks), second.draw(marks) if second is not None else None)


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """Objects as one form left them."""

    side: Side
    corners: NDArray[np.int64]
    sizes: NDArray[np.int64]
    outlined: NDArray[np.bool_]

    @classmethod
    def of(cls, side: Side, drawing: Drawing, outcomes: tuple[Outcome, ...]) -> _Drawn:
        values, scene = outcomes[0].values, side.scenes[0]
        wanted = [n for n in (drawing.flags, *drawing.pairs, drawing.count) if n]
        missing = [name for name in wanted if name not in values]
        if missing:
            raise CaseError(side.case.path, f"there is no {missing[0]} by which to draw a picture")
        if hasattr(scene, "corners"):
            corners = np.asarray(corners_of(side.case, scene), dtype=np.int64)
        else:  # the routine itself has put the objects where they are
            count = int(getattr(scene, "run_objects", 0))
            corners = np.column_stack([values["gObjects.x"], values["gObjects.y"]])[:count]
        outlined = np.zeros(len(corners), dtype=np.bool_)
        if drawing.flags:
            outlined |= np.asarray(values[drawing.flags])[: len(corners)] != 0
        if drawing.pairs:
            reported = int(values[drawing.count]) if drawing.count else 0
            for name in drawing.pairs:
                outlined[np.asarray(values[name])[:reported]] = True
        return cls(side, corners, object_sizes(side.case, scene, len(corners)), outlined)

    def draw(self, marks: list[int]) -> NDArray[np.uint8]:
        """The part of the plane where the objects are, enlarged if it is small."""
        low = self.corners.min(axis=0) - _MARGIN
        high = (self.corners + self.sizes).max(axis=0) + _MARGIN
        high = np.minimum(high, low + _LARGEST)
        across, down = (high - low).tolist()
        picture = self.side.case.picture
        window = Window(across, down, shape=picture.shape if picture else "square")
        left, top = (-low).tolist()
        screen = (left, top, left + self.side.case.width, top + self.side.case.height)
        pixels = draw_scene(
            (self.corners - low).astype(np.int32),
            self.outlined,
            window,
            sizes=self.sizes,
            grid=[screen],
            marks=marks,
        )
        times = max(1, -(-_SMALLEST // max(across, down)))
        return np.asarray(pixels.repeat(times, axis=0).repeat(times, axis=1))
