"""How far a port is as a picture for a README: a bar with a part for each state."""

from __future__ import annotations

from xml.etree.ElementTree import tostring

from emu.port.model import (
    IN_LIBRARY,
    INCONCLUSIVE,
    NOT_BEGUN,
    PROVED,
    REFUTED,
    STUBBED,
    VERIFIED,
)
from emu.port.status.documents import summary
from emu.port.status.table import PortStatus
from emu.report.forms.html_element import Element, element

_COLOURS = {
    PROVED: "#0b6e4f",
    VERIFIED: "#2e9e5b",
    INCONCLUSIVE: "#c9a227",
    REFUTED: "#b3261e",
    STUBBED: "#8a8fb0",
    NOT_BEGUN: "#c8c8c8",
}
_WIDTH, _HEIGHT, _BAR, _LINE = 640, 74, 22, 18
_STYLE = "font: 12px -apple-system, 'Segoe UI', Helvetica, sans-serif"


def status_svg(status: PortStatus) -> str:
    """The picture as the text of an SVG file; the compiler's library is left out of it."""
    totals = [one for one in status.totals if one.state != IN_LIBRARY and one.functions]
    size = sum(one.bytes for one in totals) or 1
    bar: list[Element] = []
    legend: list[Element] = []
    left = 0.0
    for index, one in enumerate(totals):
        width = _WIDTH * one.bytes / size
        colour = _COLOURS[one.state]
        words = f"{one.state}: {one.functions:,} functions, {one.bytes:,} bytes"
        title = element("title", words)
        bar.append(_box(left, _LINE + 4, width, _BAR, colour, title))
        left += width
        x = index * _WIDTH / len(totals)
        share = f"{one.state} {100 * one.bytes / size:.1f}%"
        legend.append(_box(x, _HEIGHT - 16, 10, 10, colour))
        legend.append(_words(x + 14, _HEIGHT - 7, share))
    label = summary(status)
    svg = element(
        "svg",
        element("title", label),
        element("rect", width=str(_WIDTH), height=str(_HEIGHT), fill="#ffffff"),
        _words(0, 14, label),
        *bar,
        *legend,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        width=str(_WIDTH),
        height=str(_HEIGHT),
        role="img",
        aria_label=label,
    )
    return tostring(svg, encoding="unicode") + "\n"


def _box(x: float, y: float, width: float, height: float, colour: str, *inside: Element) -> Element:
    sides = {"x": x, "y": y, "width": width, "height": height}
    places = {name: f"{value:.2f}" for name, value in sides.items()}
    return element("rect", *inside, fill=colour, **places)


def _words(x: float, y: float, text: str) -> Element:
    return element("text", text, x=f"{x:.2f}", y=f"{y:.2f}", style=_STYLE, fill="#202020")
