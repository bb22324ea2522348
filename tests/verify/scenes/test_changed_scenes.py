"""Scenes of which some fields have other values, made again from what was written down."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from emu.cases.case_file import read_case
from emu.cases.scenes import keep_objects, scene_of
from emu.cases.skeletons.prototype import read_prototype
from emu.cases.skeletons.skeleton import write_skeleton
from emu.verify.scenes.changed_scenes import changed_of, fields_of
from emu.verify.scenes.scene_spec import SceneSpec

SPEC = SceneSpec("borders", 20, 1994)


@pytest.mark.parametrize("kept", [[3], [5, 0, 5], list(range(20))])
def test_a_scene_with_other_items_is_made_again(kept: list[int], tmp_path: Path):
    # Scenes of a new case store their number of objects beside the array.
    prototype = read_prototype("long Sum(const short *values, short count)")
    case = read_case(write_skeleton("sum", prototype, tmp_path) / "case.yaml")
    scene = keep_objects(case, scene_of(case, SPEC), kept)
    changed = changed_of(case, SPEC, scene)
    again = changed.make(case)
    assert again.objects == len(kept) == len(fields_of(again)["values"])
    np.testing.assert_array_equal(fields_of(again)["values"], fields_of(scene)["values"])
    assert set(changed.fields) == (set() if len(kept) == 20 else {"values", "objects"})
