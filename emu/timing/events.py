"""How often the algorithm does what: exact counts, by the reference, of no program."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from emu.base.errors import CaseError
from emu.cases.case import Case
from emu.cases.scenes import ask_reference, scene_of
from emu.timing.predict import Plan


def count_events(case: Case, plan: Plan, words: Mapping[str, str]) -> dict[int, dict[str, float]]:
    """The mean number of each event in a call, by number of objects.

    Args:
        case: whose reference is asked.
        plan: the scenes.
        words: the attribute of the reference's answer that has the number, by the event's name.

    Raises:
        CaseError: an answer has no such attribute, or it is no whole number from 0.
    """
    found = {}
    for objects in plan.objects if words else ():
        answers = [
            ask_reference(case, scene_of(case, spec.generator, spec.objects, spec.seed))
            for spec in plan.specs(objects)
        ]
        found[objects] = {
            word: sum(_number(case, answer, attribute) for answer in answers) / len(answers)
            for word, attribute in words.items()
        }
    return found


def _number(case: Case, answer: Any, attribute: str) -> int:
    try:
        value = getattr(answer, attribute)
    except AttributeError as error:
        raise CaseError(case.path, f"{case.reference} gives no {attribute}") from error
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if number < 0:
        raise CaseError(
            case.path, f"{case.reference} gives {attribute} as {value!r}, not as a number of events"
        )
    return number
