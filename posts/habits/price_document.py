"""The document of ``macproof timing --habits``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from emu.report.document import Document, Points, Section, Table
from emu.report.plots.numbers import percent, significant
from posts.habits.price_report import (
    SCHEMA,
    HabitPrice,
    HabitPricesReport,
    MachineHabits,
    PricedBuild,
)


def price_document(report: HabitPricesReport) -> Document:
    """What each habit adds, which combinations reach the targets, and how habits are known."""
    sections: list[Section] = []
    for machine in report.machines:
        sections += [_prices(machine), _combinations(machine), _sources(machine)]
    return Document(
        title=f"What habits of compilers cost ({report.case})",
        lead=(report.note,),
        sections=tuple(sections),
        closing=(f"{report.scenes} scenes of each size, from seed {report.seed}.",),
        data=report,
        schema=SCHEMA,
    )


def _title(machine: MachineHabits) -> str:
    return f"{machine.machine}, {machine.code} code"


def _prices(machine: MachineHabits) -> Section:
    events = tuple(machine.published)
    rows = [
        ("published", *(significant(machine.published[event]) for event in events), "", ""),
        (
            machine.build,
            *(significant(machine.base[event]) for event in events),
            *_spread(machine.base_build),
        ),
    ]
    rows += [
        (habit.build.habits[0], *_adds(habit.build, events), *_spread(habit.build))
        for habit in machine.habits
    ]
    columns = ("habit", *events, "scale", "shape rms")
    text = (
        f"Cycles of one event. The build {machine.build} has none of the habits. Each line below "
        "has one, and tells what it adds."
    )
    return Section(
        f"{_title(machine)}: what each habit adds",
        (text, Table(columns, tuple(rows), breaks=frozenset({2}))),
    )


def _adds(build: PricedBuild, events: Iterable[str]) -> Iterator[str]:
    for event in events:
        yield f"{round(build.adds[event], 1) + 0.0:+.1f}"


def _spread(build: PricedBuild) -> tuple[str, str]:
    return significant(build.scale), percent(build.shape_rms)


def _combinations(machine: MachineHabits) -> Section:
    targets = machine.targets
    text = (
        f"Of {machine.tried:,} combinations of habits that change the time, {machine.near:,} reach "
        "the targets if each habit adds what it adds alone. Built were "
        f"{len(machine.combinations)}; "
        f"{sum(combination.reaches for combination in machine.combinations)} of them reach the "
        f"targets: shape error at most {percent(targets.shape)}, of one figure at most "
        f"{percent(targets.worst)}, all ratios from {targets.least:g} to {targets.most:g}."
    )
    sizes = tuple(machine.base_build.ratios)
    rows = tuple(
        (
            " + ".join(combination.habits),
            *(f"{combination.ratios[n]:.2f}" for n in sizes),
            percent(combination.shape_rms),
            percent(combination.shape_worst),
            "yes" if combination.reaches else "no",
        )
        for combination in machine.combinations
    )
    columns = ("habits", *map(str, sizes), "shape rms", "worst", "reaches")
    return Section(f"{_title(machine)}: combinations, after the fact", (text, Table(columns, rows)))


def _sources(machine: MachineHabits) -> Section:
    points = tuple(
        f"{habit.build.habits[0]}: {habit.what}. Known from: {_known_from(habit)}."
        for habit in machine.habits
    )
    return Section(f"{_title(machine)}: where habits are known from", (Points(points),))


def _known_from(price: HabitPrice) -> str:
    texts = list(price.sources)
    if price.shown is not None:
        seen = price.shown
        share = f", {percent(seen.count / seen.among)} of all places" if seen.among else ""
        texts.append(f"seen in {seen.programs} of {seen.of} programs{share}")
    return "; ".join(texts)
