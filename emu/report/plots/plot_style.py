"""What all drawings of plots share: shades, sizes of type, and words made fit to be drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence

from emu.base.printable import one_line

INK, DARK, MIDDLE, PALE, PAPER = "#000000", "#595959", "#999999", "#e0e0e0", "#ffffff"
HUES = ("#171a1f", "#0a5fb4", "#b8420a", "#0b6e3f", "#8a3a9c", "#7d5d00")
"""Of families of lines: dark enough for words on paper, and told apart by those who see no red or
no green."""
TEXT, SMALL = 10, 9  # points
DASHES = (0, (4, 3))
"""Of a line of reference."""
_MOST_LETTERS = 60


def fit(text: str, most: int = _MOST_LETTERS) -> str:
    """Text for a drawing: in one line, and cut where it would push everything else aside."""
    line = one_line(text)
    return line if len(line) <= most else line[: most - 1] + "…"


def grouped(value: float, _: object = None) -> str:
    """A number beside an axis, with its thousands apart: 12,000 or 0.05."""
    return f"{value:,.10g}"


def free_labels(ticks: Sequence[float], *, is_logarithmic: bool) -> list[str]:
    """A label for each ascending tick, "" where it would run into the one before."""
    places = [math.log(tick) if is_logarithmic else tick for tick in ticks]
    labels: list[str] = []
    last = -math.inf
    for tick, place in zip(ticks, places, strict=True):
        is_free = place - last > 0.04 * (places[-1] - places[0])
        labels.append(grouped(tick) if is_free else "")
        last = place if is_free else last
    return labels


def apart(places: Sequence[float], step: float) -> list[float]:
    """Ascending places moved as little as is simple, until each is a step above the last.

    Neighbours that touch are made one group, which stays around the mean of their own places.
    """
    groups: list[list[float]] = []
    for place in places:
        groups.append([place])
        while len(groups) > 1 and _bottom(groups[-1], step) < _top(groups[-2], step) + step:
            last = groups.pop()
            groups[-1] += last
    return [_bottom(group, step) + step * index for group in groups for index in range(len(group))]


def _bottom(group: Sequence[float], step: float) -> float:
    return sum(group) / len(group) - step * (len(group) - 1) / 2


def _top(group: Sequence[float], step: float) -> float:
    return sum(group) / len(group) + step * (len(group) - 1) / 2
