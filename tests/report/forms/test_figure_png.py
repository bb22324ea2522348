"""A scene as the window of 1994 drew it, read back pixel by pixel."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from emu.base.errors import InputError
from emu.report.figure import Box, Figure, Shape, ShapeKind
from emu.report.forms.figure_png import draw_figure, save_png

BLACK, WHITE = (0, 0, 0), (255, 255, 255)
WINDOW = Figure("a window", 64, 48, ())


def square(left: int, top: int, **values: Any) -> Shape:
    """An object of 30 pixels in the window's corner, or elsewhere."""
    return Shape(Box(left, top, 30, 30), "an object", **values)


def figure(*shapes: Shape, **values: Any) -> Figure:
    return replace(WINDOW, shapes=shapes, **values)


def draw(*corners: tuple[int, int], collided: int = 0) -> NDArray[np.uint8]:
    """A scene whose first so many objects are drawn as outlines."""
    marked = (number < collided for number in range(len(corners)))
    return draw_figure(
        figure(*(square(*corner, is_marked=m) for corner, m in zip(corners, marked, strict=True)))
    )


def black(pixels: NDArray[np.uint8]) -> set[tuple[int, int]]:
    """(x, y) of every black pixel; any other must be white."""
    assert set(map(tuple, pixels.reshape(-1, 3).tolist())) <= {BLACK, WHITE}
    rows, columns = np.nonzero((pixels == 0).all(axis=2))
    return set(zip(columns.tolist(), rows.tolist(), strict=True))


def outline(left: int, top: int, size: int = 30) -> set[tuple[int, int]]:
    near, far = range(left, left + size), range(top, top + size)
    return {(x, y) for x in near for y in far if x in (near[0], near[-1]) or y in (far[0], far[-1])}


def on_screen(pixels: set[tuple[int, int]]) -> set[tuple[int, int]]:
    return {(x, y) for x, y in pixels if 0 <= x < WINDOW.width and 0 <= y < WINDOW.height}


def test_an_empty_scene_is_white():
    assert draw().shape == (48, 64, 3)
    assert black(draw()) == set()
    assert draw_figure(Figure("another", 640, 480, ())).shape == (480, 640, 3)


def test_an_object_in_a_collision_is_an_outline_one_pixel_wide():
    assert black(draw((5, 7), collided=1)) == outline(5, 7)
    assert len(outline(5, 7)) == 4 * 30 - 4


@pytest.mark.parametrize("corner", [(4, 6), (5, 6), (5, 7)])
def test_any_other_is_grey_with_the_pattern_of_the_window(corner: tuple[int, int]):
    """The pattern AA 55 begins with a black pixel in the window's corner, wherever objects are."""
    left, top = corner
    assert black(draw(corner)) == {
        (x, y) for x in range(left, left + 30) for y in range(top, top + 30) if (x + y) % 2 == 0
    }


@pytest.mark.parametrize("corner", [(50, 30), (-10, 5), (5, -29), (63, 47), (64, 0), (-30, 0)])
def test_objects_over_the_edge(corner: tuple[int, int]):
    left, top = corner
    assert black(draw(corner, collided=1)) == on_screen(outline(left, top))
    assert black(draw(corner)) == {
        (x, y)
        for x in range(max(left, 0), min(left + 30, 64))
        for y in range(max(top, 0), min(top + 30, 48))
        if (x + y) % 2 == 0
    }


def test_later_objects_cover_earlier_ones_with_white_too():
    both = draw((0, 0), (10, 10), collided=1)
    covered = {(x, y) for x in range(10, 40) for y in range(10, 40)}
    grey = {(x, y) for x, y in covered if (x + y) % 2 == 0}
    assert black(both) == outline(0, 0) - covered | grey


def test_outlines_let_through_what_is_below():
    pixels = draw_figure(figure(square(0, 0), square(10, 10, is_marked=True)))
    grey = {(x, y) for x in range(30) for y in range(30) if (x + y) % 2 == 0}
    assert black(pixels) == grey | outline(10, 10)


def test_what_is_wrong_has_a_red_frame():
    shapes = [square(5, 5, is_marked=True), square(40, 20, is_marked=True)]
    plain = draw_figure(figure(*shapes))
    marked = draw_figure(figure(shapes[0], replace(shapes[1], is_wrong=True)), has_numbers=False)
    rows, columns = np.nonzero((marked != plain).any(axis=2))
    changed = set(zip(columns.tolist(), rows.tolist(), strict=True))
    assert changed == on_screen(outline(39, 19, 32) | outline(38, 18, 34))
    assert {tuple(marked[y, x]) for x, y in changed} == {(220, 0, 0)}


def test_wrong_objects_have_numbers_and_a_figure_a_caption():
    wrong = square(5, 15, is_marked=True, is_wrong=True)
    plain = draw_figure(figure(wrong), has_numbers=False)
    worded = draw_figure(figure(wrong, caption="what it is"))
    assert worded.shape == (48 + 14, 64, 3)
    assert (worded[:15, :] != plain[:15, :]).any()  # the number above the object
    assert (worded[48] == 0).all()
    assert (worded[49:] < 128).any()


def test_a_picture_is_a_png_with_words_about_it(tmp_path: Path):
    path = tmp_path / "new" / "scene.png"
    pixels = draw((5, 7), (20, 10), collided=1)
    save_png(pixels, path, {"Title": "four-shifts 68040 O2", "Software": "macproof"})
    with Image.open(path) as image:
        assert image.format == "PNG"
        assert image.size == (64, 48)
        assert image.text == {"Title": "four-shifts 68040 O2", "Software": "macproof"}
        assert np.array_equal(np.asarray(image.convert("RGB")), pixels)
    assert [p.name for p in path.parent.iterdir()] == ["scene.png"]


def test_a_picture_that_cannot_be_written(tmp_path: Path):
    (tmp_path / "file").touch()
    for place in (tmp_path, tmp_path / "file" / "scene.png"):
        with pytest.raises(InputError, match="cannot be written"):
            save_png(draw(), place, {})
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_widths_and_heights_may_differ():
    pixels = draw_figure(figure(Shape(Box(3, 4, 9, 5), "an object", is_marked=True)))
    assert black(pixels) == {
        (x, y) for x in range(3, 12) for y in range(4, 9) if x in (3, 11) or y in (4, 8)
    }


def test_a_circle_has_the_pixels_whose_centres_lie_in_it():
    circle = Shape(Box(3, 4, 5, 5), "an object", ShapeKind.CIRCLE)
    rows = [(1, 4), (0, 5), (0, 5), (0, 5), (1, 4)]
    inside = {(3 + x, 4 + y) for y, (first, end) in enumerate(rows) for x in range(first, end)}
    assert black(draw_figure(figure(circle))) == {(x, y) for x, y in inside if (x + y) % 2 == 0}
    edge = inside - {(x, y) for x in range(4, 7) for y in range(5, 8)}
    assert black(draw_figure(figure(replace(circle, is_marked=True)))) == edge


def test_a_grid_is_seen_on_grey_objects_and_below_outlines():
    shapes = square(0, 0, is_marked=True), square(10, 0)
    pixels = draw_figure(figure(*shapes, grid=(Box(15, 0, 1, 48),)))
    line = pixels[:, 15]
    assert set(map(tuple, line[1:29].tolist())) == {(200, 200, 200)}
    assert tuple(line[0]) == tuple(line[29]) == BLACK
    # The outline is seen whole, though the grey object comes after it.
    assert outline(0, 0) <= {(x, y) for y, x in np.argwhere((pixels == 0).all(axis=2)).tolist()}
