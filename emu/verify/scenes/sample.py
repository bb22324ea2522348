"""Chooses the scenes that are put to the reference as well as to the bulk reference.

They are chosen by a hash of their names, so that no bulk form can be right on them by its rule: one
that is wrong on seeds that are no multiple of ten has nothing from it. How many there are follows
from the chance that a wrong form passes.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass

_WRONG = 0.01  # the share of scenes in which a form is wrong
_CHANCE = 0.05  # that such a form passes
_EVERY = 1 << 64

USUAL = math.ceil(math.log(_CHANCE) / math.log(1 - _WRONG))
"""How many scenes a form that is wrong in 1% of all passes with a chance of at most 5%: 299."""

_Name = tuple[str, int, int]  # SceneSpec.scene


@dataclass(frozen=True, slots=True)
class Sample:
    """Some of the scenes of a run, known by a number that their hashes are below.

    Attributes:
        below: that number; 0 has none of them, and 2 to the power of 64 has all.
    """

    below: int = _EVERY

    @classmethod
    def of(cls, names: Iterable[_Name], count: int = USUAL) -> Sample:
        """So many of some scenes; all if there are no more."""
        hashes = sorted({_hash(name) for name in names})
        return cls(hashes[count] if len(hashes) > count else _EVERY)

    @classmethod
    def about(cls, count: int, scenes: int) -> Sample:
        """About so many of a number of scenes that nobody wants to list."""
        return cls(min(_EVERY, _EVERY * count // max(scenes, 1)))

    def __contains__(self, name: _Name) -> bool:
        """Whether a scene is one of them."""
        return _hash(name) < self.below


EVERY_SCENE = Sample()


def _hash(name: _Name) -> int:
    return int.from_bytes(hashlib.blake2b(repr(name).encode(), digest_size=8).digest(), "big")


def chance_to_pass(asked: int) -> float:
    """The chance that a form which is wrong in 1% of scenes is right on so many of them."""
    return float((1 - _WRONG) ** asked)


def sample_words(asked: int, scenes: int) -> str:
    """How many scenes were put to both, and what that says, as the end of a sentence."""
    if asked >= scenes:
        return f"about all {scenes:,} scenes, too, and said the same"
    return (
        f"about {asked:,} of the scenes, too, chosen by hash, and said the same: a form that is "
        f"wrong in 1% of scenes passes that with a chance of {chance_to_pass(asked):.2g}"
    )
