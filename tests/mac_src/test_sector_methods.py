"""Brute force and adjacent sectors on every processor; wrong ports of them are refuted."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from emu.cases.scenes import ask_reference
from emu.machine import Budget
from emu.verify.batches.bench import Bench
from emu.verify.images.observations import observation
from emu.verify.runs.verdicts import VERIFIED
from pyref.scene import Scene, make_scene, scene_from_corners
from tests.mac_src.ports import (
    MACS,
    Changes,
    case_of,
    changed_case,
    machine,
    not_refuted,
    verify_case,
    verify_ports,
    words,
)
from tests.rows import slow_but

BRUTE = "brute-force"
FORMS = (
    "adjacent-as-counted",
    "adjacent-with-eight",
    "adjacent-halves-64",
    "adjacent-halves-32",
)

SIZES = (0, 2, 50, 100)  # with six generators 24 kinds of scenes; 100 at one spot exceed gReports
LARGE = Budget(blocks=50_000_000, patience=20, seconds=60)


@pytest.fixture(scope="module", autouse=True)
def every_compiler(compilers: Callable[..., None]) -> None:
    compilers(*MACS)


@pytest.mark.slow
@pytest.mark.parametrize("name", [BRUTE, *FORMS])
def test_the_case_is_verified(name: str):
    results = verify_case(name, 24, SIZES)
    assert words(results) == {VERIFIED}
    assert len(results) == 6
    assert all(r.scenes == 24 and r.comparisons > 24 * 2000 for r in results)


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68000", "601"])
@pytest.mark.parametrize("name", [BRUTE, *FORMS])
def test_two_thousand_objects_fit(name: str, cpu: str):
    """Room for them is what lets the systems be laid side by side."""
    case = case_of(name)
    bench = Bench.lay(case, machine(case, cpu, budget=LARGE))
    scene = make_scene("uniform", 2000, 3)
    expected = ask_reference(case, scene)
    assert expected.hits > 4000
    images = bench.expect(bench.before([scene]), [expected])
    before, wanted = images.before, images.expected
    batch = bench.machine.calls.run(bench.bound.calls.first, before)
    assert (batch.completed, batch.violations) == (1, {})
    assert bench.usual.differences.first(wanted[0], batch.after[0]) is None


def seen(name: str, scene: Scene, cpu: str = "68040") -> dict[str, np.ndarray]:
    """What a program leaves of a scene, by the names in its source."""
    bench = Bench.lay(case_of(name), machine(case_of(name), cpu))
    batch = bench.machine.calls.run(bench.bound.calls.first, bench.before([scene]).before)
    assert batch.completed == 1
    return observation(bench.bound, batch.after[0])


@pytest.mark.slow
@pytest.mark.parametrize("cpu", slow_but(["601"], MACS))
def test_guest_counts_are_those_of_the_analysis(cpu: str):
    """One object in the middle of each of nine sectors: K = 1, of which the post says 0 and 36."""
    corners = [(64 * x + 32, 64 * y + 32) for x in (3, 4, 5) for y in (3, 4, 5)]
    scene = scene_from_corners(corners)
    tests = {name: int(seen(name, scene, cpu)["gTestCount"]) for name in (BRUTE, *FORMS)}
    # Of the 25 sectors that have some of them near, the middle one alone has 36 pairs.
    assert tests == {
        BRUTE: 36,
        "adjacent-as-counted": 36 + 4 * 15 + 4 * 6 + 4 * 3 + 8 * 1,
        "adjacent-with-eight": 2 * 20,
        "adjacent-halves-64": 20,
        "adjacent-halves-32": 0,
    }


@pytest.mark.slow
def test_the_same_pair_is_reported_once_twice_or_nine_times():
    scene = scene_from_corners([(300, 300), (310, 310)])
    times = {name: int(seen(name, scene)["gReportCount"]) for name in FORMS}
    assert times == {
        "adjacent-as-counted": 9,
        "adjacent-with-eight": 1,
        "adjacent-halves-64": 1,
        "adjacent-halves-32": 1,
    }
    across = scene_from_corners([(319, 300), (320, 300)])
    times = {name: int(seen(name, across)["gReportCount"]) for name in FORMS}
    assert times == {
        "adjacent-as-counted": 6,
        "adjacent-with-eight": 2,
        "adjacent-halves-64": 1,
        "adjacent-halves-32": 1,
    }


def test_sectors_much_smaller_than_objects_lose_collisions(tmp_path: Path):
    """Two that overlap must lie in adjacent sectors: 29 pixels are needed, 32 do, 16 do not."""
    small = {
        "{ 5, (kWidth + 31) / 32, (kHeight + 31) / 32 }": "{ 4, 42, 34 }",
        "(kWidth / 32) * (kHeight / 32)": "42 * 34",
    }
    case = changed_case("adjacent-halves-32", small, tmp_path / "small")
    bench = Bench.lay(case, machine(case, "68040"))
    scene = scene_from_corners([(0, 15), (0, 44)])
    batch = bench.machine.calls.run(bench.bound.calls.first, bench.before([scene]).before)
    assert observation(bench.bound, batch.after[0])["gReportCount"] == 0
    assert seen("adjacent-halves-32", scene)["gReportCount"] == 1


# -- wrong ports -------------------------------------------------------------------------------

_TOUCHING = {"_Abs(a->x - b->x) < kRectSize\n": "_Abs(a->x - b->x) <= kRectSize\n"}
_SIGN = {"return a < 0 ? -a : a;": "return a;"}
_OR = {"        && _Abs(a->y": "        || _Abs(a->y"}
_STALE = {"memset(gCollisionArray, 0, sizeof gCollisionArray);": ""}
_SHORT = {"sizeof gCollisionArray": "gObjectCount"}
_ONE_FLAG = {"gCollisionArray[second] = 1;": ""}
_TURNED = {
    "gReports[gReportCount].first  = first;": "gReports[gReportCount].first  = second;",
    "gReports[gReportCount].second = second;": "gReports[gReportCount].second = first;",
}
_TOO_FEW = {"if (gReportCount < kMaxReports)": "if (gReportCount < kMaxReports - 1)"}
_NO_LIMIT = {"    gReportCount++;\n": "    if (gReportCount < kMaxReports) gReportCount++;\n"}
_UNCOUNTED = {"gTestCount++;\n": "if (a->x != b->x) gTestCount++;\n"}
_NOT_RESET = {"    gTestCount = 0;\n": ""}

COMMON: dict[str, Changes] = {
    "touching collides": _TOUCHING,
    "differences keep their sign": _SIGN,
    "either axis will do": _OR,
    "flags not cleared": _STALE,
    "only some flags cleared": _SHORT,
    "one flag of two": _ONE_FLAG,
    "reports turned round": _TURNED,
    "one report too few kept": _TOO_FEW,
    "reports counted to the limit": _NO_LIMIT,
    "some tests not counted": _UNCOUNTED,
    "count not begun anew": _NOT_RESET,
}
BRUTE_PORTS: dict[str, Changes] = {
    **COMMON,
    "with itself": {"b = a->obj_link; b": "b = a; b"},
    "every pair twice": {"b = a->obj_link; b": "b = gObjects; b"},
    "list ends early": {"b != NULL; b =": "b != NULL && b->obj_link; b ="},
    "input changed": {"gTestCount++;": "gTestCount++; a->sector_link = b;"},
}
HALVES_PORTS: dict[str, Changes] = {
    **COMMON,
    "empty list not known": {"gObjectCount > 0 ? gObjects : NULL": "gObjects"},
    "a step forgotten": {"{  0,  1 }, {  1, -1 }, { 1, 0 }, { 1,  1 }":
                         "{  0,  1 }, {  1,  1 }, { 1, 0 }, { 1,  1 }"},
    "steps in another order": {"{  0,  1 }, {  1, -1 }, { 1, 0 }, { 1,  1 }":
                               "{  0,  1 }, {  1, 1 }, { 1, 0 }, { 1,  -1 }"},
    "no edge above": {"|| y < 0 ||": "||"},
    "no edge below": {" || y >= g->rows)": ")"},
    "first in first out": {"        o->sector_link = *head;\n        *head = o;":
                           "        while (*head) head = &(*head)->sector_link;\n"
                           "        o->sector_link = NULL; *head = o;"},
    "rows for columns": {"(o->x >> g->log2Size) * g->rows": "(o->y >> g->log2Size) * g->rows",
                         "+ (o->y >> g->log2Size)": "+ (o->x >> g->log2Size)"},
    "sectors not emptied": {"gSectorArray[i] = NULL;": ";"},
    "the eight for the four": {"_CompareWithSteps(&k32, kAround - kLater);":
                               "_CompareWithSteps(&k32, 0);"},
    "row by row": {"for (scalar x = 0; x < g->columns; x++)\n"
                   "        for (scalar y = 0; y < g->rows; y++)":
                   "for (scalar y = 0; y < g->rows; y++)\n"
                   "        for (scalar x = 0; x < g->columns; x++)"},
    "a column forgotten": {"k32 = { 5, (kWidth + 31) / 32,": "k32 = { 5, 640 / 32,"},
}  # fmt: skip
EIGHT_PORTS: dict[str, Changes] = {
    "four of the eight": {"_CompareWithSteps(&k64, 0);":
                          "_CompareWithSteps(&k64, kAround - kLater);"},
    "the sector itself as well": {"enum { kAround = 8, kLater = 4 };":
                                  "enum { kAround = 9, kLater = 4 };",
                                  "{ -1, -1 }, { -1, 0 }": "{ 0, 0 }, { -1, -1 }, { -1, 0 }"},
}  # fmt: skip
COUNTED_PORTS: dict[str, Changes] = {
    "sectors beyond the screen": {"x < (kScreenWidth + 63) / 64": "x < k64.columns"},
    "the sector's own last": {"lists[0] = gSectorArray[x * k64.rows + y];":
                              "lists[8] = gSectorArray[x * k64.rows + y];",
                              "lists[1 + i] = _List": "lists[i] = _List"},
    "own lists only": {"_CompareWithList(a, a->sector_link);\n            for (scalar j = i + 1":
                       "_CompareWithList(a, a->sector_link);\n            for (scalar j = 9 + 1"},
    "last list left out": {"for (scalar j = i + 1; j <= kAround; j++)":
                           "for (scalar j = i + 1; j < kAround; j++)"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "ports", "least"),
    [
        (BRUTE, BRUTE_PORTS, 15),
        ("adjacent-halves-32", HALVES_PORTS, 22),
        ("adjacent-with-eight", EIGHT_PORTS, 2),
        ("adjacent-as-counted", COUNTED_PORTS, 4),
    ],
    ids=["brute-force", "halves", "with-eight", "as-counted"],
)
@pytest.mark.slow
def test_wrong_ports_are_refuted(name: str, ports: dict[str, Changes], least: int, tmp_path: Path):
    results = verify_ports(name, ports, tmp_path, 48, SIZES)
    assert len(results) == least
    assert not_refuted(results) == {}
    first = {port: str(result.failures[0]) for port, result in results.items()}
    if COMMON.keys() <= first.keys():
        assert re.match(
            r"gReports\[0\]\.first is \d+, expected \d+( \(it was|$)", first["reports turned round"]
        )
        assert re.match(r"gCollisionArray\[\d+\] is 0, expected 1$", first["one flag of two"])
        assert re.match(
            r"gTestCount is \d+, expected \d+( \(it was|$)", first["some tests not counted"]
        )


def test_a_ring_of_objects_does_not_return(tmp_path: Path):
    """A list that never ends is a fault with a place, not a hang."""
    ring = {"b = b->obj_link)": "b = b->obj_link ? b->obj_link : gObjects)"}
    case = changed_case(BRUTE, ring, tmp_path / "ring")
    made = machine(case, "68040", budget=Budget(blocks=20_000, patience=0.05))
    bench = Bench.lay(case, made)
    batch = made.calls.run(
        bench.bound.calls.first, bench.before([make_scene("uniform", 5, 1)]).before
    )
    assert batch.completed == 0
    assert batch.fault is not None
