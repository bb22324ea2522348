"""The Macintosh that a single call finds: what differs from one Macintosh to the next.

A routine that is right only with one seed of Random, one count of ticks, one size of the screen or
one order of the heap's blocks is wrong. So each call finds others, drawn from a number.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from emu.toolbox.computer.clock import START_SECONDS, START_TICKS
from emu.toolbox.guest.random_sequence import MODULUS, next_random
from emu.toolbox.managers.memory.block import FILL

WIDEST, HIGHEST = 1024, 768
"""The largest screen in pixels, of one bit each."""

_SCREENS = ((512, 342), (640, 480), (640, 400), (832, 624), (640, 870 - 102), (1024, 768))
_MOST_TICKS = 60 * 60 * 60 * 24 * 30  # a month after start-up
_DATES = range(2_540_000_000, 3_380_000_000)  # from 1984 to 2011
_FILLS = (FILL, 0x2B, 0x6D, 0xF1)  # odd, so that none of them makes a valid pointer


@dataclass(frozen=True, slots=True)
class Environment:
    """A Macintosh on which nothing has run yet.

    Attributes:
        random_seed: the variable randSeed.
        ticks: the ticks since start-up.
        date: the seconds since 1 January 1904.
        screen_width: the width of the screen, and of the port that is open, in pixels.
        screen_height: their height.
        pen: where the port's pen is: across and down.
        fill: the byte that free memory holds.
        order: where the heap takes blocks from: 0 nonrelocatable ones from below and others from
            above, as a Macintosh mostly does; any other number draws an end for each block.
    """

    random_seed: int = 1
    ticks: int = START_TICKS
    date: int = START_SECONDS
    screen_width: int = 512
    screen_height: int = 342
    pen: tuple[int, int] = (0, 0)
    fill: int = FILL
    order: int = 0

    def ends(self) -> Iterator[bool]:
        """For each new block of the heap, whether it is taken from the end it usually is not."""
        if not self.order:
            return
        word = self.order
        yield bool(word & 1)  # so that of two neighbours one begins at each end
        while True:  # a generator of Lehmer's, as Random is one
            word = next_random(word)
            yield bool(word >> 16 & 1)

    def fixed(self, values: Mapping[str, int]) -> Environment:
        """The same with some of its numbers given, by their names."""
        numbers: Mapping[str, Any] = values
        return replace(self, **numbers)


USUAL = Environment()


@functools.lru_cache(maxsize=64)
def environment_of(number: int) -> Environment:
    """The environment of a number; that of 0 is `USUAL`."""
    if not number:
        return USUAL
    drawn = [int(word) >> 8 for word in np.random.PCG64([number, 1984]).random_raw(9)]
    width, height = _SCREENS[drawn[0] % len(_SCREENS)]
    return Environment(
        random_seed=1 + drawn[1] % (MODULUS - 1),
        # Of two neighbours the one is negative as a short, and the other is not.
        ticks=START_TICKS + drawn[2] % _MOST_TICKS & ~0x8000 | number % 2 << 15,
        date=_DATES[drawn[3] % len(_DATES)],
        screen_width=width,
        screen_height=height,
        pen=(1 + drawn[4] % 300, 1 + drawn[5] % 300),
        fill=_FILLS[drawn[6] % len(_FILLS)],
        order=2 + drawn[7] % 0xFFFF // 2 * 2 + number % 2,
    )
