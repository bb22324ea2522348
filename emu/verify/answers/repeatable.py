"""Checks that a scene and its reference give the same values each time they are computed."""

from __future__ import annotations

from typing import Any

from emu.base.errors import CaseError
from emu.cases.case import Case
from emu.cases.keys.parts import Scene
from emu.cases.scene_changes import changed_attribute
from emu.cases.scenes import scene_of
from emu.verify.answers.answers import ask_reference, differing_attribute
from emu.verify.scenes.scene_spec import SceneSpec

_REMEDY = (
    "It must depend on its arguments alone: no clock, no random numbers without a seed, no data "
    "kept from earlier calls."
)


def require_repeatable(case: Case, spec: SceneSpec, scene: Scene, answer: Any) -> None:
    """Make a scene and the reference's answer a second time, and compare.

    If they differ, for example because the generator uses random numbers without a seed, nobody
    could replay the verdict.

    Args:
        case: the case.
        spec: the name of the scene.
        scene: the scene as it was made first.
        answer: the reference's first answer to it.

    Raises:
        CaseError: the second scene, or an observed attribute of the second answer, differs.
    """
    again = scene_of(case, spec)
    changed = changed_attribute(scene, again)
    if changed:
        problem = f"{case.make} makes a different {changed} each time it is called ({spec})"
        raise CaseError(case.path, problem, remedy=_REMEDY)
    require_same_answer(case, spec, again, answer)


def require_same_answer(case: Case, spec: SceneSpec, scene: Scene, answer: Any) -> None:
    """Ask the reference a second time about a scene, and compare the answers.

    Args:
        case: the case.
        spec: the name of the scene, for the message.
        scene: the scene.
        answer: the reference's first answer.

    Raises:
        CaseError: an observed attribute of the second answer differs.
    """
    second = ask_reference(case, scene)
    name = differing_attribute(case, answer, second)
    if name:
        problem = f"{case.reference} returns a different {name} each time it is called ({spec})"
        raise CaseError(case.path, problem, remedy=_REMEDY)
