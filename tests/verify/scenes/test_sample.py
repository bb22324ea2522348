"""The scenes that are put to both references: by hash, as many as a stated chance asks for."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import macproof
from emu.base.errors import CaseError
from emu.cases.keys.scene_name import SceneName
from emu.verify.answers.wide_scenes import widened
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.scenes.sample import (
    EVERY_SCENE,
    USUAL,
    Sample,
    chance_to_pass,
    sample_words,
)
from emu.verify.scenes.scene_plan import plan_scenes

EXAMPLE = Path(__file__).parents[3] / "examples" / "bounce"
NAMES = [SceneName("any", 5, seed) for seed in range(3000)]


def test_its_size_follows_from_the_chance():
    assert USUAL == 299
    assert chance_to_pass(USUAL) <= 0.05 < chance_to_pass(USUAL - 1)
    sample, whole, none = Sample.of(NAMES), Sample.of(NAMES[:USUAL]), Sample(usual=0)
    assert sum(name in sample for name in NAMES) == USUAL
    assert all(name in whole for name in NAMES[:USUAL])
    assert not any(name in none for name in NAMES)


def test_it_is_the_same_each_time_and_no_rule_of_seeds():
    sample, again, about = Sample.of(NAMES), Sample.of(reversed(NAMES)), Sample.about(300, 3000)
    chosen = [name for name in NAMES if name in sample]
    assert chosen == [name for name in NAMES if name in again]
    assert {name.seed % 10 for name in chosen} == set(range(10))
    assert 230 < sum(name in about for name in NAMES) < 370


def test_each_kind_has_its_share_even_where_kinds_are_unequal():
    """A form that is wrong on 1% of scenes, all of one kind, passes with the stated chance."""
    sizes = {1: 2000, 50: 900, 200: 100}
    names = [
        SceneName("any", objects, seed) for objects, count in sizes.items() for seed in range(count)
    ]
    chosen = [name.objects for name in filter(Sample.of(names).__contains__, names)]
    assert {size: chosen.count(size) for size in sizes} == {1: 200, 50: 90, 200: 10}
    assert chance_to_pass(len(chosen)) == chance_to_pass(USUAL)  # rounding up is no more evidence
    missed = (1 - 30 / 100) ** 10  # 1% of all scenes are 30% of the largest
    assert missed <= chance_to_pass(USUAL)


def test_wide_numbers_are_asked_about_where_a_pilot_is():
    """Once for each number of objects, of all scenes that are made with that one."""
    names = [SceneName("any", objects, seed) for objects in (1, 200) for seed in range(100)]
    sample = Sample.of(names, 10)
    pieces = [names[start : start + 20] for start in range(0, len(names), 20)]
    asked = [sample.together(piece, ()) for piece in pieces]
    assert all(rows == [*range(20)] for rows in asked if rows)
    assert [piece[0].objects for piece, rows in zip(pieces, asked, strict=True) if rows] == [1, 200]
    assert EVERY_SCENE.together(names, [2, 199, 200]) == [2, 199]


def test_the_words_state_the_chance():
    assert sample_words(299, 3000) == (
        "about 299 of the scenes, too, chosen by hash with the same share of each generator and "
        "number of objects, and said the same: a form that is wrong in 1% of scenes passes that "
        "with a chance of at most 0.05"
    )
    assert "about all 40 scenes" in sample_words(40, 40)


def of(folder: Path, body: str, reference: str = "") -> macproof.Case:
    """The example with a bulk reference, which may call the reference as ``plain``."""
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    module = folder / "bounce_reference.py"
    text = module.read_text().replace("x.astype(np.int64), dx,", "x.astype(np.int16), dx,")
    assert "int16" in text
    bulk = f"def move_all(scenes): return [{body} for scene in scenes]\n"
    module.write_text(f"{text}\n\n{reference}\n{bulk}")
    path = folder / "case.yaml"
    given = "reference: bounce_reference:move_balls\n"
    text = path.read_text().replace(given, f"{given}bulk_reference: bounce_reference:move_all\n")
    path.write_text(text)
    return macproof.load_case(path)


def test_a_form_that_is_wrong_on_odd_seeds_is_found(tmp_path: Path):
    """Multiples of ten would never have asked about one."""
    wrong = "(lambda s, a: type(a)(**{**vars(a), 'bounces': a.bounces + s.seed % 2}))"
    case = of(tmp_path / "bounce", f"{wrong}(scene, move_balls(scene))")
    with pytest.raises(CaseError, match="move_all gives another bounces than"):
        Scenes.make(case, plan_scenes(case, 60, 1994), sample=EVERY_SCENE)


WRAPS = """
class Wrapped:
    def __init__(self, scene):
        narrow = np.asarray(scene.x)
        plain = move_balls_as_it_was(scene)
        self.x, self.dx = plain.x, plain.dx
        self.bounces = plain.bounces + int((narrow * CAST > 0).sum())
move_balls_as_it_was = move_balls
def move_balls(scene): return Wrapped(scene)
"""


@pytest.mark.parametrize(
    ("factor", "is_wrong"), [("np.int16(30000)", True), ("np.int64(30000)", False)]
)
def test_whole_numbers_that_wrap_in_numpy_are_an_error(tmp_path: Path, factor: str, is_wrong: bool):
    """Reference and bulk reference wrap alike, so comparing the two finds nothing."""
    case = of(tmp_path / "bounce", "Wrapped(scene)", WRAPS.replace("CAST", factor))
    specs = plan_scenes(case, 60, 1994)
    if is_wrong:
        with pytest.raises(CaseError, match="gives another bounces if the scene's whole numbers"):
            Scenes.make(case, specs, sample=EVERY_SCENE)
    else:
        assert Scenes.make(case, specs, sample=EVERY_SCENE).widened


def test_a_form_that_cannot_work_with_wide_numbers_is_not_called_wrong(tmp_path: Path):
    body = "(move_balls(scene), scene.x.view(np.int16).reshape(len(scene.x)))[0]"
    case = of(tmp_path / "bounce", body)
    assert Scenes.make(case, plan_scenes(case, 60, 1994), sample=EVERY_SCENE).widened == 0


def test_only_narrow_whole_numbers_are_widened(case: macproof.Case):
    scene = Scenes.make(case, plan_scenes(case, 1, 1994)).scenes[0]
    wide = widened(scene)
    assert wide is not None
    assert (scene.corners.dtype, wide.corners.dtype) == (np.int32, np.int64)
    assert (scene.corners == wide.corners).all()
    assert wide.objects == scene.objects
    assert widened(SimpleNamespace(a=np.ones(2), b="x")) is None
