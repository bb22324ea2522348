"""Why a scene is refuted: the smallest that still is, and the line that wrote the wrong byte."""

from __future__ import annotations

import functools
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from emu.cases.case import Case
from emu.cases.programs.subject import Subject
from emu.cases.scenes import ask_reference
from emu.machine import CPUS, BareMachine, Budget
from emu.program import read_elf
from emu.report.document import Document
from emu.report.figure import Figure
from emu.report.forms.terminal import print_document
from emu.report.json_form import to_json
from emu.verify.batches.bench import Bench
from emu.verify.explain.explanation import Explanation, explain_scene
from emu.verify.explain.explanation_document import explanation_document
from emu.verify.scenes.fills import Fill
from emu.verify.scenes.scene_plan import plan_scenes
from emu.verify.scenes.scene_spec import SceneSpec
from pyref.scene import scene_from_corners
from tests.report import schemas
from tests.rows import slow_but
from tests.small_cases import SmallCases

Ports = dict[tuple[str, str, str], Subject]
Binder = Callable[[str, str], Bench]

NAMES = (
    "no shift 0h",
    "touching collides",
    "first in first out",
    "flags not cleared",
    "one byte past",
    "list cut",
    "register clobbered",
    "never returns",
    "stray store",
)

BOTH = ("68040", "601")


@pytest.fixture(scope="module")
def bind(
    case: Case, broken_port: Callable[[str], str], compile_ports: Callable[..., Ports]
) -> Binder:
    """The case on a broken port."""
    ports = compile_ports(
        {name.replace(" ", "_"): broken_port(name) for name in NAMES}, BOTH, ("O2",)
    )

    @functools.cache
    def give(name: str, cpu: str) -> Bench:
        program = ports[name.replace(" ", "_"), cpu, "O2"].program
        return Bench.lay(case, BareMachine(read_elf(program), CPUS[cpu]))

    return give


def line_of(text: str, words: str) -> int:
    (number,) = [n for n, line in enumerate(text.splitlines(), 1) if words in line]
    return number


@functools.cache
def explained(bench: Bench, *wanted: SceneSpec) -> Explanation:
    """The explanation of the first scene of a run that fails."""
    for spec in wanted or plan_scenes(bench.case, 30, 1994):
        found = explain_scene(bench, spec)
        if found is not None:
            return found
    raise AssertionError("no scene fails")


def corners_of(found: Explanation) -> np.ndarray:
    if not len(found.kept):
        return np.zeros((0, 2), int)
    return np.column_stack([found.columns["x"], found.columns["y"]])


def fails(bench: Bench, corners: np.ndarray, seed: int) -> bool:
    scene = scene_from_corners(corners, seed=seed)
    images = bench.expect(bench.before([scene]), [ask_reference(bench.case, scene)])
    before, expected = images.before, images.expected
    batch = bench.machine.calls.run(bench.bound.calls.first, before)
    return not batch.completed or bool((batch.after[0] != expected[0]).any())


@pytest.mark.slow
@pytest.mark.parametrize("cpu", slow_but(["68040"], BOTH))
@pytest.mark.parametrize(
    "name", slow_but(["no shift 0h"], ["no shift 0h", "touching collides", "first in first out"])
)
def test_the_smallest_scene_is_minimal(bind: Binder, name: str, cpu: str):
    bench = bind(name, cpu)
    found = explained(bench)
    assert len(corners_of(found)) == len(found.kept) == 2
    assert fails(bench, corners_of(found), found.spec.seed)
    for left_out in range(2):
        rest = np.delete(corners_of(found), left_out, axis=0)
        assert not fails(bench, rest, found.spec.seed)
    # They are objects of the scene, in its order.
    assert (np.diff(found.kept) > 0).all()
    assert found.kept.max() < found.spec.objects
    assert found.tried > 10


@pytest.mark.slow
@pytest.mark.parametrize("cpu", slow_but(["601"], BOTH))
def test_the_dropped_shift_is_what_the_smallest_scene_needs(bind: Binder, cpu: str):
    """Two objects that overlap and share a sector in the pass (0, 32) alone."""
    (first, second) = corners_of(explained(bind("no shift 0h", cpu))).tolist()
    shared = [
        (dx, dy)
        for dx in (0, 32)
        for dy in (0, 32)
        if (first[0] + dx) // 64 == (second[0] + dx) // 64
        and (first[1] + dy) // 64 == (second[1] + dy) // 64
    ]
    assert shared == [(0, 32)]
    assert max(abs(first[0] - second[0]), abs(first[1] - second[1])) < 30


def test_touching_objects_end_up_in_the_corner(bind: Binder):
    found = explained(bind("touching collides", "68040"))
    assert sorted(corners_of(found)[:, 0].tolist()) == [0, 30]
    assert abs(int(corners_of(found)[0, 1]) - int(corners_of(found)[1, 1])) < 30


def test_what_only_filled_memory_shows_stays_filled_while_it_shrinks(bind: Binder):
    found = explained(bind("flags not cleared", "601"))
    assert found.spec.fill is Fill.POISON
    assert len(corners_of(found)) == 0
    assert str(found.divergence) == "gCollisionArray[0] is unset, expected 0"
    assert found.writer is None


@pytest.mark.parametrize(
    ("name", "words", "place"),
    [
        ("one byte past", "gCollisionArray[kMaxObjects] = 1;", "gSectorArray[0][0]"),
        ("list cut", "gObjects[0].obj_link = NULL;", "gObjects[0].obj_link"),
        ("first in first out", "        *head = o;", "gSectorArray[0][0]"),
        ("touching collides", "gCollisionArray[a - gObjects] = 1;", "gCollisionArray[0]"),
    ],
)
@pytest.mark.parametrize("cpu", slow_but(["601"], BOTH))
def test_the_line_that_wrote_the_wrong_byte(
    bind: Binder,
    broken_port: Callable[[str], str],
    name: str,
    words: str,
    place: str,
    cpu: str,
):
    found = explained(bind(name, cpu))
    assert found.divergence is not None
    assert found.divergence.place == place
    assert found.writer is not None
    assert found.writer.file == name.replace(" ", "_") + ".cpp"
    line = line_of(broken_port(name), words)
    # In `touching collides` the lower index is written last: a is the higher, b the lower.
    assert found.writer.line == (line - 1 if name == "touching collides" else line)


@pytest.mark.slow
def test_the_same_failure_is_explained_in_the_same_way(bind: Binder):
    spec = explained(bind("no shift 0h", "68040")).spec
    comparisons = [bind("no shift 0h", "68040"), bind("no shift 0h", "68040")]
    one, two = (explained(c, spec) for c in comparisons)
    again = explained(comparisons[0], spec)
    for other in (two, again):
        assert np.array_equal(corners_of(one), corners_of(other))
        assert np.array_equal(one.kept, other.kept)
        assert (one.tried, one.divergence, one.writer) == (
            other.tried,
            other.divergence,
            other.writer,
        )


@pytest.mark.parametrize(("cpu", "register"), [("68040", "d5"), ("601", "r20")])
def test_a_broken_rule_is_explained(bind: Binder, cpu: str, register: str):
    found = explained(bind("register clobbered", cpu))
    assert found.divergence is None
    assert not found.fault
    (violation,) = found.violations
    assert violation.startswith(f"register {register} was 0x")
    assert re.search(r" \(_DetermineCollisions, register_clobbered\.cpp:\d+\)$", violation)
    assert len(corners_of(found)) == 0  # it does so on any scene


def test_a_fault_is_explained(bind: Binder, broken_port: Callable[[str], str]):
    found = explained(bind("stray store", "68040"))
    assert found.divergence is None
    line = line_of(broken_port("stray store"), "0x300000")
    assert found.fault.startswith("write of 4 bytes to unmapped memory at 0x00300000\n")
    assert f"_DetermineCollisions+0x6 (stray_store.cpp:{line})" in found.fault


@pytest.mark.slow
def test_a_routine_that_never_returns_is_explained(bind: Binder):
    bench = bind("never returns", "68040")
    usual = bench.machine.budget = Budget(blocks=100_000, patience=0.05)
    found = explained(bench, SceneSpec("uniform", 50, 1))
    assert "it did not return within" in found.fault
    assert bench.machine.budget is usual


def test_nothing_to_explain(bind_case: Callable[..., Bench]):
    assert explain_scene(bind_case("68040"), SceneSpec("uniform", 200, 1994)) is None


@pytest.mark.slow
def test_an_explanation_in_words(bind: Binder, case: Case):
    bench = bind("no shift 0h", "68040")
    found = explained(bench)
    subject = Subject("68040", "O2", bench.machine.program.path)
    screen = io.StringIO()
    print_document(explanation_document(case, subject, found), Console(file=screen, width=100))
    text = screen.getvalue()
    x, y = corners_of(found)[0].tolist()
    lines = [line.split() for line in text.splitlines()]
    assert ["object", "of", "the", "scene", "x", "y", "next_object"] in lines
    assert ["0", *map(str, (found.kept[0], x, y, 1))] in lines
    for words in (
        f"four-shifts on the 68040, build O2, fails on a scene: {found.spec}\n",
        f"has 2 of the {found.spec.objects} objects; {found.tried} scenes were tried.",
        "First difference: gCollisionArray[0] is 0, expected 1.",
        "last written at 0x",
        "2 bytes differ in all",
    ):
        assert words in text
    require_schema(explanation_document(case, subject, found))
    assert text.endswith("refuted (gCollisionArray[0] is 0, expected 1)\n")


@pytest.mark.slow
def test_the_smallest_scene_is_seen_beside_what_was_expected(bind: Binder, case: Case):
    bench = bind("no shift 0h", "68040")
    spec = explained(bench).spec
    found = explain_scene(bench, spec, has_view=True)
    assert found is not None
    document = explanation_document(case, Subject("68040", "O2", Path("port")), found)
    parts = [part for section in document.sections for part in section.parts]
    figures = [part for part in parts if isinstance(part, Figure)]
    came, expected = figures
    corners = [(shape.box.left, shape.box.top) for shape in came.shapes]
    assert corners == [tuple(corner) for corner in corners_of(found).tolist()]
    assert [shape.is_marked for shape in came.shapes] == [False, False]
    assert [shape.is_wrong for shape in came.shapes] == [True, True]
    assert [shape.is_marked for shape in expected.shapes] == [True, True]
    assert [shape.partners for shape in came.shapes] == [(1,), (0,)]
    x, y = corners[0]
    assert came.shapes[0].label == (
        f"object 0 at ({x}, {y}), in no collision, expected in a collision, overlaps 1"
    )


@pytest.mark.parametrize(
    ("name", "word", "caveat"),
    [
        ("register clobbered", "refuted", "register d5 was 0x"),
        ("stray store", "did not return", "write of 4 bytes to unmapped memory at 0x00300000"),
    ],
)
def test_explanations_without_a_wrong_value(
    bind: Binder, case: Case, name: str, word: str, caveat: str
):
    found = explained(bind(name, "68040"))
    document = explanation_document(case, Subject("68040", "O2", Path("port")), found)
    assert document.outcome is not None
    assert (document.outcome.word, document.outcome.caveat.startswith(caveat)) == (word, True)
    (check,) = document.checks
    assert check.message.startswith(f"{found.spec}: {caveat}")
    require_schema(document)


def require_schema(document: Document) -> None:
    """See that the JSON form is as its schema says."""
    data = json.loads(to_json(document.data, document.schema))
    schemas.require_schema(data, "macproof.explanation/1")


SPEC_OF_9 = SceneSpec("any", 9, 1)
COUNTED = """
short gValues[16], gLimit, gCount, gOut;
extern "C" void Run() {
    gOut = 0;
    for (short n = 0; n < gCount; ++n)
        if (gValues[n] <= gLimit)
            ++gOut;
}
"""
LIMITED = """
@dataclass(frozen=True)
class Limited(Numbers):
    limit: int

    def keep(self, indices):
        return Limited(self.values[indices], self.generator, self.seed, self.limit)

    def simpler(self):
        if self.limit:
            yield Limited(np.zeros_like(self.values), self.generator, self.seed, 0)

def make_limited(generator, objects, seed, width, height):
    made = make_numbers(generator, objects, seed, width, height)
    # All of them are needed, until the limit is simpler.
    return Limited(np.full_like(made.values, 7), generator, seed, 7 if objects > 5 else 0)
"""


def test_objects_are_dropped_again_when_the_rest_is_simpler(
    small_cases: SmallCases, compilers: Callable[..., None]
):
    compilers("68040")
    case = small_cases.make(
        COUNTED.replace("gValues[n] <= gLimit", "gLimit ? gCount == 9 : gValues[n] <= gLimit"),
        "return answer(out=0)",
        "{gOut: out}",
        given="{gValues: values, gLimit: limit, gCount: objects}",
        python=LIMITED,
        make="make_limited",
    )
    found = explain_scene(Bench.of(case, small_cases.subject(case, "68040", "O1")), SPEC_OF_9)
    assert found is not None
    assert len(found.kept) == 1
    assert found.inputs["limit"] == ("0",)


@pytest.mark.slow
def test_explain_ends_with_the_verdict_of_verify(
    small_cases: SmallCases, compilers: Callable[..., None], macproof: Callable[..., Any]
):
    compilers("68040")
    wild = "short gValues[16], gCount, gOut; void Run() { *(volatile char *) 0x12345678 = 1; }"
    case = small_cases.make('extern "C" ' + "{" + wild + "}", "return answer(out=0)", "{gOut: out}")
    words = (case.path, "--cpu", "68040", "--build", "O1", "--jobs", 1)
    assert macproof("verify", *words).code == 4
    done = macproof("explain", *words)
    assert done.code == 4
    assert "did not return" in done.out
