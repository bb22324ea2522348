"""Asks the reference of a case, of whatever kind it is, for its answer to a scene."""

from __future__ import annotations

from typing import Any

from emu.cases import scenes
from emu.cases.case import Case
from emu.cases.keys.libraries import Library
from emu.cases.keys.parts import Scene
from emu.verify.answers.library import ask_library
from emu.verify.answers.oracle import oracle_of


def ask_reference(case: Case, scene: Scene) -> Any:
    """The reference's answer to a scene: an object with an attribute for each observed value.

    Raises:
        UsageError: a reference in Python raises an exception.
        GuestError: a reference that is a routine of an old program or a library does not return.
        CaseError: the reference changes the scene, or its answer depends on more than the scene.
    """
    if isinstance(case.routine, Library):
        return ask_library(case, case.routine, scene)
    if case.routine is not None:
        return oracle_of(case, case.routine).answer(scene)
    return scenes.ask_reference(case, scene)
