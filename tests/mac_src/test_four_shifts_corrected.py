"""The corrected four-shifts, its test of two and its experiment: right, and wrong ports refuted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emu.verify.runs.verdicts import VERIFIED
from tests.mac_src.ports import (
    MACS,
    Changes,
    case_of,
    not_refuted,
    verify_case,
    verify_ports,
    words,
)

CORRECTED = "four-shifts-corrected"
EXPERIMENTS = ("four-shifts-experiment-as-printed", "four-shifts-experiment")
TESTS_OF_TWO = ("four-shifts-test-of-two", "four-shifts-test-of-two-corrected")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def every_compiler(compilers: Callable[..., None]) -> None:
    compilers(*MACS)


@pytest.mark.parametrize(
    ("name", "scenes", "objects"),
    [
        (CORRECTED, 42, (0, 1, 50)),
        *((name, 24, (0, 2, 50)) for name in TESTS_OF_TWO),
        *((name, 9, (64,)) for name in EXPERIMENTS),
    ],
)
def test_every_form_is_verified(name: str, scenes: int, objects: tuple[int, ...]):
    results = verify_case(name, scenes, objects)
    assert words(results) == {VERIFIED}
    assert len(results) == 6
    assert all(result.scenes == scenes and result.comparisons > 500 for result in results)


PORTS: dict[str, Changes] = {
    "never empty": {"return gObjectCount > 0 ? gObjects : NULL;": "return gObjects;"},
    "no limit at the left": {"return c < 0 ? 0 : c > last": "return c > last"},
    "no limit at the right": {"c > last ? last : c;": "c;"},
    "limits turned": {"kLastX);": "kLastY);", "_Within(o->y, kLastY);": "_Within(o->y, kLastX);"},
    "limit a sector too low": {"kNumXSectors * kSectorSize - ": "10 * kSectorSize - "},
    "rows limited to one less": {"kNumYSectors * kSectorSize - ": "8 * kSectorSize - "},
    "difference cut": {
        "    const unsigned long difference =\n"
        "        a < b ? (unsigned long) b - (unsigned long) a\n"
        "              : (unsigned long) a - (unsigned long) b;\n": "    short s = (short) "
        "(a - b); const short difference = s < 0 ? (short) -s : s;\n"
    },
    "difference one way": {"a < b ? (unsigned long) b": "b < a ? (unsigned long) b"},
    "touching collides": {"difference < kRectSize": "difference <= kRectSize"},
    "one pixel too strict": {"difference < kRectSize": "difference + 1 < kRectSize"},
    "limited objects compared": {
        "_Near(a->x, b->x)": "_Near(_Within(a->x, kLastX), _Within(b->x, kLastX))"
    },
    "one axis": {" && _Near(a->y, b->y)": ""},
    "a shift left out": {"    _UpdateSectors(half, 0);    _UpdateCollisionArray();\n": ""},
    "shifts in another order": {
        "_UpdateSectors(0,    half);": "_UpdateSectors(half, 0);",
        "_UpdateSectors(half, 0);": "_UpdateSectors(0, half);",
    },
    "filed behind": {
        "        o->sector_link = *head;\n        *head = o;\n": "        while (*head != NULL)\n"
        "            head = &(*head)->sector_link;\n        o->sector_link = NULL; *head = o;\n"
    },
    "one flag of two": {"                gCollisionArray[a - gObjects] = 1;\n": ""},
    "flags not cleared": {"    memset(gCollisionArray, 0, sizeof gCollisionArray);\n": ""},
    "tests not counted": {"            gTestCount++;\n": ""},
    "counted on": {"    gHitCount  = 0;\n": ""},
}


def test_wrong_ports_are_refuted(tmp_path: Path):
    assert len(PORTS) >= 10
    results = verify_ports(CORRECTED, PORTS, tmp_path, 42, (0, 2, 50))
    assert not not_refuted(results)


EXPERIMENT_PORTS: dict[str, Changes] = {
    "time for scenes counts": {"        start += Clock_us() - setup;\n": "        Clock_us();\n"},
    "compared with an end": {
        "while (++i < kCycleLength && Clock_us() - start < length);": "while (++i < kCycleLength "
        "&& Clock_us() < start + length);"
    },
    "scenes last longer": {"enum { kCycleLength = 50 };": "enum { kCycleLength = 25 };"},
    "seed as it was": {"    gRandSeed = gRandSeed * 1103515245UL + 12345UL;\n": ""},
    "list not closed": {"    gObjects[numObjects > 0 ? numObjects - 1 : 0].obj_link = NULL;\n": ""},
}


def test_wrong_experiments_are_refuted(tmp_path: Path):
    results = verify_ports("four-shifts-experiment", EXPERIMENT_PORTS, tmp_path, 12, (64,))
    assert {name for name, result in results.items() if result.verdict == VERIFIED} == set()


def test_cases_of_one_folder_have_names_of_their_own():
    names = {CORRECTED, *EXPERIMENTS, *TESTS_OF_TWO, "four-shifts"}
    assert {case_of(name).path.parent.name for name in names} == {"four_shifts"}
    assert len({case_of(name).path for name in names}) == 6
