"""Mistakes that the scenes of a case once did not find, one of each kind.

Each passes on the scenes that were there before, and not on those that were added for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from emu.cases.case import Case
from emu.verify.scenes.scene_plan import plan_scenes
from tests.mac_src.ports import Changes, case_of, changed_case, run_here, subject
from tests.rows import slow, slow_but

_SCREEN = ("uniform", "clustered", "grid-aligned", "sector-edge", "identical", "neighbours")
_TABLES = ("standard", "varied")

MISTAKES: dict[str, tuple[str, tuple[str, ...], Changes]] = {
    "four shifts step through the array": (
        "four-shifts",
        _SCREEN,
        {"o = o->obj_link;": "o = o->obj_link ? o + 1 : NULL;"},
    ),
    "adjacent sectors step through the array": (
        "adjacent-halves-32",
        _SCREEN,
        {"o = o->obj_link)": "o = o->obj_link ? o + 1 : NULL)"},
    ),
    "one report more than there is room for": (
        "adjacent-with-eight",
        (*_SCREEN, "shuffled"),
        {"gReportCount < kMaxReports": "gReportCount <= kMaxReports"},
    ),
    "sectors left of the first column": (
        "adjacent-with-eight",
        (*_SCREEN, "shuffled", "piled"),
        {"(x < 0 || x": "(x < -1 || x"},
    ),
    "sectors of nine left of the first column": (
        "adjacent-as-counted",
        (*_SCREEN, "shuffled"),
        {"(x < 0 || x": "(y < 0 || x"},
    ),
    "flags of the first 1,024": (
        "adjacent-halves-32",
        (*_SCREEN, "shuffled"),
        {"gCollisionArray[first]": "gCollisionArray[first & 1023]"},
    ),
    "brute force steps through the array": (
        "brute-force",
        (*_SCREEN, "wide"),
        {"b = b->obj_link)": "b = b->obj_link ? b + 1 : NULL)"},
    ),
    "coordinates of ten bits": (
        "brute-force",
        (*_SCREEN, "shuffled"),
        {"_Abs(a->x - b->x)": "_Abs((a->x & 1023) - (b->x & 1023))"},
    ),
    "texts not compared": (
        "dhrystone",
        _TABLES,
        {"return (unsigned char) *a - (unsigned char) *b;": "return 0;"},
    ),
    "letters with a sign": (
        "dhrystone",
        _TABLES,
        {"return (unsigned char) *a - (unsigned char) *b;": "return *a - *b;"},
    ),
    "text ends at a letter with a sign": (
        "dhrystone",
        _TABLES,
        {"while ((*to++ = *from++) != 0)": "while ((*to++ = *from++) > 0)"},
    ),
    "other variants left alone": ("dhrystone", _TABLES, {"*record = *record->next;": ";"}),
    "a choice like its neighbour": (
        "dhrystone",
        _TABLES,
        {"*picked = kThird;\n": "*picked = kFourth;\n"},
    ),
}


@pytest.fixture(scope="module", autouse=True)
def every_compiler(compilers: Callable[..., None]) -> None:
    compilers("68040")


def is_right(case: Case, changed: Case, generators: Collection[str]) -> bool:
    """Whether a changed case's program does what it should on some scenes of generators."""
    planned = [s for s in plan_scenes(case, 300, 1994) if s.generator in generators]
    specs = [spec for spec in planned if spec.objects in (2, 7, 50, 100, 2000)]
    (result,) = run_here(case, [subject(changed, "68040", "O1")], specs)
    assert specs
    return result.diverged == 0 and not result.fault


QUICK = (
    "four shifts step through the array",
    "texts not compared",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", slow_but(QUICK, MISTAKES))
def test_a_mistake_is_found_by_the_scenes_added_for_it(name: str, tmp_path: Path) -> None:
    case_name, before, changes = MISTAKES[name]
    case = case_of(case_name)
    changed = changed_case(case_name, changes, tmp_path / "changed")
    assert is_right(case, changed, before)
    assert not is_right(case, changed, {*case.generators} - {*before})


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        {"three = 5 * one - two;": ";"},
        slow({"gNumber = at;": ";"}),
        slow({"return choice == kThird;": "return choice != kThird;"}),
        {"MatchLetters(a[at], b[at + 1])": "MatchLetters(b[at], b[at + 1])"},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_work_that_is_written_over_is_seen_where_it_is_noted(
    changes: Changes, tmp_path: Path
) -> None:
    plain, recorded = case_of("dhrystone"), case_of("dhrystone-recorded")
    made = changed_case(plain.name, changes, tmp_path / "plain")
    assert is_right(plain, made, plain.generators)
    made = changed_case(recorded.name, changes, tmp_path / "recorded")
    assert not is_right(recorded, made, recorded.generators)
