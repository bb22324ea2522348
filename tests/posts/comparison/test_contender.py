"""The section ``compare`` of case files, and the objects that all systems are given."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from emu.base.errors import CaseError, MacproofError, UsageError
from emu.cases.case import Case
from emu.cases.case_file import read_case
from emu.cases.find import load_case
from emu.toolchain.sources import mac_sources
from posts.comparison.contender import contender_of
from posts.comparison.plan import PLAN, read_plan
from posts.comparison.system import choose_cases

Changed = Callable[..., Case]


@pytest.fixture
def changed(tmp_path: Path) -> Changed:
    """The case brute-force in a folder of its own, with pieces of its file replaced."""

    def change(*pieces: tuple[str, str]) -> Case:
        folder = tmp_path / "own"
        shutil.copytree(mac_sources() / "brute_force", folder)
        path = folder / "case.yaml"
        text = path.read_text()
        for old, new in pieces:
            assert text.count(old) == 1
            text = text.replace(old, new)
        path.write_text(text)
        return read_case(path)

    return change


def test_the_section_of_a_case():
    contender = contender_of(load_case("linear-quadtree-as-described"))
    assert contender is not None
    assert contender.title == "quadtree as described"
    assert contender.functions() == {
        "scene": "pyref.same_objects:circles",
        "truth": "pyref.same_objects:circles_that_overlap",
    }
    assert contender.rule and contender.defect and not contender.blind
    of_blockmap = contender_of(load_case("blockmap"))
    assert of_blockmap is not None and of_blockmap.programs_of == {"68040": "68000"}
    assert contender_of(load_case("dhrystone")) is None


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "      tests: tests\n",
            "      tets: tests\n",
            "the key tets is not known; did you mean tests?",
        ),
        ("      collided: flags\n", "", "compare needs either collided or blind"),
        (
            "      collided: flags\n",
            "      collided: flags\n      blind: no\n",
            "either collided or blind",
        ),
        ("scene_from_corners", "scene_from_nothing", "cannot be imported"),
        (
            "      collided: flags\n",
            "      collided: flags\n      rule: near\n",
            "truth and rule, or neither",
        ),
        (
            "      collided: flags\n",
            "      collided: flags\n      larger: x.yaml\n",
            "there is no file x.yaml",
        ),
        ("      timed: bare", "      timed: bore", "there is no file bore.case.yaml beside it"),
        (
            "      collided: flags\n",
            "      collided: flags\n      larger: bare.case.yaml\n",
            "compare allows larger or timed",
        ),
        (
            "      collided: flags\n",
            '      collided: flags\n      programs_of: {"68040": "6800"}\n',
            "there is no CPU 6800; did you mean 68040?",
        ),
    ],
)
def test_mistakes_in_the_section(changed, old, new, words):
    with pytest.raises(CaseError, match="line") as caught:
        contender_of(changed((old, new)))
    assert words in str(caught.value)


def test_all_cases_with_the_section_take_part():
    names = {case.name for case in choose_cases([], [])}
    assert {"four-shifts", "brute-force", "adjacent-halves-64", "linear-quadtree"} <= names
    assert {"blockmap", "blockmap-as-printed", "collider"} <= names
    assert "dhrystone" not in names
    assert [case.name for case in choose_cases(["blockmap"], ["brute-force", "blockmap"])] == [
        "blockmap",
        "brute-force",
    ]


def test_cases_that_cannot_take_part(changed):
    with pytest.raises(UsageError, match="has no section compare"):
        choose_cases(["dhrystone"], [])
    own = changed()
    with pytest.raises(UsageError, match="are both called brute-force"):
        choose_cases([], [str(own.path)])
    shutil.rmtree(own.path.parent)
    own = changed(("name: brute-force\n", "name: mine\n"))
    with pytest.raises(UsageError, match="are both called brute force"):
        choose_cases([], [str(own.path)])


def test_the_plan():
    plan = read_plan(objects=[50, 10, 50], seed=7)
    assert plan.objects == (10, 50)
    assert plan.scene_count(10) > plan.scene_count(2000) >= 2
    assert read_plan(scenes=3).scene_count(2000) == 3
    for generator in plan.generators:
        corners = plan.corners(generator, 2000)
        assert len(corners) == plan.scene_count(2000)
        assert not np.array_equal(corners[0], corners[1])
        for places in corners:
            assert places.shape == (2000, 2)
            assert places.min() >= 0
            assert (places.max(axis=0) + plan.object_size <= (639, 479)).all()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("generators:", "generator:", "the key generator is not known; did you mean generators?"),
        ("object_size: 30", "object_size: 0", "object_size"),
        ("[10, 20,", "[10, 10,", "objects"),
    ],
)
def test_mistakes_in_a_plan(tmp_path, old, new, words):
    text = PLAN.read_text()
    assert text.count(old) == 1
    path = tmp_path / "plan.yaml"
    path.write_text(text.replace(old, new))
    with pytest.raises(CaseError, match="line") as caught:
        read_plan(path)
    assert words in str(caught.value)


def test_a_plan_that_cannot_be(tmp_path):
    with pytest.raises(UsageError, match="1 object or more"):
        read_plan(objects=[0, 10])
    with pytest.raises(UsageError, match="no kind of scene unifrom; did you mean uniform"):
        read_plan(generators=["unifrom"])
    text = PLAN.read_text()
    path = tmp_path / "plan.yaml"
    path.write_text(
        text.replace("pyref.scene:make_scene", "pyref.collider.collider_script:make_script")
    )
    with pytest.raises(MacproofError, match="unknown generator"):
        read_plan(path).corners("uniform", 10)
