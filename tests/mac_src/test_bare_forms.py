"""Collision systems without counts and reports: the same answers for less work, and checked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from emu.cases.case_file import read_case
from emu.cases.scenes import ask_reference
from emu.cycles.base.counting import count_calls
from emu.cycles.models import model_for
from emu.cycles.pricing import price
from emu.machine import Budget
from emu.verify.batches.bench import Bench
from emu.verify.images.observations import observation
from emu.verify.runs.schedule import verify
from emu.verify.runs.verdicts import VERIFIED
from emu.verify.scenes.fills import Fill, Preparation
from emu.verify.scenes.scene_plan import plan_scenes
from posts.comparison.contender import contender_of
from pyref.quadtree.circle_scene import circles_in_squares
from pyref.same_objects import boxes
from pyref.scene import Scene, make_scene
from tests.mac_src.ports import (
    MACS,
    Changes,
    case_of,
    machine,
    not_refuted,
    subject,
    verify_ports,
    words,
)

SQUARES = ("brute-force", "adjacent-halves-32", "adjacent-halves-64", "adjacent-with-eight")
FORMS = (*SQUARES, "linear-quadtree", "blockmap")
LARGE = Budget(blocks=50_000_000, patience=20, seconds=60)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def every_compiler(compilers: Callable[..., None]) -> None:
    compilers(*MACS)


def scene_of(name: str, scene: Scene):
    """Squares as the system knows them."""
    makers = {"linear-quadtree": circles_in_squares, "blockmap": lambda s: boxes(s.corners)}
    return makers.get(name, lambda s: s)(scene)


@pytest.mark.parametrize("name", FORMS)
def test_the_form_is_verified(name: str):
    case = case_of(f"{name}-bare")
    subjects = [subject(case, cpu) for cpu in MACS]
    results = verify(case, subjects, plan_scenes(case, 32, 1994, (0, 2, 50)), jobs=1)
    assert words(results) == {VERIFIED}
    assert len(results) == 3
    assert all(r.scenes == 32 and r.comparisons > 1000 for r in results)


@pytest.mark.parametrize("name", FORMS)
def test_it_is_what_the_counting_case_has_timed(name: str):
    case, bare = case_of(name), case_of(f"{name}-bare")
    contender = contender_of(case)
    assert contender is not None
    assert read_case(case.path.parent / contender.timed) == bare
    assert bare.defines == ("NO_BOOKKEEPING",) and not case.defines
    assert (bare.sources, bare.call, bare.inputs) == (case.sources, case.call, case.inputs)
    assert (bare.reference, bare.cpus) == (case.reference, case.cpus)


@pytest.mark.parametrize("name", FORMS)
def test_it_does_less(name: str):
    """No counts and reports in the program, and fewer instructions than with them."""
    scene = scene_of(name, make_scene("clustered", 200, 5, width=610, height=450))
    executed = []
    for form in (name, f"{name}-bare"):
        made = machine(case_of(form), "601")
        bench = Bench.lay(case_of(form), made)
        counts = count_calls(made, bench.bound.calls.first, bench.before([scene]).before)
        executed.append(price(counts, model_for("601")).instructions)
        known = set(made.program.variables)
        assert ("gReports" in known) == ("gReportCount" in known) == (form == name)
    assert executed[1] < executed[0]


@pytest.mark.parametrize("name", SQUARES)
def test_two_thousand_objects_fit(name: str):
    case = case_of(f"{name}-bare")
    bench = Bench.lay(case, machine(case, "601", budget=LARGE))
    scene = make_scene("uniform", 2000, 3)
    expected = ask_reference(case, scene)
    images = bench.expect(bench.before([scene]), [expected])
    before, wanted = images.before, images.expected
    batch = bench.machine.calls.run(bench.bound.calls.first, before)
    assert (batch.completed, batch.violations) == (1, {})
    assert bench.usual.differences.first(wanted[0], batch.after[0]) is None


@pytest.mark.parametrize("name", FORMS)
def test_flags_of_objects_that_are_not_there_are_left_alone(name: str):
    case = case_of(f"{name}-bare")
    bench = Bench.lay(case, machine(case, "68040"))
    scene = scene_of(name, make_scene("uniform", 7, 3))
    before = bench.before([scene], [Preparation(Fill.POISON)]).before
    poison = observation(bench.bound, before[0])["gCollisionArray"]
    batch = bench.machine.calls.run(bench.bound.calls.first, before)
    after = observation(bench.bound, batch.after[0])["gCollisionArray"]
    assert set(poison.tolist()) == {0xA5}
    assert set(after[:7].tolist()) <= {0, 1}
    assert np.array_equal(after[7:], poison[7:])


# -- wrong ports -------------------------------------------------------------------------------

_TOUCHING = {"_Abs(a->x - b->x) < kRectSize\n": "_Abs(a->x - b->x) <= kRectSize\n"}
_CLEAR = "memset(gCollisionArray, 0, sizeof *gCollisionArray * gObjectCount);"
_COMMON: dict[str, Changes] = {
    "touching collides": _TOUCHING,
    "flags not cleared": {_CLEAR: ""},
    "all flags cleared": {_CLEAR: "memset(gCollisionArray, 0, kMaxObjects);"},
    "one flag not cleared": {_CLEAR: _CLEAR.replace("gObjectCount", "(gObjectCount - 1)")},
    "one flag of two": {"gCollisionArray[second] = 1;": ""},
}
PORTS: dict[str, dict[str, Changes]] = {
    "brute-force-bare": {**_COMMON, "not the last": {"b != NULL; b =": "b && b->obj_link; b ="}},
    "adjacent-halves-32-bare": {
        **_COMMON,
        "a step forgotten": {
            "{  0,  1 }, {  1, -1 }, { 1, 0 }": "{  0,  1 }, {  1,  1 }, { 1, 0 }"
        },
    },
    "blockmap-bare": {
        "second call left out": {
            "if (oo->collide != NULL)\n                    oo->collide(oo, o);": ""
        },
        "flags of the first frame": {
            "    memset(gCollisionArray, 0, sizeof *gCollisionArray * numobjs);\n": ""
        },
    },
}


@pytest.mark.parametrize("name", PORTS)
def test_wrong_ports_are_refuted(name: str, tmp_path: Path):
    results = verify_ports(name, PORTS[name], tmp_path, 60, (0, 2, 50))
    assert len(results) == len(PORTS[name]) >= 2
    assert not_refuted(results) == {}
