"""The document of ``macproof inspect --habits``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import quantiles

from emu.report.document import Document, Points, Section, Table
from emu.report.plots.numbers import shown_percent
from posts.habits.model import SCHEMA, Habit, HabitsReport, ProgramHabits

_NAMES = {"m68k": "68K", "powerpc": "PowerPC"}


def habits_document(report: HabitsReport) -> Document:
    """The habits of one program as a table; of several, how they are spread, and then each."""
    sections: list[Section] = []
    for architecture, name in _NAMES.items():
        programs = [one for one in report.programs if one.architecture == architecture]
        if len(programs) > 1:
            sections.append(_spread(name, programs))
        sections += [_alone(name, one, is_detail=len(programs) > 1) for one in programs]
    if report.refused:
        refused = tuple(one.why for one in report.refused)
        sections.append(Section("Files without a program", (Points(refused),)))
    return Document(
        title="Habits of compilers",
        lead=(
            "Only code that can be reached counts, the compiler's library included. Calls through "
            "pointers are not followed.",
        ),
        sections=tuple(sections),
        data=report,
        schema=SCHEMA,
    )


def _alone(name: str, one: ProgramHabits, *, is_detail: bool) -> Section:
    covered = one.bytes_covered / one.bytes_of_code if one.bytes_of_code else 0.0
    lead = (
        f"{one.instructions:,} instructions, {one.routines:,} routines; {one.bytes_covered:,} of "
        f"{one.bytes_of_code:,} bytes of code and data were reached ({covered:.0%})."
    )
    rows = tuple(
        (each.name, f"{each.count:,}", f"{each.of:,} {each.among}", _share(each))
        for each in one.habits
    )
    table = Table(("habit", "count", "of", "share"), rows, words=1)
    return Section(f"{one.path}: {name}", (lead, table), is_detail=is_detail)


def _share(habit: Habit) -> str:
    return shown_percent(habit.count / habit.of if habit.of else None)


def _spread(name: str, programs: Sequence[ProgramHabits]) -> Section:
    """How many programs show each habit, and the quartiles of its share among all that could."""
    rows = tuple(_spread_rows(programs))
    columns = (
        "habit",
        "share of",
        "programs",
        "show it",
        "quarter below",
        "median",
        "quarter above",
    )
    return Section(f"{name}: {len(programs)} programs", (Table(columns, rows, words=2),))


def _spread_rows(programs: Sequence[ProgramHabits]) -> Iterator[tuple[str, ...]]:
    for index, habit in enumerate(programs[0].habits):
        each = [one.habits[index] for one in programs]
        shares = [one.count / one.of for one in each if one.of]
        yield (
            habit.name,
            habit.among,
            f"{len(shares)}",
            f"{sum(one.count > 0 for one in each)}",
            *map(shown_percent, _quartiles(shares)),
        )


def _quartiles(shares: Sequence[float]) -> Sequence[float | None]:
    """The quartiles of some shares; of fewer than two, nothing."""
    return quantiles(shares, method="inclusive") if len(shares) > 1 else (None, None, None)
