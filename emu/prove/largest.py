"""Finds the largest domain for which a refuted routine is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import z3

from emu.prove.calls.inputs import InputSymbol
from emu.prove.numbers.limits import UndecidedError
from emu.prove.proof import Question


@dataclass(frozen=True, slots=True)
class Interval:
    """A range of one input, or of all.

    Attributes:
        name: the input; "" for all inputs together.
        low: the least value.
        high: the largest value.
    """

    name: str
    low: int
    high: int


def right_intervals(question: Question) -> list[Interval]:
    """For each input the largest range with which the routine is right, whatever the others are.

    A range begins with 0, or the value next to it, and is made as long as it can be upwards, then
    downwards. If no input has one, the largest range for all inputs at once is found.

    Raises:
        UndecidedError: z3 does not decide it in time.
    """
    fields = dict.fromkeys(symbol.field for symbol in question.inputs.symbols)
    found = [interval for name in fields if (interval := _of_field(question, name)) is not None]
    return found or list(_of_all(question))


def _of_field(question: Question, name: str) -> Interval | None:
    own = [symbol for symbol in question.inputs.symbols if symbol.field == name]
    low, high = min(s.low for s in own), max(s.high for s in own)
    middle = min(max(0, low), high)

    def is_right(least: int, most: int) -> bool:
        return question.is_right(_within(own, least, most))

    if not is_right(middle, middle):
        return None
    top = _farthest(middle, high, lambda value: is_right(middle, value))
    bottom = -_farthest(-middle, -low, lambda value: is_right(-value, top))
    return None if (bottom, top) == (low, high) else Interval(name, bottom, top)


def _of_all(question: Question) -> Iterator[Interval]:
    every = question.inputs.symbols
    most = max(max(abs(symbol.low), abs(symbol.high)) for symbol in every)

    def is_right(bound: int) -> bool:
        return question.is_right(_within(every, -bound, bound))

    if is_right(0):
        bound = _farthest(0, most, is_right)
        yield Interval("", -bound, bound)


def _within(symbols: Sequence[InputSymbol], low: int, high: int) -> list[z3.BoolRef]:
    return [symbol.within(low, high) for symbol in symbols]


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


def intervals_or_reason(question: Question) -> tuple[list[Interval], str]:
    """`right_intervals`, or why they were not found."""
    try:
        return right_intervals(question), ""
    except UndecidedError as error:
        return [], str(error)
