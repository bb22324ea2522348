"""Makes figures of a scene: the program's result and the reference's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from emu.cases.case import Case
from emu.report.document import PngPicture
from emu.report.figure import Box, Figure, Shape, ShapeKind
from emu.report.forms.figure_png import encode_png
from emu.verify.views.scene_view import ReportedCollisions, SceneView


def parts_of(
    case: Case, view: SceneView, *, program: str
) -> tuple[Figure, Figure] | tuple[PngPicture, PngPicture]:
    """Make the pictures that the case's function draws, or else the figures of `figures_of`."""
    if view.pictures is None:
        return figures_of(case, view, program=program)
    actual, expected = view.pictures
    return (
        PngPicture(f"Result of {program}", encode_png(actual)),
        PngPicture("Expected result", encode_png(expected)),
    )


def figures_of(case: Case, view: SceneView, *, program: str) -> tuple[Figure, Figure]:
    """Make one figure of the program's result and one of the expected result.

    Objects whose results differ are marked as wrong in the first figure. The text of each object
    gives its coordinates, whether it collides and should collide, and its partners. The partners
    are the objects that it is reported to collide with or, if the routine reports no pairs, the
    objects that it overlaps.

    Args:
        case: the case; it must have a picture.
        view: the two results.
        program: the name of the program, such as "68040 O2".
    """
    actual, expected = (
        _figure(case, view, reported, title, is_wrong)
        for reported, title, is_wrong in (
            (view.actual, f"Result of {program}", view.wrong),
            (view.expected, "Expected result", np.zeros_like(view.wrong)),
        )
    )
    return actual, expected


def _figure(
    case: Case,
    view: SceneView,
    reported: ReportedCollisions,
    title: str,
    is_wrong: NDArray[np.bool_],
) -> Figure:
    is_round = case.picture is not None and case.picture.shape == "circle"
    has_pairs = any(view.actual.partners) or any(view.expected.partners)
    partners = reported.partners if has_pairs else overlapping(view, is_round=is_round)
    verb = "reported with" if has_pairs else "overlaps"
    sizes = np.broadcast_to(view.sizes, view.corners.shape).tolist()
    shapes = []
    for number, ((left, top), (width, height)) in enumerate(
        zip(view.corners.tolist(), sizes, strict=True)
    ):
        words = [f"object {number} at ({left}, {top})", _state(view, number)]
        words += [f"{verb} {', '.join(map(str, partners[number]))}"] if partners[number] else []
        shapes.append(
            Shape(
                Box(left, top, width, height),
                ", ".join(words),
                ShapeKind.CIRCLE if is_round else ShapeKind.RECTANGLE,
                is_marked=bool(reported.outlined[number]),
                is_wrong=bool(is_wrong[number]),
                partners=tuple(
                    partner for partner in partners[number] if 0 <= partner < len(sizes)
                ),
            )
        )
    grid = tuple(
        Box(left, top, right - left + 1, bottom - top + 1) for left, top, right, bottom in view.grid
    )
    return Figure(title, case.width, case.height, tuple(shapes), grid)


def _state(view: SceneView, number: int) -> str:
    """Whether the program reports that an object collides, and whether it should."""
    words = ("in no collision", "in a collision")
    actual, expected = (
        words[bool(reported.outlined[number])] for reported in (view.actual, view.expected)
    )
    if actual != expected:
        return f"{actual}, expected {expected}"
    return f"{actual}, but other values of it are wrong" if view.wrong[number] else actual


def overlapping(view: SceneView, *, is_round: bool) -> Sequence[tuple[int, ...]]:
    """Find which objects share an area, whatever the routine defines as a collision.

    Args:
        view: the scene.
        is_round: whether the objects are circles; otherwise they are rectangles.

    Returns:
        For each object, the indices of the objects that it overlaps, ascending.
    """
    sizes = np.broadcast_to(view.sizes, view.corners.shape)
    doubled = 2 * view.corners.astype(np.int64) + sizes  # twice the centres
    neighbours = []
    for number in range(len(doubled)):
        apart, reach = np.abs(doubled - doubled[number]), sizes + sizes[number]
        if is_round:
            near = (apart**2).sum(axis=1) < reach[:, 0] ** 2
        else:
            near = (apart < reach).all(axis=1)
        near[number] = False
        neighbours.append(tuple(np.flatnonzero(near).tolist()))
    return neighbours
