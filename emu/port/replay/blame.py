"""Tells whether a difference comes from old functions that read what nobody wrote, and from which.

A new function is called once more, and each old one that it calls then finds in free registers and
below the stack what it found when the original called it. If the difference is gone, the original
itself has it. Which function reads there is seen by making the original's call with junk there, for
one function at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from emu.port.replay.callees import STACK, Callee, CalleeReplay, RepeatedCall
from emu.port.replay.replayer import ReplayOutcome

_WORDS = {STACK: "its frame"}
_MOST_TRIED = 400


@dataclass(frozen=True, slots=True)
class Culprit:
    """An old function that reads what nobody wrote.

    Attributes:
        name: its name.
        place: where it lies.
        parts: where it reads: registers, or `STACK`; none if only some of them together show it.
    """

    name: str
    place: str
    parts: tuple[str, ...]

    def __str__(self) -> str:
        parts = " and ".join(_WORDS.get(part, part.upper()) for part in self.parts)
        return f"{self.name} ({self.place}) reads {parts or 'something'} before it has written it"


class CalleeBlame:
    """Finds out what old functions have to do with differences.

    Args:
        replay: makes calls once more.
        callees: the old functions, by address.
        old: the address of the old function that is compared.
    """

    def __init__(self, replay: CalleeReplay, callees: Mapping[int, Callee], old: int) -> None:
        self._replay, self._callees, self._old = replay, callees, old

    def as_the_original_called(
        self, terms: RepeatedCall, new: int, other: RepeatedCall | None = None
    ) -> ReplayOutcome:
        """A call of another function in which old ones find what the original left to them.

        Args:
            terms: the call of the original.
            new: the address of the other function.
            other: its call, if it is not the same.
        """
        _, notes = self._replay.note(terms, self._old, self._callees)
        return self._replay.give(other or terms, new, self._callees, notes.entries)

    def culprits(
        self, terms: RepeatedCall, differs: Callable[[ReplayOutcome], bool]
    ) -> tuple[Culprit, ...]:
        """The old functions that read what nobody wrote, by name; the innermost ones.

        Args:
            terms: a call of the old function that is compared.
            differs: whether an outcome is another one than that of the old function.
        """
        _, notes = self._replay.note(terms, self._old, self._callees)
        found: dict[str, Callee] = {}
        for callee in list(self._callees.values())[:_MOST_TRIED]:
            if callee.place in notes.called and self._shows(terms, callee, differs):
                found[callee.place] = callee
        innermost = [
            callee
            for place, callee in found.items()
            if not any(
                other in found and place not in notes.called[other]
                for other in notes.called[place] - {place}
            )
        ]
        return tuple(
            Culprit(
                callee.name,
                callee.place,
                tuple(
                    part
                    for part in self._replay.parts(callee)
                    if self._shows(terms, callee, differs, part)
                ),
            )
            for callee in sorted(innermost, key=lambda callee: callee.name)
        )

    def _shows(
        self,
        terms: RepeatedCall,
        callee: Callee,
        differs: Callable[[ReplayOutcome], bool],
        part: str = "",
    ) -> bool:
        own = {at: each for at, each in self._callees.items() if each == callee}
        parts = (part,) if part else ()
        return any(
            differs(self._replay.junk(terms, self._old, own, junk, parts)) for junk in (0, 1)
        )
