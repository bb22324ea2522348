"""Mistakes that show at the limits of a routine alone are found by the scenes that reach these.

Each was verified by the generators and numbers of objects that its case had at first, which a slow
test repeats.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from emu.verify.runs.verdicts import REFUTED, VERIFIED
from emu.verify.scenes.scene_plan import plan_scenes
from emu.verify.scenes.scene_spec import SceneSpec
from tests.mac_src.ports import Changes, case_of, changed_case, run_here, subject, words
from tests.rows import slow_but


@dataclass(frozen=True, slots=True)
class Kinds:
    """Generators and numbers of objects that were all that a case had."""

    generators: tuple[str, ...]
    objects: tuple[int, ...]


CIRCLES = Kinds(
    ("uniform", "equal", "clustered", "leaf-edge", "identical", "neighbours"),
    (0, 1, 2, 50, 100, 200),
)
CROSSINGS = Kinds((*CIRCLES.generators, "crossings"), CIRCLES.objects)
CODES = Kinds(("every-code",), (512,))
LOOPS = Kinds(("uniform",), (0, 1, 2, 50, 100))
PRINTED_LONG = Kinds(
    (*("inside", "lines", "pile", "overfull", "partial", "long", "astray", "printed-worlds"),),
    (0, 1, 3, 15, 50),
)
PRINTED_BOXES = Kinds(("inside", "lines", "pile", "overfull", "partial"), (0, 1, 2, 15, 50))
BOXES = Kinds((*PRINTED_BOXES.generators, "outside", "border", "worlds"), (0, 1, 2, 15, 50))
BARE_BOXES = Kinds(
    ("lines", "border", "every-world", "far", "full", "spread", "long"), (0, 1, 3, 4, 5, 6, 15, 50)
)
SCRIPTS = Kinds(("maze", "arcade", "demands"), (0, 1, 10, 40, 120))
SHOOTING = Kinds((*SCRIPTS.generators, "shooting"), (0, 1, 10, 40, 120))
CROWDS = Kinds((*SCRIPTS.generators, "extremes", "crowd"), (0, 1, 10, 40, 120, 1000))
BATTLES = Kinds((*CROWDS.generators, "shooting", "battle"), CROWDS.objects)

_ROOM = "objfrag_t* f = &fraglist[numfrags++];"
_LIMIT = "    if (edge >= size * (sectors - 1))"
_ADD_ALL = "_SmartAddAll(p, s->second != 0);"

# The case, what it had before, a processor, and the mistake.
MISTAKES: dict[str, tuple[str, Kinds, str, Changes]] = {
    "columns of five bits": (
        *("linear-quadtree", CIRCLES, "68040"),
        {"& 0x0f0f;": "& 0x010f;"},
    ),
    "255 objects": (
        *("linear-quadtree", CIRCLES, "601"),
        {"kNumBins = 11": "kNumBins = 8"},
    ),
    "the border below is ignored": (
        *("linear-quadtree", CIRCLES, "mips"),
        {"        existing &= ~kBottomRow;": "        ;"},
    ),
    "codes of 15 bits": (
        *("linear-quadtree-as-described", CIRCLES, "68000"),
        {"Dilated(row & 0xff) << 1": "Dilated(row & 0x7f) << 1"},
    ),
    "a report too many is kept": (
        *("linear-quadtree-as-printed", CROSSINGS, "68040"),
        {"if (gReportCount < kMaxReports)": "if (gReportCount <= kMaxReports)"},
    ),
    "nothing is below and left of the last column's first leaf": (
        *("linear-quadtree-bare", CROSSINGS, "68040"),
        {"if ((m & kind::kMaskX) == 0)": "if ((m ^ kind::kMaskX) == 0)"},
    ),
    "always 512 codes": (
        *("morton-neighbours", CODES, "601"),
        {
            "void FindNeighbours()\n{\n    for (short i = 0; i < gCodeCount; i++)": "void "
            "FindNeighbours()\n{\n    for (short i = 0; i < kMaxCodes; i++)"
        },
    ),
    "16 bits for calls": (
        *("trivial-loops-as-described", LOOPS, "601"),
        {"    long calls, withItself;": "    unsigned short calls, withItself;"},
    ),
    "255 rows of sectors": (
        *("blockmap", BOXES, "68040"),
        {"world_v > kMaxSectors * SECTOR_V": "world_v >= kMaxSectors * SECTOR_V"},
    ),
    "half of the fragments": (
        "blockmap",
        BOXES,
        "601",
        {_ROOM: _ROOM.replace("++]", "++ & 4095]")},
    ),
    "127 objects": (
        *("blockmap", BOXES, "601"),
        {"(short) (other - gObjects);": "(signed char) (other - gObjects);"},
    ),
    "few fragments are left, counted without bookkeeping": (
        *("blockmap-bare", BARE_BOXES, "68040"),
        {"if ((right - left + 1) *": "if ((right + left + 1) *"},
    ),
    "255 frames": (
        *("blockmap-bare", BOXES, "68040"),
        {
            "void PlayScene()\n{\n    if (!BeginScene())\n        return;\n    for (int frame = 0; "
            "frame < gFrameCount;": "void PlayScene()\n{\n    if (!BeginScene())\n        return;\n"
            "    for (int frame = 0; frame < (unsigned char) gFrameCount;"
        },
    ),
    "a whole number too early": (
        *("blockmap", BOXES, "68000"),
        {_LIMIT: _LIMIT.replace("(edge", "((int) edge")},
    ),
    "rounded down below zero": (
        *("blockmap-as-printed", PRINTED_BOXES, "68040"),
        {"int sx = x / SECTOR_H;": "int sx = (x - (x < 0) * 127) / SECTOR_H;"},
    ),
    "negative worlds have sectors": (
        *("blockmap-as-printed", PRINTED_BOXES, "601"),
        {"world_h / SECTOR_H;": "world_h >> 7;"},
    ),
    "an object too many is left": (
        *("blockmap-as-printed", PRINTED_LONG, "68040"),
        {
            "static void LeaveObjects()\n{\n    for (int i = 0; i < numobjs;": "static void "
            "LeaveObjects()\n{\n    for (int i = 0; i <= numobjs;"
        },
    ),
    "the last call is not kept": (
        *("collider", SHOOTING, "68040"),
        {"if (gCallCount < kMaxLog)": "if (gCallCount < kMaxLog - 1)"},
    ),
    "255 steps": (
        *("collider-on-array", SCRIPTS, "601"),
        {"i < gStepCount;": "i < (unsigned char) gStepCount;"},
    ),
    "priorities of 8 bits": (
        *("collider", SHOOTING, "601"),
        {"typedef short Real;": "typedef signed char Real;"},
    ),
    "codes of 8 bits": (
        *("collider-as-described", SCRIPTS, "68040"),
        {"private:\n    short   _demand;": "private:\n    signed char _demand;"},
    ),
    "an order of 8 bits": (
        *("collider-as-described", SCRIPTS, "601"),
        {_ADD_ALL: _ADD_ALL.replace("s->", "(signed char) s->")},
    ),
    "one call too many is kept": (
        *("collider", BATTLES, "68040"),
        {"if (gCallCount < kMaxLog)": "if (gCallCount <= kMaxLog)"},
    ),
    "one call too many is kept, as described": (
        *("collider-as-described", CROWDS, "68040"),
        {"if (gCallCount < kMaxLog)": "if (gCallCount <= kMaxLog)"},
    ),
    "the health of whoever had the place": (
        *("collider", Kinds(BATTLES.generators, SHOOTING.objects), "68040"),
        {"    _health = 2;": "    _health += 2;"},
    ),
    "bullets damage who makes demands": (
        *("collider", BATTLES, "68040"),
        {"pcritter->kind() == kOther)": "pcritter->kind() >= kOther)"},
    ),
    "bullets damage who makes demands, as described": (
        *("collider-as-described", CROWDS, "68040"),
        {"pcritter->kind() == kOther)": "pcritter->kind() >= kOther)"},
    ),
    "whoever had the place still touches": (
        *("collider-as-described", CROWDS, "68040"),
        {"    _touched = -1;": "    _touched += -1;"},
    ),
    "touching is forgotten": (
        *("collider-as-described", SCRIPTS, "68040"),
        {"p->touch(q->_number);": ";"},
    ),
}


@pytest.fixture(scope="module", autouse=True)
def every_compiler(compilers: Callable[..., None]) -> None:
    compilers("68000", "68040", "601", "mips")


def plan(name: str, before: Kinds) -> tuple[list[SceneSpec], list[SceneSpec]]:
    """The default scenes of kinds that a case had before, and those of other kinds."""
    case = case_of(name)
    parts: tuple[list[SceneSpec], list[SceneSpec]] = [], []
    for spec in plan_scenes(case, case.scene_count, 1994):
        was_there = spec.generator in before.generators and spec.objects in before.objects
        parts[not was_there].append(spec)
    return parts


QUICK = (
    "255 objects",
    "always 512 codes",
    "negative worlds have sectors",
    "the last call is not kept",
)


@pytest.mark.slow
@pytest.mark.parametrize("mistake", slow_but(QUICK, MISTAKES))
def test_the_mistake_is_refuted(mistake: str, tmp_path: Path):
    name, before, cpu, changes = MISTAKES[mistake]
    case = changed_case(name, changes, tmp_path / "changed")
    program = subject(case, cpu, "O1")
    specs = plan(name, before)[1]
    # The rare kinds are the last of a plan.
    for start in reversed(range(0, len(specs), 20)):
        (result,) = run_here(case_of(name), [program], specs[start : start + 20])
        if result.verdict == REFUTED:
            return
    pytest.fail(f"{len(specs)} scenes do not refute it")


@pytest.mark.slow
@pytest.mark.parametrize("mistake", MISTAKES)
def test_it_was_verified_without_them(mistake: str, tmp_path: Path):
    name, before, cpu, changes = MISTAKES[mistake]
    case = changed_case(name, changes, tmp_path / "changed")
    kinds = [(generator, size) for size in before.objects for generator in before.generators]
    own = case_of(name)
    specs = [
        SceneSpec(*kinds[index % len(kinds)], 1994 + index // len(kinds))
        for index in range(own.scene_count)
    ]
    assert words(run_here(own, [subject(case, cpu, "O1")], specs)) == {VERIFIED}
