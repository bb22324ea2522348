"""Figures in HTML: scenes whose objects can be pointed at, or reached with the keys."""

from __future__ import annotations

from collections.abc import Sequence

from emu.report.figure import Box, Figure, Shape, ShapeKind
from emu.report.forms.html_element import Element, element

_HINT = (
    "Point at an object to see what it is and what it has to do with. With the keys: Tab goes to a "
    "window, and the arrow keys from object to object."
)
_NARROWEST = 320  # pixels of the screen; a smaller window is drawn as wide as this


def figures_element(figures: Sequence[Figure]) -> Element:
    """Figures side by side where there is room."""
    windows = element("div", *map(_window, figures), class_="windows")
    hint = element("p", _HINT, class_="told", aria_hidden="true")
    return element("div", windows, hint, class_="scenes")


def _window(figure: Figure) -> Element:
    svg = element(
        "svg",
        viewBox=f"0 0 {figure.width} {figure.height}",
        role="group",
        aria_label=f"{figure.title}, {len(figure.shapes)} objects",
    )
    for box in figure.grid:
        svg.append(element("rect", **_box(box), class_="grid"))
    wrong = [number for number, shape in enumerate(figure.shapes) if shape.is_wrong]
    entry = wrong[0] if wrong else 0
    for number, shape in enumerate(figure.shapes):
        svg.append(_shape(shape, number, can_enter=number == entry))
    title = element("figcaption", element("strong", figure.title))
    width = max(figure.width, _NARROWEST)
    window = element("figure", title, svg, style=f"max-width: {width}px")
    if figure.caption:
        window.append(element("p", figure.caption))
    return window


def _shape(shape: Shape, number: int, *, can_enter: bool) -> Element:
    box = shape.box
    if shape.outline is ShapeKind.CIRCLE:
        across, down = box.width / 2, box.height / 2
        drawn = element(
            "ellipse",
            cx=f"{box.left + across:g}",
            cy=f"{box.top + down:g}",
            rx=f"{across:g}",
            ry=f"{down:g}",
        )
    else:
        drawn = element("rect", **_box(box))
    kinds = ["shape", *(["marked"] if shape.is_marked else []), *(["wrong"] * shape.is_wrong)]
    return element(
        "g",
        element("title", shape.label),
        drawn,
        class_=" ".join(kinds),
        role="img",
        aria_label=shape.label,
        tabindex="0" if can_enter else "-1",
        data_number=str(number),
        data_partners=" ".join(map(str, shape.partners)),
    )


def _box(box: Box) -> dict[str, str]:
    return {
        "x": f"{box.left:g}",
        "y": f"{box.top:g}",
        "width": f"{box.width:g}",
        "height": f"{box.height:g}",
    }
