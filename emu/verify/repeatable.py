"""Whether scenes and references depend on nothing but what they are given."""

from __future__ import annotations

from typing import Any

from emu.base.errors import CaseError
from emu.cases.case import Case, Scene
from emu.cases.scene_changes import changed_attribute
from emu.cases.scenes import ask_reference, scene_of
from emu.verify.verdicts import SceneSpec

_REMEDY = (
    "It must depend on nothing else: no clock, no random numbers without a seed, nothing kept of "
    "earlier calls."
)


def require_repeatable(case: Case, spec: SceneSpec, scene: Scene, answer: Any) -> None:
    """Make a scene again, and ask the reference for it again.

    A verdict that rests on what comes out otherwise each time could not be replayed.

    Args:
        case: the case.
        spec: what the scene was made of.
        scene: the scene.
        answer: what the reference says of it.

    Raises:
        CaseError: the scene, or what is observed of the answer, is another one now.
    """
    again = scene_of(case, spec.generator, spec.objects, spec.seed)
    changed = changed_attribute(scene, again)
    if changed:
        problem = f"{case.make} makes another {changed} each time it is asked ({spec})"
        raise CaseError(case.path, problem, remedy=_REMEDY)
    second = ask_reference(case, again)
    for name in dict.fromkeys(observed.attribute for observed in case.observed):
        if changed_attribute([_held(answer, name)], [_held(second, name)]):
            problem = f"{case.reference} gives another {name} each time it is asked ({spec})"
            raise CaseError(case.path, problem, remedy=_REMEDY)


def _held(answer: Any, name: str) -> Any:
    try:
        return getattr(answer, name)
    except (Exception, SystemExit):  # it is told of where the answer is compared
        return None
