"""Plots in HTML: an SVG for each panel, in the colours of the page, and the numbers below."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from emu.report.forms.html_element import Element, element
from emu.report.forms.html_table import table_element
from emu.report.plot_numbers import numbers_of
from emu.report.plots.plot import Plot
from emu.report.plots.plot_files import panel_svgs
from emu.report.plots.plot_style import DARK, HUES, INK, MIDDLE, PALE, PAPER

_VARIABLES = {
    INK: "var(--ink)",
    DARK: "var(--dark)",
    MIDDLE: "var(--middle)",
    PALE: "var(--pale)",
    PAPER: "var(--paper)",
    **{hue: f"var(--hue-{number})" for number, hue in enumerate(HUES)},
}
_COLOUR = re.compile("|".join(_VARIABLES))
_TYPE = re.compile(r"font-family: [^;]*")
_LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}")
_NAMESPACE = re.compile(r"\{[^}]*\}")
_REFERENCE = re.compile(r"#(?=[hmp][0-9a-f]{10}\b)")
_UNUSED = {"metadata", "title", "style"}


def plot_element(plot: Plot, prefix: str) -> Element:
    """A plot.

    Args:
        plot: the plot.
        prefix: what makes names inside the drawing differ from those of other plots of the page.
    """
    rows = [
        element(
            "div",
            *(
                _inline(svg, f"{prefix}-{row}-{column}-", panel.title or plot.title)
                for column, (svg, panel) in enumerate(zip(svgs, panels, strict=True))
            ),
            class_="panels",
        )
        for row, (svgs, panels) in enumerate(zip(panel_svgs(plot), plot.rows, strict=True))
    ]
    caption = element("figcaption", element("strong", plot.title))
    if plot.note:
        caption.append(element("span", plot.note))
    figure = element("figure", caption, *rows)
    if not plot.is_tabled:
        tables = map(table_element, numbers_of(plot))
        figure.append(element("details", element("summary", "The numbers of this plot"), *tables))
    return figure


def _inline(svg: bytes, prefix: str, title: str) -> Element:
    """An SVG file as an element of a page: no names of its own, no colours, fewer digits."""
    root = ElementTree.fromstring(svg)
    for parent in root.iter():
        for child in list(parent):
            if _NAMESPACE.sub("", str(child.tag)) in _UNUSED:
                parent.remove(child)
    for node in root.iter():
        node.tag = _NAMESPACE.sub("", str(node.tag))
        node.tail = None
        node.text = node.text if node.tag == "text" else None
        attributes = {_NAMESPACE.sub("", name): text for name, text in node.attrib.items()}
        node.attrib = {
            name: _attribute(name, text, prefix)
            for name, text in attributes.items()
            if name != "id" or _REFERENCE.match(f"#{text}")
        }
    width, height = (float(size) for size in root.attrib["viewBox"].split()[2:])
    root.attrib = {
        "viewBox": f"0 0 {width:g} {height:g}",
        "role": "img",
        "aria-label": title,
        "style": f"max-width: {width / 72:.3g}in",
    }
    return root


def _attribute(name: str, text: str, prefix: str) -> str:
    if name == "id":
        return prefix + text
    text = _TYPE.sub("font-family: inherit", text)
    text = _COLOUR.sub(lambda match: _VARIABLES[match[0]], text)
    text = _LONG_NUMBER.sub(lambda match: f"{float(match[0]):.2f}", text)
    return _REFERENCE.sub(f"#{prefix}", text.replace("\n", " "))
