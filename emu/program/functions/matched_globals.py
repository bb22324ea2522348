"""Finds where the globals of a compiled source lie in an old program.

All pairs of functions vote; see `emu.program.functions.global_votes`. What is certain is taken out
before the next vote, the surest first. Variables whose distances are known, because a compiler lays
out a file by a rule, vote together for the place of the first.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from emu.program.functions.global_votes import Rooms, SourceUse, UsesOfFunction, Votes, votes_of
from emu.program.functions.model import GlobalUse, ProgramFunction, ProgramFunctions
from emu.program.model.model import Symbol, source_name

_STATIC = re.compile(r"([A-Za-z_]\w*)\.\d+")
_LEAST_VOTES = (4.0, 2.5, 1.5, 1.0, 0.7, 0.7)
"""So many votes has what is taken as known, from round to round."""
_CERTAIN = 2.0
"""How many times the votes for any other place a place needs to be certain."""
_LEAST_OF_LAYOUT = 2.0
_WHOLE = 0.5
"""So many more votes for the parts of a layout are no sign that they lie apart."""
_FEW = 0.1
"""So few votes are none."""
_OWN_VOTES = 1.0
"""So many votes of a global for another place take it out of its layout."""
_LEAST_AGAINST = 2.0
"""So many uses speak against a place that somebody gave."""
_MOST_CANDIDATES = 3
_BOTH_SIDES = 2

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
        neighbours: on how many sides a global with votes adjoins, by way of others perhaps: 0 to 2.
    """

    name: str
    candidates: tuple[PlaceOfGlobal, ...]
    layout: tuple[float, float] | None = None
    neighbours: int = 0

    @property
    def support(self) -> float:
        """The votes for its place, or for that of its layout."""
        return self.layout[0] if self.layout is not None else self.candidates[0].votes

    @property
    def is_certain(self) -> bool:
        """Whether the first place, or that of its layout, has far more votes than any other.

        Without a vote of its own, it lies between others of its layout that have some.
        """
        first = self.candidates[0].votes
        second = max((place.votes for place in self.candidates[1:]), default=0.0)
        if self.layout is None or self.layout[0] < _CERTAIN * self.layout[1]:
            return first >= _CERTAIN * second and first > 0
        return first >= second and (first > 0 or self.neighbours == _BOTH_SIDES)

    @property
    def is_contradicted(self) -> bool:
        """Whether another place has far more votes than the first, which somebody else gave."""
        return len(self.candidates) == 2 and self.candidates[1].votes >= max(
            _CERTAIN * self.candidates[0].votes, _LEAST_AGAINST
        )


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
        self._sizes = {name: max(size, 1) for name, size in sizes.items()}
        self._fixed = dict(fixed or {})
        self._layouts = layouts
        self._functions: list[UsesOfFunction] = []

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
            own = [SourceUse(*one, use) for one, use in named if one]
            self._functions.append(UsesOfFunction(own, uses))

    def globals(self) -> dict[str, MatchedGlobal]:
        """The globals that have a place, by their names."""
        found: dict[str, MatchedGlobal] = {}
        for least in (math.inf, *_LEAST_VOTES):
            known = {
                name: one.candidates[0].address
                for name, one in found.items()
                if one.is_certain and one.support >= least
            } | self._fixed
            votes = votes_of(self._functions, known, self._sizes)
            found = self._matches(votes)
        return found

    def _matches(self, votes: Votes) -> dict[str, MatchedGlobal]:
        """The place of each global by some votes."""
        layouts = {n: one for n, one in self._laid_out(votes).items() if n not in self._fixed}
        known = {name: one.address for name, one in layouts.items()} | self._fixed
        chosen = self._choice(votes, known)
        neighbours = self._neighbours(chosen, votes)
        found = {}
        for name, address in chosen.items():
            one = replace(self._matched(name, address, votes), neighbours=neighbours[name])
            if name in layouts:
                place = layouts[name]
                one = replace(one, layout=(round(place.votes, 1), round(place.second, 1)))
            found[name] = one
        return found

    def _room(self, name: str, address: int) -> range:
        """The bytes of a global at an address."""
        return range(address, address + self._sizes.get(name, 1))

    def _laid_out(self, votes: Votes) -> dict[str, _PlaceByLayout]:
        """Where the globals of layouts lie whose place is certain."""
        placed: dict[str, _PlaceByLayout] = {}
        taken = Rooms(self._room(*one) for one in self._fixed.items())
        chosen = [one for layout in self._layouts for one in _best_parts(layout, votes)]
        for one in sorted(chosen, key=lambda one: one.second - one.votes):
            rooms = {
                name: self._room(name, at)
                for name, distance in one.layout.items()
                if (at := one.start + distance) and _agrees(votes.get(name, {}), at)
            }
            free = {name: room for name, room in rooms.items() if not taken.overlap(room)}
            for name, room in free.items():
                placed[name] = _PlaceByLayout(room.start, one.votes, one.second)
                taken.add(room)
        return placed

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
        taken = Rooms(self._room(*one) for one in placed.items())
        for _, name, address in ranked:
            room = self._room(name, address)
            if name not in chosen and not taken.overlap(room):
                chosen[name] = address
                taken.add(room)
        return chosen

    def _neighbours(self, chosen: Mapping[str, int], votes: Votes) -> Counter[str]:
        """On how many sides a global with votes adjoins; a byte may fill up a word between."""
        rooms = sorted(
            ((self._room(*one), one[0]) for one in chosen.items()), key=lambda one: one[0].start
        )
        counts: Counter[str] = Counter()
        for forward in (True, False):
            is_supported, border = False, -1
            for room, name in rooms if forward else reversed(rooms):
                near, far = (room.start, room.stop) if forward else (room.stop, room.start)
                is_supported &= near == border or abs(near - border) == near % 2 + border % 2 == 1
                counts[name] += is_supported
                is_supported |= votes.get(name, {}).get(room.start, 0.0) > _FEW
                border = far
        return counts

    def _matched(self, name: str, address: int, votes: Votes) -> MatchedGlobal:
        own = votes.get(name, {})
        ranked = sorted(own, key=lambda place: (-own[place], place))
        others = [place for place in ranked[:_MOST_CANDIDATES] if place != address]
        places = [PlaceOfGlobal(a, round(own.get(a, 0.0), 1)) for a in (address, *others)]
        counting = [places[0], *(place for place in places[1:] if place.votes > _FEW)]
        return MatchedGlobal(name, tuple(counting[:2]))


@dataclass(frozen=True, slots=True)
class _PlaceByLayout:
    """Where a global lies by its layout, with the votes for this and for its next place."""

    address: int
    votes: float
    second: float


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
