"""Finds the largest domain for which a refuted routine is right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import z3

from emu.prove.calls.inputs import InputSymbol
from emu.prove.numbers.limits import UndecidedError
from emu.prove.proof import Question


@dataclass(frozen=True, slots=True)
class Interval:
    """A range of one input.

    Attributes:
        name: the input.
        low: the least value.
        high: the largest value.
    """

    name: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class RightDomain:
    """Where a routine is right.

    Attributes:
        intervals: the ranges.
        is_box: whether all of them must hold together; else each is enough alone.
    """

    intervals: tuple[Interval, ...] = ()
    is_box: bool = False


def right_domain(question: Question) -> RightDomain:
    """For each input the largest range with which the routine is right, whatever the others are.

    A range begins with 0, or the value next to it, and is made as long as it can be upwards, then
    downwards. If no input has one, a range of each is found with which it is right together.

    Raises:
        UndecidedError: z3 does not decide it in time.
    """
    whole = {
        name: Interval(name, min(s.low for s in own), max(s.high for s in own))
        for name, own in _by_field(question).items()
    }
    found = []
    for name, interval in whole.items():
        longest = _longest(question, {}, name, interval)
        if longest is not None:
            found.append(longest)
    return RightDomain(tuple(found)) if found else RightDomain(tuple(_box(question, whole)), True)


def _box(question: Question, whole: Mapping[str, Interval]) -> list[Interval]:
    """A range of each input with which it is right together, of which none can be made longer.

    Those with few values are made long first, so that flags have all their values where possible.
    """
    names = sorted(whole, key=lambda name: whole[name].high - whole[name].low)
    box = {name: _point(whole[name]) for name in names}
    if not question.is_right(_bounds(question, box)):
        return []
    for name in names:
        box[name] = _longest(question, box, name, whole[name]) or box[name]
    return [box[name] for name in whole]


def _longest(
    question: Question, others: Mapping[str, Interval], name: str, whole: Interval
) -> Interval | None:
    """The longest range of an input where others have theirs; None if it is right nowhere."""
    middle = _point(whole).low

    def is_right(low: int, high: int) -> bool:
        return question.is_right(_bounds(question, {**others, name: Interval(name, low, high)}))

    if not is_right(middle, middle):
        return None
    top = _farthest(middle, whole.high, lambda value: is_right(middle, value))
    bottom = -_farthest(-middle, -whole.low, lambda value: is_right(-value, top))
    return Interval(name, bottom, top)


def _point(whole: Interval) -> Interval:
    """The value next to 0."""
    middle = min(max(0, whole.low), whole.high)
    return Interval(whole.name, middle, middle)


def _by_field(question: Question) -> dict[str, list[InputSymbol]]:
    fields: dict[str, list[InputSymbol]] = {}
    for symbol in question.inputs.symbols:
        fields.setdefault(symbol.field, []).append(symbol)
    return fields


def _bounds(question: Question, box: Mapping[str, Interval]) -> list[z3.BoolRef]:
    return [
        symbol.within(box[symbol.field].low, box[symbol.field].high)
        for symbol in question.inputs.symbols
        if symbol.field in box
    ]


def _farthest(good: int, last: int, is_good: Callable[[int], bool]) -> int:
    """The farthest value that is good, where the first is, and all before a good one are."""
    step = 1
    while good < last:  # first in steps that double, as a bound is often near
        reached = min(good + step, last)
        if not is_good(reached):
            break
        good, step = reached, 2 * step
    else:
        return good
    bad = reached
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if is_good(middle) else (good, middle)
    return good


def domain_or_reason(question: Question) -> tuple[RightDomain, str]:
    """`right_domain`, or why it was not found."""
    try:
        return right_domain(question), ""
    except UndecidedError as error:
        return RightDomain(), str(error)
