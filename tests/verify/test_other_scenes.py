"""Scenes that are no squares on a screen: a script of steps, and circles with pairs and a grid."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from emu.base.errors import UsageError
from emu.cases.case import Case
from emu.cases.case_file import read_case
from emu.cases.keys.scene_name import SceneName
from emu.cases.programs.sources import source_tree
from emu.cases.programs.subject import Subject
from emu.cases.scenes import (
    ask_reference,
    can_move,
    columns_of,
    corners_of,
    keep_objects,
    scene_of,
    with_corners,
)
from emu.machine import CPUS, BareMachine
from emu.program import read_elf
from emu.report.document import Table
from emu.toolchain.builds import ALL_TARGETS
from emu.toolchain.compilers.find import missing_compilers
from emu.toolchain.programs.gcc import compile_program
from emu.verify.batches.bench import Bench
from emu.verify.explain.explanation import explain_scene
from emu.verify.explain.explanation_document import explanation_document
from emu.verify.runs.schedule import verify
from emu.verify.runs.verdicts import REFUTED, VERIFIED
from emu.verify.scenes.scene_plan import plan_scenes
from emu.verify.scenes.scene_spec import SceneSpec
from tests.rows import slow_but

PYTHON = """
from dataclasses import dataclass, replace
from types import SimpleNamespace
import numpy as np

@dataclass(frozen=True)
class Script:
    operation: np.ndarray
    amount: np.ndarray
    word: np.ndarray
    scale: float
    generator: str
    seed: int

    @property
    def objects(self):
        return len(self.operation)

    def keep(self, indices):
        if self.seed == 13 and len(indices) == 1:
            raise ValueError("a script of one step is none")
        if self.seed == 14 and len(indices) < 10:
            return {}[len(indices)]
        if self.seed in (15, 16) and len(indices) < 10:
            return self if self.seed == 15 else None
        columns = ("operation", "amount", "word")
        return replace(self, **{name: getattr(self, name)[indices] for name in columns})

def make_script(generator, objects, seed, width, height):
    words = np.random.PCG64(seed).random_raw((objects, 2)).astype(np.uint64)
    operation = (words[:, 0] % 3).astype(int)
    names = np.array(["add", "subtract", "log"])[operation]
    return Script(operation, (words[:, 1] % 60).astype(int), names, 0.25, generator, seed)

def play(script):
    total, log = 0, []
    for operation, amount in zip(script.operation.tolist(), script.amount.tolist()):
        if operation == 0: total += amount
        if operation == 1: total -= amount
        if operation == 2: log.append(total)
    return SimpleNamespace(total=total, log=log, logged=len(log), scaled=total * script.scale)

@dataclass(frozen=True)
class Circles:
    corners: np.ndarray
    sizes: np.ndarray
    generator: str
    seed: int

    @property
    def objects(self):
        return len(self.corners)

    x = property(lambda self: self.corners[:, 0])

    def keep(self, indices):
        return replace(self, corners=self.corners[indices], sizes=self.sizes[indices])

def make_circles(generator, objects, seed, width, height):
    x = np.arange(objects) * (20 + seed)
    return Circles(np.stack([x, x // 2], axis=1), 10 + 4 * np.arange(objects), generator, seed)

def pairs(scene):
    x = scene.x.tolist()
    found = [(i, j) for j in range(len(x)) for i in range(j) if abs(x[i] - x[j]) < 25]
    first, second = [i for i, _ in found], [j for _, j in found]
    return SimpleNamespace(first=first, second=second, count=len(found))

def grid(scene, answer):
    return [(0, 0, 99, 49), (50, 0, 50, 49)] if scene.seed < 90 else [(0, 0.5, 1, 1)]
"""
SCRIPT = """
struct Step { short operation; short amount; };
Step gSteps[60];
long gStepCount;
float gScale;
long gTotal;
long gLog[60];
long gLogged;
double gScaled;

void Play()
{
    gTotal = 0;
    gLogged = 0;
    for (long i = 0; i < gStepCount; i++)
    {
        if (gSteps[i].operation == 0) gTotal += gSteps[i].amount;
        if (gSteps[i].operation == 1) gTotal -= gSteps[i].amount;
        if (gSteps[i].operation == 2) gLog[gLogged++] = gTotal;
    }
    gScaled = gTotal * (double) gScale;
}
"""
CIRCLES = """
short gX[20];
long gCount;
short gFirst[30], gSecond[30];
long gPairs;

void Find()
{
    gPairs = 0;
    for (long j = 0; j < gCount; j++)
        for (long i = 0; i < j; i++)
            if (gX[j] - gX[i] < 25) { gFirst[gPairs] = i; gSecond[gPairs++] = j; }
}
"""
CASES = {
    "script": """
schema: macproof.case/1
name: script
title: A script
cpus: [68040, 601, mips]
sources: [script.cpp]
call: Play
scene: {make: "MODULE:make_script", generators: [any], objects: [0, 7, 50], count: 12}
input:
  gSteps: {operation: operation, amount: amount}
  gStepCount: objects
  gScale: scale
observe: {gTotal: total, gLog: log, gLogged: logged, gScaled: scaled}
reference: MODULE:play
""",
    "circles": """
schema: macproof.case/1
name: circles
title: Circles
sources: [circles.cpp]
call: Find
scene: {make: "MODULE:make_circles", generators: [row], objects: [3], width: 120, height: 60}
input: {gX: x, gCount: objects}
observe: {gFirst: first, gSecond: second, gPairs: count}
reference: MODULE:pairs
picture: {outline: [gFirst, gSecond], object_size: sizes, shape: circle, grid: "MODULE:grid"}
""",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both cases in one folder, and a module of their scenes that can be imported."""
    place = tmp_path_factory.mktemp("others")
    module = "macproof_test_other_scenes"
    (place / f"{module}.py").write_text(PYTHON)
    for name, text in CASES.items():
        (place / f"{name}.case.yaml").write_text(text.replace("MODULE", module))
    (place / "script.cpp").write_text(SCRIPT)
    (place / "circles.cpp").write_text(CIRCLES)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(place)
        yield place
    sys.modules.pop(module, None)


@pytest.fixture(scope="module")
def script(folder: Path) -> Case:
    return read_case(folder / "script.case.yaml")


Build = Callable[..., Subject]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Compiles a case, with some of its text replaced."""

    def make(case: Case, cpu: str, old: str = "", new: str = "") -> Subject:
        if missing_compilers([ALL_TARGETS[cpu]], {}):
            pytest.skip(f"{ALL_TARGETS[cpu].compiler} is not installed")
        own = case.path.parent / case.sources[0]
        text = own.read_text()
        assert old in text
        path = tmp_path_factory.mktemp("port") / own.name
        path.write_text(text.replace(old, new) if old else text)
        program = compile_program(source_tree(case, path), case.builds["O1"], ALL_TARGETS[cpu])
        return Subject(cpu, "O1", program.path)

    return make


def test_a_script_is_verified_on_every_processor(script: Case, build: Build):
    assert script.cpus == ("68040", "601", "mips")
    subjects = [build(script, cpu) for cpu in script.cpus]
    specs = plan_scenes(script, script.scene_count, 5)
    assert len({spec.scene for spec in specs}) == 12
    results = verify(script, subjects, specs, jobs=1)
    assert {result.verdict for result in results} == {VERIFIED}
    compared = 0
    for spec in specs:
        scene = scene_of(script, spec)
        compared += 2 * spec.objects + 2 + len(ask_reference(script, scene).log) + 3
    assert {result.comparisons for result in results} == {compared}


@pytest.mark.parametrize("cpu", slow_but(["68040"], ["68040", "mips"]))
@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        ("gTotal -= gSteps[i].amount;", "gTotal -= gSteps[i].amount & 31;", ["subtract"]),
        ("gTotal = 0;", "gTotal = 1;", []),
        (
            "gLog[gLogged++] = gTotal;",
            "{ gLog[gLogged] = gTotal + (gLogged > 2); gLogged++; }",
            ["log"] * 4,
        ),
        ("gScaled = gTotal *", "gScaled = gTotal *= ", []),
    ],
)
def test_a_wrong_script_is_refuted_and_its_steps_are_shown(
    script: Case, build: Build, cpu: str, old: str, new: str, left: list[str]
):
    subject = build(script, cpu, old, new)
    (result,) = verify(script, [subject], plan_scenes(script, 12, 6), jobs=1)
    assert result.verdict == REFUTED
    bench = Bench.lay(script, BareMachine(read_elf(subject.program), CPUS[cpu]))
    found = explain_scene(bench, result.failures[0].spec)
    assert found is not None
    assert found.divergence is not None
    assert sorted({*found.columns}) == ["amount", "operation", "word"]
    if left:
        assert found.columns["word"].tolist() == left
    assert found.writer is not None
    assert found.writer.symbol.startswith("Play")
    whole = scene_of(script, found.spec)
    assert (whole.amount[found.kept] == found.columns["amount"]).all()
    if left:
        document = explanation_document(script, subject, found)
        (table,) = [part for part in document.sections[0].parts if isinstance(part, Table)]
        assert table.columns == ("object", "of the scene", "operation", "amount", "word")
        assert [row[-1] for row in table.rows] == list(map(str, left))


def test_a_scene_may_refuse_to_lose_items(script: Case, build: Build):
    subject = build(script, "68040", "gTotal -= gSteps[i].amount;", ";")
    bench = Bench.lay(script, BareMachine(read_elf(subject.program), CPUS["68040"]))
    found = explain_scene(bench, SceneSpec("any", 50, 13))
    assert found is not None
    assert len(found.kept) in (0, 2), "one is refused by the scene"
    with pytest.raises(UsageError, match="fails to keep 1 of the objects of any, 50 objects"):
        keep_objects(script, scene_of(script, SceneName("any", 50, 13)), [3])


def test_a_mistake_in_keep_is_an_error_with_its_line(script: Case, build: Build):
    subject = build(script, "68040", "gTotal -= gSteps[i].amount;", ";")
    bench = Bench.lay(script, BareMachine(read_elf(subject.program), CPUS["68040"]))
    line = PYTHON[: PYTHON.index("return {}[")].count("\n") + 1
    with pytest.raises(
        UsageError,
        match=rf"fails to keep \d of the objects of any, \d+ objects, seed 14: KeyError: \d "
        rf"\(.*macproof_test_other_scenes\.py:{line}\)$",
    ):
        explain_scene(bench, SceneSpec("any", 50, 14))


def test_keep_may_return_the_whole_scene_but_not_nothing(script: Case, build: Build):
    subject = build(script, "68040", "gTotal -= gSteps[i].amount;", ";")
    bench = Bench.lay(script, BareMachine(read_elf(subject.program), CPUS["68040"]))
    found = explain_scene(bench, SceneSpec("any", 50, 15))
    assert found is not None and 10 <= len(found.kept) < 50
    with pytest.raises(UsageError, match=r"gives no scene for \d of the objects of any, "):
        explain_scene(bench, SceneSpec("any", 50, 16))


def test_scenes_that_are_not_what_they_should_be(script: Case):
    scene = scene_of(script, SceneName("any", 7, 1))
    assert not can_move(scene)
    with pytest.raises(UsageError, match="are not made of corners alone"):
        with_corners(script, scene, np.zeros((7, 2), np.int32))
    with pytest.raises(UsageError, match="have no corners"):
        corners_of(script, scene)
    with pytest.raises(UsageError, match="gives 8 objects for 2 of the objects"):
        keep_objects(script, _Liar(), [0, 1])
    assert list(columns_of(script, scene)) == ["operation", "amount", "word"]


class _Liar:
    objects, generator, seed = 8, "any", 1

    def keep(self, indices: object) -> _Liar:
        return self


def test_a_script_cannot_be_shown(folder: Path, macproof, tmp_path: Path):
    done = macproof("show", folder / "script.case.yaml", "-o", tmp_path / "x.png")
    assert done.code != 0
    assert "each of its objects has operation, amount, word" in done.err
    assert "macproof explain script" in done.err


def test_a_folder_of_several_cases_wants_one_named(folder: Path, macproof):
    done = macproof("verify", folder)
    assert done.code == 2
    assert "circles.case.yaml, script.case.yaml" in done.err


# -- the picture -------------------------------------------------------------------------------


def show(macproof, folder: Path, path: Path, *words: str) -> Image.Image:
    done = macproof("show", folder / "circles.case.yaml", "--cpu", "601", *words, "-o", path)
    assert done.err == ""
    return Image.open(path).convert("RGB")


def test_circles_pairs_and_a_grid(folder: Path, macproof, tmp_path: Path, compilers):
    compilers("601")
    image = show(macproof, folder, tmp_path / "x.png", "--seed", "3")  # x is 0, 23, 46
    light, black, white = (200, 200, 200), (0, 0, 0), (255, 255, 255)
    assert [image.getpixel(at) for at in ((99, 20), (30, 49), (99, 49))] == [light] * 3
    # All three are in pairs, 0 with 1 and 1 with 2: outlines of circles, 10, 14 and 18 wide.
    for left, top, size in ((0, 0, 10), (23, 11, 14), (46, 23, 18)):
        middle = (left + size // 2, top + size // 2)
        assert image.getpixel(middle) in (white, light)
        assert image.getpixel((left + size // 2, top)) == black
        assert image.getpixel((left, top + size // 2)) == black
        assert image.getpixel((left + size - 1, top + size // 2)) == black
        assert image.getpixel((left + size - 1, top + size - 1)) != black
    apart = show(macproof, folder, tmp_path / "y.png", "--seed", "9")  # x is 0, 29, 58
    inside = {apart.getpixel((x, y)) for x in range(3, 7) for y in range(3, 7)}
    assert inside == {black, white}, "grey where no pair is reported"
    assert apart.getpixel((0, 9)) == light, "of a circle's square the corner is not the circle's"


@pytest.mark.parametrize(
    ("near", "words"),
    [
        ("< 1", "0 in a collision; refuted (3 objects wrong)"),
        # Nothing is written, and what the place happens to hold, often object 0, is no pair.
        ("< 0", "; 0 in a collision; "),
    ],
)
def test_a_wrong_pair_marks_its_objects_and_outlines_no_others(
    folder: Path, macproof, tmp_path: Path, compilers, near: str, words: str
):
    compilers("601")
    wrong = tmp_path / "wrong.cpp"
    wrong.write_text(CIRCLES.replace("< 25", near))
    done = macproof(
        *("show", folder / "circles.case.yaml", "--cpu", "601", "--source", wrong, "--seed", 3),
        *("-o", tmp_path / "x.png"),
    )
    assert done.code == 1
    assert words in done.out


def test_a_grid_that_is_none(folder: Path, macproof, tmp_path: Path, compilers):
    compilers("601")
    case = folder / "circles.case.yaml"
    done = macproof("show", case, "--cpu", "601", "--seed", 95, "-o", tmp_path / "x.png")
    assert done.code == 2
    assert "grid gives (0, 0.5, 1, 1) in place of four whole numbers" in done.err


def test_an_outline_of_something_else(folder: Path, macproof, tmp_path: Path, compilers):
    compilers("601")
    text = (folder / "circles.case.yaml").read_text()
    for old, new, words in (
        ("[gFirst, gSecond]", "gPairs", "picture.outline is gPairs, which is no observed array"),
        ("[gFirst, gSecond]", "[gFirst, gX]", "picture.outline is gX, which is no observed array"),
        ("object_size: sizes", "object_size: x1", "object_size is x1, and a scene of"),
    ):
        path = folder / "wrong.yaml"
        path.write_text(text.replace(old, new))
        done = macproof("show", path, "--cpu", "601", "-o", tmp_path / "x.png")
        path.unlink()
        assert done.code == 2
        assert words in done.err
