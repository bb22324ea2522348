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
        programs = [program for program in report.programs if program.architecture == architecture]
        if len(programs) > 1:
            sections.append(_spread(name, programs))
        sections += [_alone(name, program, is_detail=len(programs) > 1) for program in programs]
    if report.refused:
        refused = tuple(unreadable_file.why for unreadable_file in report.refused)
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


def _alone(name: str, habits: ProgramHabits, *, is_detail: bool) -> Section:
    covered = habits.bytes_covered / habits.bytes_of_code if habits.bytes_of_code else 0.0
    lead = (
        f"{habits.instructions:,} instructions, {habits.routines:,} routines; "
        f"{habits.bytes_covered:,} of {habits.bytes_of_code:,} bytes of code and data were reached "
        f"({covered:.0%})."
    )
    rows = tuple(
        (each.name, f"{each.count:,}", f"{each.of:,} {each.among}", _share(each))
        for each in habits.habits
    )
    table = Table(("habit", "count", "of", "share"), rows, words=1)
    return Section(f"{habits.path}: {name}", (lead, table), is_detail=is_detail)


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
        each = [program.habits[index] for program in programs]
        shares = [habit.count / habit.of for habit in each if habit.of]
        yield (
            habit.name,
            habit.among,
            f"{len(shares)}",
            f"{sum(habit.count > 0 for habit in each)}",
            *map(shown_percent, _quartiles(shares)),
        )


def _quartiles(shares: Sequence[float]) -> Sequence[float | None]:
    """The quartiles of some shares; of fewer than two, nothing."""
    return quantiles(shares, method="inclusive") if len(shares) > 1 else (None, None, None)
