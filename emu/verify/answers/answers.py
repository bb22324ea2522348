"""Asks the reference of a case, of whatever kind it is, for its answer to a scene."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from emu.base.errors import UsageError
from emu.cases import scenes
from emu.cases.case import Case
from emu.cases.keys.libraries import Library
from emu.cases.keys.parts import Scene
from emu.cases.recorded_calls import called_by
from emu.cases.scene_changes import changed_attribute
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


def ask_each_reference(case: Case, made: Sequence[Scene]) -> list[Any]:
    """What the reference answers to each of some scenes; a `ReferenceRefusal` where it does not.

    Raises:
        GuestError, CaseError: as of `ask_reference`.
    """
    if case.routine is None and case.reference:
        return scenes.ask_each(case, case.reference, made)
    answers: list[Any] = []
    for scene in made:
        try:
            answers.append(ask_reference(case, scene))
        except UsageError as error:
            answers.append(scenes.ReferenceRefusal.of(error))
    return answers


def ask_references(case: Case, made: Sequence[Scene], digests: Sequence[bytes]) -> list[Any]:
    """The reference's answers to scenes, in their order.

    A reference in Python is asked once for each distinct input, since the routine under test, too,
    finds nothing else of a scene. It may look at more all the same, such as the scene's seed. So of
    equal inputs the last is asked about as a control, and all are if its answer is another one.

    Args:
        case: the case.
        made: the scenes.
        digests: the digest of each scene's input, from `digests_of`.

    Raises:
        UsageError, GuestError, CaseError: as of `ask_reference`.
    """
    if case.routine is not None:
        return [ask_reference(case, scene) for scene in made]
    if called_by(case, case.reference):  # its calls of Python functions are a part of its answer
        return scenes.ask_references(case, made)
    alike: dict[bytes, list[int]] = {}
    for row, digest in enumerate(digests):
        alike.setdefault(digest, []).append(row)
    asked = sorted({row for rows in alike.values() for row in (rows[0], rows[-1])})
    given = scenes.ask_references(case, [made[row] for row in asked])
    answers = dict(zip(asked, given, strict=True))
    for rows in alike.values():
        first, *rest = rows
        rest = [row for row in rest if row not in answers]
        if rest and differing_attribute(case, answers[first], answers[rows[-1]]):
            given = scenes.ask_references(case, [made[row] for row in rest])
            answers.update(zip(rest, given, strict=True))
        answers.update({row: answers[first] for row in rest if row not in answers})
    return [answers[row] for row in range(len(made))]


def differing_attribute(case: Case, first: Any, second: Any) -> str:
    """The first observed attribute in which two answers differ, or ""."""
    for name in dict.fromkeys(observed.attribute for observed in case.observed):
        if changed_attribute([_value_of(first, name)], [_value_of(second, name)]):
            return name
    return ""


def _value_of(answer: Any, name: str) -> Any:
    try:
        return getattr(answer, name)
    except (Exception, SystemExit):  # where the answer is compared, this is reported as an error
        return None
