"""Runs a Python function along every path that its inputs allow.

A function that gets numbers of which only a range is known comes to questions such as ``if x < 0``.
`Decisions` answers them: where both answers are possible, the function is run once with each. So a
reference that was written for numbers serves as a specification for all numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import z3

from emu.base.errors import MacproofError
from emu.base.functions import FAILURES
from emu.lift.terms import Condition, simple_condition
from emu.prove.numbers.limits import UndecidedError
from emu.prove.numbers.solving import Assumptions

T = TypeVar("T")

_MOST_PATHS = 4096
_MOST_VALUES = 300


@dataclass(frozen=True, slots=True)
class PathResult(Generic[T]):
    """What a function gives on one path.

    Attributes:
        conditions: what holds of its inputs on this path.
        value: what it returns; None if it raises an exception.
        refusal: the exception, in words; "" if there is none.
    """

    conditions: tuple[z3.BoolRef, ...]
    value: T | None
    refusal: str = ""


class Decisions:
    """The answers that a function gets to questions about its inputs.

    Args:
        assumptions: what is known of the inputs.
    """

    def __init__(self, assumptions: Assumptions) -> None:
        self._assumptions = assumptions
        self._planned: Sequence[bool] = ()
        self._taken: list[bool] = []
        self._conditions: list[z3.BoolRef] = []
        self._open: list[tuple[bool, ...]] = []

    def assume(self, assumptions: Assumptions) -> None:
        """Know something else of the inputs from now on."""
        self._assumptions = assumptions

    def paths(self, function: Callable[[], T]) -> list[PathResult[T]]:
        """Run a function along every path.

        Raises:
            UndecidedError: there are too many paths, or z3 cannot tell whether there is one.
        """
        results: list[PathResult[T]] = []
        self._open = [()]
        while self._open:
            if len(results) == _MOST_PATHS:
                raise UndecidedError(f"the specification has more than {_MOST_PATHS:,} paths")
            self._planned, self._taken, self._conditions = self._open.pop(), [], []
            try:
                value, refusal = function(), ""
            except MacproofError:
                raise
            except FAILURES as error:  # a reference refuses inputs by raising anything
                value, refusal = None, f"{type(error).__name__}: {error}"
            results.append(PathResult(tuple(self._conditions), value, refusal))
        return results

    def decide(self, condition: Condition) -> bool:
        """Whether something holds on the path that is being run."""
        if isinstance(condition, bool):
            return condition
        condition = simple_condition(condition)
        if isinstance(condition, bool):
            return condition
        place = len(self._taken)
        if place < len(self._planned):
            answer = self._planned[place]
        else:
            answer = self._assumptions.allow(*self._conditions, condition)
            if answer and self._assumptions.allow(*self._conditions, z3.Not(condition)):
                self._open.append((*self._taken, False))
        self._taken.append(answer)
        self._conditions.append(condition if answer else z3.Not(condition))
        return answer

    def value_of(self, term: z3.BitVecRef) -> int:
        """The value of a term as a signed number; the function is run with each that it can have.

        Raises:
            UndecidedError: there are too many.
        """
        values = self._assumptions.values(term, self._conditions, _MOST_VALUES)
        if len(values) > _MOST_VALUES:
            raise UndecidedError(
                f"the specification needs one of more than {_MOST_VALUES} values as a plain number"
            )
        last = values.pop()
        found = next((value for value in values if self.decide(term == value)), last)
        return found - (1 << term.size()) if found >> term.size() - 1 else found
