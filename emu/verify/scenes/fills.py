"""What a call finds beside its scene: above all, memory that a routine must not rely on.

That memory is filled before each call. It is: the variables that the case observes, the unused ends
of input arrays, what the case calls scratch, the whole stack, and every register without an
argument. A routine that reads any of it has undefined behaviour. It may compute the right result
with one fill (for example zeros), but it is unlikely to with all of them, so the mistake is
noticed.

On the road of a scene: a `SceneSpec` names a fill; `emu.verify.runs.prepared_scenes` makes a
`Preparation` of it; `emu.verify.images.filled_images` fills images as it says.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.cases.case import Case
from emu.cases.keys.parts import Scene
from emu.machine import PLAIN, Surroundings
from emu.machine.memory import layout
from emu.verify.scenes.columns import Columns, RecentValues

# Different random fills. All NOISE calls of a chunk of 50 scenes then share four patterns, which
# are made once: to draw one for an image of 4 KB takes 17 us, to copy it 0.2 us.
_VARIANTS = 4
_LAYOUTS = 8  # programs of a search, of which each may have its own
# Every third seed has odd addresses. Fills take turns over 4 or 5 seeds and Macintoshes over 64,
# and 3 divides none of these numbers; so each fill and each Macintosh meets both layouts.
_ODD = 3
_MOST_REGISTERS = 256
MOST_EARLIER = 3
"""How many calls, at most, precede a call with the fill KEPT; reports name this number."""
_SMALL = 64
_ENVIRONMENTS = 64
SEEDS_ALIKE = math.lcm(_ENVIRONMENTS, _VARIANTS, _ODD)
"""Seeds that differ by it have equal `environment_of` and `is_odd`."""


def environment_of(seed: int) -> int:
    """The number of the Macintosh that calls on a scene with this seed find; 0 is the usual one.

    Macintoshes differ in what the Toolbox answers, such as the seed of ``Random``. A reference that
    is an old program finds the same Macintosh, since the number depends on the scene's seed alone.
    """
    return seed % _ENVIRONMENTS if seed % _VARIANTS else 0


def is_odd(seed: int) -> bool:
    """Whether buffers of bytes begin at odd addresses in calls on a scene with this seed.

    They do for every third seed. A routine that is right for even addresses alone, for example
    because it reads two bytes as one word, fails on these scenes and on no others. As the seed
    alone decides, ``explain``, the searches and other engines run a failing scene in the same
    layout.
    """
    return seed % _ODD == 0


class Fill(StrEnum):
    """The ways of filling memory. Scene after scene takes the next one, in this order.

    Example: a routine forgets to set a flag that the case observes. LOADED holds 0 there, which may
    be right by chance; POISON holds 0xA5; NOISE a random byte; STALE what another scene's result
    was, which for a flag is often a plausible wrong value. KEPT is about variables that nobody
    compares: they hold what earlier calls of the routine left, such as a table not cleared.
    """

    LOADED = "loaded"
    POISON = "poison"
    NOISE = "noise"
    STALE = "stale"
    KEPT = "kept"

    @classmethod
    def of(cls, case: Case) -> tuple[Fill, ...]:
        """The fills of a case: KEPT only if the case ignores variables that calls leave behind."""
        return tuple(fill for fill in cls if fill is not cls.KEPT or case.keeps_state)

    @classmethod
    def of_changed(cls, case: Case) -> tuple[Fill, ...]:
        """The fills of a changed scene: without STALE, which needs another scene's answer."""
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
    """The other scene of a STALE fill: memory holds its inputs and results before the call.

    Nothing is called for it: the reference's answer says what such a call would have left.

    Attributes:
        scenes: that scene among others, with which it is laid; it is not taken out of their block
            until somebody asks for it alone, since that takes 2 us.
        answers: the reference's answer to each of them.
        place: its index in both.
    """

    scenes: Sequence[Scene]
    answers: Sequence[Any]
    place: int

    @property
    def scene(self) -> Scene:
        """That scene."""
        return self.scenes[self.place]

    @property
    def answer(self) -> Any:
        """The reference's answer for it."""
        return self.answers[self.place]


@dataclass(frozen=True, slots=True, eq=False)
class Preparation:
    """What one call finds that its scene does not say: above all, how memory is filled.

    Attributes:
        fill: the way of filling.
        variant: any integer; modulo 4 it chooses one of four contents of a NOISE fill, and of the
            stack and registers.
        donor: the scene whose results memory holds; None unless the fill is `Fill.STALE`.
        environment: the number of the Macintosh that the call finds, if it asks the Toolbox.
        earlier: the scenes of one to three calls that are made before this one, in their order;
            this one finds the ignored variables as they left them. Empty unless the fill is
            `Fill.KEPT`.
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
        """What `pattern` depends on: two preparations with equal varieties have equal patterns."""
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
        # Cached, because to make one takes 105 us, nearly a third of a whole call (four-shifts);
        # and calls that share one object also share the frame that the machine builds of it.
        variant = 0 if self.fill in (Fill.LOADED, Fill.KEPT) else self.variant % _VARIANTS
        return _surroundings_in(self.environment, self.fill, variant, addresses)


@dataclass(frozen=True, slots=True, eq=False)
class Donors:
    """The donors of some preparations, as columns, so that their values are laid together.

    Attributes:
        rows: the indices of the preparations that have a donor.
        scenes: the scenes of the donors.
        answers: the reference's answer to each of these scenes.
        places: for each of ``rows``, the index of its donor in ``scenes``.
    """

    rows: list[int]
    scenes: Columns
    answers: Columns
    places: Sequence[int]

    def rows_of(self, places: Sequence[int]) -> tuple[int, ...]:
        """The indices of the preparations with the donors at some indices."""
        pairs = zip(self.rows, self.places, strict=True)
        return tuple(row for row, place in pairs if place in places)


@functools.lru_cache(maxsize=4)  # a search has few donors, and each batch has most of them
def _columns_of(donors: tuple[Donor, ...]) -> tuple[Columns, Columns]:
    """The scenes and the answers of donors."""
    scenes = Columns([one.scene for one in donors])
    scenes.recent = RecentValues(_LAYOUTS)
    return scenes, Columns([one.answer for one in donors])


class Preparations(tuple[Preparation, ...]):
    """The preparations of the calls of one batch, and what is derived once for all of them."""

    @classmethod
    def of(cls, preparations: Iterable[Preparation], donors: Donors | None = None) -> Preparations:
        """Make one of some preparations; one that is made already is returned as it is.

        Args:
            preparations: how memory is filled before each call.
            donors: their donors, if the caller has them as columns already; else they are collected
                when they are first needed.
        """
        if isinstance(preparations, cls):
            return preparations
        whole = cls(preparations)
        if donors is not None:
            whole.donors = donors
        return whole

    @functools.cached_property
    def donors(self) -> Donors:
        """The donors of those preparations that have one."""
        given = [preparation.donor for preparation in self]
        donors = sorted({donor for donor in given if donor is not None}, key=id)
        place_of = {donor: place for place, donor in enumerate(donors)}
        rows = [row for row, donor in enumerate(given) if donor is not None]
        places = [place_of[donor] for donor in given if donor is not None]
        return Donors(rows, *_columns_of(tuple(donors)), places)

    def take(self, rows: Sequence[int]) -> Preparations:
        """The preparations at some indices, whose donors share what is read of them with these."""
        every = self.donors
        place_of = dict(zip(every.rows, every.places, strict=True))
        taken = [(index, place_of[row]) for index, row in enumerate(rows) if row in place_of]
        kept = list(dict.fromkeys(place for _, place in taken))
        return Preparations.of(
            (self[row] for row in rows),
            Donors(
                [index for index, _ in taken],
                every.scenes.take(kept),
                every.answers.take(kept),
                [kept.index(place) for _, place in taken],
            ),
        )

    def surroundings(self, addresses: tuple[int, ...]) -> list[Surroundings]:
        """`Preparation.surroundings` of each, in order."""
        keys = [
            (preparation.fill, preparation.variant % _VARIANTS, preparation.environment)
            for preparation in self
        ]
        distinct = dict(zip(keys, self, strict=True))
        by_key = {key: preparation.surroundings(addresses) for key, preparation in distinct.items()}
        return [by_key[key] for key in keys]

    @functools.cached_property
    def varieties(self) -> dict[tuple[Fill, int], list[int]]:
        """The indices of the preparations with the same `Preparation.variety`, by that variety."""
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
