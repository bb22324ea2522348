"""The plain reference is asked once for each distinct input, and as often as it takes if it sees
more of a scene than its input."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import macproof
from emu.base import progress_note
from emu.base.errors import UsageError
from emu.base.time_limit import at_most
from emu.cases.keys.scene_name import SceneName
from emu.cases.scenes import ask_references, scene_of
from emu.verify.answers import answers
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.scenes.fills import Fill
from emu.verify.scenes.scene_spec import SceneSpec
from tests.verify.small_cases import SmallCase

KEYS = "call: Go\narguments: {n: objects}\nobserve: {return: n}\nreference: small:expect\n"
COUNTED = """
ASKED = []

def expect(scene):
    ASKED.append(scene.seed)
    return SimpleNamespace(n={n})
"""
SPECS = [SceneSpec("any", 5, seed) for seed in range(8)]


def case_of(folder: Path, value: str, before: str = "") -> macproof.Case:
    python = COUNTED.format(n=value).replace("ASKED.append", f"{before}ASKED.append")
    return SmallCase(folder, "short Go(short n) { return n; }", KEYS, python).case


def asked(case: macproof.Case) -> list[int]:
    (module,) = [
        module
        for name, module in sys.modules.items()
        if name.endswith(".small") and _is_of(case, name)
    ]
    return list(module.ASKED)


def _is_of(case: macproof.Case, name: str) -> bool:
    return case.path.parent.resolve().as_posix().encode().hex() in name


def test_it_is_asked_about_one_of_equal_inputs_and_about_another_as_a_control(tmp_path: Path):
    case = case_of(tmp_path, "scene.objects")
    made = Scenes.make(case, [*SPECS, SceneSpec("any", 1, 3)])
    assert [answer.n for answer in made.references] == [5] * 8 + [1]
    first, last, other, again = 0, 7, 3, 0  # the first is asked about twice, as ever
    assert asked(case) == [first, last, other, again]


@pytest.mark.parametrize("value", ["scene.objects + scene.seed", "scene.seed == 7"])
def test_one_that_looks_at_the_seed_is_asked_about_each(tmp_path: Path, value: str):
    case = case_of(tmp_path, value)
    made = Scenes.make(case, SPECS)
    wanted = [eval(value, {"scene": scene_of(case, spec.scene)}) for spec in SPECS]
    assert [answer.n for answer in made.references] == wanted
    assert sorted(asked(case)) == [0, 0, *range(1, 8)]


def test_scenes_asked_about_together_are_named_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    case = case_of(tmp_path, "scene.objects", before="1 / (scene.seed - 2), ")
    scenes = [scene_of(case, SceneName("any", 5, seed)) for seed in range(4)]
    told: list[str] = []
    monkeypatch.setattr(progress_note, "_listeners", [told.append])
    with pytest.raises(UsageError, match=r"expect fails on any, 5 objects, seed 2: ZeroDivision"):
        ask_references(case, scenes)
    assert asked(case) == [0, 1]
    assert [words for words in told if "expect fails on" in words] == [
        f"small:expect fails on any, 5 objects, seed {seed}" for seed in range(3)
    ]


def test_each_scene_has_the_whole_time_that_one_may_take(tmp_path: Path):
    case = case_of(tmp_path, "scene.objects", before="__import__('time').sleep(0.1), ")
    scenes = [scene_of(case, SceneName("any", 5, seed)) for seed in range(6)]
    with at_most(0.4):
        assert len(ask_references(case, scenes)) == 6


def test_answers_that_differ_in_an_attribute_nobody_observes_are_shared(tmp_path: Path):
    case = case_of(tmp_path, "scene.objects, seed=scene.seed")
    given: list[Any] = [answer.seed for answer in Scenes.make(case, SPECS).references]
    assert given == [0] * 7 + [7]
    assert answers.differing_attribute(case, *Scenes.make(case, SPECS[:2]).references) == ""


def test_each_call_keeps_its_scene(tmp_path: Path):
    """Calls on one scene have one number, which counts it once."""
    specs = [*SPECS, replace(SPECS[2], fill=Fill.NOISE)]
    made = Scenes.make(case_of(tmp_path, "scene.objects"), specs).take([5, 2, 8])
    assert [spec.seed for spec in made.specs] == [5, 2, 2]
    assert made.places.tolist() == [5, 2, 2]
    assert [scene.seed for scene in made.scenes] == [5, 2, 2]
