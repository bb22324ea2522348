"""Finds overflows in a bulk reference: it is asked again, with all whole numbers in 64 bits.

An int16 array of NumPy wraps silently: 20,000 + 20,000 is -25,536, as in a program under test with
the same mistake. Then both have the same wrong answer. With int64 the sum is 40,000: the answers
differ, which is an error of the case.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from emu.base.errors import CaseError, MacproofError
from emu.cases.case import Case
from emu.cases.keys.parts import Scene, describe_scene
from emu.cases.scenes import ask_bulk_reference
from emu.verify.answers.bulk_answers import is_same

_WIDE = 8  # bytes


def widened(scene: Scene) -> Scene | None:
    """A copy of a scene in which whole numbers of NumPy have 64 bits; None if there are none."""
    wide_scene = copy.copy(scene)
    names = list(getattr(scene, "__dict__", ()))
    if dataclasses.is_dataclass(scene):
        names += [field.name for field in dataclasses.fields(scene)]
    changed = False
    for name in dict.fromkeys(names):
        value = getattr(scene, name)
        if isinstance(value, (np.ndarray, np.integer)) and _is_narrow(value.dtype):
            wide = value.astype(np.int64)
            if isinstance(wide, np.ndarray):
                wide.setflags(write=value.flags.writeable)
            object.__setattr__(wide_scene, name, wide)
            changed = True
    return wide_scene if changed else None


def _is_narrow(dtype: np.dtype[Any]) -> bool:
    return dtype.kind in "iu" and dtype.itemsize < _WIDE


def require_no_overflow(case: Case, scenes: Sequence[Scene], answers: Sequence[Any]) -> int:
    """Ask the bulk reference about widened scenes, and compare with its first answers.

    Args:
        case: the case.
        scenes: the scenes.
        answers: the bulk reference's answer to each scene.

    Returns:
        The number of scenes that it was asked about. A scene without narrow numbers is not asked
        about; and the number is 0 if the bulk reference cannot work with numbers of 64 bits.

    Raises:
        CaseError: it gives another answer to a widened scene.
    """
    pairs = [(widened(scene), answer) for scene, answer in zip(scenes, answers, strict=True)]
    kept = [(scene, answer) for scene, answer in pairs if scene is not None]
    if not kept:
        return 0
    try:
        wide = ask_bulk_reference(case, [scene for scene, _ in kept])
    except MacproofError:
        return 0  # for example, it reads its arrays as bytes, so int64 has another layout
    for (scene, answer), other in zip(kept, wide, strict=True):
        for name in dict.fromkeys(observed.attribute for observed in case.observed):
            if not is_same(getattr(answer, name, None), getattr(other, name, None)):
                raise _overflow(case, scene, name)
    return len(kept)


def _overflow(case: Case, scene: Scene, name: str) -> CaseError:
    return case.error(
        "bulk_reference:",
        f"{case.bulk_reference} gives another {name} if the scene's whole numbers have 64 bits "
        f"({describe_scene(scene)}): in NumPy's narrow numbers a result does not fit and wraps, "
        "as it would in the program",
        remedy="Let it compute in np.int64, and cut a result by astype where that is meant.",
    )
