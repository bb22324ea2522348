"""Rules: conditions that measured figures must meet for a claim to hold.

A condition is a comparison of a figure with a number or with another figure, with spaces between::

    missed == 0
    ratio >= 19.5
    tests_of_50 == pairs_of_50
    ratio within 5 % of 20

A rule has two lists of conditions. The claim *holds* if all conditions of the first are met. It
*holds with a condition* if all of the second are met. Otherwise it does *not hold*.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from macproof import UsageError

HOLDS = "holds"
WITH_CONDITION = "holds with a condition"
FAILS = "does not hold"
CANNOT = "cannot be measured"
NOT_RUN = "not run"
VERDICTS = (HOLDS, WITH_CONDITION, FAILS, CANNOT, NOT_RUN)
"""All verdicts. A claim that cannot be measured has no rule. A claim not run has no figures."""

_NAME = r"[a-z][a-z0-9_]*"
_NUMBER = r"-?[0-9]+(?:\.[0-9]+)?"
_CONDITION = re.compile(
    rf"(?P<figure>{_NAME}) "
    rf"(?:(?P<sign>==|!=|<=|>=|<|>)|within (?P<percent>{_NUMBER}) % of) "
    rf"(?P<other>{_NAME}|{_NUMBER})"
)
_SIGNS: Mapping[str, Callable[[float, float], bool]] = MappingProxyType(
    {
        "==": operator.eq,
        "!=": operator.ne,
        "<": operator.lt,
        "<=": operator.le,
        ">": operator.gt,
        ">=": operator.ge,
    }
)


@dataclass(frozen=True, slots=True)
class Condition:
    """One comparison.

    Attributes:
        text: the condition as it was written.
        figure: the name of the figure on the left.
        sign: a comparison sign, or "within".
        percent: for "within", by how many percent the figure may differ.
        other: the number or the name on the right.
    """

    text: str
    figure: str
    sign: str
    percent: float
    other: float | str

    @classmethod
    def parse(cls, text: str) -> Condition:
        """Read a condition.

        Raises:
            UsageError: the text is no condition; the message shows examples.
        """
        match = _CONDITION.fullmatch(text)
        if not match:
            raise UsageError(
                f"{text!r} is no condition; conditions are like missed == 0, "
                "tests <= pairs, ratio within 5 % of 20"
            )
        other = match["other"]
        return cls(
            text,
            match["figure"],
            match["sign"] or "within",
            float(match["percent"] or 0),
            float(other) if re.fullmatch(_NUMBER, other) else other,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the figures that the condition needs."""
        return (self.figure, *((self.other,) if isinstance(self.other, str) else ()))

    def is_met(self, figures: Mapping[str, float]) -> bool:
        """Whether figures meet the condition.

        Raises:
            UsageError: a figure that it needs was not measured.
        """
        value, other = (self._value(figures, what) for what in (self.figure, self.other))
        if self.sign == "within":
            return abs(value - other) <= abs(other) * self.percent / 100
        return _SIGNS[self.sign](value, other)

    def _value(self, figures: Mapping[str, float], what: float | str) -> float:
        if not isinstance(what, str):
            return what
        if what not in figures:
            raise UsageError(
                f"the condition {self.text} is about {what}, which was not measured; "
                f"measured were {', '.join(figures)}"
            )
        return figures[what]


@dataclass(frozen=True, slots=True)
class Rule:
    """When a claim holds, and when it holds with a condition.

    Attributes:
        holds: the conditions for "holds", all of which must be met. If there are none, that
            verdict is never given.
        with_condition: the same for "holds with a condition".
    """

    holds: tuple[Condition, ...]
    with_condition: tuple[Condition, ...] = ()

    @classmethod
    def parse(cls, holds: Sequence[str], with_condition: Sequence[str] = ()) -> Rule:
        """Read both lists.

        Raises:
            UsageError: a text is no condition, or both lists are empty.
        """
        if not holds and not with_condition:
            raise UsageError(
                "a rule needs a condition: without one its verdict would not depend on the figures"
            )
        lists = [tuple(map(Condition.parse, texts)) for texts in (holds, with_condition)]
        return cls(*lists)

    def verdict(self, figures: Mapping[str, float]) -> str:
        """The verdict that follows from figures.

        Raises:
            UsageError: a figure that the rule needs was not measured.
        """
        met = [
            [condition.is_met(figures) for condition in conditions]
            for conditions in (self.holds, self.with_condition)
        ]
        for verdict, answers in zip((HOLDS, WITH_CONDITION), met, strict=True):
            if answers and all(answers):
                return verdict
        return FAILS

    def __str__(self) -> str:
        parts = [
            f"{verdict} if {' and '.join(condition.text for condition in conditions)}"
            for verdict, conditions in ((HOLDS, self.holds), (WITH_CONDITION, self.with_condition))
            if conditions
        ]
        return "; ".join([*parts, f"otherwise {FAILS}"])
