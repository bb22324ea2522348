"""Scripts in words stand for the steps they say."""

from __future__ import annotations

import pytest

from pyref.collider.collider_lines import script_from_lines
from pyref.collider.collider_steps import PRIORITIES, Kind, Operation


def test_every_word():
    lines = [
        "create 0 wall",
        "create 1 demanding -1",
        "add 0 1",
        "add-all 1",
        "touch 0 1",
        "collide",
        "delete 1",
    ]
    wall, demanding = PRIORITIES[Kind.WALL], PRIORITIES[Kind.DEMANDING]
    assert script_from_lines(lines).steps.tolist() == [
        [Operation.CREATE, 0, Kind.WALL, 0, wall],
        [Operation.CREATE, 1, Kind.DEMANDING, -1, demanding],
        [Operation.SMART_ADD, 0, 1, 0, 0],
        [Operation.SMART_ADD_ALL, 1, 0, 0, 0],
        [Operation.TOUCH, 0, 1, 0, 0],
        [Operation.COLLIDE_STEP, 0, 0, 0, 0],
        [Operation.DELETE, 1, 0, 0, 0],
    ]


def test_several_at_once():
    assert script_from_lines(["create 0..2 other"]).steps[:, 1].tolist() == [0, 1, 2]
    joined = script_from_lines(["join 0..1 other"]).operation.tolist()
    assert joined == [Operation.CREATE, Operation.SMART_ADD_ALL] * 2


@pytest.mark.parametrize(
    "line", ["", "create 0", "create 0 hero", "jump 1", "add 1 2 3", "create 77 wall"]
)
def test_what_is_no_step(line: str):
    with pytest.raises(ValueError):
        script_from_lines([line])
