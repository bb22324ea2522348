"""A bulk reference is held against the reference, and the report says how often."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emu.base.errors import CaseError, UsageError
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.verify.report.read_report import read_reports
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.scenes.sample import EVERY_SCENE, Sample
from emu.verify.scenes.scene_plan import plan_scenes

EXAMPLE = Path(__file__).parents[3] / "examples" / "bounce"
RIGHT = "return [move_balls(scene) for scene in scenes]"


@pytest.fixture
def bounce(tmp_path: Path) -> Callable[[str], Case]:
    """The example with a bulk reference."""

    def make(body: str) -> Case:
        folder = tmp_path / "bounce"
        shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__"))
        with (folder / "bounce_reference.py").open("a") as file:
            file.write(f"\n\ndef move_all(scenes):\n    {body}\n")
        text = (folder / "case.yaml").read_text()
        given = "reference: bounce_reference:move_balls\n"
        assert given in text
        text = text.replace(given, f"{given}bulk_reference: bounce_reference:move_all\n")
        (folder / "case.yaml").write_text(text)
        return load_case(str(folder))

    return make


def test_its_answers_are_used_and_some_are_compared(bounce: Callable[[str], Case]):
    case = bounce(RIGHT)
    specs = plan_scenes(case, 60, 1994)
    half = Sample.of((spec.scene for spec in specs), 30)
    found = Scenes.make(case, specs, sample=half, is_first=True)
    plain = Scenes.make(case, specs)
    assert plain.agreed == frozenset()
    assert 0 in found.agreed
    kinds = {spec.kind for spec in specs}  # of each a whole number of scenes
    assert 30 <= len(found.agreed & {*found.places.tolist()}) <= 30 + len(kinds)
    agreed = np.isin(found.places, [*found.agreed])
    assert len({specs[row].seed % 10 for row in np.flatnonzero(agreed)}) > 5
    for one, other in zip(found.references, plain.references, strict=True):
        assert one.bounces == other.bounces
    assert found.inputs == plain.inputs


@pytest.mark.parametrize(
    ("body", "error", "words"),
    [
        (
            "return [replace(move_balls(scene), bounces=0) for scene in scenes]",
            CaseError,
            "move_all gives another bounces than bounce_reference:move_balls (",
        ),
        (
            "return [replace(move_balls(scene), x=move_balls(scene).x[:-1]) for scene in scenes]",
            CaseError,
            "move_all gives another x than",
        ),
        (
            "return [move_balls(scene) for scene in scenes][1:]",
            CaseError,
            "move_all gives 39 answers for 40 scenes",
        ),
        (
            "answers = [move_balls(scene) for scene in scenes]; scenes[0].x[:] = 0; return answers",
            CaseError,
            "move_all changes a scene that it is given (",
        ),
        ("raise ValueError('no')", UsageError, "move_all fails on 40 scenes: ValueError: no ("),
    ],
)
def test_a_wrong_one_ends_the_run(
    bounce: Callable[[str], Case], body: str, error: type[Exception], words: str
):
    case = bounce(f"from dataclasses import replace; {body}")
    with pytest.raises(error) as refused:
        Scenes.make(case, plan_scenes(case, 40, 1994), sample=EVERY_SCENE, is_first=True)
    assert words in str(refused.value)


def test_a_report_says_how_many_were_compared(
    bounce: Callable[[str], Case],
    macproof: Callable[..., Any],
    compilers: Callable[..., None],
    tmp_path: Path,
):
    compilers("68040")
    case, file = bounce(RIGHT), tmp_path / "report.json"
    words = ("--cpu", "68040", "--build", "O2", "--scenes", 60, "--jobs", 1)
    done = macproof("verify", case.path, *words, "--json", file)
    assert done.code == 0
    (report,) = read_reports(file)
    bulk = report.receipt.bulk_reference
    assert bulk is not None
    assert (bulk.agreed, bulk.chance, bulk.widened) == (60, round(0.99**60, 4), 0)
    sentence = (
        "bounce_reference:move_all answered in its place. bounce_reference:move_balls was asked "
        "about all 60 scenes, too, and said the same. No narrow whole "
        "numbers of scenes were widened"
    )
    assert sentence in " ".join(done.out.split())
    assert json.loads(file.read_text())["receipt"]["bulk_reference"]["name"].endswith("move_all")


def test_it_stands_beside_a_reference_in_python(tmp_path: Path):
    shutil.copytree(EXAMPLE, tmp_path / "bounce")
    path = tmp_path / "bounce" / "case.yaml"
    text = path.read_text().replace(
        "reference: bounce_reference:move_balls",
        "reference: {program: bounce.bin, symbol: MoveBalls}\nbulk_reference: bounce_reference:all",
    )
    path.write_text(text)
    with pytest.raises(CaseError, match="bulk_reference needs a reference that is a function"):
        load_case(str(path))
