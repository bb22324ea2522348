"""Sections of a report on what its predictions rest on."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from emu.timing.report import Report
from emu.timing.report_parts import (
    ABSENT,
    label,
    programs_of,
    shown,
    shown_percent,
    sizes_of,
)
from emu.timing.section import Grid, Section, percent, signed_percent, significant


def sensitivities(report: Report) -> Iterator[Section]:
    """What becomes of the chosen build's predictions if one thing in the model is changed."""
    for one in report["sensitivities"]:
        beside = f" beside {one['machine']}" if one["machine"] else ""
        spread = ("scale", "shape rms", "worst") if one["machine"] else ()
        yield Section(
            f"{one['cpu']} {label(report, one)}{beside}: if the model were another",
            Grid(
                ("change", "cycles", *spread),
                tuple(_change_row(change, bool(spread)) for change in one["changes"]),
            ),
            before=("One thing changed at a time, on the same counts.",),
        )


def _change_row(change: Report, with_spread: bool) -> tuple[str, ...]:
    cells = (change["what"], signed_percent(change["cycles"] - 1))
    if not with_spread:
        return cells
    if change["scale"] is None:  # no size in common with the figures
        return (*cells, *[ABSENT] * 3)
    return (
        *cells,
        significant(change["scale"]),
        shown_percent(change["shape_rms"]),
        shown_percent(change["shape_worst"]),
    )


_OTHER_CODE = (
    "The application is not the very code of the routine alone. It is compiled as applications "
    "are, with a library's memset for loops that clear memory; and on the PowerPC it can lie "
    "anywhere, so that each function that needs a global variable first finds out where it is."
)


def harness(report: Report) -> Iterator[Section]:
    """What the program itself measures in virtual time, beside predictions and figures."""
    for one in report["harness"]:
        machines = [h for h in report["history"] if h["cpu"] == one["cpu"]]
        program = next(
            (
                p
                for p in programs_of(report, one["cpu"], one["source"])
                if p["build"] == one["build"]
            ),
            None,
        )
        rows = []
        for experiment in one["experiments"]:
            n = str(experiment["objects"])
            size = program["sizes"].get(n) if program is not None else None
            predicted = one["megahertz"] * 1e6 / size["cycles"] if size is not None else None
            told = (shown(machine["per_second"].get(n)) for machine in machines)
            rows.append((n, shown(experiment["per_second"]), shown(predicted), *told))
        shorter = "Its experiments were shortened (--quick). " if one["is_quick"] else ""
        yield Section(
            f"The program itself: {one['cpu']} at {one['megahertz']:g} MHz, {label(report, one)}",
            Grid(
                ("objects", "printed", "predicted", *(m["machine"] for m in machines)), tuple(rows)
            ),
            before=(
                "Calls in a second: as the whole program prints them in virtual time, as "
                "predicted of the routine alone, as published.",
            ),
            after=(
                _OTHER_CODE,
                f"{shorter}It asked for the time {one['clock_calls']:,} times and took "
                f"{one['virtual_seconds']:,.0f} virtual seconds; here, {one['seconds']:,.0f}.",
            ),
            literal=tuple(one["lines"]),
        )


def instructions(report: Report) -> Iterator[Section]:
    """Exact counts of instructions, and the cycles for each that models and figures give."""
    sizes = sizes_of(report)
    for cpu in report["models"]:
        rows: list[tuple[str, ...]] = []
        breaks = set()
        mixes = []
        for program in programs_of(report, cpu):
            breaks.add(len(rows))
            cells = [program["sizes"][n] for n in sizes]
            counts = (f"{cell['instructions']:,.0f}" for cell in cells)
            rows.append((label(report, program), "instructions", *counts))
            modelled = (significant(cell["cycles_per_instruction"]) for cell in cells)
            rows.append(("", "cycles each: modelled", *modelled))
            for one in program["against"]:
                for what, key in (
                    (f"left by {one['machine']}", "implied_cycles_per_instruction"),
                    ("the least there can be", "least_cycles_per_instruction"),
                ):
                    rows.append(("", what, *(shown(one[key].get(n)) for n in sizes)))
            mixes.append(_mix(label(report, program), cells[-1]))
        yield Section(
            f"{cpu}: instructions of a call, by number of objects",
            Grid(("build", "", *sizes), tuple(rows), frozenset(breaks), words=2),
            after=(f"The commonest with {sizes[-1]} objects:", *mixes),
            is_detail=True,
        )


def _mix(name: str, size: Report) -> str:
    """The commonest instructions of a program, by their share."""
    shares = list(size["mix"].items())[:8]
    return f"{name}: " + ", ".join(
        f"{mnemonic} {count / size['instructions']:.0%}" for mnemonic, count in shares
    )


def footprints(report: Report) -> Section:
    """Whether the caches hold what a call touches, as the models take for granted."""
    rows = []
    for program in report["programs"]:
        foot = program["footprint"]
        fits = {True: "fits", False: "too large", None: "no cache"}[foot["fits"]]
        rows.append(
            (
                f"{program['cpu']} {label(report, program)}",
                fits,
                *(f"{foot[key]:,}" for key in ("code_bytes", "data_bytes", "stack_bytes")),
            )
        )
    caches = {program["cpu"]: program["footprint"]["caches"] for program in report["programs"]}
    return Section(
        "Whether a call fits the caches",
        Grid(("program", "", "code executed", "data, all", "stack"), tuple(rows), words=2),
        before=(
            "Bytes. All data of the program is more than a call touches; the models take code and "
            "data to be in the caches.",
        ),
        after=tuple(f"{cpu}: {words}." for cpu, words in caches.items()),
        is_detail=True,
    )


def sources(report: Report) -> Iterator[Section]:
    """Manuals, measurements and assumptions behind the predicted cycles, with their shares."""
    rows = []
    for cpu, shares in report["sources"].items():
        rows += [(cpu, one["kind"], one["title"], percent(one["share"])) for one in shares]
    kinds: dict[str, dict[str, float]] = {}
    for cpu, shares in report["sources"].items():
        totals = kinds.setdefault(cpu, {})
        for one in shares:
            totals[one["kind"]] = totals.get(one["kind"], 0.0) + one["share"]
    told = [
        f"{cpu}: " + ", ".join(f"{kind} {percent(part)}" for kind, part in totals.items()) + "."
        for cpu, totals in kinds.items()
    ]
    yield Section(
        "What the predicted cycles rest on",
        before=("Each instruction's cycles count for the weakest source of its price.",),
        after=tuple(told),
    )
    yield Section(
        "Sources",
        Grid(("CPU", "kind", "source", "of all cycles"), tuple(rows), words=3),
        is_detail=True,
    )
    for cpu, model in report["models"].items():
        yield Section(
            f"{cpu}: what the model takes for granted",
            after=tuple(model["assumptions"]),
            is_detail=True,
        )


def left_out(report: Report) -> Section | None:
    """What was not run or is not known, each with the reason."""
    points = [f"{item['what']}: {item['why']}." for item in report["not_run"]]
    points += [f"{text}: left out." for text in report["measured_left_out"]]
    points += [f"{one['file']}: {one['note']}" for one in report["measured"] if one["note"]]
    sizes = set(sizes_of(report))
    for one in report["measured"]:
        others = [n for n in one["per_second"] if n not in sizes]
        if others:
            points.append(
                f"{one['file']}: times with {', '.join(others)} objects, which were not predicted; "
                "--objects takes them up."
            )
    return Section("Not here, or not known", after=tuple(points)) if points else None


def receipt(report: Report) -> Section:
    """Why to believe the counts, and how to have them again."""
    scenes, receipt = report["scenes"], report["receipt"]
    calls = sum(size["calls"] for p in report["programs"] for size in p["sizes"].values())
    compared = sum(s["bytes_compared"] for p in report["programs"] for s in p["sizes"].values())
    return Section(
        "Why to believe the counts",
        after=(
            f"{scenes['of_each']} scenes of {', '.join(sizes_of(report))} objects by "
            f"{scenes['generator']}, seeds from {scenes['seed']}.",
            f"{calls:,} calls counted. Every one was right: {compared / 1e6:,.0f} MB of data "
            f"memory compared with what {report['case']['reference']} demands.",
            f"Where the programs came from: {receipt['programs']}.",
            f"Again: {shlex.join(receipt['command'])}",
        ),
    )
