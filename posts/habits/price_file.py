"""The file that names habits of compilers and how each is made: ``habits.yaml`` beside a case."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emu.base.yaml_document import YamlDocument, did_you_mean
from emu.cases.keys.parts import Figures
from emu.cases.keys.sections import cpu_name
from emu.toolchain.builds import BUILDS, TARGETS
from emu.toolchain.user_flags import IMPLIED, problem_of
from macproof import Case, UsageError

FILE = "habits.yaml"
TABLES = Path(__file__).parent
"""The folder of tables of what programs of the time show."""
_OF_COMPILERS = {"-mmultiple"}
"""Flags that a case may not have, since they choose instructions and not what a source means."""


@dataclass(frozen=True, slots=True)
class PricedHabit:
    """A habit of a compiler, and what makes the compiler of today have it.

    Attributes:
        name: a short name.
        what: what the compiler does, a clause.
        flags: the compiler's flags, those that define names for the preprocessor among them.
        instead: the habits of one name here exclude each other; "" if it excludes none.
        sources: where it is known from, each a sentence.
        shown: what `macproof inspect --habits` calls it, or "".
    """

    name: str
    what: str
    flags: tuple[str, ...]
    instead: str = ""
    sources: tuple[str, ...] = ()
    shown: str = ""


@dataclass(frozen=True, slots=True)
class Targets:
    """What a build has to reach.

    Attributes:
        shape: the largest shape error, as a root mean square.
        worst: the largest shape error of a single figure.
        least: the smallest ratio of predicted to published speed.
        most: the largest one.
    """

    shape: float
    worst: float
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class PricedMachine:
    """A machine with published figures, and the habits of compilers for it.

    Attributes:
        figures: its figures.
        code: the processor that the code is for.
        build: the build that each habit is added to.
        table: the file of `TABLES` with what programs of the time show, or "".
        habits: the habits.
        targets: what combinations of them are to reach.
    """

    figures: Figures
    code: str
    build: str
    table: str
    habits: tuple[PricedHabit, ...]
    targets: Targets


@dataclass(frozen=True, slots=True)
class HabitsFile:
    """The habits of a case's routine.

    Attributes:
        path: the file.
        source: what is compiled in place of the case's sources.
        machines: the machines.
    """

    path: Path
    source: Path
    machines: tuple[PricedMachine, ...]


def read_habits(case: Case) -> HabitsFile:
    """Read the file ``habits.yaml`` in the folder of a case.

    Raises:
        UsageError: there is none, or the case has no published figures.
        CaseError: the file is wrong; the message tells the line.
    """
    path = case.path.parent / FILE
    if not path.is_file():
        raise UsageError(
            f"--habits: beside {case.path.name} of {case.name} there is no {FILE}, which would "
            "name habits of compilers"
        )
    document = YamlDocument(path, "a file of habits")
    document.check_by_file("posts.habits:price_file.schema.json")
    source = path.parent / document.data["source"]
    if not source.is_file():
        raise document.error(("source",), f"there is no file {source.name}")
    machines = (_machine(document, case, n) for n in range(len(document.data["machines"])))
    return HabitsFile(path, source, tuple(machines))


def _machine(document: YamlDocument, case: Case, number: int) -> PricedMachine:
    at = ("machines", number)
    data = document.data["machines"][number]
    every = {figure.machine: figure for figure in (case.timing.figures if case.timing else ())}
    if data["machine"] not in every:
        hint = did_you_mean(data["machine"], every)
        raise document.error((*at, "machine"), f"{case.name} has no such figures{hint}")
    code = cpu_name(document, (*at, "code"), data["code"])
    if code not in TARGETS:
        raise document.error((*at, "code"), f"nothing is compiled for {code}")
    if data["build"] not in BUILDS:
        hint = did_you_mean(data["build"], BUILDS)
        raise document.error((*at, "build"), f"there is no build {data['build']}{hint}")
    table = data.get("table", "")
    if table and not (TABLES / table).is_file():
        raise document.error((*at, "table"), f"there is no file {table}")
    habits = tuple(_habit(document, (*at, "habits", n), h) for n, h in enumerate(data["habits"]))
    names = [habit.name for habit in habits]
    for n, name in enumerate(names):
        if name in names[:n]:
            raise document.error((*at, "habits", n, "name"), f"there are two habits {name}")
    limits = Targets(**{name: percent / 100 for name, percent in data["targets"].items()})
    return PricedMachine(every[data["machine"]], code, data["build"], table, habits, limits)


def _habit(
    document: YamlDocument, at: tuple[str | int, ...], data: Mapping[str, Any]
) -> PricedHabit:
    flags = []
    for n, flag in enumerate(data.get("flags", [])):
        if flag not in _OF_COMPILERS and (problem := problem_of(flag)):
            raise document.error((*at, "flags", n), problem)
        flags += [flag, *IMPLIED.get(flag, ())]
    flags += [f"-D{name}" for name in data.get("define", [])]
    return PricedHabit(
        name=data["name"],
        what=data["what"],
        flags=tuple(flags),
        instead=data.get("instead", ""),
        sources=tuple(data["sources"]),
        shown=data.get("shown", ""),
    )


@dataclass(frozen=True, slots=True)
class HabitCount:
    """In how many programs of a table a habit is seen.

    Attributes:
        programs: how many show it at least once.
        of: how many could.
        count: how often all of them together show it.
        among: how often all of them together could.
    """

    programs: int
    of: int
    count: int
    among: int


def shown_in(table: str, habit: str) -> HabitCount | None:
    """What a table of programs of the time says of a habit; None if it does not have it.

    Args:
        table: a file of `TABLES`: a program a line, for each habit a column with its count and one
            named "...: of".
        habit: the name of the habit.
    """
    if not table or not habit:
        return None
    with (TABLES / table).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if not rows or habit not in rows[0]:
        return None
    pairs = [(int(row[habit]), int(row[f"{habit}: of"])) for row in rows]
    possible = [pair for pair in pairs if pair[1]]
    return HabitCount(
        sum(count > 0 for count, _ in possible),
        len(possible),
        sum(count for count, _ in possible),
        sum(of for _, of in possible),
    )
