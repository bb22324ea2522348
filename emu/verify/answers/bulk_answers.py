"""Asks the bulk reference of a case, and checks its answers against the reference.

The reference says what is right, one scene at a time. A bulk reference says the same about many
scenes in one call, faster. Nobody has to believe that: the reference is asked about a sample of the
scenes, too (`emu.verify.scenes.sample`), and a difference is an error of the case.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from emu.base.errors import CaseError
from emu.cases.case import Case
from emu.cases.keys.parts import Scene, describe_scene
from emu.cases.keys.scene_name import SceneName
from emu.cases.scenes import ask_bulk_reference, ask_reference, scene_of
from emu.verify.scenes.input_digests import SceneInputs, digests_of


def bulk_answers(case: Case, scenes: Sequence[Scene], inputs: SceneInputs) -> Sequence[Any]:
    """Ask the bulk reference about scenes.

    Args:
        case: the case.
        scenes: the scenes.
        inputs: what the scenes laid into memory before the call.

    Returns:
        One answer for each scene, in order.

    Raises:
        UsageError: the bulk reference raises an exception.
        CaseError: it gives more or fewer answers than scenes, or changes a scene.
    """
    answers = ask_bulk_reference(case, scenes)
    changed = inputs.first_difference(SceneInputs.of(case, scenes))
    if changed is not None:
        which = describe_scene(scenes[changed])
        raise case.error(
            "bulk_reference:",
            f"{case.bulk_reference} changes a scene that it is given ({which})",
            remedy="Let it work on a copy, and leave the scene as it is.",
        )
    return answers


def reference_that_agrees(case: Case, scene: Scene, answer: Any) -> Any:
    """Ask the reference about a scene, and compare with the bulk reference's answer.

    Args:
        case: the case.
        scene: the scene.
        answer: the bulk reference's answer.

    Raises:
        CaseError: the two differ in an observed attribute.
        UsageError: the reference raises an exception.
    """
    own = ask_reference(case, scene)
    for name in dict.fromkeys(observed.attribute for observed in case.observed):
        wanted, given = getattr(own, name, None), getattr(answer, name, None)
        if not is_same(wanted, given):
            raise disagreement(case, scene, name, "bulk_reference", case.bulk_reference)
    return own


def scene_as_made(case: Case, name: SceneName, digest: bytes) -> Scene:
    """Make a scene alone that was made in one call with others, and compare the two.

    Args:
        case: the case.
        name: the generator, number of objects and seed.
        digest: the digest, from `digests_of`, of the scene that was made with others.

    Raises:
        UsageError: the generator raises an exception.
        CaseError: the two scenes lay different values into guest memory.
    """
    alone = scene_of(case, name)
    if digests_of(case, [alone]) != [digest]:
        raise case.error(
            "bulk_make:",
            f"{case.bulk_make} makes another scene than {case.make} ({describe_scene(alone)})",
            remedy="Mend it, or leave bulk_make out: what make makes is the scene.",
        )
    return alone


def disagreement(case: Case, scene: Scene, name: str, key: str, dotted: str) -> CaseError:
    """The error that a function gives another value of an attribute than the reference does.

    Args:
        case: the case.
        scene: the scene.
        name: the attribute.
        key: the key of the case file that names the function: "bulk_reference".
        dotted: the dotted name of the function.
    """
    return case.error(
        f"{key}:",
        f"{dotted} gives another {name} than {case.reference} ({describe_scene(scene)})",
        remedy=f"Mend it, or leave {key} out: the reference is what says what is right.",
    )


def is_same(mine: Any, other: Any) -> bool:
    """Whether two attributes have the same shape, values and masked elements."""
    if mine is None or other is None or isinstance(mine, (str, bytes)):
        return type(mine) is type(other) and mine == other
    first, second = np.ma.asarray(mine), np.ma.asarray(other)
    if first.shape != second.shape:
        return False
    masks = np.ma.getmaskarray(first), np.ma.getmaskarray(second)
    is_equal = (first.data == second.data) | (
        (first.data != first.data) & (second.data != second.data)
    )
    return bool((masks[0] == masks[1]).all() and (is_equal | masks[0]).all())
