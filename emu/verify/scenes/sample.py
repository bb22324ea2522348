"""Chooses the scenes that are put to the reference as well as to the bulk reference.

They are chosen by a hash of their names, so that no bulk form can be right on them by its rule: one
that is wrong on seeds that are no multiple of ten has nothing from it. Each kind of scene has the
same share, so that a sample is not by chance one of the large scenes, which take long. How many
there are follows from the chance that a wrong form passes.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import itemgetter

from emu.cases.keys.scene_name import SceneName

_WRONG = 0.01  # the share of scenes in which a form is wrong
_CHANCE = 0.05  # that such a form passes
_EVERY = 1 << 64

USUAL = math.ceil(math.log(_CHANCE) / math.log(1 - _WRONG))
"""How many scenes a form that is wrong in 1% of all passes with a chance of at most 5%: 299."""

_Kind = tuple[str, int]  # its generator and number of objects


@dataclass(frozen=True, slots=True)
class Sample:
    """Some of the scenes of a run, known by a number that their hashes are below.

    Attributes:
        limits: that number for each kind of scene.
        usual: that number for all other kinds; 0 has none of them, and 2 to the power of 64 has
            all.
        pilots: one scene for each number of objects, known by the lowest hash. Those that are made
            together with one of them stand for all where scenes have to be asked about together.
    """

    limits: Mapping[_Kind, int] = field(default_factory=dict)
    usual: int = _EVERY
    pilots: frozenset[SceneName] = frozenset()

    @classmethod
    def of(cls, names: Iterable[SceneName], count: int = USUAL) -> Sample:
        """At least so many of some scenes: the same share of each kind, rounded up.

        A form that is wrong in a part of the scenes passes the more likely the more evenly its
        mistakes are spread over the kinds. So the chance is never above that of ``count`` scenes of
        one kind.
        """
        kinds: dict[_Kind, list[int]] = {}
        lowest: dict[int, tuple[int, SceneName]] = {}
        every = dict.fromkeys(names)
        for name in every:
            value = _hash(name)
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
    def about(cls, count: int, scenes: int) -> Sample:
        """About so many of a number of scenes that nobody wants to list."""
        return cls(usual=min(_EVERY, _EVERY * count // max(scenes, 1)))

    def __contains__(self, name: SceneName) -> bool:
        """Whether a scene is one of them."""
        return _hash(name) < self.limits.get(name.kind, self.usual)

    def together(
        self, scene_names: Iterable[SceneName], chosen: Iterable[SceneName]
    ) -> list[SceneName]:
        """Which of the scenes that are made together are asked about together once more.

        To ask about one takes nearly as long as about fifty. So all are that are made with a pilot,
        and no others; where there are no pilots, those that are chosen.
        """
        if not self.pilots:
            return [*chosen]
        every = [*scene_names]
        return [] if self.pilots.isdisjoint(every) else every


EVERY_SCENE = Sample()


def _hash(name: SceneName) -> int:
    what = name.generator, name.objects, name.seed  # numbers of NumPy would have another repr
    return int.from_bytes(hashlib.blake2b(repr(what).encode(), digest_size=8).digest(), "big")


def chance_to_pass(asked: int) -> float:
    """The chance that a form which is wrong in 1% of scenes is right on so many of them, at most.

    What is asked beyond the usual number only makes shares whole, so it counts for nothing.
    """
    return float((1 - _WRONG) ** min(asked, USUAL))


def sample_words(asked: int, scenes: int) -> str:
    """How many scenes were put to both, and what that says, as the end of a sentence."""
    if asked >= scenes:
        return f"about all {scenes:,} scenes, too, and said the same"
    return (
        f"about {asked:,} of the scenes, too, chosen by hash with the same share of each generator "
        "and number of objects, and said the same: a form that is wrong in 1% of scenes passes "
        f"that with a chance of at most {chance_to_pass(asked):.2g}"
    )
