"""Plots as pictures: PNG, SVG and PDF files, drawn by matplotlib.

They can be read in print and without colours: lines differ by stroke, width and marker, bars by
shade and hatching, and every line has its name at its end. Colours say besides which of many lines
belong together. The same plot gives the same bytes.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from emu.base.errors import UsageError
from emu.report.plots.plot import BarPanel, LinePanel, Panel, Plot, Stroke
from emu.report.plots.plot_bars import draw_bars
from emu.report.plots.plot_lines import LINE_HEIGHT, draw_lines, label_of, named_below
from emu.report.plots.plot_style import PAPER, SMALL, TEXT, fit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_METADATA: Mapping[str, Mapping[str, Any]] = {
    ".png": {"Software": "macproof"},
    ".svg": {"Creator": "macproof", "Date": None},
    ".pdf": {"Creator": "macproof", "Producer": "macproof", "CreationDate": None},
}
_DOTS_PER_INCH = 150
_LETTER = 0.08  # inches, of a name at the end of a line


def require_picture_name(path: Path, option: str) -> None:
    """Refuse a file name that does not say what kind of picture is meant.

    Raises:
        UsageError: it ends with something else than .png, .svg or .pdf.
    """
    if path.suffix.lower() not in _METADATA:
        raise UsageError(f"{option} {path}: a picture's name ends with {', '.join(_METADATA)}")


def plot_file(plot: Plot, suffix: str) -> bytes:
    """A plot's picture; the same plot gives the same bytes.

    Args:
        plot: the plot.
        suffix: ".png", ".svg" or ".pdf".
    """
    with _style():
        panels = (panel for row in plot.rows for panel in row if isinstance(panel, LinePanel))
        has_colours = any(line.family is not None for panel in panels for line in panel.lines)
        figure = _figure(plot, plot.rows, plot.note)
        return _encoded(figure, suffix.lower(), plot.title, has_colours=has_colours)


def panel_svgs(plot: Plot) -> list[list[bytes]]:
    """Rows of panels as they are in a plot, each an SVG file of its own without the plot's note.

    Their letters are text in whatever type the reader has, so that they can be searched.
    """
    with _style(svg_text=True):
        return [
            [_encoded(_figure(plot, ((panel,),), ""), ".svg", panel.title) for panel in row]
            for row in plot.rows
        ]


@contextmanager
def _style(*, svg_text: bool = False) -> Iterator[None]:
    """How pictures look, and what makes their files the same each time."""
    import matplotlib

    settings: Any = {
        "font.family": "DejaVu Sans",
        "font.size": TEXT,
        "axes.titlesize": TEXT + 1,
        "axes.titleweight": "bold",
        "legend.fontsize": TEXT,
        "hatch.linewidth": 0.6,
        "svg.hashsalt": "macproof",
        "svg.fonttype": "none" if svg_text else "path",
        "text.parse_math": False,
    }
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        yield


def _encoded(figure: Figure, suffix: str, title: str, *, has_colours: bool = False) -> bytes:
    encoded = io.BytesIO()
    figure.savefig(
        encoded,
        format=suffix.lstrip("."),
        dpi=_DOTS_PER_INCH,
        facecolor=PAPER,
        metadata={"Title": fit(title), **_METADATA[suffix]},
    )
    return _smaller(encoded, has_colours=has_colours) if suffix == ".png" else encoded.getvalue()


def _smaller(png: io.BytesIO, *, has_colours: bool) -> bytes:
    """A PNG with a palette: sixteen shades of grey (half a byte a pixel), or 32 colours.

    That is enough for letters and lines with smooth edges; with 256 the file is twice as long.
    """
    from PIL import Image, PngImagePlugin

    details = PngImagePlugin.PngInfo()
    encoded = io.BytesIO()
    with Image.open(png) as image:
        for name, text in image.info.items():
            if isinstance(text, str):
                details.add_text(str(name), text)
        dots = (_DOTS_PER_INCH, _DOTS_PER_INCH)
        flat = image.convert("RGB").quantize(32 if has_colours else 16, dither=Image.Dither.NONE)
        flat.save(encoded, format="PNG", optimize=True, pnginfo=details, dpi=dots)
    return encoded.getvalue()


def _figure(plot: Plot, rows: Sequence[Sequence[Panel]], note: str) -> Figure:
    """A drawing of some of a plot's panels."""
    from matplotlib.figure import Figure as NewFigure

    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    heights = [max(map(_height, row)) for row in rows]
    if len(plot.rows[0]) == 1:
        widths[0] += 1.6
    size = (sum(widths), sum(heights) + (0.3 if note else 0.0))
    figure = NewFigure(figsize=size, layout="constrained")
    ratios = {"width_ratios": widths, "height_ratios": heights}
    grid = figure.subplots(len(heights), len(widths), squeeze=False, gridspec_kw=ratios)
    numbers = _numbers(plot)
    for axes_of_row, row, height in zip(grid, rows, heights, strict=True):
        for number, (axes, panel) in enumerate(zip(axes_of_row, row, strict=True)):
            if isinstance(panel, LinePanel):
                draw_lines(axes, panel, numbers, height)
            else:
                draw_bars(axes, panel, has_names=number == 0 or not panel.is_horizontal)
            axes.set_title(fit(panel.title), loc="left")
    if note:
        figure.supxlabel(fit(note, most=200), x=0.01, ha="left", fontsize=SMALL)
    return figure


def _numbers(plot: Plot) -> dict[tuple[str, bool], int]:
    """The number of each line by its name and whether its points are joined; see `draw_lines`."""
    numbers: dict[tuple[str, bool], int] = {}
    counts = {True: 0, False: 0}
    for panel in (panel for row in plot.rows for panel in row if isinstance(panel, LinePanel)):
        for line in panel.lines:
            is_joined = line.stroke is not Stroke.NONE
            if (line.name, is_joined) not in numbers:
                numbers[line.name, is_joined] = counts[is_joined]
                counts[is_joined] += 1
    return numbers


def _width(panel: Panel) -> float:
    if isinstance(panel, BarPanel):
        bars = len(panel.categories) * len(panel.series)
        return 3.6 if panel.is_horizontal else max(5.4, 0.25 * bars)
    below = named_below(panel)
    names = [label_of(line) for line in panel.lines if line not in below]
    return 4.4 + _LETTER * max(map(len, names), default=0)


def _height(panel: Panel) -> float:
    if isinstance(panel, BarPanel):
        return len(panel.categories) * 0.24 + 0.9 if panel.is_horizontal else 4.6
    below = len(named_below(panel))
    at_ends = len(panel.lines) - below
    return max(5.0, at_ends * LINE_HEIGHT + 2.0) + below * LINE_HEIGHT
