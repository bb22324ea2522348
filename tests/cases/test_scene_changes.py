"""A reference is asked about a copy of its scene, and must not have changed it."""

from __future__ import annotations

import copy
import dataclasses
import sys
from collections.abc import Callable, Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from emu.base.errors import CaseError
from emu.cases.case import Case
from emu.cases.scene_changes import changed_attribute
from emu.cases.scenes import ask_reference
from pyref.scene import make_scene
from pyref.sectors.four_shifts import determine_collisions


@dataclasses.dataclass(slots=True)
class Part:
    numbers: list[int]
    table: dict[str, Any]


@dataclasses.dataclass
class Whole:
    corners: np.ndarray
    part: Part
    names: np.ndarray
    real: float


def whole() -> Whole:
    made = Whole(np.arange(6).reshape(3, 2), Part([1, 2], {"a": {3}}), np.array(["x"]), np.nan)
    made.itself = made  # type: ignore[attr-defined]
    return made


def _add_note(scene: Whole) -> None:
    scene.worked_out = 5  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (lambda scene: None, ""),
        (_add_note, ""),
        (lambda scene: scene.corners.fill(0), "corners"),
        (lambda scene: setattr(scene, "corners", scene.corners[:2]), "corners"),
        (lambda scene: setattr(scene, "corners", scene.corners.astype(float)), "corners"),
        (lambda scene: scene.part.numbers.append(1), "part.numbers"),
        (lambda scene: scene.part.numbers.__setitem__(1, 3), "part.numbers[1]"),
        (lambda scene: scene.part.table["a"].add(4), "part.table['a']"),
        (lambda scene: scene.part.table.clear(), "part.table"),
        (lambda scene: scene.names.__setitem__(0, "y"), "names"),
        (lambda scene: setattr(scene, "real", 0.0), "real"),
        (lambda scene: setattr(scene, "part", None), "part"),
        (lambda scene: delattr(scene, "real"), "real"),
    ],
    ids=map(str, range(13)),
)
def test_a_changed_attribute_is_named(change: Callable[[Whole], None], name: str):
    before = whole()
    after = copy.deepcopy(before)
    change(after)
    assert changed_attribute(before, after) == name


def test_an_array_that_was_there_twice_is_compared_twice() -> None:
    before = SimpleNamespace(first=np.arange(3))
    before.second = before.first
    after = SimpleNamespace(first=np.arange(3), second=np.arange(1, 4))
    assert changed_attribute(before, after) == "second"


@pytest.fixture
def references() -> Iterator[ModuleType]:
    module = ModuleType("macproof_test_references")
    sys.modules[module.__name__] = module
    yield module
    del sys.modules[module.__name__]


def test_a_reference_that_changes_its_scene_is_refused_and_the_scene_stays(
    case: Case, references: ModuleType
):
    """Laid into memory after that, it would give the guest the answers."""

    def answer(scene: Any) -> Any:
        found = determine_collisions(scene)
        scene.corners.setflags(write=True)
        scene.corners[:, 0] += 1
        return found

    references.answer = answer
    bad = dataclasses.replace(case, reference="macproof_test_references:answer")
    scene = make_scene("uniform", 3, 1)
    before = scene.corners.copy()
    with pytest.raises(CaseError, match=r"answer changes corners of the scene .*uniform, 3 obj"):
        ask_reference(bad, scene)
    assert (scene.corners == before).all()


def test_a_reference_may_return_what_it_was_given(case: Case, references: ModuleType):
    references.answer = lambda scene: SimpleNamespace(corners=scene.corners)
    same = dataclasses.replace(case, reference="macproof_test_references:answer")
    scene = make_scene("uniform", 3, 1)
    answer = ask_reference(same, scene)
    assert (answer.corners == scene.corners).all()
    assert not np.shares_memory(answer.corners, scene.corners)
