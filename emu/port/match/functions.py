"""Places the functions of a port's sources in the old program.

Files are aligned with the program, each by itself: compilers keep the order of a file. What is
placed with a wide margin is taken first; it narrows the choice of the others, and their calls and
globals become traits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from emu.port.likeness import NEUTRAL, Matrix, OldFunctions, Ranking, aligned_scores
from emu.port.match.links import Places, SourceLinks, old_links
from emu.port.match.names import Key, PortFile, PortNames
from emu.program.functions.model import GLUE, ProgramFunction, ProgramFunctions

_MARGINS = (0.6, 0.4, 0.25, 0.15, 0.08, 0.03)
"""How much better a place must be than any other, from round to round."""
_LEAST = 0.45
"""A function is placed where it is at least so alike."""
_IMPOSSIBLE = -5.0
_CERTAIN_MARGIN, _CERTAIN_SCORE, _CERTAIN_SUPPORT = 0.25, 0.5, 3.0
_TWIN = 0.02
"""So nearly alike are two functions of a source that one old function may be either."""
_CERTAIN_SCORE_ALONE = 0.7
"""So alike are two functions that need not share rare traits: many small ones have none."""


@dataclass(frozen=True, slots=True)
class FunctionMatch:
    """A place of a function.

    Attributes:
        function: the old function.
        score: how alike both are by themselves, from 0 to 1.
        margin: how much better this place is than the next one, with what lies around both.
        support: how much the traits of both count together.
        rival: the next one; None without any.
        rival_score: how alike that is.
        twin: a function of the same file that has no place and is as much like the old one; "" for
            none. A linker leaves out functions that nothing calls.
    """

    function: ProgramFunction
    score: float
    margin: float
    support: float
    rival: ProgramFunction | None
    rival_score: float
    twin: str = ""

    @property
    def is_certain(self) -> bool:
        """Whether the place has far more for it than any other."""
        least = _CERTAIN_SCORE if self.support >= _CERTAIN_SUPPORT else _CERTAIN_SCORE_ALONE
        return self.margin >= _CERTAIN_MARGIN and self.score >= least and not self.twin

    @property
    def is_contradicted(self) -> bool:
        """Whether the next place has far more for it than this one, which somebody else gave."""
        return (
            self.margin <= -_CERTAIN_MARGIN
            and self.rival_score >= _CERTAIN_SCORE
            and self.rival_score - self.score >= _CERTAIN_MARGIN
        )


@dataclass
class _FileScores:
    """A file while its functions are placed: how alike each is to each old function."""

    keys: list[Key]
    scores: Matrix
    support: Matrix


class FunctionMatching:
    """Places functions.

    Args:
        files: the files of the port.
        names: what their names mean.
        old: the functions of the old program.
        known: functions whose places are known.
    """

    def __init__(
        self, files: Sequence[PortFile], names: PortNames, old: ProgramFunctions, known: Places
    ) -> None:
        self._files = files
        self._old = old
        self._links = SourceLinks(files, names)
        self._known = known
        self._column = {one.address: n for n, one in enumerate(old.functions)}

    def matches(
        self, functions: Places, variables: Places, sizes: Mapping[Key, int]
    ) -> dict[Key, FunctionMatch]:
        """Place the functions anew; those that are known keep their places.

        Args:
            functions: where functions seem to lie so far.
            variables: where variables seem to lie so far.
            sizes: the bytes of the variables.
        """
        rooms = [range(at, at + max(sizes.get(key, 1), 1)) for key, at in variables.items()]
        old = OldFunctions(self._old, old_links(self._old, list(functions.values()), rooms))
        every = [self._scores(file, old, functions, variables) for file in self._files]
        placed = {k: self._column[at] for k, at in self._known.items() if at in self._column}
        for least in _MARGINS:
            while self._extend(every, placed, least):
                pass
        return {key: match for file in every for key, match in self._judged(file, placed)}

    def _scores(
        self, file: PortFile, old: OldFunctions, functions: Places, variables: Places
    ) -> _FileScores:
        forms = [one.functions for one in file.objects]
        keys = {}
        for function in forms[0].functions:
            definition = file.definition(0, function.address)
            name = definition.name if definition is not None else function.name
            keys[function.name] = (file.path, name)
        more = {n: self._links.traits(key, functions, variables) for n, key in keys.items()}
        ranking = Ranking(forms, old, more)
        scores = ranking.scores.copy()
        for n, one in enumerate(self._old.functions):
            if one.kind == GLUE:
                scores[:, n] = _IMPOSSIBLE
        return _FileScores([keys[name] for name in ranking.names], scores, ranking.support)

    def _extend(self, every: Sequence[_FileScores], placed: dict[Key, int], least: float) -> bool:
        """Place what has at least a margin; whether anything was."""
        offers = []
        for file in every:
            if all(key in placed for key in file.keys):
                continue
            totals = self._totals(file, placed)
            for row, key in enumerate(file.keys):
                if key in placed:
                    continue
                best, second = _best_two(totals[row])
                margin = totals[row, best] - totals[row, second]
                if file.scores[row, best] >= _LEAST and margin >= least:
                    offers.append((float(margin), best, key))
        taken = set(placed.values())
        grown = False
        for _, best, key in sorted(offers, key=lambda offer: (-offer[0], str(offer[2]))):
            if best not in taken:
                taken.add(best)
                placed[key] = best
                grown = True
        return grown

    def _totals(
        self, file: _FileScores, placed: Mapping[Key, int], free: Key | None = None
    ) -> Matrix:
        """What the best alignment of a file through each pair reaches.

        Args:
            file: the file.
            placed: what is placed.
            free: what is looked at as if it were not.
        """
        scores = file.scores - NEUTRAL
        taken = [column for key, column in placed.items() if key != free]
        scores[:, taken] = _IMPOSSIBLE
        for row, key in enumerate(file.keys):
            if key in placed and key != free:
                scores[row, :] = _IMPOSSIBLE
                scores[row, placed[key]] = 1.0
        return aligned_scores(scores)

    def _judged(
        self, file: _FileScores, placed: Mapping[Key, int]
    ) -> Iterator[tuple[Key, FunctionMatch]]:
        """The matches of a file, each held against its next place if all others stay."""
        functions = self._old.functions
        for row, key in enumerate(file.keys):
            if key not in placed:
                continue
            totals = self._totals(file, placed, key)[row]
            column = placed[key]
            others = np.delete(np.arange(len(functions)), column)
            rival = int(others[np.argmax(totals[others])]) if len(others) else None
            margin = totals[column] - totals[rival] if rival is not None else 1.0
            as_alike = file.scores[:, column] >= file.scores[row, column] - _TWIN
            twins = [k for k, is_as in zip(file.keys, as_alike, strict=True) if is_as]
            yield (
                key,
                FunctionMatch(
                    functions[column],
                    float(file.scores[row, column]),
                    float(margin),
                    float(file.support[row, column]),
                    functions[rival] if rival is not None else None,
                    max(float(file.scores[row, rival]), 0.0) if rival is not None else 0.0,
                    next((name for other, name in twins if (other, name) not in placed), ""),
                ),
            )


def _best_two(row: Matrix) -> tuple[int, int]:
    if len(row) < 2:
        return 0, 0
    second, best = np.argpartition(row, -2)[-2:]
    return (int(best), int(second)) if row[best] >= row[second] else (int(second), int(best))
