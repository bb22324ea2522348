"""How alike two functions are, by their traits, their counts, and their neighbours.

A trait counts the more, the fewer functions of the program have it. Traits that no function of
the program has say nothing: they are the new compiler's, or the old program keeps them elsewhere.
Compilers keep the order of functions in a file. So a function is likelier the right one if those
before and behind it are like those before and behind it in the source.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.port.traits import COUNTS, Trait, traits_of, vocabulary
from emu.program.functions.model import ProgramFunction, ProgramFunctions

_MOST = 4
"""A trait counts no more often than this: unrolled loops repeat them."""
_WEIGHTS = {"bytes": 1.0, "callers": 0.2}
_TRAIT_SHARE = 0.6
_NEUTRAL = 0.3
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


class Ranking:
    """Ranks the functions of a program for each function of a source.

    Args:
        forms: the functions of the source, in its order, as one or more builds compile them. Of
            each pair of functions the likest form counts: nobody knows how the old one was built.
        program: the functions of the old program.

    Attributes:
        names: the functions of the source, in the order of the first form.
        scores: how alike each of them is to each of the program, from 0 to 1.
        totals: the same with the support of neighbours.
    """

    def __init__(self, forms: Sequence[ProgramFunctions], program: ProgramFunctions) -> None:
        self._program = program.functions
        total = max(len(program.functions), 1)
        self._weights = {
            trait: math.log(1 + total / count) for trait, count in vocabulary(program).items()
        }
        by_name = [{function.name: function for function in form.functions} for form in forms]
        self.names = list(by_name[0])
        self._old = [self._known_traits(function) for function in self._program]
        self._new: list[list[Counter[Trait]]] = []
        self.scores = np.zeros((len(self.names), len(self._program)))
        for functions in by_name:
            source = [functions.get(name, by_name[0][name]) for name in self.names]
            traits = [self._known_traits(function) for function in source]
            self._new.append(traits)
            self.scores = np.maximum(self.scores, self._scores(source, traits))
        self.totals = aligned_scores(self.scores - _NEUTRAL)

    def _known_traits(self, function: ProgramFunction) -> Counter[Trait]:
        return Counter(
            {
                trait: min(count, _MOST)
                for trait, count in traits_of(function).items()
                if trait in self._weights
            }
        )

    def best(self, name: str, most: int) -> list[Likeness]:
        """The likeliest candidates for a function of the source, by its name."""
        index = self.names.index(name)
        order = np.argsort(-self.totals[index], kind="stable")[:most]
        return [
            Likeness(
                self._program[place],
                float(self.scores[index, place]),
                float(self.totals[index, place]),
                self._shared(index, int(place)),
                self._neighbours(index, int(place)),
            )
            for place in order
        ]

    def _shared(self, index: int, place: int) -> tuple[Trait, ...]:
        shared = {trait for traits in self._new for trait in traits[index] & self._old[place]}
        return tuple(sorted(shared, key=lambda trait: (-self._weights[trait], str(trait))))

    def _neighbours(self, index: int, place: int) -> int:
        count = 0
        for distance in (-2, -1, 1, 2):
            if 0 <= index + distance < len(self.names):
                other = int(np.argmax(self.totals[index + distance]))
                count += 0 < (other - place) * (1 if distance > 0 else -1) <= 3 * abs(distance)
        return count

    def _scores(self, source: Sequence[ProgramFunction], new: Sequence[Counter[Trait]]) -> Matrix:
        """How alike each function of a form of the source is to each of the program."""
        own = [_sum(traits, self._weights) for traits in new]
        others = [_sum(traits, self._weights) for traits in self._old]
        whole = np.add.outer(np.array(own), np.array(others))
        # Nothing in both is no sign of anything.
        shared = np.where(whole > 0, 2 * self._overlap(new) / np.maximum(whole, 1e-9), 0.5)
        return _TRAIT_SHARE * shared + (1 - _TRAIT_SHARE) * self._closeness(source)

    def _overlap(self, new: Sequence[Counter[Trait]]) -> Matrix:
        """The weight of the traits that two functions share."""
        overlap = np.zeros((len(new), len(self._program)))
        places: dict[Trait, list[tuple[int, int]]] = {}
        for place, traits in enumerate(self._old):
            for trait, count in traits.items():
                places.setdefault(trait, []).append((place, count))
        for index, traits in enumerate(new):
            for trait, count in traits.items():
                for place, other in places.get(trait, ()):
                    overlap[index, place] += self._weights[trait] * min(count, other)
        return overlap

    def _closeness(self, source: Sequence[ProgramFunction]) -> Matrix:
        """How near the counts of two functions are, from 0 to 1."""
        closeness = np.zeros((len(source), len(self._program)))
        whole = 0.0
        for name, count in COUNTS.items():
            new = np.array([count(function) for function in source], dtype=float)
            old = np.array([count(function) for function in self._program], dtype=float)
            apart = np.abs(np.subtract.outer(new, old))
            weight = _WEIGHTS.get(name, 0.5)
            closeness += weight * (1 - apart / (np.maximum.outer(new, old) + 1))
            whole += weight
        return closeness / whole


def _sum(traits: Counter[Trait], weights: dict[Trait, float]) -> float:
    return sum(weights[trait] * count for trait, count in traits.items())


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
