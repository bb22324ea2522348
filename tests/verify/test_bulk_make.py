"""Scenes that are made together are held against those that are made alone."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from emu.base.errors import CaseError, MacproofError, UsageError
from emu.campaign.shard import answers_of
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.scenes.columns import Columns
from emu.verify.scenes.fills import Fill
from emu.verify.scenes.input_digests import digests_of
from emu.verify.scenes.sample import EVERY_SCENE, Sample
from emu.verify.scenes.scene_plan import chunks, plan_scenes
from emu.verify.scenes.scene_spec import SceneSpec

EXAMPLE = Path(__file__).parents[2] / "examples" / "bounce"
ALONE = "made = [make_scene(g, objects, s, width=width, height=height) for g, s in named]"


@pytest.fixture
def bounce(tmp_path: Path) -> Callable[[str], Case]:
    """The example with a function that makes many scenes, of which this is the body."""

    def make(body: str) -> Case:
        folder = tmp_path / "bounce"
        shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__"))
        with (folder / "bounce_reference.py").open("a") as file:
            file.write(
                "\n\ndef move_all(scenes):\n    return [move_balls(one) for one in scenes]\n"
            )
            file.write("\n\ndef make_all(generators, objects, seeds, *, width, height):\n")
            file.write("    from dataclasses import replace\n")
            file.write("    named = list(zip(generators, seeds))\n")
            file.write(f"    {ALONE}\n    {body}\n")
        path = folder / "case.yaml"
        text = path.read_text()
        make, reference = "make: bounce_reference:make_scene\n", "bounce_reference:move_balls\n"
        assert text.count(make) == text.count(reference) == 1
        text = text.replace(make, f"{make}  bulk_make: bounce_reference:make_all\n")
        text = text.replace(reference, f"{reference}bulk_reference: bounce_reference:move_all\n")
        path.write_text(text)
        return load_case(str(folder))

    return make


def some(case: Case) -> list[SceneSpec]:
    """Scenes with one number of objects, of all fills."""
    return [one for one in plan_scenes(case, 120, 1994) if one.objects == case.objects[-1]]


def test_they_take_the_place_of_the_others(bounce: Callable[[str], Case]):
    case = bounce("return made")
    specs = some(case)
    found, plain = (Scenes.make(case, specs, sample=sample) for sample in (EVERY_SCENE, None))
    assert found.agreed
    assert found.inputs == plain.inputs
    assert [one.seed for one in found.scenes] == [one.seed for one in specs]


@pytest.mark.parametrize(
    ("body", "error", "words"),
    [
        (
            "return [replace(one, x=one.x + (one.seed == 2000)) for one in made]",
            CaseError,
            "make_all makes another scene than bounce_reference:make_scene (",
        ),
        ("return made[1:]", CaseError, "make_all gives no sequence of"),
        ("return dict(enumerate(made))", CaseError, "make_all gives no sequence of"),
        ("return 7", UsageError, "make_all fails on"),
        ("raise ValueError('no')", UsageError, "ValueError: no"),
    ],
)
def test_a_wrong_function_ends_the_run(
    bounce: Callable[[str], Case], body: str, error: type[MacproofError], words: str
):
    case = bounce(body)
    with pytest.raises(error) as refused:
        Scenes.make(case, some(case), sample=EVERY_SCENE)
    assert words in str(refused.value)


def test_a_scene_that_refutes_is_made_alone_first(bounce: Callable[[str], Case]):
    case = bounce("return [replace(one, x=one.x + 1) for one in made]")
    scenes = Scenes.make(case, some(case), sample=Sample(usual=0))
    assert not scenes.agreed
    with pytest.raises(CaseError, match="make_all makes another scene than"):
        scenes.ask_again(case, 0)


def test_it_is_for_a_bulk_reference(bounce: Callable[[str], Case]):
    path = bounce("return made").path
    text = path.read_text().replace("bulk_reference: bounce_reference:move_all\n", "")
    path.write_text(text)
    with pytest.raises(CaseError, match="bulk_make is for a bulk_reference, and there is none"):
        load_case(str(path))


@pytest.mark.parametrize("objects", [0, 1, 50])
def test_a_block_and_its_scenes_have_the_same_digests(case: Case, objects: int):
    specs = [one for one in plan_scenes(case, 300, 1994) if one.objects == objects]
    pieces = chunks(specs)
    assert len(pieces) > 1
    for piece in pieces:
        block, plain = (
            Scenes.make(case, piece, sample=sample) for sample in (Sample(usual=1 << 56), None)
        )
        assert block.inputs == plain.inputs == tuple(digests_of(case, list(plain.scenes)))
        assert [*answers_of(case, block)] == [*answers_of(case, plain)]
        stale = [row for row, one in enumerate(piece) if one.fill is Fill.STALE]
        assert block.preparations.donors.rows == stale == plain.preparations.donors.rows


def test_an_attribute_of_the_sequence_is_that_of_its_items():
    class Items(Sequence[str]):
        numbers = np.arange(6).reshape(3, 2)
        short = np.arange(2)
        words = np.array(["a", "b", "c"])

        def __len__(self) -> int:
            return 3

        def __getitem__(self, index):  # type: ignore[no-untyped-def]
            return "abc"[index]

    told = Columns(Items())
    assert told.take([2, 0])[1:].stacked("numbers").tolist() == [[0, 1]]
    assert told.take([]).stacked("numbers").shape == (0, 2)
    for name in ("short", "words", "missing", "count"):
        assert told.stacked(name) is None
    column = told.take([2, 2]).column("key", lambda item: pytest.fail(item), "numbers")
    assert column.alike[0].values.tolist() == [[4, 5], [4, 5]]
    assert column.sizes.tolist() == [2, 2]
    assert [*told.take([1, 1])] == ["b", "b"]
