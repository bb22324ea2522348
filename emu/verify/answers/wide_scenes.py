"""Scenes whose whole numbers have 64 bits, to find sums and products that do not fit.

Arrays of 16 or 32 bits wrap silently in NumPy, as they do in the program under test: both then
have the same wrong answer. With room for every bit the answer is another one.
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
    """Ask the bulk reference about widened scenes, and compare.

    Args:
        case: the case.
        scenes: the scenes.
        answers: what it says of each.

    Returns:
        Of how many scenes it was asked. None of which nothing can be widened, and none at all if it
        cannot work with numbers of 64 bits.

    Raises:
        CaseError: it gives another answer.
    """
    pairs = [(widened(scene), answer) for scene, answer in zip(scenes, answers, strict=True)]
    kept = [(scene, answer) for scene, answer in pairs if scene is not None]
    if not kept:
        return 0
    try:
        wide = ask_bulk_reference(case, [scene for scene, _ in kept])
    except MacproofError:
        return 0  # it looks at the bytes of its numbers, for example
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
