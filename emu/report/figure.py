"""A figure as data: a window with the objects of a scene, to be drawn by whoever can draw."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class ShapeKind(Enum):
    """What kind of shape an object has."""

    RECTANGLE = "rectangle"
    CIRCLE = "circle"


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, in pixels from the window's upper left corner."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Shape:
    """An object of a scene.

    Attributes:
        box: where it is. A circle fills it.
        label: what is told of it to who points at it, such as
            "object 3 at (100, 29), hits 4 and 9".
        outline: its kind.
        is_marked: whether it is drawn as an outline, like an object that has been hit, and not in
            grey.
        is_wrong: whether it is not as it should be.
        partners: the numbers of the shapes of its figure that it has to do with.
    """

    box: Box
    label: str
    outline: ShapeKind = ShapeKind.RECTANGLE
    is_marked: bool = False
    is_wrong: bool = False
    partners: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """A window with objects.

    Figures that follow one another in a section stand side by side where there is room; a shape of
    one and the shape of the same number in the next are the same object.

    Attributes:
        title: what it shows, such as "what came".
        width: of the window, in pixels.
        height: of the window, in pixels.
        shapes: the objects, of which a later one covers an earlier one.
        grid: rectangles that divide the window.
        caption: a sentence below it, or "".
    """

    title: str
    width: int
    height: int
    shapes: tuple[Shape, ...]
    grid: tuple[Box, ...] = ()
    caption: str = ""

    def __str__(self) -> str:
        """What is in it, in a line, for those who do not see it."""
        wrong = [shape.label for shape in self.shapes if shape.is_wrong]
        marked = sum(shape.is_marked for shape in self.shapes)
        objects = f"{len(self.shapes)} object{'' if len(self.shapes) == 1 else 's'}"
        text = f"{self.title}: {objects} in {self.width} by {self.height} pixels, {marked} marked"
        text += f"; wrong: {'; '.join(wrong)}" if wrong else ""
        return f"{text}. {self.caption}".rstrip()
