"""Votes for the places of a source's globals: their uses beside those of the old program.

Both compilers leave the order in which a function first uses its globals nearly as the source has
it. So the uses of a function in the source are aligned with those of the same function in the old
program, and each pair of uses in a good alignment votes for a place of that global.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from emu.program.functions.model import GlobalUse

_GAP = -0.3
_SAME, _KNOWN, _OTHER = 1.0, 2.0, -2.0
"""What a pair of uses counts; and what more if it is for a known place, or against one."""
_IMPOSSIBLE = -100.0
_ACCESS = 0.5
_TIE = 0.8
"""How much worse an alignment may be whose pairs vote, too."""
_SHARPNESS = 3
_MOST_USES = 400

Votes = Mapping[str, Mapping[int, float]]


@dataclass(frozen=True, slots=True)
class SourceUse:
    """A use of a global of the source: how far from its first byte, and what for."""

    name: str
    offset: int
    use: GlobalUse


@dataclass(frozen=True, slots=True)
class UsesOfFunction:
    """What a function of the source uses, and what the same function of the old program does."""

    new: Sequence[SourceUse]
    old: Sequence[GlobalUse]


class Rooms:
    """The bytes of globals, none of which overlap.

    Args:
        rooms: the bytes of each.
    """

    def __init__(self, rooms: Iterable[range] = ()) -> None:
        self._rooms = sorted(rooms, key=lambda room: room.start)
        self._starts = [room.start for room in self._rooms]

    def overlap(self, room: range) -> bool:
        """Whether some bytes belong to one of them."""
        before = bisect_left(self._starts, room.stop)
        return before > 0 and room.start < self._rooms[before - 1].stop

    def add(self, room: range) -> None:
        """Add one that overlaps none."""
        at = bisect_left(self._starts, room.start)
        self._starts.insert(at, room.start)
        self._rooms.insert(at, room)


def votes_of(
    functions: Sequence[UsesOfFunction],
    known: Mapping[str, int],
    sizes: Mapping[str, int],
) -> Votes:
    """The votes of all functions.

    An old function may use its globals in another order. So what is known is taken out of both
    before the rest is aligned; it has votes of its own, from an alignment of all.

    Args:
        functions: the uses in each function.
        known: globals whose places are known.
        sizes: the bytes of each global; no global can lie over one that is known.
    """
    taken = Rooms(range(at, at + sizes.get(name, 1)) for name, at in known.items())
    votes: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for one in functions:
        for new, address, share in _shares(one.new, one.old, known):
            if new.name in known:
                votes[new.name][address] += share
        rest = [use for use in one.new if use.name not in known]
        free = [use for use in one.old if not taken.overlap(range(use.address, use.address + 1))]
        for new, address, share in _shares(rest, free, {}, sizes, taken):
            votes[new.name][address] += share
    return votes


def _shares(
    new: Sequence[SourceUse],
    old: Sequence[GlobalUse],
    known: Mapping[str, int],
    sizes: Mapping[str, int] | None = None,
    taken: Rooms | None = None,
) -> list[tuple[SourceUse, int, float]]:
    """How each use votes: for which address of its global, and how much; together 1."""
    if not new or not old or max(len(new), len(old)) > _MOST_USES:
        return []
    found = []
    scores = [[_score(one, there, known) for there in old] for one in new]
    if sizes is not None and taken is not None:
        for one, row in zip(new, scores, strict=True):
            for n, there in enumerate(old):
                start = there.address - one.offset
                if taken.overlap(range(start, start + sizes.get(one.name, 1))):
                    row[n] = _IMPOSSIBLE
    for one, own, row in zip(new, scores, _through(scores), strict=True):
        best = max(row)
        shares = {
            n: math.exp((value - best) * _SHARPNESS)
            for n, value in enumerate(row)
            if value >= best - _TIE and own[n] > _IMPOSSIBLE
        }
        whole = sum(shares.values())
        found += [(one, old[n].address - one.offset, share / whole) for n, share in shares.items()]
    return found


def _score(new: SourceUse, old: GlobalUse, known: Mapping[str, int]) -> float:
    """How well two uses go together."""
    score = _SAME
    for one, other in (
        (new.use.writes, old.writes),
        (new.use.reads, old.reads),
        (new.use.takes, old.takes),
    ):
        score += _ACCESS if bool(one) == bool(other) else -_ACCESS
        score += _ACCESS / 2 if one and one == other else 0
    address = known.get(new.name)
    if address is not None:
        score += _KNOWN if old.address - new.offset == address else _OTHER
    return score


def _through(scores: Sequence[Sequence[float]]) -> list[list[float]]:
    """What the best alignment through each pair reaches."""
    before = _before(scores)
    turned = [list(reversed(row)) for row in reversed(scores)]
    after = [list(reversed(row)) for row in reversed(_before(turned))]
    return [
        [b + s + a for b, s, a in zip(*rows, strict=True)]
        for rows in zip(before, scores, after, strict=True)
    ]


def _before(scores: Sequence[Sequence[float]]) -> list[list[float]]:
    """The best alignment of what lies before each pair."""
    width = len(scores[0])
    last = [_GAP * n for n in range(width + 1)]
    best: list[list[float]] = []
    for row in scores:
        best.append(last[:-1])
        new = [last[0] + _GAP]
        for n, score in enumerate(row):
            new.append(max(last[n] + score, last[n + 1] + _GAP, new[n] + _GAP))
        last = new
    return best
