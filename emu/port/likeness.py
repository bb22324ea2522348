"""How alike two functions are, by their traits, their counts, and their neighbours.

A trait counts the more, the fewer functions of the program have it. Traits that no function of
the program has say nothing: they are the new compiler's, or the old program keeps them elsewhere.
Compilers keep the order of functions in a file. So a function is likelier the right one if those
before and behind it are like those before and behind it in the source.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.port.traits import COUNTS, Trait, traits_of
from emu.program.functions.model import ProgramFunction, ProgramFunctions

_MOST = 4
"""A trait counts no more often than this: unrolled loops repeat them."""
_WEIGHTS = {"bytes": 1.0, "callers": 0.2}
_TRAIT_SHARE = 0.6
NEUTRAL = 0.3
"""How alike two functions are that have nothing to do with each other."""
_NEW_SKIP = _OLD_SKIP = 0.1
"""What it costs if a function of one side has no partner on the other."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Likeness:
    """A function of the program as a candidate for a function of the source.

    Attributes:
        function: the candidate.
        score: how alike both are by themselves, from 0 to 1.
        total: the same with the support of the neighbours; candidates are ranked by it.
        shared: the traits of both, the rarest first.
        neighbours: how many of the four nearest functions of the source have their likeliest
            places around it, in the same order.
    """

    function: ProgramFunction
    score: float
    total: float
    shared: tuple[Trait, ...]
    neighbours: int


class OldFunctions:
    """The functions of an old program with their traits, for rankings.

    Args:
        program: the functions.
        more: further traits of each, by its address, such as what it calls.

    Attributes:
        functions: the functions, in the order of their addresses.
        weights: how much each trait counts.
        traits: the traits of each function.
    """

    def __init__(
        self, program: ProgramFunctions, more: Mapping[int, Counter[Trait]] | None = None
    ) -> None:
        more = more or {}
        self.functions = program.functions
        own = [traits_of(one) + more.get(one.address, Counter()) for one in self.functions]
        seen = Counter(trait for traits in own for trait in traits)
        total = max(len(own), 1)
        self.weights = {trait: math.log(1 + total / count) for trait, count in seen.items()}
        self.traits = [self.known_traits(traits) for traits in own]
        self._places: dict[Trait, list[tuple[int, int]]] = {}
        for place, traits in enumerate(self.traits):
            for trait, count in traits.items():
                self._places.setdefault(trait, []).append((place, count))
        self._sums = np.array([self.weight_of(traits) for traits in self.traits])
        self._counts = {
            name: np.array([count(function) for function in self.functions], dtype=float)
            for name, count in COUNTS.items()
        }

    def known_traits(self, traits: Counter[Trait]) -> Counter[Trait]:
        """Those traits that some function of the program has."""
        return Counter(
            {trait: min(n, _MOST) for trait, n in traits.items() if trait in self.weights}
        )

    def weight_of(self, traits: Counter[Trait]) -> float:
        """How much traits count together."""
        return sum(self.weights[trait] * count for trait, count in traits.items())

    def scores(
        self, source: Sequence[ProgramFunction], new: Sequence[Counter[Trait]]
    ) -> tuple[Matrix, Matrix]:
        """How alike each function of a source is to each of the program, and the shared weight.

        Args:
            source: the functions.
            new: the known traits of each.
        """
        overlap = self._overlap(new)
        whole = np.add.outer(np.array([self.weight_of(traits) for traits in new]), self._sums)
        # Nothing in both is no sign of anything.
        shared = np.where(whole > 0, 2 * overlap / np.maximum(whole, 1e-9), 0.5)
        return _TRAIT_SHARE * shared + (1 - _TRAIT_SHARE) * self._closeness(source), overlap

    def _overlap(self, new: Sequence[Counter[Trait]]) -> Matrix:
        """The weight of the traits that two functions share."""
        overlap = np.zeros((len(new), len(self.functions)))
        for index, traits in enumerate(new):
            for trait, count in traits.items():
                for place, other in self._places.get(trait, ()):
                    overlap[index, place] += self.weights[trait] * min(count, other)
        return overlap

    def _closeness(self, source: Sequence[ProgramFunction]) -> Matrix:
        """How near the counts of two functions are, from 0 to 1."""
        closeness = np.zeros((len(source), len(self.functions)))
        whole = 0.0
        for name, count in COUNTS.items():
            new, old = np.array([float(count(function)) for function in source]), self._counts[name]
            apart = np.abs(np.subtract.outer(new, old))
            weight = _WEIGHTS.get(name, 0.5)
            closeness += weight * (1 - apart / (np.maximum.outer(new, old) + 1))
            whole += weight
        return closeness / whole


class Ranking:
    """Ranks the functions of a program for each function of a source.

    Args:
        forms: the functions of the source, in its order, as one or more builds compile them. Of
            each pair of functions the likest form counts: nobody knows how the old one was built.
        old: the functions of the old program.
        more: further traits of the functions of the source, by their names.

    Attributes:
        names: the functions of the source, in the order of the first form.
        scores: how alike each of them is to each of the program, from 0 to 1.
        totals: the same with the support of neighbours.
        support: how much the traits count that each of them shares with each of the program.
    """

    def __init__(
        self,
        forms: Sequence[ProgramFunctions],
        old: OldFunctions,
        more: Mapping[str, Counter[Trait]] | None = None,
    ) -> None:
        more = more or {}
        self._old = old
        by_name = [{function.name: function for function in form.functions} for form in forms]
        self.names = list(by_name[0])
        self._new: list[list[Counter[Trait]]] = []
        self.scores = np.zeros((len(self.names), len(old.functions)))
        self.support = np.zeros_like(self.scores)
        for functions in by_name:
            source = [functions.get(name, by_name[0][name]) for name in self.names]
            traits = [
                old.known_traits(traits_of(one) + more.get(name, Counter()))
                for name, one in zip(self.names, source, strict=True)
            ]
            self._new.append(traits)
            scores, support = old.scores(source, traits)
            self.scores = np.maximum(self.scores, scores)
            self.support = np.maximum(self.support, support)
        self.totals = aligned_scores(self.scores - NEUTRAL)

    def best(self, name: str, most: int) -> list[Likeness]:
        """The likeliest candidates for a function of the source, by its name."""
        index = self.names.index(name)
        order = np.argsort(-self.totals[index], kind="stable")[:most]
        return [
            Likeness(
                self._old.functions[place],
                float(self.scores[index, place]),
                float(self.totals[index, place]),
                self._shared(index, int(place)),
                self._neighbours(index, int(place)),
            )
            for place in order
        ]

    def _shared(self, index: int, place: int) -> tuple[Trait, ...]:
        shared = {
            trait for traits in self._new for trait in traits[index] & self._old.traits[place]
        }
        return tuple(sorted(shared, key=lambda trait: (-self._old.weights[trait], str(trait))))

    def _neighbours(self, index: int, place: int) -> int:
        count = 0
        for distance in (-2, -1, 1, 2):
            if 0 <= index + distance < len(self.names):
                other = int(np.argmax(self.totals[index + distance]))
                count += 0 < (other - place) * (1 if distance > 0 else -1) <= 3 * abs(distance)
        return count


def aligned_scores(scores: Matrix) -> Matrix:
    """What the best alignment of both rows of functions reaches through each pair.

    Args:
        scores: how alike each function of the source is to each of the program; below 0 for
            functions that are not alike.

    Returns:
        For each pair the sum of the scores of all pairs in the best alignment that has it, in
        which the order on both sides is the same, less what functions without partner cost.
    """
    before = _best_before(scores)
    after = _best_before(scores[::-1, ::-1])[::-1, ::-1]
    return before + scores + after


def _best_before(scores: Matrix) -> Matrix:
    """The best alignment of what lies before each pair, without the pair; 0 is none."""
    count, width = scores.shape
    best = np.zeros((count, width))
    slope = _OLD_SKIP * np.arange(width + 1)
    row = np.zeros(width + 1)  # the best that ends at or before each place
    for index in range(count):
        best[index] = row[:-1]
        reached = np.maximum(row - _NEW_SKIP, 0)
        reached[1:] = np.maximum(reached[1:], row[:-1] + scores[index])
        row = np.maximum.accumulate(reached + slope) - slope
    return best
