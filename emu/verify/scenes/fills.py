"""Fills memory that a routine must not rely on, before each call.

That memory is: the variables that the case observes, the unused ends of input arrays, what the
case calls scratch, the whole stack, and every register without an argument. A routine that reads
any of it has undefined behaviour. It may compute the right result with one fill (for example
zeros), but it is unlikely to with all of them, so the mistake is noticed.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.cases.case import Case
from emu.cases.keys.parts import Scene
from emu.machine import PLAIN, Surroundings
from emu.machine.memory import layout
from emu.verify.scenes.columns import Columns

_VARIANTS = 4
_ODD = 3  # no divisor of how often fills and Macintoshes take turns, so each meets both layouts
_MOST_REGISTERS = 256
MOST_EARLIER = 3
"""The most calls that are made before one that finds what they leave of what is ignored."""
_SMALL = 64
_ENVIRONMENTS = 64


def environment_of(seed: int) -> int:
    """The number of the Macintosh that calls on a scene with a seed find; 0 is the usual one.

    It depends on nothing but the seed: what says what is right asks the same Macintosh.
    """
    return seed % _ENVIRONMENTS if seed % _VARIANTS else 0


def is_odd(seed: int) -> bool:
    """Whether buffers of bytes begin at odd addresses in calls on a scene with a seed.

    A third of all seeds are so. A routine that is right for even addresses alone fails on their
    scenes and on no others.
    """
    return seed % _ODD == 0


class Fill(StrEnum):
    """The ways of filling memory. Scene after scene takes the next one, in this order."""

    LOADED = "loaded"
    POISON = "poison"
    NOISE = "noise"
    STALE = "stale"
    KEPT = "kept"

    @classmethod
    def of(cls, case: Case) -> tuple[Fill, ...]:
        """Those of a case: if nothing is ignored, earlier calls leave nothing to be found."""
        return tuple(fill for fill in cls if fill is not cls.KEPT or case.keeps_state)

    @classmethod
    def of_changed(cls, case: Case) -> tuple[Fill, ...]:
        """Those of a case that a changed scene can have: `STALE` needs an answer to another one."""
        return tuple(fill for fill in cls.of(case) if fill is not cls.STALE)

    @property
    def words(self) -> str:
        """The state of the memory, as the end of a sentence: "filled with random bytes"."""
        return _WORDS[self]


_WORDS = {
    Fill.LOADED: "as loaded",
    Fill.POISON: f"filled with 0x{layout.FILL:02X}",
    Fill.NOISE: "filled with random bytes",
    Fill.STALE: "as another scene's results had left it",
    Fill.KEPT: "as loaded, but what is ignored as earlier calls had left it",
}


@dataclass(frozen=True, slots=True, eq=False)
class Donor:
    """Another scene, whose results are left in memory before the call.

    Attributes:
        scene: that scene.
        answer: the reference's answer for it.
    """

    scene: Scene
    answer: Any


@dataclass(frozen=True, slots=True, eq=False)
class Preparation:
    """What one call finds that its scene does not say: above all, how memory is filled.

    Attributes:
        fill: the way of filling.
        variant: chooses one of several random fills; any integer.
        donor: the scene whose results memory holds; None unless the fill is `Fill.STALE`.
        environment: the number of the Macintosh that the call finds, if it asks the Toolbox.
        earlier: the scenes of the calls that are made before, in their order, of which the call
            finds what is ignored; none unless the fill is `Fill.KEPT`.
        inverted: whether every filled byte is replaced by its complement. A routine is called with
            and without it: a byte that is the same after both calls was written by the routine, or
            was not filled.
        is_odd: whether buffers of bytes begin at odd addresses; see the function `is_odd`.
    """

    fill: Fill = Fill.LOADED
    variant: int = 0
    donor: Donor | None = None
    inverted: bool = False
    environment: int = 0
    earlier: tuple[Scene, ...] = ()
    is_odd: bool = False

    def __post_init__(self) -> None:
        if (self.fill is Fill.STALE) != (self.donor is not None):
            raise ValueError("the fill STALE needs a donor, and no other fill may have one")
        if (self.fill is Fill.KEPT) != bool(self.earlier):
            raise ValueError("the fill KEPT needs earlier scenes, and no other fill may have any")
        if len(self.earlier) > MOST_EARLIER:
            raise ValueError(f"{len(self.earlier)} earlier scenes, and reports say {MOST_EARLIER}")

    @property
    def variety(self) -> tuple[Fill, int]:
        """Equal for two preparations of which `pattern` is equal."""
        return self.fill, self.variant % _VARIANTS if self.fill is Fill.NOISE else 0

    def pattern(self, size: int) -> NDArray[np.uint8]:
        """The bytes of a POISON or NOISE fill, shape (size,)."""
        return _pattern(*self.variety, size)

    def surroundings(self, addresses: tuple[int, ...]) -> Surroundings:
        """The contents of the stack and the registers before the call.

        Args:
            addresses: addresses of the program's variables. A STALE stack holds them between other
                plausible words, so that a routine that uses an uninitialised pointer hits data.
        """
        # Cached: calls with equal contents share one object, and the machine builds one frame.
        variant = 0 if self.fill in (Fill.LOADED, Fill.KEPT) else self.variant % _VARIANTS
        return _surroundings_in(self.environment, self.fill, variant, addresses)


@dataclass(frozen=True, slots=True, eq=False)
class Donors:
    """The donors of some preparations.

    Attributes:
        rows: which of the preparations have one.
        scenes: their scenes.
        answers: the reference's answers for them.
    """

    rows: list[int]
    scenes: Columns
    answers: Columns


class Preparations(tuple[Preparation, ...]):
    """How memory is filled before each of some calls."""

    @classmethod
    def of(cls, preparations: Iterable[Preparation], donors: Donors | None = None) -> Preparations:
        """The preparations, with what is known of their donors; such a tuple stays as it is.

        Args:
            preparations: how memory is filled before each call.
            donors: their donors, if that is known.
        """
        if isinstance(preparations, cls):
            return preparations
        whole = cls(preparations)
        if donors is not None:
            whole.donors = donors
        return whole

    @functools.cached_property
    def donors(self) -> Donors:
        """Their donors."""
        rows = [
            (row, preparation.donor)
            for row, preparation in enumerate(self)
            if preparation.donor is not None
        ]
        return Donors(
            [row for row, _ in rows],
            Columns([donor.scene for _, donor in rows]),
            Columns([donor.answer for _, donor in rows]),
        )

    def surroundings(self, addresses: tuple[int, ...]) -> list[Surroundings]:
        """`Preparation.surroundings` of each."""
        keys = [
            (preparation.fill, preparation.variant % _VARIANTS, preparation.environment)
            for preparation in self
        ]
        distinct = dict(zip(keys, self, strict=True))
        by_key = {key: preparation.surroundings(addresses) for key, preparation in distinct.items()}
        return [by_key[key] for key in keys]

    @functools.cached_property
    def varieties(self) -> dict[tuple[Fill, int], list[int]]:
        """Which of them have the same `Preparation.variety`."""
        varieties: dict[tuple[Fill, int], list[int]] = {}
        for row, preparation in enumerate(self):
            varieties.setdefault(preparation.variety, []).append(row)
        return varieties


@functools.lru_cache(maxsize=64)
def _pattern(fill: Fill, variant: int, size: int) -> NDArray[np.uint8]:
    if fill is Fill.POISON:
        return np.full(size, layout.FILL, dtype=np.uint8)
    words = np.random.PCG64([variant, 1994]).random_raw(size // 8 + 1)
    return np.asarray(words).view(np.uint8)[:size]


@functools.lru_cache(maxsize=1024)
def _surroundings_in(
    environment: int, fill: Fill, variant: int, addresses: tuple[int, ...]
) -> Surroundings:
    plain = PLAIN if fill in (Fill.LOADED, Fill.KEPT) else _surroundings(fill, variant, addresses)
    return plain.within(environment)


@functools.lru_cache(maxsize=256)
def _surroundings(fill: Fill, variant: int, addresses: tuple[int, ...]) -> Surroundings:
    if fill is Fill.STALE:
        # Words that a routine could have stored itself: pointers, indices, counts, flags.
        likely = np.array([*addresses, *range(-2, _SMALL)], dtype=np.int64).astype(">u4")
        drawn = np.random.PCG64([variant, 601]).random_raw(layout.STACK_SIZE // 4)
        words = likely[(drawn % len(likely)).astype(np.int64)]
        stack = words.view(np.uint8)
    else:
        stack = _pattern(fill, variant, layout.STACK_SIZE)
    return Surroundings(stack, stack[: 4 * _MOST_REGISTERS].view(">u4").astype(np.uint32))
