"""Shapes framed, painted, erased, inverted and filled: five routines for each shape of a table.

Color QuickDraw fills each with a pattern in colour, too; see `pattern_calls`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.quickdraw.drawing.polygons import Polygons
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.procedures import Procedures
from emu.toolbox.managers.quickdraw.ports.grafport import ERASE, FILL, FRAME, INVERT, PAINT


@dataclass(frozen=True, slots=True)
class QuickDrawShape:
    """A shape that routines draw.

    Attributes:
        name: the end of the routines' names.
        parameters: the first of their parameters.
        method: the method of `Procedures` that draws it; "" for a polygon.
        noun: what sentences call it.
        framing: what framing it does.
    """

    name: str
    parameters: str
    method: str
    noun: str
    framing: str

    def drawn_by(self, procedures: Procedures, polygons: Polygons) -> Callable[..., None]:
        """What draws it; its arguments are a verb and those of the routine."""
        return getattr(procedures, self.method) if self.method else polygons.draw

    def declared(self, verb: str, pattern: str, does: Callable[..., None], doc: str) -> Any:
        """The method that does a verb to it, declared as a routine.

        Args:
            verb: the beginning of the routine's name.
            pattern: its last parameter; "" for none.
            does: the method.
            doc: what the method does.
        """
        does.__doc__ = doc
        return routine(f"PROCEDURE {verb}{self.name} ({self.parameters}{pattern})")(does)


_ANGLES = "r: Rect; startAngle,arcAngle: INTEGER"
_CORNERS = "r: Rect; ovalWidth,ovalHeight: INTEGER"
_OUTLINE = "Draw {}'s outline."
_INSIDE = "Draw {}'s outline, inside it."
_WITH_PEN = "Draw {}'s outline, inside it, with the pen."
SHAPES = (
    QuickDrawShape("Rect", "r: Rect", "rectangle", "a rectangle", _WITH_PEN),
    QuickDrawShape("RoundRect", _CORNERS, "round_rectangle", "a round rectangle", _OUTLINE),
    QuickDrawShape("Oval", "r: Rect", "oval", "an oval", _OUTLINE),
    QuickDrawShape("Arc", _ANGLES, "arc", "a wedge", "Draw part of an oval's outline."),
    QuickDrawShape("Rgn", "rgn: RgnHandle", "region", "a region", _INSIDE),
    QuickDrawShape("Poly", "poly: PolyHandle", "", "a polygon", "Draw {}'s lines with the pen."),
)
_VERBS = (
    ("Frame", FRAME, "", ""),
    ("Paint", PAINT, "", "Fill {} with the pen's pattern and mode."),
    ("Erase", ERASE, "", "Fill {} with the background pattern."),
    ("Invert", INVERT, "", "Invert {}'s pixels."),
    ("Fill", FILL, "; pat: Pattern", "Fill {} with a pattern."),
)


class Shapes(Manager):
    """QuickDraw's routines that draw shapes."""

    _quickdraw: QuickDraw
    _procedures: Procedures
    _polygons: Polygons


def _drawing(shape: QuickDrawShape, verb: int) -> Callable[..., None]:
    def draw(self: Shapes, *where: int) -> None:
        if verb == FILL:
            pattern, where = self.guest.read(where[-1], 8), where[:-1]
            self._quickdraw.patterns.set_bits(self._quickdraw.port, FILL, pattern)
        shape.drawn_by(self._procedures, self._polygons)(verb, *where)

    return draw


for _shape in SHAPES:
    for _name, _verb, _pattern, _doc in _VERBS:
        _does = _shape.declared(
            _name, _pattern, _drawing(_shape, _verb), (_doc or _shape.framing).format(_shape.noun)
        )
        setattr(Shapes, f"{_name}{_shape.name}", _does)
