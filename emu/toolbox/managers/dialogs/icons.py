"""The signs of alerts: drawings of our own, in place of the system's ICON 0 to 2."""

from __future__ import annotations

from emu.quickdraw import Rectangle, polygon
from emu.toolbox.managers.quickdraw.painter import Painter

NO_ICON, STOP, NOTE, CAUTION = -1, 0, 1, 2
_ICON = Rectangle(10, 20, 42, 52)
"""Where in an alert its icon is."""


def draw_alert_icon(painter: Painter, icon: int) -> None:
    """Draw the sign of an alert; drawings of our own, for the system's ICON 0 to 2."""
    r = _ICON
    if icon == STOP:
        outer = polygon(_octagon(r))
        painter.fill(outer)
        painter.erase(Rectangle(r.top + 13, r.left + 6, r.top + 19, r.right - 6))
    elif icon == NOTE:
        painter.frame_round(Rectangle(r.top + 2, r.left + 1, r.top + 25, r.right - 1), 10, 2)
        for row in (8, 13, 18):
            painter.fill(Rectangle(r.top + row, r.left + 7, r.top + row + 2, r.right - 7))
        painter.fill(
            polygon([(r.left + 6, r.top + 24), (r.left + 14, r.top + 24), (r.left + 5, r.bottom)])
        )
    elif icon == CAUTION:
        h, v = r.left, r.top
        painter.fill(polygon([(h + 16, v), (h + 32, v + 31), (h, v + 31)]))
        painter.erase(polygon([(h + 16, v + 5), (h + 28, v + 29), (h + 4, v + 29)]))
        painter.fill(Rectangle(v + 12, h + 15, v + 22, h + 18))
        painter.fill(Rectangle(v + 24, h + 15, v + 27, h + 18))


def _octagon(r: Rectangle) -> list[tuple[int, int]]:
    cut = 9
    return [
        (r.left + cut, r.top),
        (r.right - cut, r.top),
        (r.right, r.top + cut),
        (r.right, r.bottom - cut),
        (r.right - cut, r.bottom),
        (r.left + cut, r.bottom),
        (r.left, r.bottom - cut),
        (r.left, r.top + cut),
    ]
