"""Speeds as a picture: complete runs in a second over the number of objects.

The speeds have a logarithmic scale, for machines differ by powers of ten. The figures of 1994 are
points without a line; what was measured has both.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw, PngImagePlugin

from emu.results.words import Row, columns, shown_speed

_SIZE = (760, 480)
_LEFT, _TOP, _BOTTOM = 80, 40, 60
_LEGEND_WIDTH = 240
_TEXT_HEIGHT = 11
_LEGEND_LINE = 18
_POINT = 4
_BLACK, _GREY, _PALE, _WHITE = (0, 0, 0), (110, 110, 110), (225, 225, 225), (255, 255, 255)
# Colours that people who see few of them tell apart too (Okabe and Ito).
_COLOURS = (
    (0, 114, 178),
    (213, 94, 0),
    (0, 158, 115),
    (204, 121, 167),
    (230, 159, 0),
    (86, 180, 233),
    (90, 90, 90),
)
_LONGEST_NAME = 34


@dataclass(frozen=True, slots=True)
class _Scales:
    """Where a number of objects and a speed lie, in pixels."""

    most_objects: int
    lowest: int
    highest: int

    @property
    def width(self) -> int:
        return _SIZE[0] - _LEFT - _LEGEND_WIDTH

    @property
    def height(self) -> int:
        return _SIZE[1] - _TOP - _BOTTOM

    def x(self, objects: float) -> float:
        return _LEFT + self.width * objects / self.most_objects

    def y(self, per_second: float) -> float:
        part = (math.log10(per_second) - self.lowest) / (self.highest - self.lowest)
        return _TOP + self.height * (1 - part)


def plot(found: Sequence[Row], routine: str, details: Mapping[str, str]) -> bytes:
    """Draw the speeds of a routine; a PNG.

    Args:
        found: the rows, at least one.
        routine: its name, for the title.
        details: text chunks for the PNG.
    """
    image = Image.new("RGB", _SIZE, _WHITE)
    pen = ImageDraw.Draw(image)
    speeds = [speed for row in found for speed in row.per_second.values()]
    lowest = math.floor(math.log10(min(speeds)))
    highest = max(math.ceil(math.log10(max(speeds))), lowest + 1)
    scales = _Scales(max(*columns(found), 1), lowest, highest)
    pen.text((_LEFT, 14), f"{routine}: complete runs in a second", fill=_BLACK)
    _draw_axes(pen, scales, columns(found))
    for number, row in enumerate(found):
        chosen = _COLOURS[number % len(_COLOURS)]
        _draw_row(pen, scales, row, chosen)
        _draw_legend(pen, number, row, chosen)
    info = PngImagePlugin.PngInfo()
    for key, value in details.items():
        info.add_text(key, value)
    encoded = io.BytesIO()
    image.save(encoded, format="PNG", pnginfo=info, optimize=True)
    return encoded.getvalue()


def _draw_axes(pen: ImageDraw.ImageDraw, scales: _Scales, counts: Sequence[int]) -> None:
    right, bottom = _LEFT + scales.width, _TOP + scales.height
    for power in range(scales.lowest, scales.highest + 1):
        for factor in range(1, 10 if power < scales.highest else 2):
            y = scales.y(factor * 10.0**power)
            pen.line([(_LEFT, y), (right, y)], fill=_GREY if factor == 1 else _PALE)
        label = shown_speed(10.0**power) if power < 0 else f"{10**power:,}"
        width = pen.textlength(label)
        pen.text((_LEFT - 8 - width, scales.y(10.0**power) - 6), label, fill=_BLACK)
    last = -math.inf
    for objects in counts:
        x = scales.x(objects)
        pen.line([(x, bottom), (x, bottom + 5)], fill=_GREY)
        width = pen.textlength(str(objects))
        if x - width / 2 > last + 4:  # labels of counts close together would run into one
            pen.text((x - width / 2, bottom + 8), str(objects), fill=_BLACK)
            last = x + width / 2
    pen.rectangle([_LEFT, _TOP, right, bottom], outline=_GREY)
    pen.text((_LEFT + scales.width // 2 - 20, bottom + 28), "objects", fill=_BLACK)


def _draw_row(
    pen: ImageDraw.ImageDraw, scales: _Scales, row: Row, colour: tuple[int, int, int]
) -> None:
    points = [(scales.x(n), scales.y(speed)) for n, speed in sorted(row.per_second.items())]
    if not row.published and len(points) > 1:
        pen.line(points, fill=colour, width=2)
    for x, y in points:
        _draw_point(pen, x, y, colour, row.published)


def _draw_point(
    pen: ImageDraw.ImageDraw, x: float, y: float, colour: tuple[int, int, int], published: bool
) -> None:
    box = [x - _POINT, y - _POINT, x + _POINT, y + _POINT]
    pen.ellipse(box, outline=colour, fill=_WHITE if published else colour, width=2)


def _draw_legend(
    pen: ImageDraw.ImageDraw, number: int, row: Row, colour: tuple[int, int, int]
) -> None:
    left = _SIZE[0] - _LEGEND_WIDTH + 20
    top = _TOP + _LEGEND_LINE * number
    if top + _LEGEND_LINE > _SIZE[1]:
        return  # more machines than a picture can name; the table has them all
    middle = top + _TEXT_HEIGHT / 2 + 1
    if not row.published:
        pen.line([(left - 9, middle), (left + 9, middle)], fill=colour, width=2)
    _draw_point(pen, left, middle, colour, row.published)
    name = row.machine
    if len(name) > _LONGEST_NAME:
        name = name[: _LONGEST_NAME - 3] + "..."
    pen.text((left + 16, top), name, fill=_BLACK)
