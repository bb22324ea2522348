"""The blockmap on every processor: right as corrected, wrong as printed, and both as described."""

from __future__ import annotations

import dataclasses
import functools
import os
import re
import subprocess
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emu.base.errors import CompileError
from emu.cases.case import Case
from emu.cases.programs.sources import source_tree
from emu.cases.programs.subject import Subject
from emu.cases.scenes import ask_reference, scene_of
from emu.machine import CPUS, BareMachine, Budget, Fault
from emu.program import read_elf
from emu.toolchain.builds import TARGETS, Build
from emu.toolchain.programs.gcc import compile_program
from emu.toolchain.sources import mac_sources
from emu.verify.batches.bench import Bench
from emu.verify.images.observations import observation
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.scene_runs import run_scenes
from emu.verify.runs.schedule import verify
from emu.verify.runs.verdicts import REFUTED, VERIFIED, Result
from emu.verify.scenes.fills import Fill, Preparation
from emu.verify.scenes.scene_plan import plan_scenes
from pyref.blockmap.blockmap import REPORT_ROOM, Play, play, play_and_purge
from pyref.blockmap.blockmap_boxes import BoxScene, scene_from_boxes
from pyref.blockmap.blockmap_scene import make_scene
from tests.examples import examples
from tests.mac_src.ports import MACS, case_of, subjects
from tests.pyref.blockmap.blockmap_findings import ABOVE, BELOW, FINDINGS, Finding

FOLDER, COMPAT = mac_sources() / "blockmap", mac_sources() / "compat"
CASES = ("blockmap", "blockmap-as-printed")
BUDGET = Budget(blocks=400_000, patience=0.1)
MIDDLE = 64
"""Where in the memory for it the printed form's table is put, to see what lies on both sides."""
# `make test` has the findings; these compile and run each of them again, one by one.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def every_compiler(compilers: Callable[..., None]) -> None:
    compilers(*MACS)


# -- the cases ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_both_forms_are_verified(name: str):
    case = case_of(name)
    programs = subjects(case, MACS, ("O2", "period"))
    results = verify(case, programs, plan_scenes(case, 24, 1994), jobs=2)
    assert {r.verdict for r in results} == {VERIFIED}
    assert all(r.scenes == 24 and r.comparisons > 10_000 for r in results)


@pytest.mark.parametrize("name", CASES)
def test_scenes_show_what_they_are_meant_to(name: str):
    """Lost objects, turned ones, dropped fragments, worlds refused: all of it is in the plan."""
    case = case_of(name)
    scenes = [scene_of(case, s) for s in plan_scenes(case, 120, 1994)]
    plays: list[Play] = [ask_reference(case, scene) for scene in scenes]
    assert max(p.callbacks for p in plays) > REPORT_ROOM * (name == "blockmap-as-printed")
    assert {s.frames for s in scenes} >= {3}
    if name == "blockmap":
        assert {p.world_made for p in plays} == {0, 1}
        assert max(p.lost for p in plays) > 1
        assert any((p.dx != s.dx).any() for p, s in zip(plays, scenes, strict=True))
        assert {0, 2, 3} <= {s.frames for s in scenes}
    else:
        assert max(p.fragments_counted for p in plays) > 256


def test_two_thousand_objects_fit(tmp_path: Path):
    """What `compare` needs. More calls than are kept are counted; a port that keeps them fails."""
    case, scene = case_of("blockmap"), make_scene("inside", 2000, 1)
    expected = play(scene)
    assert expected.callbacks > REPORT_ROOM == len(expected.report_self)
    assert expected.lost == 0
    scenes = [Scenes.of(case, [scene])]
    patient = Budget(blocks=50_000_000, patience=10.0)
    assert judge(case, case.path.parent, "601", scenes, patient).verdict == VERIFIED
    changes = {"if (gReportCount < kMaxReports)": "if (true)"}
    port = changed_folder(case, changes, tmp_path / "port")
    keeps_all = judge(case, port, "601", scenes, patient)
    assert keeps_all.verdict != VERIFIED
    assert keeps_all.failures


@pytest.mark.parametrize("standard", ["gnu++98", "gnu++17"])
@pytest.mark.parametrize("cpu", MACS)
def test_cross_compilers_have_nothing_to_say(cpu: str, standard: str, tmp_path: Path):
    strict = ["-O2", f"-std={standard}", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    target = TARGETS[cpu]
    command = [target.compiler, *target.flags, *strict, "-Dmacintosh", f"-I{COMPAT}"]
    sources = [str(path) for path in sorted(FOLDER.glob("*.cpp"))]
    done = subprocess.run([*command, *sources], capture_output=True, text=True, check=False)
    assert (len(sources), done.returncode, done.stderr) == (5, 0, "")


FLOATS = st.integers(0, 2**32 - 1) | st.sampled_from(
    [0, 1 << 31, 1, 0x7FFFFF, 0x800000, 0x3F800000, 0x4B000000, 0x7F7FFFFF, 0x7F800000]
)


@given(
    st.lists(st.tuples(FLOATS, FLOATS), min_size=1, max_size=4), st.integers(-(2**31), 2**31 - 1)
)
@settings(deadline=None, max_examples=examples(60))
def test_floats_of_a_68000_are_those_of_ieee(pairs: list[tuple[int, int]], number: int):
    """Each function against NumPy's, on bits; what is no number only has to stay so."""
    machine = machine_of("blockmap", "68000")
    with np.errstate(all="ignore"):
        assert machine.call("__floatsisf", number & 0xFFFFFFFF) == bits_of(np.float32(number))
        for a, b in pairs:
            x, y = np.array([a, b], dtype=np.uint32).view(np.float32)
            found, wanted = machine.call("__addsf3", a, b), x + y
            if np.isnan(wanted):
                assert found & 0x7FFFFFFF > 0x7F800000
            else:
                assert found == bits_of(wanted)
            if abs(x) < 2**31:
                assert machine.call("__fixsfsi", a) == int(x) & 0xFFFFFFFF
            assert (signed(machine.call("__ltsf2", a, b)) < 0) == (x < y)
            assert (signed(machine.call("__gesf2", a, b)) >= 0) == (x >= y)


def bits_of(value: np.float32) -> int:
    return int(np.float32(value).view(np.uint32))


def signed(word: int) -> int:
    return word - (word >> 31 << 32)


# -- playing a scene by hand -------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Seen:
    """What became of a scene: how it ended, and what was in memory then."""

    fault: Fault | None
    values: Mapping[str, np.ndarray[Any, Any]]
    strays: tuple[int, ...]

    @property
    def calls(self) -> list[tuple[int, int]]:
        count = int(self.values["gReportCount"])
        both = np.column_stack([self.values["gReports.self"], self.values["gReports.other"]])
        return [(a, b) for a, b in both[:count].tolist()]

    def turned(self, scene: BoxScene) -> tuple[int, ...]:
        dx = self.values["gObjects.dx"][: scene.objects]
        return tuple(np.flatnonzero(dx != scene.dx).tolist())


@functools.cache
def machine_of(
    name: str, cpu: str, entry: str = "PlayScene", defines: tuple[str, ...] = ()
) -> BareMachine:
    case = dataclasses.replace(case_of(name), call=entry)
    like = case.builds["O2"]
    build = Build("O2", (*like.flags, *(f"-D{word}" for word in defines)))
    program = compile_program(source_tree(case), build, TARGETS[cpu])
    return BareMachine(read_elf(program.path), CPUS[cpu], budget=BUDGET, heap_size=4096)


def run(name: str, cpu: str, finding: Finding) -> Seen:
    """Play a finding's scene by either form; only the printed one has memory to be guarded."""
    printed = name == "blockmap-as-printed"
    machine = machine_of(name, cpu, finding.entry, finding.defines if printed else ())
    case = dataclasses.replace(case_of(name), call=finding.entry)
    bench = Bench.lay(case, machine)
    # A scene of an odd seed begins on poison, which shows what is never set.
    fill = Fill.POISON if finding.scene.seed % 2 else Fill.LOADED
    images = bench.before([finding.scene], [Preparation(fill)]).before
    if printed:
        columns, rows = finding.scene.world_width // 128, finding.scene.world_height // 96
        heap = machine.memory.region("heap")
        place = {
            "": machine.globals.address_of("gTable", MIDDLE),
            ABOVE: heap.end - 4 * columns * rows,
            BELOW: heap.address,
        }[finding.guard]
        variable = machine.data.offset(machine.program.variable("gHeap").address)
        images[0, variable : variable + 4] = list(place.to_bytes(4, "big"))
    batch = machine.calls.run(bench.bound.calls.first, images)
    assert not batch.violations
    if batch.fault is not None:
        return Seen(batch.fault, {}, ())
    after = observation(bench.bound, batch.after[0])
    if not printed:
        return Seen(None, after, ())
    changed = np.flatnonzero(after["gTable"] != observation(bench.bound, images[0])["gTable"])
    places = changed - MIDDLE
    outside = (places < 0) | (places >= columns * rows)
    return Seen(None, after, tuple(places[outside].tolist()))


def pairs(calls: list[tuple[int, int]]) -> set[tuple[int, int]]:
    return {(min(call), max(call)) for call in calls}


# -- findings ----------------------------------------------------------------------------------


def names(findings: tuple[Finding, ...]) -> list[str]:
    return [finding.name.replace(", ", "-").replace(" ", "-") for finding in findings]


@pytest.mark.parametrize("cpu", MACS)
@pytest.mark.parametrize("finding", FINDINGS, ids=names(FINDINGS))
def test_the_printed_form_has_the_defect(finding: Finding, cpu: str):
    seen = run("blockmap-as-printed", cpu, finding)
    if finding.fault:
        assert seen.fault is not None
        assert finding.fault in seen.fault.reason
        kind = "budget" if finding.fault == "did not return" else "access"
        assert seen.fault.kind == kind
        return
    assert seen.fault is None
    assert seen.strays == finding.strays
    assert len(seen.calls) == finding.calls
    right = {pair for frame in play(finding.scene).frames for pair in pairs(list(frame.calls))}
    assert right - pairs(seen.calls) == finding.missed
    assert seen.turned(finding.scene) == finding.turned


@pytest.mark.parametrize("cpu", MACS)
@pytest.mark.parametrize("finding", FINDINGS, ids=names(FINDINGS))
def test_the_corrected_form_does_not(finding: Finding, cpu: str):
    seen = run("blockmap", cpu, finding)
    assert seen.fault is None
    reference = play if finding.entry == "PlayScene" else play_and_purge
    expected = reference(finding.scene)
    assert seen.calls == [call for frame in expected.frames for call in frame.calls]
    assert len(seen.calls) == finding.right
    assert seen.turned(finding.scene) == finding.turned_right


@pytest.mark.parametrize("cpu", MACS)
def test_the_listing_does_not_compile(cpu: str):
    case = case_of("blockmap-as-printed")
    build = Build("O2", ("-O2", "-DCOUNT_LEFT_LOCAL"))
    with pytest.raises(CompileError, match=r"count.* was not declared"):
        compile_program(source_tree(case), build, TARGETS[cpu])


@pytest.mark.parametrize("cpu", MACS)
def test_where_the_endless_frame_is(cpu: str):
    (finding,) = (f for f in FINDINGS if f.name == "B2, two frames")
    fault = run("blockmap-as-printed", cpu, finding).fault
    assert fault is not None
    assert "world_check_collisions" in str(fault.location)


@pytest.mark.parametrize("cpu", MACS)
def test_dropped_fragments_are_counted_and_lost_objects_told(cpu: str):
    """264 of 256 (B4); the corrected form with as few says which objects it could not file."""
    (finding,) = (f for f in FINDINGS if f.name == "B4")
    printed = run("blockmap-as-printed", cpu, finding)
    assert int(printed.values["numfrags"]) == 258
    assert int(printed.values["gLostCount"]) == 0
    few = dataclasses.replace(finding.scene, max_fragments=256)
    corrected = run("blockmap", cpu, dataclasses.replace(finding, scene=few))
    assert int(corrected.values["numfrags"]) == 256
    assert int(corrected.values["gLostCount"]) == 2
    assert corrected.values["gObjects.sx"][62:67].tolist() == [0, 0, -1, -1, 0]


@pytest.mark.parametrize("cpu", MACS)
def test_an_object_that_ends_on_a_line_takes_a_fragment_more(cpu: str):
    """Needed only where boxes that touch are to collide (B9)."""
    for width, fragments in ((29, 1), (30, 2)):
        finding = Finding("B9", "", scene_from_boxes([(98, 10, width, 30)]))
        assert int(run("blockmap-as-printed", cpu, finding).values["numfrags"]) == fragments
        assert int(run("blockmap", cpu, finding).values["numfrags"]) == fragments


@pytest.mark.parametrize("cpu", MACS)
def test_what_clearing_the_pool_costs(cpu: str):
    """It is most of the work of a frame with few objects (B9)."""

    def instructions(defines: tuple[str, ...]) -> int:
        machine = machine_of("blockmap-as-printed", cpu, "PlayScene", defines)
        bench = Bench.lay(case_of("blockmap-as-printed"), machine)
        scene = scene_from_boxes([(10, 10, 30, 30)], frames=10)
        trace, _ = machine.calls.trace(bench.bound.calls.first, bench.before([scene]).before[0])
        assert trace.completed
        return machine.calls.instructions(trace)

    cleared, kept = instructions(()), instructions(("POOL_NOT_CLEARED",))
    assert cleared - kept > 10 * 3072
    assert cleared > 5 * kept


# -- bad ports ---------------------------------------------------------------------------------

_CLAMP_LOW = "    if (!(edge >= size))\n        return 0;\n"
_CLAMP_HIGH = "    if (edge >= size * (sectors - 1))\n        return (short) (sectors - 1);\n"
_FRONT = (
    "    f->prev = NULL;\n    f->next = *link;\n    if (*link != NULL)\n"
    "        (*link)->prev = f;\n    *link = f;\n"
)
_BACK = (
    "    f->prev = NULL;\n    f->next = NULL;\n    while (*link != NULL)\n    {\n"
    "        f->prev = *link;\n        link = &(*link)->next;\n    }\n    *link = f;\n"
)
_ROOM = "if ((right - left + 1) * (bottom - top + 1) > maxfrags - numfrags)"
_FIRST_CALL = "                if (o->collide != NULL)\n                    o->collide(o, oo);\n"
_SECOND_CALL = "                if (oo->collide != NULL)\n                    oo->collide(oo, o);\n"
_FIRST_SHARED = "(a->sx == sx || b->sx == sx)\n        && (a->sy == sy || b->sy == sy)"

Changes = Mapping[str, str]
CORRECTED_PORTS: dict[str, Changes] = {
    "partial sectors left out": {"(((a) + (b) - 1) / (b))": "((a) / (b))"},
    "spans exclusive": {"sx <= right": "sx < right"},
    "rows exclusive": {"sy <= bottom": "sy < bottom"},
    "no limit below": {_CLAMP_LOW: ""},
    "no limit above": {_CLAMP_HIGH: ""},
    "limit one too low": {"size * (sectors - 1))": "size * (sectors - 2))"},
    "columns for rows": {"sectors_x * sy + sx": "sectors_y * sx + sy"},
    "first in first out": {_FRONT: _BACK},
    "both orders": {
        "ff = f->next;": "ff = list;",
        "if (_FirstSharedQ": "if (f != ff && _FirstSharedQ",
    },
    "in every sector": {_FIRST_SHARED: "true"},
    "first sector of one": {_FIRST_SHARED: "a->sx == sx && a->sy == sy"},
    "first column only": {_FIRST_SHARED: "(a->sx == sx || b->sx == sx)"},
    "second call left out": {_SECOND_CALL: ""},
    "calls swapped": {_FIRST_CALL: _SECOND_CALL, _SECOND_CALL: _FIRST_CALL},
    "no function called": {_FIRST_CALL: _FIRST_CALL.replace("if (o->collide != NULL)", "")},
    "touching collides": {
        "(a)->x < (b)->x + (b)->width ": "(a)->x <= (b)->x + (b)->width ",
        "(b)->x < (a)->x + (a)->width ": "(b)->x <= (a)->x + (a)->width ",
    },
    "whole pixels": {"((a)->x <": "((int) (a)->x <"},
    "purge leaves the table": {
        "    memset(sectorlist, 0, sizeof *sectorlist * sectors_x * sectors_y);\n": ""
    },
    "purge of a part": {"sizeof *sectorlist * sectors_x * sectors_y": "sectors_x * sectors_y"},
    "purge leaves the count": {"sectors_y);\n    numfrags = 0;": "sectors_y);"},
    "no purge at first": {"    world_purge();\n    return true;": "    return true;"},
    "lost without a word": {_ROOM + "\n        return false;": _ROOM + "\n        return true;"},
    "one fragment wasted": {_ROOM: _ROOM.replace("> max", ">= max")},
    "as many as fit": {
        _ROOM: "if (false)",
        "            _AddFragment": "            if (numfrags < maxfrags) _AddFragment",
    },
    "lost but not unmarked": {"    o->sx = -1;\n    o->sy = -1;\n": ""},
    "no way back": {"        (*link)->prev = f;\n": "        ;\n"},
    "any world": {"    if (columns * rows > kMaxSectors)\n        return false;\n": ""},
    "nothing turns": {"    self->dx = -self->dx;\n": ""},
    "thought of first": {"        if (o->think != NULL)\n            o->think(o);\n": ""},
}

_PRINTED_FRONT = (
    "    *head = &fraglist[place];\n    (*head)->o    = o;\n    (*head)->next = behind;\n"
    "    (*head)->prev = NULL;\n    if (behind != NULL)\n        behind->prev = *head;\n"
)
_PRINTED_BACK = (
    "    objfrag_t*  f    = &fraglist[place];\n    objfrag_t** link = head;\n"
    "    (void) behind;\n    f->o    = o;\n" + _BACK
)
PRINTED_PORTS: dict[str, Changes] = {
    "no partial sectors left out": {"world_h / SECTOR_H;": "(world_h + 127) / SECTOR_H;"},
    "spans exclusive": {"sx <= last_x": "sx < last_x"},
    "255 fragments": {"if (place >= MAX_FRAGM)": "if (place + 1 >= MAX_FRAGM)"},
    "257 fragments": {"if (place >= MAX_FRAGM)": "if (place > MAX_FRAGM)"},
    "rejects not counted": {
        "= numfrags++;": "= numfrags;",
        "    objfrag_t** const head ": "    numfrags++;\n    objfrag_t** const head ",
    },
    "first in first out": {_PRINTED_FRONT: _PRINTED_BACK},
    "no way back": {"        behind->prev = *head;\n": "        ;\n"},
    "each pair once a sector": {
        "objfrag_t* ff = sectorlist[i]; ff;": "objfrag_t* ff = f->next; ff;"
    },
    "with itself": {"o != oo && ": ""},
    "one call": {"#ifndef ONE_CALL_ONLY": "#if 0"},
    "pool not cleared": {"#ifndef POOL_NOT_CLEARED": "#if 0"},
    "purge without effect": {"    memset(sectorlist, 0, count);\n": ""},
    "columns for rows": {"sectors_x * sy + sx": "sectors_y * sx + sy"},
    "rounded to the nearest": {"x = (int) o->x;": "x = (int) (o->x + 0.5f);"},
    "backwards": {
        "int i = 0; i < sectors_x * sectors_y; i++": "int i = sectors_x * sectors_y; i-- > 0;"
    },
}
PORTS = {"blockmap": CORRECTED_PORTS, "blockmap-as-printed": PRINTED_PORTS}


def changed_folder(case: Case, changes: Changes, folder: Path) -> Path:
    """A copy of a case's folder with pieces of text replaced, each of which is there just once."""
    texts = {
        path.name: path.read_text()
        for path in case.path.parent.iterdir()
        if path.name in case.sources or path.suffix == ".h"
    }
    for old in changes:
        assert sum(t.count(old) for name, t in texts.items() if name in of_case(case)) == 1, old
    folder.mkdir()
    pattern = "|".join(map(re.escape, changes))
    for name, text in texts.items():
        own = name in of_case(case)
        (folder / name).write_text(
            re.sub(pattern, lambda match: changes[match[0]], text) if own else text
        )
    return folder


def of_case(case: Case) -> set[str]:
    stem = case.sources[0].removesuffix(".cpp")
    return {*case.sources, f"{stem}.h", "object.h"}


def judge(
    case: Case, folder: Path, cpu: str, batches: list[Scenes], budget: Budget = BUDGET
) -> Result:
    """What `verify` finds of a port, up to the scenes that refute it."""
    tree = dataclasses.replace(
        source_tree(case),
        units=tuple(tuple(folder / name for name in unit) for unit in case.units),
        folders=(folder,),
    )
    program = compile_program(tree, case.builds["O2"], TARGETS[cpu])
    total = Result(Subject(cpu, "O2", program.path))
    machine = BareMachine(read_elf(program.path), CPUS[cpu], budget=budget)
    bench = Bench.lay(case, machine)
    for scenes in batches:
        total += run_scenes(total.subject, bench, scenes)
        if total.verdict == REFUTED:
            break
    return total


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(
    "part",
    [slice(0, 12), slice(12, None)],
    ids=["twelve", "others"],
)
def test_every_bad_port_is_refuted(name: str, part: slice, tmp_path: Path):
    case, ports = case_of(name), dict(list(PORTS[name].items())[part])
    assert ports
    specs = plan_scenes(case, case.scene_count, 1994)
    batches = [Scenes.make(case, specs[start : start + 8]) for start in range(0, len(specs), 8)]
    own = case.path.parent
    assert judge(case, own, "68040", batches).verdict == VERIFIED

    def judge_one(item: tuple[int, tuple[str, Changes]]) -> str:
        number, (_, changes) = item
        folder = changed_folder(case, changes, tmp_path / str(number))
        return judge(case, folder, MACS[1 + number % 2], batches).verdict

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        verdicts = dict(zip(ports, threads.map(judge_one, enumerate(ports.items())), strict=True))
    assert {port for port, verdict in verdicts.items() if verdict != REFUTED} == set()
