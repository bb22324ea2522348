"""Chooses the scenes about which the reference is asked beside the bulk reference.

A bulk reference answers many scenes at once, and it may be wrong. So a sample of its answers is
held against the reference. A scene is in the sample if a hash of its name (generator, objects,
seed) is low. If every tenth seed were asked instead, a bulk form that is right on multiples of ten
alone would pass; no form of practical use is right exactly where a hash is low.

Each kind of scene (generator and number of objects) has the same share. A sample by hash alone had,
by chance, more of the large scenes than the plan has, so that four-shifts took 1.17 times as long.
The size of the sample follows from the chance that a wrong form passes; see `USUAL`.
"""

from __future__ import annotations

import functools
import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from emu.cases.keys.scene_name import SceneName

_WRONG = 0.01  # the share of scenes on which a bulk form is wrong
_CHANCE = 0.05  # the chance that such a form passes, at most
_WORD = (1 << 64) - 1
_EVERY = 1 << 63  # hashes have 63 bits, so that this limit, too, is a number that NumPy has

USUAL = math.ceil(math.log(_CHANCE) / math.log(1 - _WRONG))
"""The usual size of a sample, 299: the least n with 0.99 to the power of n at most 0.05.

A form that is wrong on 1% of the scenes is right on n of them by chance with that probability.
"""

_Kind = tuple[str, int]  # its generator and number of objects


@dataclass(frozen=True, slots=True)
class Sample:
    """Some of the scenes of a run: those whose hash, of 63 bits, is below a limit.

    Attributes:
        limits: the limit of each kind of scene.
        usual: the limit of all other kinds. With 0 no scene of theirs is in the sample, with 2 to
            the power of 63 every one is.
        pilots: for each number of objects, the scene with the lowest hash. The scenes that are made
            in one call with a pilot stand for all scenes of that size where a bulk form has to be
            asked about many at once; see `together`.
    """

    limits: Mapping[_Kind, int] = field(default_factory=dict)
    usual: int = _EVERY
    pilots: frozenset[SceneName] = frozenset()

    @classmethod
    def of(cls, names: Iterable[SceneName], count: int = USUAL) -> Sample:
        """Sample at least ``count`` of some scenes: the same share of each kind, rounded up.

        A form that is wrong on 1% of the scenes passes most easily if its mistakes are spread
        evenly over the kinds; mistakes in one kind alone are found there more surely. So the chance
        to pass is at most that of ``count`` scenes of a single kind, which `chance_to_pass`
        computes.
        """
        kinds: dict[_Kind, list[int]] = {}
        lowest: dict[int, tuple[int, SceneName]] = {}
        every = [*dict.fromkeys(names)]
        for name, value in zip(every, _hashes(every).tolist(), strict=True):
            kinds.setdefault(name.kind, []).append(value)
            lowest[name.objects] = min(
                lowest.get(name.objects, (_EVERY, name)), (value, name), key=itemgetter(0)
            )
        limits = {}
        for kind, hashes in kinds.items():
            share = -(-count * len(hashes) // max(len(every), 1))
            if share < len(hashes):
                limits[kind] = sorted(hashes)[share]
        return cls(limits, pilots=frozenset(name for _, name in lowest.values()))

    @classmethod
    def exactly(cls, names: Iterable[SceneName], count: int) -> Sample:
        """Sample ``count`` of some scenes, whatever their kinds; all if there are not more."""
        hashes = sorted(_hashes([*dict.fromkeys(names)]).tolist())
        return cls(usual=hashes[count]) if count < len(hashes) else cls()

    @classmethod
    def about(cls, count: int, scenes: int) -> Sample:
        """Sample about ``count`` of a number of scenes without listing them, as for a campaign."""
        return cls(usual=min(_EVERY, _EVERY * count // max(scenes, 1)))

    def __contains__(self, name: SceneName) -> bool:
        """Whether a scene is in the sample."""
        return bool(self.rows([name]))

    def rows(self, names: Sequence[SceneName]) -> list[int]:
        """The indices of those scenes of a sequence that are in the sample."""
        if not (self.limits or self.usual):
            return []
        limits: NDArray[np.uint64] | np.uint64 = np.uint64(self.usual)
        if self.limits:
            each = [self.limits.get(name.kind, self.usual) for name in names]
            limits = np.array(each, np.uint64)
        chosen: list[int] = np.flatnonzero(_hashes(names) < limits).tolist()
        return chosen

    def together(self, names: Sequence[SceneName], chosen: Iterable[int]) -> list[int]:
        """Which scenes of a chunk the bulk form is asked about once more, with wider numbers.

        To ask a bulk form about five scenes takes as long as about fifty. So it is asked about all
        scenes of a chunk that has a pilot, and about none of any other chunk.

        Args:
            names: the scenes of the chunk.
            chosen: indices of scenes that are in the sample, perhaps of others behind the chunk's,
                too; those of the chunk are returned if there are no pilots.

        Returns:
            Indices of scenes.
        """
        if not self.pilots:
            return [row for row in chosen if row < len(names)]
        return [] if self.pilots.isdisjoint(names) else [*range(len(names))]


EVERY_SCENE, NO_SCENE = Sample(), Sample(usual=0)


def _hashes(names: Sequence[SceneName]) -> NDArray[np.uint64]:
    """The hash of each scene.

    The seeds are mixed as in the last step of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), all
    at once: 0.1 us a scene, where BLAKE2 of each name took 0.8.
    """
    kinds = [_hash_of_kind(name.generator, name.objects) for name in names]
    seeds = [name.seed & _WORD for name in names]
    mixed = np.array(seeds, np.uint64) ^ np.array(kinds, np.uint64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ mixed >> np.uint64(shift)) * np.uint64(factor)
    return (mixed ^ mixed >> np.uint64(31)) >> np.uint64(1)


@functools.lru_cache(maxsize=1024)
def _hash_of_kind(generator: str, objects: int) -> int:
    what = f"({generator!r}, {objects})"
    return int.from_bytes(hashlib.blake2b(what.encode(), digest_size=8).digest(), "big")


def chance_to_pass(asked: int) -> float:
    """The chance, at most, that a form which is wrong on 1% of scenes is right on all ``asked``.

    More than `USUAL` scenes count as `USUAL`: the rest only rounds up the share of each kind.
    """
    return float((1 - _WRONG) ** min(asked, USUAL))


def sample_words(asked: int, scenes: int) -> str:
    """How many scenes both were asked about, and what that shows, as the end of a sentence."""
    if asked >= scenes:
        return f"about all {scenes:,} scenes, too, and said the same"
    return (
        f"about {asked:,} of the scenes, too, chosen by hash with the same share of each generator "
        "and number of objects, and said the same: a form that is wrong in 1% of scenes passes "
        f"that with a chance of at most {chance_to_pass(asked):.2g}"
    )
