"""Figures of findings: the objects of a scene as the two forms of a routine left them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.cases.scenes import corners_of
from emu.report.figure import Box, Figure, Shape, ShapeKind
from emu.verify.views.scene_view import object_sizes
from macproof import CaseError
from posts.findings.model import Drawing, StepSide
from posts.findings.result import StepResult
from posts.trials.trial import TrialOutcome

CAPTION = (
    "Outlines are objects in a collision, grey ones are in none. Of the form as described those "
    "are marked as wrong about which the corrected form differs. The line is the border of the "
    "screen."
)
_MARGIN = 24
_LARGEST = 1600
_USUAL_CPU = "68040"


def figures_of(result: StepResult) -> Iterator[Figure]:
    """The figures of a step, first of the form as described, then of the corrected one.

    There are none if the findings file does not say how to draw the step.

    Raises:
        CaseError: the step is drawn from arrays that its cases do not observe.
    """
    step = result.step
    if step.drawing is None or not result.described:
        return
    cpu = next(
        (c for c in result.described if c.startswith(_USUAL_CPU)), next(iter(result.described))
    )
    first = _Drawn.of(step.described, step.drawing, result.described[cpu].outcomes)
    if not len(first.corners):
        return
    if step.corrected is None or cpu not in result.corrected:
        yield first.figure(f"As described, {cpu}", ())
        return
    second = _Drawn.of(step.corrected, step.drawing, result.corrected[cpu].outcomes)
    wrong: list[int] = []
    if np.array_equal(first.corners, second.corners):
        wrong = np.flatnonzero(first.outlined != second.outlined).tolist()
    yield first.figure(f"As described, {cpu}", wrong)
    yield second.figure(f"Corrected, {cpu}", ())


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """Objects as one form of a routine left them.

    Attributes:
        side: the form.
        corners: upper left corners in pixels, (objects, 2).
        sizes: width and height, or one side for both, (objects, 2) or (objects, 1).
        outlined: whether each is in a collision.
        partners: with which others it is, by object, as far as that is reported.
    """

    side: StepSide
    corners: NDArray[np.int64]
    sizes: NDArray[np.int64]
    outlined: NDArray[np.bool_]
    partners: Mapping[int, Collection[int]]

    @classmethod
    def of(cls, side: StepSide, drawing: Drawing, outcomes: tuple[TrialOutcome, ...]) -> _Drawn:
        values, scene = outcomes[0].values, side.scenes[0]
        names = (drawing.flags, *drawing.pairs, drawing.count, *drawing.corners)
        wanted = [name for name in names if name]
        missing = [name for name in wanted if name not in values]
        if missing:
            raise CaseError(
                side.case.path, f"no array is called {missing[0]}, so the figure cannot be drawn"
            )
        if drawing.corners:
            count = int(getattr(scene, drawing.objects))
            corners = np.column_stack([values[name][:count] for name in drawing.corners])
        else:
            corners = np.asarray(corners_of(side.case, scene), dtype=np.int64)
        outlined = np.zeros(len(corners), dtype=np.bool_)
        partners: defaultdict[int, set[int]] = defaultdict(set)
        if drawing.flags:
            outlined |= np.asarray(values[drawing.flags])[: len(corners)] != 0
        if drawing.pairs:
            reported = int(values[drawing.count]) if drawing.count else 0
            pairs = [np.asarray(values[name])[:reported].tolist() for name in drawing.pairs]
            for pair, other in zip(*pairs, strict=True):
                outlined[[pair, other]] = True
                partners[pair].add(other)
                partners[other].add(pair)
        return cls(side, corners, object_sizes(side.case, scene, len(corners)), outlined, partners)

    def figure(self, title: str, wrong: Collection[int]) -> Figure:
        """The figure of the area that holds all objects, with the border of the screen."""
        low = self.corners.min(axis=0) - _MARGIN
        high = (self.corners + self.sizes).max(axis=0) + _MARGIN
        across, down = (np.minimum(high, low + _LARGEST) - low).tolist()
        left, top = (-low).tolist()
        picture = self.side.case.picture
        is_round = picture is not None and picture.shape == "circle"
        sizes = np.broadcast_to(self.sizes, self.corners.shape)
        shapes = []
        for index, ((x, y), (width, height)) in enumerate(
            zip(self.corners.tolist(), sizes.tolist(), strict=True)
        ):
            partners = sorted(self.partners.get(index, ()))
            hits = f", reported with {', '.join(map(str, partners))}" if partners else ""
            shapes.append(
                Shape(
                    Box(x + left, y + top, width, height),
                    f"object {index} at ({x}, {y}){hits}",
                    ShapeKind.CIRCLE if is_round else ShapeKind.RECTANGLE,
                    is_marked=bool(self.outlined[index]),
                    is_wrong=index in wrong,
                    partners=tuple(partners),
                )
            )
        screen = Box(left, top, self.side.case.width, self.side.case.height)
        return Figure(title, across, down, tuple(shapes), grid=(screen,))
