"""Many scenes made at once: the same as one by one, and each is named before it is made."""

from __future__ import annotations

import numpy as np
import pytest

from emu.base import progress_note
from emu.cases.case import Case
from emu.cases.keys.scene_name import SceneName
from emu.cases.scenes import scene_of, scenes_of

NAMES = [
    SceneName("uniform", 3, 7),
    SceneName("shuffled", 50, 8),
    SceneName("neighbours", 0, 9),
]


def test_they_are_the_same_as_one_by_one(case: Case):
    for name, made in zip(NAMES, scenes_of(case, NAMES), strict=True):
        alone = scene_of(case, name)
        assert np.array_equal(made.corners, alone.corners)
        assert SceneName(made.generator, made.objects, made.seed) == name


def test_each_is_named_before_it_is_made(case: Case, monkeypatch: pytest.MonkeyPatch):
    told: list[str] = []
    monkeypatch.setattr(progress_note, "_listeners", [told.append])
    scenes_of(case, NAMES)
    words = [f"{case.make} fails on {name}" for name in NAMES]
    assert [what for what in told if "fails on" in what] == words
    assert told[-1] == ""
