"""Scenes outside of what a method is defined for cannot be made, not even by changing others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pyref.blockmap.blockmap_boxes import scene_from_boxes
from pyref.collider.collider_steps import Script, script_from_steps

STEPS = [(0, 5, 3, 0, 1), (0, 6, 3, 0, 1), (2, 5, 6, 0, 0), (5, 0, 0, 0, 0)]


@pytest.mark.parametrize(
    ("row", "column", "value", "words"),
    [
        (0, 1, -6, "critter -6 is outside 0..49"),
        (0, 1, 50, "critter 50 is outside 0..49"),
        (2, 2, 63, "critter 63 is outside 0..49"),
        (0, 2, -2, "there is no kind -2"),
        (3, 0, 6, "there is no operation 6"),
    ],
)
def test_a_script(row: int, column: int, value: int, words: str) -> None:
    steps = script_from_steps(STEPS).steps.copy()
    steps[row, column] = value
    with pytest.raises(ValueError, match=f"step {row}: {words}"):
        replace(script_from_steps(STEPS), steps=steps)


def test_a_script_that_is_too_long() -> None:
    with pytest.raises(ValueError, match="1001 steps, where the routine holds 1000"):
        Script(np.zeros((1001, 5), np.int16), "given", 0)


def test_what_a_step_does_not_use_may_be_anything() -> None:
    script_from_steps([(5, 0, -30_000, 77, -1), (0, 49, 4, 99, -32_768)])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"frames": -2}, "-2 frames"),
        ({"max_fragments": 8220}, "8220 fragments"),
        ({"dy": np.array([-536871016])}, "steps are within -1000..1000"),
        ({"kind": np.array([127])}, "kinds are within 0..7"),
        ({"width": np.array([-33])}, "sizes from 0 to"),
        ({"x": np.array([2.0**27], np.float32), "dx": np.array([-2])}, "beyond 1048576 pixels"),
        ({"y": np.array([np.nan], np.float32)}, "boxes lie within"),
    ],
)
def test_a_scene_of_boxes(changes: dict[str, Any], words: str) -> None:
    scene = scene_from_boxes([(10, 20, 30, 30)])
    with pytest.raises(ValueError, match=words):
        replace(scene, **changes)
