"""The report as pictures: speeds over the number of objects, and what each event costs.

They are to be read in print and without colours: lines differ by style and width, points by shape,
and every line has its name at its end. The same report gives the same bytes.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from emu.base.errors import UsageError
from emu.timing.comparison import CHOICE
from emu.timing.report import Report
from emu.timing.report_parts import label, measured_on, programs_of, sources_of
from emu.timing.section import significant

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_METADATA: Mapping[str, Mapping[str, Any]] = {
    ".png": {"Software": "macproof"},
    ".svg": {"Creator": "macproof", "Date": None},
    ".pdf": {"Creator": "macproof", "Producer": "macproof", "CreationDate": None},
}
_DOTS_PER_INCH = 150
_TEXT, _SMALL = 10, 9  # points
_BLACK, _DARK, _MIDDLE, _PALE = "black", "0.35", "0.6", "0.88"
_LINE_HEIGHT = 0.17  # inches, of a line of text with air
_NARROW = 5.0  # highest over lowest speed: below it, 1, 2 and 5 are too few ticks
_RULED_OUT = "cannot be what was timed"
_MARKERS = "DsPX^v"


def require_known_suffix(path: Path, option: str) -> None:
    """Refuse a file name that does not say what kind of picture is meant.

    Raises:
        UsageError: it ends with something else than .png, .svg or .pdf.
    """
    if path.suffix.lower() not in _METADATA:
        raise UsageError(f"{option} {path}: a picture's name ends with {', '.join(_METADATA)}")


def speed_plot(report: Report, suffix: str) -> bytes:
    """Calls in a second over the number of objects, a panel for each processor.

    Args:
        report: the report.
        suffix: ".png", ".svg" or ".pdf".
    """
    cpus, sources = list(report["models"]), sources_of(report)
    most = max(len(programs_of(report, cpu, source)) for cpu in cpus for source in sources)
    height = max(5.2, most * _LINE_HEIGHT + 2.0)

    def draw(figure: Figure) -> None:
        grid = figure.subplots(len(sources), len(cpus), squeeze=False)
        for line, source in zip(grid, sources, strict=True):
            for axes, cpu in zip(line, cpus, strict=True):
                _draw_speeds(axes, report, cpu, source, height)

    width = 5.4 * len(cpus) if len(cpus) > 1 else 7.0
    return picture(draw, (width, height * len(sources)), suffix)


def event_plot(report: Report, suffix: str) -> bytes:
    """What each event costs by each build, a panel for each event and processor.

    Raises:
        UsageError: the case names no events, or nothing can be told of their costs.
    """
    names = list(next(iter(report["events"]["fitted"].values()), {}))
    rows = {cpu: list(_costs(report, cpu)) for cpu in report["models"]}
    rows = {cpu: found for cpu, found in rows.items() if found}
    if not names or not rows:
        raise UsageError("--events-plot: nothing is known of the cycles of single events here")
    heights = [len(found) * 0.24 + 0.9 for found in rows.values()]

    def draw(figure: Figure) -> None:
        grid = figure.subplots(
            len(rows), len(names), squeeze=False, gridspec_kw={"height_ratios": heights}
        )
        for line, (cpu, found) in zip(grid, rows.items(), strict=True):
            for axes, name in zip(line, names, strict=True):
                _draw_costs(axes, cpu, name, found, is_first=name == names[0])

    return picture(draw, (3.2 * len(names) + 1.6, sum(heights) + 0.3), suffix)


# -- speeds ----------------------------------------------------------------------------------


def _draw_speeds(axes: Axes, report: Report, cpu: str, source: str, height: float) -> None:
    sizes = report["scenes"]["objects"]
    machines = [one for one in report["history"] if one["cpu"] == cpu]
    ends: list[tuple[float, str, bool]] = []
    for program in programs_of(report, cpu, source):
        speeds = [program["sizes"][str(n)]["per_second"] for n in sizes]
        is_choice = program["build"] == CHOICE
        ruled_out = any(one["cannot_be"] for one in program["against"])
        axes.plot(
            sizes,
            speeds,
            color=_BLACK if is_choice else _DARK,
            linewidth=2.2 if is_choice else 1.0,
            linestyle=_style(program["build"], ruled_out=ruled_out),
            zorder=3 if is_choice else 2,
            marker="_" if len(sizes) == 1 else None,
            markersize=14,
        )
        ends.append((speeds[-1], program["build"] + (" *" * ruled_out), is_choice))
    points = [(one["machine"], one["per_second"], "o") for one in machines]
    points += [
        (f"{one['machine']}, measured", one["per_second"], _MARKERS[number % len(_MARKERS)])
        for number, one in enumerate(measured_on(report, cpu))
    ]
    for name, speeds_by_size, marker in points:
        axes.plot(
            [int(n) for n in speeds_by_size],
            list(speeds_by_size.values()),
            linestyle="none",
            marker=marker,
            markersize=9,
            markerfacecolor="white" if marker != "o" else _BLACK,
            markeredgecolor=_BLACK,
            markeredgewidth=1.4,
            zorder=5,
            label=name,
        )
    _scale_speeds(axes, sizes)
    _label_ends(axes, sizes, ends, step=_LINE_HEIGHT / (height - 1.8))
    several = f", {source}" if len(sources_of(report)) > 1 else ""
    clock = report["models"][cpu]["megahertz"]
    axes.set_title(f"{cpu} at {clock:g} MHz{several}", loc="left")
    if any(text.endswith("*") for _, text, _ in ends):
        style = _style("", ruled_out=True)
        axes.plot([], [], color=_DARK, linewidth=1.0, linestyle=style, label=f"* {_RULED_OUT}")
    if axes.get_legend_handles_labels()[0]:
        # Below the axes, where it covers no point.
        axes.legend(
            loc="upper left", bbox_to_anchor=(-0.02, -0.13), frameon=False, handletextpad=0.4
        )


def _style(build: str, *, ruled_out: bool) -> str | tuple[int, tuple[int, ...]]:
    """Solid for builds that make calls, dashed for those with macros, dots if ruled out."""
    if ruled_out:
        return (0, (1, 2)) if "-" not in build else (0, (1, 3))
    return "solid" if "-" not in build else (0, (5, 2))


def _scale_speeds(axes: Axes, sizes: Sequence[int]) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    axes.set_yscale("log")
    low, high = axes.get_ylim()
    is_narrow = high / low < _NARROW
    axes.yaxis.set_major_locator(MaxNLocator(6) if is_narrow else LogLocator(10, subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_xticks(sizes, _apart_labels(sizes))
    axes.set_xlabel("objects")
    axes.set_ylabel("complete calls in a second")
    axes.grid(True, which="major", color=_PALE, linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_ylim(low / 1.1, high * 1.1)


def _apart_labels(sizes: Sequence[int]) -> list[str]:
    """A label for each tick, none where it would run into the one before."""
    labels, last = [], -math.inf
    for size in sizes:
        is_free = size - last > 0.04 * (sizes[-1] - sizes[0])
        labels.append(str(size) if is_free or size == sizes[0] else "")
        last = size if labels[-1] else last
    return labels


def _label_ends(
    axes: Axes, sizes: Sequence[int], ends: Sequence[tuple[float, str, bool]], *, step: float
) -> None:
    """Write each line's name to the right of its end, moved apart where they would touch."""
    low, high = (math.log10(value) for value in axes.get_ylim())
    ordered = sorted(ends)
    wanted = [(math.log10(value) - low) / (high - low) for value, _, _ in ordered]
    for place, (value, text, is_choice) in zip(apart(wanted, step), ordered, strict=True):
        axes.annotate(
            text,
            xy=(sizes[-1], value),
            xytext=(1.06, place),
            textcoords="axes fraction",
            va="center",
            fontsize=_TEXT,
            fontweight="bold" if is_choice else "normal",
            arrowprops={"arrowstyle": "-", "color": _MIDDLE, "linewidth": 0.6, "relpos": (0, 0.5)},
            annotation_clip=False,
        )


def apart(places: Sequence[float], step: float) -> list[float]:
    """Ascending places moved as little as is simple, until each is a step above the last."""
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


# -- events ----------------------------------------------------------------------------------


def _costs(report: Report, cpu: str) -> Iterator[tuple[str, Mapping[str, float], bool]]:
    """Names, cycles of each event, and whether they are published, of all that have a fit."""
    for one in report["history"]:
        if one["cpu"] == cpu and not one["event_fit"]["problem"]:
            yield one["machine"], one["event_fit"]["cycles_of_one"], True
    for program in programs_of(report, cpu):
        if not program["event_fit"]["problem"]:
            yield label(report, program), program["event_fit"]["cycles_of_one"], False


def _draw_costs(
    axes: Axes,
    cpu: str,
    event: str,
    rows: Sequence[tuple[str, Mapping[str, float], bool]],
    *,
    is_first: bool,
) -> None:
    values = [costs[event] for _, costs, _ in rows]
    colours = [
        _BLACK if published else _DARK if name.split(",")[0] == CHOICE else _MIDDLE
        for name, _, published in rows
    ]
    places = range(len(rows))
    bars = axes.barh(places, values, color=colours, height=0.72)
    axes.bar_label(
        bars,
        [significant(value) for value in values],
        padding=3,
        fontsize=_SMALL,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8},
    )
    for value in (v for v, (_, _, published) in zip(values, rows, strict=True) if published):
        axes.axvline(value, color=_BLACK, linewidth=0.9, linestyle=(0, (4, 3)), zorder=0)
    axes.set_yticks(list(places), [name for name, _, _ in rows] if is_first else [""] * len(rows))
    axes.invert_yaxis()
    axes.margins(x=0.2, y=0.02)
    axes.set_title(f"{cpu}: {event}" if is_first else event, loc="left")
    axes.set_xlabel("cycles of one")
    axes.tick_params(left=False)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


# -- files -----------------------------------------------------------------------------------


def picture(draw: Callable[[Figure], None], size: tuple[float, float], suffix: str) -> bytes:
    """A figure's file; the same drawing gives the same bytes.

    Args:
        draw: draws it.
        size: width and height in inches.
        suffix: ".png", ".svg" or ".pdf".
    """
    with plot_style():
        from matplotlib.figure import Figure as NewFigure

        figure = NewFigure(figsize=size, layout="constrained")
        draw(figure)
        encoded = io.BytesIO()
        suffix = suffix.lower()
        figure.savefig(
            encoded,
            format=suffix.lstrip("."),
            dpi=_DOTS_PER_INCH,
            metadata=dict(_METADATA[suffix]),
        )
    return encoded.getvalue()


@contextmanager
def plot_style() -> Iterator[None]:
    """How pictures look, and what makes their files the same each time."""
    import matplotlib

    settings: Any = {
        "font.family": "DejaVu Sans",
        "font.size": _TEXT,
        "axes.titlesize": _TEXT + 1,
        "axes.titleweight": "bold",
        "legend.fontsize": _TEXT,
        "svg.hashsalt": "macproof",
        "savefig.facecolor": "white",
    }
    with matplotlib.rc_context(settings):
        yield
