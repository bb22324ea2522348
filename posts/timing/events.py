"""What a routine's work consists of, and counts of these events, such as tested pairs."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from emu.cases.scenes import scene_of
from emu.timing.predict import TimingPlan
from emu.verify.answers.answers import ask_reference
from macproof import Case, CaseError
from posts.case_section import section_of


@dataclass(frozen=True, slots=True)
class Harness:
    """The application of a case that measures its own speed.

    Attributes:
        application: the application's name for ``macproof build --mac``.
        seconds: the preprocessor macro that sets how many seconds an experiment takes.
    """

    application: str
    seconds: str


@dataclass(frozen=True, slots=True)
class TimedWork:
    """What a case file says below ``extra: {posts: {timing: ...}}``.

    Attributes:
        events: what the routine's work consists of. The key names it ("pairs tested"), the value is
            the attribute of the reference's answer that counts it.
        also: further events that are only shown.
        harness: the application that measures its own speed, or None.
    """

    events: Mapping[str, str]
    also: Mapping[str, str]
    harness: Harness | None


def work_of(case: Case) -> TimedWork:
    """What a case says of its routine's work; nothing if it has no such section.

    Raises:
        CaseError: the section is wrong.
    """
    section = section_of(case)
    data = {} if section is None else section.data.get("timing", {})
    harness = Harness(**data["harness"]) if "harness" in data else None
    return TimedWork(data.get("events", {}), data.get("also", {}), harness)


def count_events(
    case: Case, plan: TimingPlan, words: Mapping[str, str]
) -> dict[int, dict[str, float]]:
    """Count events on the scenes of a plan.

    Args:
        case: the case.
        plan: the scenes.
        words: by the event's name, the attribute of the reference's answer that holds its count.

    Returns:
        The mean number of each event per call, by number of objects, then by the event's name.

    Raises:
        CaseError: an answer has no such attribute, or it is not an integer of at least 0.
    """
    counts = {}
    for objects in plan.objects if words else ():
        answers = [ask_reference(case, scene_of(case, spec)) for spec in plan.specs(objects)]
        counts[objects] = {
            word: sum(_number(case, answer, attribute) for answer in answers) / len(answers)
            for word, attribute in words.items()
        }
    return counts


def _number(case: Case, answer: Any, attribute: str) -> int:
    try:
        value = getattr(answer, attribute)
    except AttributeError as error:
        raise CaseError(case.path, f"{case.reference} returns no {attribute}") from error
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if number < 0:
        raise CaseError(
            case.path,
            f"{case.reference} returns {attribute} as {value!r}, not as a number of events",
        )
    return number
