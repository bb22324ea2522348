"""Plots as pictures: the same each time, readable without colours, a name for every line."""

from __future__ import annotations

import dataclasses
import io
import re
from pathlib import Path

import pytest
from PIL import Image

from emu.base.errors import UsageError
from emu.report.forms.html_element import html_text
from emu.report.forms.html_plot import plot_element
from emu.report.plots.plot import Axis, Line, LinePanel, Plot, ReferenceLine, Stroke
from emu.report.plots.plot_files import panel_svgs, plot_file, require_picture_name
from emu.report.plots.plot_lines import named_below
from emu.report.plots.plot_style import HUES, apart, fit, free_labels
from tests.report.samples import COSTS, HOSTILE, REPORTS, SPEEDS
from tests.rows import slow_but

PLOTS = [SPEEDS, COSTS, REPORTS]


def one_panel(*lines: Line) -> Plot:
    return Plot("x", "X", ((LinePanel("X", Axis("n"), Axis("y"), lines),),))


@pytest.mark.slow
@pytest.mark.parametrize("plot", slow_but(PLOTS[:1], PLOTS), ids=lambda plot: plot.name)
@pytest.mark.parametrize("suffix", [".png", ".SVG", ".pdf"])
def test_the_same_plot_gives_the_same_bytes(plot, suffix):
    first = plot_file(plot, suffix)
    assert first == plot_file(plot, suffix)
    assert len(first) > 3000
    assert first.startswith({".png": b"\x89PNG", ".SVG": b"<?xml", ".pdf": b"%PDF"}[suffix])


@pytest.mark.slow
@pytest.mark.parametrize("plot", slow_but(PLOTS[:1], PLOTS), ids=lambda plot: plot.name)
def test_pictures_can_be_printed_without_colours(plot):
    image = Image.open(io.BytesIO(plot_file(plot, ".png")))
    assert image.width >= 750
    red, green, blue = image.convert("RGB").split()
    assert red.tobytes() == green.tobytes() == blue.tobytes()
    assert image.convert("L").getextrema() == (0, 255)


def test_families_of_lines_have_colours_which_a_page_chooses():
    points = ((1, 1.0), (2, 3.0))
    lines = (*(Line(name, points, family=1) for name in "ab"), Line("c", points, family=2))
    plot = Plot("x", "X", ((LinePanel("X", Axis("n"), Axis("y"), lines),),))
    image = Image.open(io.BytesIO(plot_file(plot, ".png"))).convert("RGB")
    seen = {f"#{red:02x}{green:02x}{blue:02x}" for _, (red, green, blue) in image.getcolors(9999)}
    assert {HUES[1], HUES[2]} <= seen and HUES[3] not in seen
    page = html_text(plot_element(plot, "p"))
    assert "var(--hue-1)" in page and "var(--hue-2)" in page and HUES[1] not in page


def words(plot: Plot) -> list[str]:
    """What is written in the panels of a plot, and in the whole of it."""
    drawn = b"".join(svg for row in panel_svgs(plot) for svg in row).decode()
    texts = re.findall(r"<text [^>]*>([^<]*)</text>", drawn)
    return [*texts, *re.findall(r"<!-- (.*) -->", plot_file(plot, ".svg").decode())]


@pytest.mark.slow
def test_everything_has_its_name():
    found = words(SPEEDS)
    for name in ("period", "O2 *", "early  n^-1.98", "1994", "30 / s", "68040 at 25 MHz"):
        assert name in found, name
    assert "* and dotted: cannot be what was timed." in found
    assert {"102", "57.5", "cycles of one"} <= set(words(COSTS))
    assert {"four shifts", "other", "20", "80", "reports", "percent of pairs"} <= set(
        words(REPORTS)
    )


def test_other_numbers_make_another_picture():
    (panel,) = COSTS.rows[0]
    longer = dataclasses.replace(panel.series[0], values=(102.0, 3.0, 57.5))
    other = dataclasses.replace(COSTS, rows=((dataclasses.replace(panel, series=(longer,)),),))
    assert plot_file(other, ".png") != plot_file(COSTS, ".png")


@pytest.mark.filterwarnings("error")
def test_nothing_in_a_name_is_obeyed_or_complained_about():
    found = words(
        one_panel(Line(HOSTILE, ((0, 1), (1, 2))), Line("\u4e2d" * 500, ((0, 3), (1, 3))))
    )
    hostile = next(word for word in found if word.startswith("a|b"))
    assert hostile.startswith("a|b &lt;x&gt; *y* `z` _w_ [l](u) $e^2$ \\x1b[31m")
    assert max(map(len, found)) < 100


def test_what_has_no_place_on_a_logarithmic_axis_is_left_out():
    axis = Axis("n", is_logarithmic=True)
    lines = (Line("some", ((0, 1), (1, 0), (2, 5))), Line("none", ((0, 0),)))
    found = words(Plot("x", "X", ((LinePanel("X", axis, axis, lines),),)))
    assert "some" in found
    assert "none" not in found


def test_what_lines_are_compared_to_is_always_in_the_picture():
    panel = LinePanel(
        "X", Axis("n"), Axis("y"), (Line("a", ((0, 1), (1, 2))),), (ReferenceLine(99),)
    )
    found = words(Plot("x", "X", ((panel,),)))
    assert "100" in found or "80" in found


def test_a_line_of_one_point_and_a_panel_of_no_line():
    assert "alone" in words(one_panel(Line("alone", ((0, 1),), has_markers=False)))
    assert "y" in words(one_panel())


def test_a_line_that_ends_early_is_named_below_where_no_leader_looks_like_a_line():
    short, long = Line("short", ((1, 9), (2, 3))), Line("long", ((1, 8), (9, 2)))
    points = Line("points", ((9, 1),), Stroke.NONE)
    panel = LinePanel("X", Axis("n"), Axis("y"), (short, long, points))
    assert named_below(panel) == [short, points]
    assert named_below(dataclasses.replace(panel, lines=(short,))) == []
    drawn = plot_file(Plot("x", "X", ((panel,),)), ".svg").decode()
    legend = drawn.partition('id="legend_1"')[2]
    assert ["<!-- short -->" in legend, "<!-- long -->" in legend] == [True, False]


def test_names_are_moved_apart():
    assert apart([0.1, 0.11, 0.9], 0.1) == pytest.approx([0.055, 0.155, 0.9])
    assert apart([0.5, 0.5, 0.5], 0.1) == pytest.approx([0.4, 0.5, 0.6])
    assert apart([], 0.1) == []


def test_labels_of_ticks_do_not_run_into_each_other():
    assert free_labels([0, 1, 1000], is_logarithmic=False) == ["0", "", "1,000"]
    assert free_labels([1, 10, 1000], is_logarithmic=True) == ["1", "10", "1,000"]
    assert fit("x" * 100, most=5) == "xxxx…"


def test_a_picture_of_an_unknown_kind():
    require_picture_name(Path("x.SVG"), "--plot")
    with pytest.raises(UsageError, match=r"--plot x\.gif: a picture's name ends with \.png"):
        require_picture_name(Path("x.gif"), "--plot")
