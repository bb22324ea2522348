"""The linear quadtree on every processor: right as corrected, faithful as described."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.programs.subject import Subject
from emu.cases.scenes import ask_reference, scene_of
from emu.machine import CPUS, BareMachine
from emu.program import read_elf
from emu.toolchain.builds import ALL_TARGETS
from emu.toolchain.programs.gcc import compile_program
from emu.toolchain.sources import SourceTree, mac_sources
from emu.verify.batches.bench import Bench
from emu.verify.images.observations import observation
from emu.verify.runs.verdicts import INCONCLUSIVE, REFUTED, VERIFIED, Result
from emu.verify.scenes.scene_plan import plan_scenes
from emu.verify.scenes.scene_spec import SceneSpec
from pyref.quadtree.circle_scene import (
    CircleScene,
    circle_scene,
    make_circle_scene,
    overlapping_pairs,
)
from pyref.quadtree.linear_quadtree import MAX_REPORTS, WORLD, make_scene_across_the_edge
from pyref.quadtree.linear_quadtree_measures import (
    LoopCounts,
    count_loops,
    diagonal_pair,
    separated_pair,
)
from tests.mac_src.ports import case_of, run_here, subject, subjects
from tests.pyref.quadtree.linear_quadtree_findings import FINDINGS
from tests.rows import slow_but

SOURCE = mac_sources() / "linear_quadtree" / "linear_quadtree.cpp"
ALL_CPUS = ("68000", "68040", "601", "mips")
NAMES = (
    "linear-quadtree",
    "linear-quadtree-torus",
    "linear-quadtree-as-described",
    "linear-quadtree-as-printed",
)

CORRECTED, TORUS, DESCRIBED, PRINTED = NAMES


@pytest.fixture(scope="module", autouse=True)
def every_compiler(compilers: Callable[..., None]) -> None:
    compilers(*ALL_CPUS)


def plan(case: Case) -> list[SceneSpec]:
    return plan_scenes(case, 36, 1994)


# -- the cases ---------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_form_is_verified(name: str):
    case = case_of(name)
    assert case.cpus == ALL_CPUS
    results = run_here(case, subjects(case, ALL_CPUS, ("O2", "period")), plan(case))
    assert {r.verdict for r in results} == {VERIFIED}
    assert all(r.scenes == 36 and r.comparisons > 50_000 for r in results)


@pytest.mark.slow
@pytest.mark.parametrize("name", slow_but(NAMES[:1], NAMES))
def test_scenes_show_what_they_are_meant_to(name: str):
    """Full lists of reports, leaves at the border, pairs across the edge: all is in the plan."""
    case = case_of(name)
    scenes = [scene_of(case, s) for s in plan_scenes(case, 72, 1994)]
    answers = [ask_reference(case, scene) for scene in scenes]
    assert max(answer.hits for answer in answers) > MAX_REPORTS
    assert min(answer.tests for answer in answers) == 0
    assert any((scene.x // 32 == 0).any() for scene in scenes)
    if name == TORUS:
        assert any((s.x < 100).any() and (s.x > WORLD - 100).any() for s in scenes)


@functools.cache
def bound_of(name: str, cpu: str, build: str = "O2") -> Bench:
    case = case_of(name)
    return Bench.lay(case, BareMachine(read_elf(subject(case, cpu, build).program), CPUS[cpu]))


def run(name: str, cpu: str, scene: CircleScene) -> dict[str, NDArray[np.int64]]:
    """What guest code leaves, which is also compared with the reference."""
    bench = bound_of(name, cpu)
    images = bench.expect(bench.before([scene]), [ask_reference(bench.case, scene)])
    batch = bench.machine.calls.run(bench.bound.calls.first, images.before)
    assert batch.completed == 1
    assert not batch.violations
    assert bench.usual.differences.first(images.expected[0], batch.after[0]) is None
    return observation(bench.bound, batch.after[0])


def reported(seen: Mapping[str, NDArray[np.int64]]) -> list[tuple[int, int]]:
    count = int(seen["gReportCount"])
    assert count <= MAX_REPORTS
    both = zip(seen["gReports.first"][:count], seen["gReports.second"][:count], strict=True)
    return sorted((int(min(pair)), int(max(pair))) for pair in both)


def truth(scene: CircleScene, world: int = 0) -> list[tuple[int, int]]:
    return [(a, b) for a, b in overlapping_pairs(scene, world).tolist()]


# -- the corrected form is right ---------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ALL_CPUS)
@pytest.mark.parametrize("generator", ["uniform", "equal", "leaf-edge", "neighbours"])
def test_guest_code_reports_every_overlapping_pair_once(cpu: str, generator: str):
    scene = make_circle_scene(generator, 200, 77)
    assert reported(run(CORRECTED, cpu, scene)) == truth(scene)
    across = make_scene_across_the_edge(generator, 200, 77)
    assert reported(run(TORUS, cpu, across)) == truth(across, WORLD)


@pytest.mark.slow
@pytest.mark.parametrize("cpu", slow_but(["68040"], ALL_CPUS))
def test_two_thousand_objects_fit(cpu: str):
    scene = make_circle_scene("equal", 2000, 3, width=2000, height=1500)
    found = reported(run(CORRECTED, cpu, scene))
    assert found == truth(scene)
    assert len(found) > 1500


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_reports_beyond_the_last_are_only_counted(cpu: str):
    scene = make_circle_scene("equal", 2000, 3)
    seen = run(CORRECTED, cpu, scene)
    assert int(seen["gReportCount"]) == len(truth(scene)) > MAX_REPORTS


# -- the described form has its defects --------------------------------------------------------


@pytest.mark.parametrize("cpu", slow_but(["68040"], ALL_CPUS))
def test_leaves_wider_than_a_radius_lose_pairs(cpu: str):
    """Defect Q7, in leaves of 16 pixels."""
    scene = separated_pair(16, 15)
    assert truth(scene) == [(0, 1)]
    assert int(run(DESCRIBED, cpu, scene)["gTestCount"]) == 0
    assert reported(run(CORRECTED, cpu, scene)) == [(0, 1)]


@pytest.mark.slow
@pytest.mark.parametrize("cpu", slow_but(["68040"], ALL_CPUS))
@pytest.mark.parametrize("radius", [2, 8, 15])
def test_the_filter_loses_diagonal_pairs(cpu: str, radius: int):
    """Defect Q8: even with leaves of more than a diameter, for radii up to 8."""
    scene = diagonal_pair(16, radius)
    assert truth(scene) == [(0, 1)]
    assert int(run(DESCRIBED, cpu, scene)["gTestCount"]) == 0
    assert reported(run(CORRECTED, cpu, scene)) == [(0, 1)]


@pytest.mark.parametrize("cpu", slow_but(["68040"], ALL_CPUS))
def test_pairs_across_leaves_are_reported_once_or_twice(cpu: str):
    """Defect Q9: twice where each circle reaches into the other's leaf."""
    both = circle_scene([(15, 8, 6), (17, 8, 6)])
    one = circle_scene([(4, 8, 14), (18, 8, 1)])
    assert reported(run(DESCRIBED, cpu, both)) == [(0, 1), (0, 1)]
    assert reported(run(DESCRIBED, cpu, one)) == [(0, 1)]
    assert reported(run(CORRECTED, cpu, both)) == [(0, 1)]


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ALL_CPUS)
def test_one_crowded_leaf_is_all_pairs(cpu: str):
    """Defect Q10: with 50 objects in one leaf there is nothing that the tree saves."""
    scene = circle_scene([(8, 8, 4)] * 50)
    assert int(run(DESCRIBED, cpu, scene)["gTestCount"]) == 1225


@pytest.mark.parametrize("cpu", slow_but(["68040"], ALL_CPUS))
def test_printed_neighbours_make_everything_collide_with_itself(cpu: str):
    """Defect Q4 in use: each object reports itself, and the row above is never searched."""
    assert reported(run(PRINTED, cpu, circle_scene([(8, 8, 4)]))) == [(0, 0)]
    scene = make_circle_scene("equal", 200, 1994)
    found = reported(run(PRINTED, cpu, scene))
    assert [pair for pair in found if pair[0] == pair[1]] == [(i, i) for i in range(200)]
    # Of what the form as described finds at all, a part is lost.
    assert len(set(truth(scene))) == 194
    assert len(set(reported(run(DESCRIBED, cpu, scene)))) == 147
    assert len({pair for pair in found if pair[0] != pair[1]}) == 116


@pytest.mark.parametrize("cpu", slow_but(["68040"], ALL_CPUS))
def test_bounds_of_a_plane_drop_contacts_across_the_edge(cpu: str):
    """Defect Q12: the neighbours are found, their circles are not."""
    scene = circle_scene([(2, 8, 6), (4093, 8, 6)])
    seen = run(DESCRIBED, cpu, scene)
    assert (int(seen["gLookupCount"]), int(seen["gTestCount"])) == (16, 0)
    wide = circle_scene([(2, 8, 6), (WORLD - 3, 8, 6)])
    assert reported(run(TORUS, cpu, wide)) == [(0, 1)]


LOOPS = """
long gObjectCount, gCalls, gWithItself;

static void _Collide(long a, long b)
{
    gCalls++;
    gWithItself += a == b;
}

void CompareAll()
{
    for (long a = 0; a < gObjectCount; a++)
        for (long b = 0; b < gObjectCount; b++)
            _Collide(a, b);
}

void CompareFromItself()
{
    for (long a = 0; a < gObjectCount; a++)
        for (long b = a; b < gObjectCount; b++)
            _Collide(a, b);
}

void CompareBoth()
{
    CompareAll();
    CompareFromItself();
}
"""


@pytest.mark.parametrize("cpu", ALL_CPUS)
def test_the_trivial_loops_test_more_than_they_need(cpu: str, tmp_path: Path):
    """Defect Q11."""
    source = tmp_path / "loops.cpp"
    source.write_text(LOOPS)
    tree = SourceTree(
        routine="CompareBoth",
        state=("gObjectCount", "gCalls", "gWithItself"),
        units=((source,),),
        folders=(tmp_path,),
        compat=mac_sources() / "compat",
        runtime=mac_sources() / "runtime",
    )
    build = case_of(CORRECTED).builds["period"]  # it leaves calls as they are
    program = compile_program(tree, build, ALL_TARGETS[cpu])
    machine = BareMachine(read_elf(program.path), CPUS[cpu])
    found = []
    for routine in ("CompareAll", "CompareFromItself"):
        machine.reset()
        machine.globals["gObjectCount"][...] = 50
        machine.call(routine)
        counted = (int(machine.globals[name]) for name in ("gCalls", "gWithItself"))
        found.append(LoopCounts(*counted, needed=1225))
    assert tuple(found) == count_loops(50)
    assert [loop.calls for loop in found] == [2500, 1275]


# -- bad ports ---------------------------------------------------------------------------------

# For each case ways to break it: text of the source, which must be there just once, and what
# stands there instead.
BAD_PORTS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    CORRECTED: {
        "half leaves": ("_Begin(kLog2LeafSize);", "_Begin(kLog2LeafSize - 1);"),
        "touching collides": (
            "    gTestCount++;\n#endif\n"
            "    if (dx * dx + dy * dy < reach * reach)\n        _Report(a, b);\n}\n\n"
            "// The shorter",
            "    gTestCount++;\n#endif\n"
            "    if (dx * dx + dy * dy <= reach * reach)\n        _Report(a, b);\n}\n\n"
            "// The shorter",
        ),
        "all neighbours": (
            "    kRight, kBottomLeft, kBottom, kBottomRight\n",
            "    kTopLeft, kTop, kTopRight, kLeft, kRight, kBottomLeft, kBottom, kBottomRight\n",
        ),
        "no bottom left": ("kRight, kBottomLeft, kBottom,", "kRight, kBottom,"),
        "other order of neighbours": (
            "kBottomLeft, kBottom, kBottomRight\n",
            "kBottom, kBottomLeft, kBottomRight\n",
        ),
        "unstable sort": ("if (b->code < a->code)", "if (b->code <= a->code)"),
        "bins joined backwards": ("all = _Merge(bins[bin], all)", "all = _Merge(all, bins[bin])"),
        "list not ended": ("list->next = NULL;", ""),
        "search finds the end": ("if ((*middle)->code < m)", "if ((*middle)->code <= m)"),
        "search misses the last two": ("obj**       high = end;", "obj**       high = end - 2;"),
        "border ignored": ("torusQ ? 0xff : ExistingNeighbours<narrow>(m)", "0xff"),
        "flags not cleared": ("memset(gCollisionArray, 0, sizeof gCollisionArray);", ""),
        "one flag of two": ("gCollisionArray[second] = 1;", ""),
        "reports not bounded": ("if (gReportCount < kMaxReports)", ""),
        "counting stops when full": (
            "    }\n    gReportCount++;",
            "        gReportCount++;\n    }",
        ),
        "one radius": (
            "dy    = a->y - b->y;\n    const long reach = a->radius + b->radius;",
            "dy    = a->y - b->y;\n    const long reach = 2 * a->radius;",
        ),
        "squares for circles": (
            "dy    = a->y - b->y;",
            "dy    = (a->x - b->x < 0 ? b->x - a->x : a->x - b->x) < a->radius + b->radius"
            " && dx ? 0 : a->y - b->y;",
        ),
        "rows for columns": (
            "CodeOf(o->x >> log2LeafSize, o->y >> log2LeafSize)",
            "CodeOf(o->y >> log2LeafSize, o->x >> log2LeafSize)",
        ),
        "own leaf with itself": ("obj** b = a + 1; b < stop; b++", "obj** b = a; b < stop; b++"),
        "own leaf forgotten": ("obj** b = a + 1; b < stop; b++", "obj** b = stop; b < stop; b++"),
        "candidate before source": (
            "for (obj** a = start; a < stop; a++)\n                    collide(*a, *b);",
            "for (obj** a = start; a < stop; a++)\n                    collide(*b, *a);",
        ),
        "input changed": ("_Detect(false, _Collide);", "_Detect(false, _Collide); gObjectCount--;"),
        "lookups not counted": ("    gLookupCount++;\n", ""),
    },
    TORUS: {
        "distances of a plane": ("_Detect(true, _CollideOnTorus)", "_Detect(true, _Collide)"),
        "neighbours of a plane": (
            "_Detect(true, _CollideOnTorus)",
            "_Detect(false, _CollideOnTorus)",
        ),
        "world of half the size": ("& (kWorldSize - 1);", "& (kWorldSize / 2 - 1);"),
        "the long way": ("way < kWorldSize / 2 ? way", "way < kWorldSize ? way"),
    },
    DESCRIBED: {
        "no filter": ("if (_ReachesLeafQ(*candidate, *start))", ""),
        "filter by the other leaf": (
            "_ReachesLeafQ(*candidate, *start)",
            "_ReachesLeafQ(*start, *candidate)",
        ),
        "touching reaches": (
            "dx * dx + dy * dy < (long) o->radius",
            "dx * dx + dy * dy <= (long) o->radius",
        ),
        "leaf a pixel narrower": (
            "low + (1 << kLog2DescribedSize);",
            "low + (1 << kLog2DescribedSize) - 1;",
        ),
        "leaves of a diameter": ("_Begin(kLog2DescribedSize);", "_Begin(kLog2LeafSize);"),
        "neighbours of the listing": (
            "_DetectAsDescribed(ListNeighbours<narrow>)",
            "_DetectAsDescribed(ListNeighboursOfListing<printed>)",
        ),
        "first four neighbours": ("s < kNumNeighbours; s++", "s < kNumNeighbours / 2; s++"),
    },
    PRINTED: {
        "neighbours as they should be": (
            "_DetectAsDescribed(ListNeighboursOfListing<printed>)",
            "_DetectAsDescribed(ListNeighbours<narrow>)",
        ),
        "repaired listing": (
            "_DetectAsDescribed(ListNeighboursOfListing<printed>)",
            "_DetectAsDescribed(ListNeighboursOfListing<repaired>)",
        ),
    },
}
CASES = [(name, port) for name, ports in BAD_PORTS.items() for port in ports]


@pytest.fixture(scope="module")
def of_bad_ports(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Result]:
    """Every port, each on one processor in turn."""
    text = SOURCE.read_text()
    folder = tmp_path_factory.mktemp("ports")
    cpus = ("68040", "601", "mips", "68000")

    def port(number: int, name: str, title: str) -> Subject:
        old, new = BAD_PORTS[name][title]
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        source = folder / f"{number}_{title.replace(' ', '_')}.cpp"
        source.write_text(text.replace(old, new))
        return subject(case_of(name), cpus[number % 4], "O1", name=title, source=source)

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        programs = list(threads.map(lambda n: port(n, *CASES[n]), range(len(CASES))))
    results = {}
    for name in BAD_PORTS:
        case = case_of(name)
        mine = {key: s for key, s in zip(CASES, programs, strict=True) if key[0] == name}
        results |= dict(zip(mine, run_here(case, mine.values(), plan(case)), strict=True))
    return results


@pytest.mark.parametrize(("name", "title"), CASES)
@pytest.mark.slow
def test_a_bad_port_is_not_verified(
    of_bad_ports: dict[tuple[str, str], Result], name: str, title: str
):
    result = of_bad_ports[name, title]
    assert result.verdict == REFUTED
    assert result.failures


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ALL_CPUS)
def test_a_walk_without_an_end_leaves_the_nodes(cpu: str, tmp_path: Path):
    """Defect Q12: behind the last node lies whatever lies there, here a null pointer.

    No scene of any object comes back, so nothing can be said of the rest.
    """
    text = SOURCE.read_text()
    end = "while (node < end && (*node)->code == m)"
    assert text.count(end) == 1
    source = tmp_path / "endless.cpp"
    source.write_text(text.replace(end, "while ((*node)->code == m)"))
    case = case_of(DESCRIBED)
    (result,) = run_here(case, [subject(case, cpu, "period", source=source)], plan(case))
    assert (result.verdict, result.scenes) == (INCONCLUSIVE, 0)
    assert re.search(r"^read of 2 bytes from unmapped memory at 0x000000..,", result.fault)
    assert " _EndOfLeaf+" in result.fault


def test_findings_name_cases_that_there_are():
    names = {name for finding in FINDINGS for name in finding.cases}
    assert names >= set(NAMES)
    assert {load_case(name).name for name in names} == names
