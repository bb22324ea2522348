"""Which calls of a function are kept: some of each path through its code, early and late ones."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

_PATIENCE = 40
"""How many times as many calls as are kept are looked at; then the function runs unwatched, so that
one that is called a million times does not slow the run."""
_GROWTH = 4.0
"""How many times e-fold the calls grow over half as many tries as calls are kept, when there is no
more room: the 90th that is tried of a function that is called so often is about the 3,000th."""
_MOST_TRIES = 3
"""How many times as many calls as are kept are tried: what a call will do is known at its end."""
_MORE = 10
"""How many calls are tried at once when the function has gone where it never went."""

Path = frozenset[tuple[int, int]]
"""The steps from block to block of a function that a call took: distances from its beginning."""


@dataclass(frozen=True, slots=True)
class _KeptCall:
    number: int
    turn: int
    path: Path


class CallChoice:
    """Chooses among the calls of one function.

    Args:
        most: how many are kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._looked = self._tried = self._due = self._more = 0
        self._patience = _PATIENCE * most
        self._seen: set[int] = set()
        self._kept: list[_KeptCall] = []

    @property
    def count(self) -> int:
        """How many calls are kept."""
        return len(self._kept)

    @property
    def is_done(self) -> bool:
        """Whether no further call need be looked at, unless `expect_more` says so."""
        return self._looked >= self._patience or self._tried >= _MOST_TRIES * self._most

    def expect_more(self) -> None:
        """Try the next calls, since a new step was taken, which other calls may take as well."""
        self._more = _MORE
        self._patience = max(self._patience, self._looked + self._most)

    def is_tried(self, values: Callable[[], int]) -> bool:
        """Whether a call that begins is tried: whether it may be worth keeping.

        Args:
            values: a number that stands for arguments and globals. No two calls with the same are
                tried.
        """
        if self.is_done:
            return False
        self._looked += 1
        # The room is full after a few moves of a game; later calls take the place of some.
        is_later = self._tried >= self._most
        if is_later and self._looked < self._due and not self._more:
            return False
        number = values()
        if number in self._seen:
            return False
        self._seen.add(number)
        self._tried += 1
        self._more = max(self._more - 1, 0)
        if is_later:
            self._due = int(self._looked * (1 + 2 * _GROWTH / self._most)) + 1
        return True

    def keep(self, number: int, turn: int, path: Path) -> int | None:
        """Keep a call; the number of the one that has to go for it, which may be the same.

        Args:
            number: the call's.
            turn: which call of the function it was.
            path: where it went.
        """
        self._kept.append(_KeptCall(number, turn, path))
        if len(self._kept) <= self._most:
            return None
        gone = self._least()
        self._kept.remove(gone)
        return gone.number

    def _least(self) -> _KeptCall:
        """The call that is missed least.

        That is one of the path with the most calls. If each path has one, it is one whose steps are
        all in others; else the last one.
        """
        paths = Counter(call.path for call in self._kept)
        most = max(paths.values())
        if most > 1:
            path = next(path for path, count in paths.items() if count == most)
            return _closest(call for call in self._kept if call.path == path)
        steps = Counter(step for call in self._kept for step in call.path)
        spare = [call for call in self._kept if all(steps[step] > 1 for step in call.path)]
        return _closest(spare) if spare else self._kept[-1]


def _closest(calls: Iterable[_KeptCall]) -> _KeptCall:
    """The call that came soonest after the one before it; the only one if there is one."""
    order = sorted(calls, key=lambda call: call.turn)
    pairs = list(itertools.pairwise(order))
    return min(pairs, key=lambda pair: pair[1].turn - pair[0].turn)[1] if pairs else order[0]
