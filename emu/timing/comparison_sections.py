"""Sections of a report that lay predictions beside figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from emu.timing.comparison import TOO_FEW, TOO_MANY
from emu.timing.report import Report
from emu.timing.report_parts import (
    ABSENT,
    label,
    measured_on,
    of_source,
    programs_of,
    shown,
    shown_percent,
    sizes_of,
    sources_of,
)
from emu.timing.section import Grid, Section, percent, signed_percent, significant


def speeds(report: Report) -> Iterator[Section]:
    """Predicted speeds with published and measured ones, then the ratios and what they come to."""
    for cpu in report["models"]:
        machines = [one for one in report["history"] if one["cpu"] == cpu]
        for source in sources_of(report):
            yield _speeds_of(report, cpu, source, machines)
            for machine in machines:
                yield _ratios_of(report, cpu, source, machine)


def _speeds_of(report: Report, cpu: str, source: str, machines: Sequence[Report]) -> Section:
    model = report["models"][cpu]
    sizes = sizes_of(report)
    given = [(f"{one['machine']} (published)", one) for one in machines]
    given += [(f"{one['machine']} (measured)", one) for one in measured_on(report, cpu)]
    first = [(name, *(shown(one["per_second"].get(n)) for n in sizes)) for name, one in given]
    rows = [
        (program["build"], *(shown(program["sizes"][n]["per_second"]) for n in sizes))
        for program in programs_of(report, cpu, source)
    ]
    return Section(
        f"{cpu} at {model['megahertz']:g} MHz: calls in a second, by number of objects"
        + of_source(report, source),
        Grid(("build", *sizes), (*first, *rows), frozenset({len(first)})),
        before=(f"Predicted by the model {model['title']}.",),
        after=tuple(f"{one['machine']}: published by {one['source']}." for one in machines),
    )


def _ratios_of(report: Report, cpu: str, source: str, machine: Report) -> Section:
    sizes = [n for n in sizes_of(report) if n in machine["per_second"]]
    rows = []
    for program in programs_of(report, cpu, source):
        one = _against(program, machine)
        if one is None:
            continue
        rows.append(
            (
                program["build"] + (" *" if one["cannot_be"] else ""),
                *(f"{one['ratios'][n]:.2f}" for n in sizes),
                significant(one["scale"]),
                *(shown_percent(one[key]) for key in ("shape_rms", "shape_worst")),
            )
        )
    notes = [
        "The scale is the geometric mean of the ratios; the shape error is what is left of them "
        "without it: root of the mean square, and the worst.",
    ]
    if any(row[0].endswith(" *") for row in rows):
        notes.append("* cannot be what was timed: see below.")
    return Section(
        f"{machine['machine']}: predicted over published, by number of objects"
        + of_source(report, source),
        Grid(("build", *sizes, "scale", "shape rms", "worst"), tuple(rows)),
        after=tuple(notes),
    )


def _against(program: Report, machine: Report) -> Report | None:
    return next((a for a in program["against"] if a["machine"] == machine["machine"]), None)


def impossible(report: Report) -> Section | None:
    """The builds that are ruled out, by which numbers, and what was chosen afterwards."""
    if not report["history"]:
        return None
    rows = [
        (
            f"{program['cpu']} {label(report, program)}",
            *_reason_cells(kind, reasons, len(one["ratios"])),
        )
        for program in report["programs"]
        for one in program["against"]
        for kind in (TOO_FEW, TOO_MANY)
        if (reasons := [reason for reason in one["cannot_be"] if reason["kind"] == kind])
    ]
    every = [r for p in report["programs"] for one in p["against"] for r in one["cannot_be"]]
    limits = dict.fromkeys(
        f"{p['cpu']}, {r['kind']} cycles; the limit: {r['why']}."
        for p in report["programs"]
        for one in p["against"]
        for r in one["cannot_be"]
    )
    points = list(limits) if every else ["By this rule none of the builds is ruled out."]
    choice = report["choice"]["build"]
    chosen = [(p, a) for p in report["programs"] if p["build"] == choice for a in p["against"]]
    points += [
        f"This rules out {choice} itself, the build that was fixed in advance, for {p['cpu']} "
        f"({p['source']})."
        for p, one in chosen
        if one["cannot_be"]
    ]
    points.append(
        "A build that is not ruled out need not be what was timed: nobody knows the compiler, "
        "and builds of a compiler of today stand for it."
    )
    for one in report["after_the_fact"]:
        shape, scale = one["nearest_shape"], one["nearest_scale"]
        words = f"{scale['build']} of {scale['source']} in scale ({significant(scale['scale'])})"
        if shape is not None:
            rms = percent(shape["shape_rms"])
            words = f"{shape['build']} of {shape['source']} in shape ({rms} rms), {words}"
        points.append(
            f"After the fact, and so no prediction: nearest to {one['machine']} is {words}."
        )
    columns = ("build", "cycles", "at objects", "each", "limit")
    grid = Grid(columns, tuple(rows), words=3) if rows else None
    return Section(
        "What cannot have been timed", grid, before=(report["rule"],), after=tuple(points)
    )


def _reason_cells(kind: str, reasons: Sequence[Report], of: int) -> tuple[str, ...]:
    """The sizes at which a build is ruled out in one way, and the range of the numbers there."""
    sizes = ", ".join(str(reason["objects"]) for reason in reasons)
    sizes = "all" if len(reasons) == of else sizes
    ranges = (
        [significant(pick(reason[key] for reason in reasons)) for pick in (min, max)]
        for key in ("left", "limit")
    )
    return (kind, sizes, *("-".join(dict.fromkeys(pair)) for pair in ranges))


def work(report: Report) -> Section | None:
    """How often each event happens in a call."""
    fitted, also = report["events"]["fitted"], report["events"]["also"]
    if not fitted:
        return None
    sizes = sizes_of(report)
    rows = [
        (word, *(_count(table[n][word]) for n in sizes))
        for table in (fitted, also)
        if table
        for word in table[sizes[0]]
    ]
    return Section(
        "Events in a call, by number of objects",
        Grid(("event", *sizes), tuple(rows)),
        before=(f"Counted by {report['case']['reference']}; means over the scenes.",),
    )


def _count(number: float) -> str:
    return f"{number:,.0f}" if number == int(number) else f"{number:,.1f}"


def event_costs(report: Report) -> Iterator[Section]:
    """Cycles of each event, by the figures and by every build."""
    if not report["events"]["fitted"]:
        return
    names = list(next(iter(report["events"]["fitted"].values())))
    columns = ("build", *names, "worst error")
    for cpu in report["models"]:
        history = [one for one in report["history"] if one["cpu"] == cpu]
        for source in sources_of(report):
            programs = programs_of(report, cpu, source)
            named = [(f"{one['machine']} (published)", one) for one in history]
            named += [(program["build"], program) for program in programs]
            fits = [(name, one["event_fit"]) for name, one in named]
            after = [
                f"{name} has no fit: {fit['problem']}." for name, fit in fits if fit["problem"]
            ]
            if any(fit["spare_figures"] == 0 and not fit["problem"] for _, fit in fits):
                after.append("There are as many costs as sizes, so that anything would fit.")
            yield Section(
                f"{cpu}: cycles of one event{of_source(report, source)}",
                Grid(
                    columns,
                    tuple(_cost_row(name, one, names) for name, one in named),
                    frozenset({len(history)}),
                ),
                before=(
                    "The cycles of a call taken apart by its events, with the least relative "
                    "errors.",
                ),
                after=tuple(after),
            )


def _cost_row(name: str, one: Report, names: Sequence[str]) -> tuple[str, ...]:
    fit = one["event_fit"]
    costs = [shown(fit["cycles_of_one"].get(word)) for word in names]
    return (name, *costs, ABSENT if fit["problem"] else percent(fit["worst"]))


def cross_ratios(report: Report) -> Iterator[Section]:
    """How much faster one machine is than another, published and by build."""
    sizes = sizes_of(report)
    for one in report["cross_ratios"]:
        rows = [("published", *(shown(one["published"].get(n)) for n in sizes))]
        rows += [
            (label(report, entry), *(shown(entry["ratios"].get(n)) for n in sizes))
            for entry in one["predicted"]
        ]
        yield Section(
            f"{one['faster']}, how much faster than {one['slower']}, by number of objects",
            Grid(("build", *sizes), tuple(rows), frozenset({1})),
            before=("The same build for both; the compilers of the time need not have been alike.",)
            if one["predicted"]
            else (),
        )


def targets(report: Report) -> Section | None:
    """What the comparison should reach, and whether it does."""
    if not report["targets"]:
        return None
    words = {True: "met", False: "missed", None: "not checked"}
    rows = tuple(
        (
            t["what"] + (of_source(report, t["source"]) if "source" in t else ""),
            words[t["met"]],
            t["found"],
        )
        for t in report["targets"]
    )
    choice = report["choice"]
    after = [f"The build {choice['build']} was {choice['why']}."]
    for program in report["programs"]:
        if program["build"] != choice["build"]:
            continue
        for one in program["against"]:
            errors = one["errors_with_scale_of_smallest"]
            if errors:
                told = ", ".join(f"{n}: {signed_percent(e)}" for n, e in errors.items())
                after.append(
                    f"{one['machine']}, {label(report, program)}: with the scale of the smallest "
                    f"scenes alone, the others are off by {told}."
                )
    return Section("Targets", Grid(("target", "", "found"), rows, words=3), after=tuple(after))


def loops(report: Report) -> Section | None:
    """Loops that were timed on real machines, and what the models say of them."""
    if not report["loops"]:
        return None
    rows = tuple(
        (
            loop["cpu"],
            loop["name"],
            loop["remark"],
            significant(loop["measured"]),
            significant(loop["predicted"]),
            f"{loop['ratio']:.2f}",
        )
        for loop in report["loops"]
    )
    measured_by: dict[str, list[str]] = {}
    for loop in report["loops"]:
        measured_by.setdefault(loop["source"], []).append(loop["name"])
    return Section(
        "Loops whose times are known: clocks of one iteration",
        Grid(("CPU", "loop", "remark", "measured", "predicted", "ratio"), rows, words=3),
        before=(
            "Measured on real machines by others, apart from the published figures. A loop by "
            "which a number of the model was set, or that times memory, checks nothing.",
        ),
        after=(
            *(f"{', '.join(names)}: {source}." for source, names in measured_by.items()),
            "Whole programs whose speeds are known are cases of their own: macproof timing "
            "dhrystone.",
        ),
    )
