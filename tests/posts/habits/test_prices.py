"""Prices of habits: the file that names them, what is combined, and what compiled code gives."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from emu.base.errors import CaseError, MacproofError, UsageError
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.report.forms.write import json_of
from emu.timing.programs import make_plan
from posts.habits.price_document import price_document
from posts.habits.price_file import Targets, read_habits, shown_in
from posts.habits.price_report import make_price_report
from posts.habits.prices import HabitCombination, _subsets, price_habits
from posts.timing.comparison import Spread
from posts.timing.fit import EventCosts
from tests.report.schemas import require_schema

FOUR_SHIFTS = load_case("four-shifts")
SHIPPED = FOUR_SHIFTS.path.parent / "habits.yaml"


def beside(folder: Path, text: str) -> Case:
    """The case, as if its file lay in a folder with these habits."""
    (folder / "habits.yaml").write_text(text)
    (folder / "habits.cpp").write_text((SHIPPED.parent / "habits.cpp").read_text())
    return replace(FOUR_SHIFTS, path=folder / "case.yaml")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("-fno-omit-frame-pointer", "-fplugin=x", "a case may not have the flag '-fplugin=x'"),
        ("-fno-omit-frame-pointer", "-O3", "builds say how far to optimise"),
        ("1994, 25 MHz 68040", "1994, 25 MHz 68030", "four-shifts has no such figures"),
        ("build: period", "build: perod", "there is no build perod; did you mean period?"),
        ("name: rows by MULS", "name: LINK and UNLK", "there are two habits LINK and UNLK"),
        ("table: 68k.csv", "table: z80.csv", "there is no file z80.csv"),
        ("source: habits.cpp", "source: habit.cpp", "there is no file habit.cpp"),
        ('code: "68000"', "code: 6502", "there is no CPU 6502"),
        ("shape: 3,", "", "the key shape is missing"),
    ],
)
def test_a_wrong_file_is_told_with_its_line(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    case = beside(tmp_path, SHIPPED.read_text().replace(old, new, 1))
    with pytest.raises(CaseError) as raised:
        read_habits(case)
    assert message in str(raised.value)
    assert "line " in str(raised.value)


def test_a_case_without_habits_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no habits\.yaml"):
        read_habits(replace(FOUR_SHIFTS, path=tmp_path / "case.yaml"))


def test_every_habit_that_programs_are_said_to_show_is_in_the_table() -> None:
    for machine in read_habits(FOUR_SHIFTS).machines:
        for one in machine.habits:
            assert bool(one.shown) == (shown_in(machine.table, one.shown) is not None), one.name
    assert shown_in("68k.csv", "no such habit") is None


def test_habits_that_exclude_each_other_are_never_combined() -> None:
    machine = read_habits(FOUR_SHIFTS).machines[0]
    spread = Spread.of({0: 1.0})
    single = [
        HabitCombination((one,), {}, EventCosts({}, {}, 0.0, 0), spread)
        for one in machine.habits[2:5]
    ]
    names = [{part.habits[0].name for part in chosen} for chosen in _subsets(single)]
    by_word, by_library, near = (one.name for one in machine.habits[2:5])
    assert names == [{by_word, near}, {by_library, near}]


@pytest.mark.parametrize(
    ("ratios", "reached"),
    [
        ({0: 1.3, 50: 1.35}, True),
        ({0: 1.3, 50: 1.45}, False),  # too fast
        ({0: 0.72, 50: 0.69}, False),  # too slow
        ({0: 1.0, 50: 1.1}, False),  # another shape
    ],
)
def test_targets(ratios: dict[int, float], reached: bool) -> None:
    priced = HabitCombination((), {}, EventCosts({}, {}, 0.0, 0), Spread.of(ratios))
    assert priced.reaches(Targets(0.03, 0.08, 0.7, 1.4)) == reached


@pytest.mark.slow
def test_a_division_is_paid_by_pairs_and_a_multiplication_by_insertions() -> None:
    file = read_habits(FOUR_SHIFTS)
    power = file.machines[1]
    chosen = tuple(h for h in power.habits if h.name in ("rows by MULLI", "difference by DIVW"))
    wanted = replace(file, machines=(replace(power, habits=chosen),))
    plan = make_plan(FOUR_SHIFTS, scenes=1)
    (found,) = price_habits(FOUR_SHIFTS, wanted, plan)
    rows, difference = (
        {
            event: cost - found.base.fit.cycles_of_one[event]
            for event, cost in one.fit.cycles_of_one.items()
        }
        for one in found.single
    )
    # Half of the pairs collide, and each of these divides twice, for 36 clocks each.
    assert 20 < difference["pairs tested"] < 45
    assert difference["sector visits"] < 2
    assert 1 < rows["insertions"] < 6
    assert rows["pairs tested"] < 1
    assert found.tried == len(found.built) == 1
    both = found.built[0]
    for n, cycles in both.cycles.items():  # these two do not touch each other
        added = found.single[0].cycles[n] + found.single[1].cycles[n] - found.base.cycles[n]
        assert cycles == pytest.approx(added, rel=0.02)
    report = make_price_report("four-shifts", wanted, plan, [found])
    written = json.loads(json_of([price_document(report)]))
    require_schema(written, "macproof.habit-prices/1")
    assert written["machines"][0]["habits"][1]["shown"]["of"] == 37


@pytest.mark.slow
def test_a_habit_that_computes_something_else_is_refused(tmp_path: Path) -> None:
    case = beside(tmp_path, SHIPPED.read_text())
    broken = (tmp_path / "habits.cpp").read_text().replace("= 1;", "= 2;", 1)
    (tmp_path / "habits.cpp").write_text(broken)
    file = read_habits(case)
    with pytest.raises(MacproofError, match="is wrong and is not timed"):
        price_habits(FOUR_SHIFTS, file, make_plan(FOUR_SHIFTS, scenes=1), jobs=1)


def test_options_that_do_not_go_together_with_habits(macproof: Callable[..., Any]) -> None:
    outcome = macproof("timing", "--habits", "--build", "O2")
    assert outcome.code == 2
    assert "--habits and --build do not go together" in outcome.err
    assert macproof("timing", "blockmap", "--habits").code == 2
