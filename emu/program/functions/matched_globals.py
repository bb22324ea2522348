"""Finds where the globals of a compiled source lie in an old program.

Both compilers leave the order in which a function first uses its globals nearly as the source has
it. So the uses of a function in the source are aligned with those of the same function in the old
program. Each pair of uses in a good alignment votes for a place of that global; all pairs of
functions vote. What has most votes guides the next alignment. Variables whose distances are known,
because a compiler lays out a file by a rule, vote together for the place of the first.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from emu.program.functions.model import GlobalUse, ProgramFunction, ProgramFunctions
from emu.program.model.model import Symbol, source_name

_STATIC = re.compile(r"([A-Za-z_]\w*)\.\d+")
_ROUNDS = 4
_GAP = -0.3
_SAME, _KNOWN, _OTHER = 1.0, 2.0, -2.0
"""What a pair of uses counts; and what more if the votes so far are for it, or for another."""
_ACCESS = 0.5
_TIE = 0.8
"""How much worse an alignment may be whose pairs vote, too."""
_CERTAIN = 2.0
"""How many times the votes for any other place a place needs to be certain."""
_LEAST_OF_LAYOUT = 2.0
_WHOLE = 0.5
"""So many more votes for the parts of a layout are no sign that they lie apart."""
_OWN_VOTES = 1.0
"""So many votes of a global for another place take it out of its layout."""
_LEAST_AGAINST = 2.0
"""So many uses speak against a place that somebody gave."""
_MOST_USES = 400
_MOST_CANDIDATES = 3

Votes = Mapping[str, Mapping[int, float]]
Layout = Mapping[str, int]
FunctionPair = tuple[ProgramFunction, ProgramFunction]


@dataclass(frozen=True, slots=True)
class PlaceOfGlobal:
    """A place where a global may lie.

    Attributes:
        address: the address of its first byte.
        votes: how many pairs of uses are for it; a pair that fits several places counts for less.
    """

    address: int
    votes: float


@dataclass(frozen=True, slots=True)
class MatchedGlobal:
    """A global of the source, and where it may lie in the old program.

    Attributes:
        name: its name in the source.
        candidates: the places, the likeliest first; at least one.
        layout: if its place follows from that of a layout, the votes for this, and those for the
            next place of the layout.
    """

    name: str
    candidates: tuple[PlaceOfGlobal, ...]
    layout: tuple[float, float] | None = None

    @property
    def is_certain(self) -> bool:
        """Whether the first place, or that of its layout, has far more votes than any other."""
        first = self.candidates[0].votes
        second = max((place.votes for place in self.candidates[1:]), default=0.0)
        if self.layout is not None and self.layout[0] >= _CERTAIN * self.layout[1]:
            return _CERTAIN * first >= second
        return first >= _CERTAIN * second

    @property
    def is_contradicted(self) -> bool:
        """Whether another place has far more votes than the first, which somebody else gave."""
        return len(self.candidates) == 2 and self.candidates[1].votes >= max(
            _CERTAIN * self.candidates[0].votes, _LEAST_AGAINST
        )


@dataclass(frozen=True, slots=True)
class _Use:
    """A use of a global of the source: how far from its first byte, and what for."""

    name: str
    offset: int
    use: GlobalUse


class GlobalMatching:
    """Matches the globals of a source with places in an old program.

    Args:
        sizes: the bytes of the globals of the source, as far as they are known.
        layouts: globals that may lie together, with the distance of each from the first; and behind
            that, the parts of this layout, which may lie apart. A global whose uses are for another
            place is left out.
        fixed: globals whose places are known.
    """

    def __init__(
        self,
        sizes: Mapping[str, int],
        layouts: Sequence[Sequence[Layout]] = (),
        fixed: Mapping[str, int] | None = None,
    ) -> None:
        self._sizes = sizes
        self._fixed = dict(fixed or {})
        self._layouts = layouts
        self._pairs: list[tuple[list[_Use], list[GlobalUse]]] = []

    def add(
        self,
        source: ProgramFunctions,
        pairs: Iterable[FunctionPair],
        names: Callable[[int], tuple[str, int] | None] | None = None,
    ) -> None:
        """Let functions of a source that was compiled for the same processor vote.

        Args:
            source: its functions.
            pairs: some of them, each with the same one of the old program.
            names: the global at an address of the source, and the distance from its first byte;
                None takes the names of symbols.
        """
        symbols = _Symbols(source)
        for new, old in pairs:
            uses = [use for use in old.contents.globals if _is_own(use)]
            named = (
                (names(use.address) if names else symbols.at(use.address, new), use)
                for use in new.contents.globals
            )
            self._pairs.append(([_Use(*one, use) for one, use in named if one], uses))

    def globals(self) -> dict[str, MatchedGlobal]:
        """The globals that have a place, by their names."""
        found: dict[str, MatchedGlobal] = {}
        for _ in range(_ROUNDS):
            # A tie would decide itself if it guided the next alignment.
            known = {n: m.candidates[0].address for n, m in found.items() if m.is_certain}
            known |= self._fixed
            votes = self._votes(known)
            placed = self._laid_out(votes)
            sure = {name: at for name, (at, _) in placed.items()} | self._fixed
            chosen = self._choice(votes, sure).items()
            found = {
                name: self._matched(
                    name, address, votes, None if name in self._fixed else placed.get(name)
                )
                for name, address in chosen
            }
        return found

    def _laid_out(self, votes: Votes) -> dict[str, tuple[int, tuple[float, float]]]:
        """Where the globals of layouts lie whose place is certain, with the votes of the layout."""
        placed: dict[str, tuple[int, tuple[float, float]]] = {}
        taken: list[range] = []
        chosen = [one for layout in self._layouts for one in _best_parts(layout, votes)]
        for one in sorted(chosen, key=lambda one: one.second - one.votes):
            rooms = {
                name: range(at, at + max(self._sizes.get(name, 1), 1))
                for name, distance in one.layout.items()
                if (at := one.start + distance) and _agrees(votes.get(name, {}), at)
            }
            for name, room in rooms.items():
                if not any(_overlap(room, other) for other in taken):
                    placed[name] = room.start, (round(one.votes, 1), round(one.second, 1))
            taken += rooms.values()
        return placed

    def _votes(self, chosen: Mapping[str, int]) -> Votes:
        votes: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        for new, old in self._pairs:
            if not new or not old or max(len(new), len(old)) > _MOST_USES:
                continue
            scores = [[_score(one, there, chosen) for there in old] for one in new]
            through = _through(scores)
            for one, row in zip(new, through, strict=True):
                best = max(row)
                shares = {
                    n: math.exp((value - best) * 3)
                    for n, value in enumerate(row)
                    if value >= best - _TIE
                }
                whole = sum(shares.values())
                for n, share in shares.items():
                    votes[one.name][old[n].address - one.offset] += share / whole
        return votes

    def _choice(self, votes: Votes, placed: Mapping[str, int]) -> dict[str, int]:
        """A place for each global, some of which are placed; no two overlap."""
        ranked = sorted(
            (
                (count, name, address)
                for name, each in votes.items()
                for address, count in each.items()
            ),
            key=lambda item: (-item[0], item[1], item[2]),
        )
        chosen = dict(placed)
        taken = [
            range(address, address + max(self._sizes.get(name, 1), 1))
            for name, address in placed.items()
        ]
        for _, name, address in ranked:
            room = range(address, address + max(self._sizes.get(name, 1), 1))
            if name in chosen or any(_overlap(room, other) for other in taken):
                continue
            chosen[name] = address
            taken.append(room)
        return chosen

    def _matched(
        self,
        name: str,
        address: int,
        votes: Votes,
        layout: tuple[int, tuple[float, float]] | None,
    ) -> MatchedGlobal:
        own = votes.get(name, {})
        ranked = sorted(own, key=lambda place: (-own[place], place))
        others = [place for place in ranked[:_MOST_CANDIDATES] if place != address]
        places = [PlaceOfGlobal(a, round(own.get(a, 0.0), 1)) for a in (address, *others)]
        counting = [places[0], *(place for place in places[1:] if place.votes >= 0.1)]
        return MatchedGlobal(name, tuple(counting[:2]), layout[1] if layout else None)


class _Symbols:
    """The globals of a compiled source by address."""

    def __init__(self, source: ProgramFunctions) -> None:
        self._symbols: Sequence[Symbol] = [
            symbol for symbol in source.program.symbols if symbol.kind in ("object", "other")
        ]

    def at(self, address: int, function: ProgramFunction) -> tuple[str, int] | None:
        """The global at an address that a function uses, and the distance from its first byte."""
        for symbol in self._symbols:
            if symbol.address <= address < symbol.address + max(symbol.size, 1):
                return _name_of(symbol, function), address - symbol.address
        return None


@dataclass(frozen=True, slots=True)
class _PlacedLayout:
    """A layout at its likeliest place, with the votes for it and for the next one."""

    layout: Layout
    start: int
    votes: float
    second: float


def _best_parts(parts: Sequence[Layout], votes: Votes) -> list[_PlacedLayout]:
    """The whole layout or its parts, whichever has more votes; without what is not certain.

    Args:
        parts: the whole, and then its parts, which may lie apart.
        votes: the votes of each global.
    """
    whole, *others = [_placed_layout(layout, votes) for layout in parts]
    apart = sum(one.votes for one in others) > whole.votes + _WHOLE
    chosen = others if apart else [whole]
    sure = [one for one in chosen if one.votes >= max(_CERTAIN * one.second, _LEAST_OF_LAYOUT)]
    if apart or not sure or not others:
        return sure
    return [
        replace(
            whole,
            layout={name: whole.layout[name] for name in one.layout},
            # Nothing else says that a part without uses lies beside the others.
            second=whole.second if _votes_at(whole, one.layout, votes) else whole.votes,
        )
        for one in others
    ]


def _votes_at(placed: _PlacedLayout, part: Layout, votes: Votes) -> float:
    """The votes of the globals of a part for the places that a layout gives them."""
    return sum(votes.get(name, {}).get(placed.start + placed.layout[name], 0.0) for name in part)


def _placed_layout(layout: Layout, votes: Votes) -> _PlacedLayout:
    starts: dict[int, float] = defaultdict(float)
    for name, distance in layout.items():
        for address, count in votes.get(name, {}).items():
            starts[address - distance] += count
    ranked = sorted(starts.items(), key=lambda item: (-item[1], item[0]))
    (start, first), (_, second) = [*ranked, (0, 0.0), (0, 0.0)][:2]
    return _PlacedLayout(layout, start, first, second)


def _agrees(votes: Mapping[int, float], address: int) -> bool:
    """Whether the uses of a global allow a place that its layout gives it."""
    most = max(votes.values(), default=0.0)
    return most < _OWN_VOTES or votes.get(address, 0.0) * _CERTAIN >= most


def _name_of(symbol: Symbol, function: ProgramFunction) -> str:
    """The name of a global; of a static, which GCC numbers, with its function before it."""
    static = _STATIC.fullmatch(symbol.name)
    return f"{function.name}::{static[1]}" if static else source_name(symbol.name)


def _is_own(use: GlobalUse) -> bool:
    """Whether memory is the program's: below A5, or in a section of data."""
    return use.place.startswith(("A5-", "section "))


def _score(new: _Use, old: GlobalUse, chosen: Mapping[str, int]) -> float:
    """How well two uses go together."""
    score = _SAME
    for one, other in (
        (new.use.writes, old.writes),
        (new.use.reads, old.reads),
        (new.use.takes, old.takes),
    ):
        score += _ACCESS if bool(one) == bool(other) else -_ACCESS
        score += _ACCESS / 2 if one and one == other else 0
    address = chosen.get(new.name)
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


def _overlap(one: range, other: range) -> bool:
    return one.start < other.stop and other.start < one.stop


def function_pairs(
    source: ProgramFunctions, old: ProgramFunctions, first: FunctionPair | None
) -> list[FunctionPair]:
    """Functions of a source and the same ones of the old program.

    One pair may be known. Functions with the same name, which only one of each side has, are pairs;
    so are those that the functions of a pair call, if both call as many, in the same order.
    """
    named = _by_name(old.functions)
    pairs = [] if first is None else [first]
    pairs += [
        (one, named[name])
        for name, one in _by_name(source.functions).items()
        if name in named and not (first and (one is first[0] or named[name] is first[1]))
    ]
    known_new = {one.address for one, _ in pairs}
    known_old = {one.address for _, one in pairs}
    for new, there in pairs:
        callees = [source.by_address.get(address) for address in new.callees]
        olds = [old.by_address.get(address) for address in there.callees]
        if len(callees) != len(olds):
            continue
        for one, other in zip(callees, olds, strict=True):
            if one is None or other is None or one.address in known_new:
                continue
            if other.address not in known_old:
                known_new.add(one.address)
                known_old.add(other.address)
                pairs.append((one, other))
    return pairs


def _by_name(functions: Iterable[ProgramFunction]) -> dict[str, ProgramFunction]:
    counts = Counter(function.name for function in functions if function.name)
    return {one.name: one for one in functions if counts.get(one.name) == 1}
