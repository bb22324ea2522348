"""A scene is copied as `copy.deepcopy` copies it, whatever it is made of."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from emu.cases.scene_changes import changed_attribute
from emu.cases.scene_copies import copy_of


@dataclasses.dataclass(frozen=True)
class Plain:
    numbers: np.ndarray
    name: str
    seed: int


@dataclasses.dataclass(slots=True)
class Slotted:
    numbers: np.ndarray


class Half(Slotted):
    """It has slots of its parent, and a dictionary."""


class Listed(list):
    """It holds what no dictionary has."""


class Stated:
    def __init__(self) -> None:
        self.numbers = np.arange(3)

    def __getstate__(self) -> dict[str, Any]:
        return {"numbers": self.numbers, "seen": True}


class Own:
    def __deepcopy__(self, memo: object) -> str:
        return "its own way"


def _half() -> Half:
    made = Half(np.arange(3))
    made.name = "half"  # type: ignore[attr-defined]
    return made


def _listed() -> Listed:
    made = Listed([1, [2]])
    made.numbers = np.arange(2)  # type: ignore[attr-defined]
    return made


def _nested() -> Plain:
    return Plain(np.array([[1], "x"], object), "objects", 3)


def _shared() -> Plain:
    made = Plain(np.arange(3), "shared", 4)
    object.__setattr__(made, "again", made.numbers)
    return made


MAKERS = (
    lambda: Plain(np.arange(6).reshape(2, 3).T, "plain", 2),
    *(_half, _listed, _nested, _shared, Stated),
    lambda: Slotted(np.arange(3)),
)


@pytest.mark.parametrize("make", MAKERS, ids=range(len(MAKERS)))
def test_a_copy_is_that_of_deepcopy(make: Callable[[], Any]) -> None:
    original, wanted = make(), copy.deepcopy(make())
    found = copy_of(original)
    assert type(found) is type(wanted)
    assert not changed_attribute(wanted, found)
    assert getattr(found, "__dict__", {}).keys() == getattr(wanted, "__dict__", {}).keys()
    assert list(found) == list(wanted) if isinstance(found, list) else True
    assert found.numbers is not original.numbers
    assert found.numbers.flags.f_contiguous == wanted.numbers.flags.f_contiguous
    if found.numbers.dtype != object:
        found.numbers[...] = 9
        assert not (original.numbers == 9).all()


def test_arrays_that_are_one_stay_one() -> None:
    found = copy_of(_shared())
    assert found.again is found.numbers


def test_an_object_with_a_way_of_its_own_is_copied_that_way() -> None:
    assert copy_of(Own()) == "its own way"
    assert copy_of(7) == 7


def test_a_plain_object_is_copied_without_deepcopy(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(value: object) -> None:
        raise AssertionError(value)

    monkeypatch.setattr(copy, "deepcopy", refuse)
    array = np.arange(3)
    array.setflags(write=False)
    found = copy_of(Plain(array, "a", 1))
    assert found.numbers.tolist() == [0, 1, 2] and found.numbers.flags.writeable
    with pytest.raises(AssertionError):
        copy_of(_nested())
