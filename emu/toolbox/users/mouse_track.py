"""Where the mouse went, in the file of a recording: many moves in one line, which is read quickly.

Of 7,200 moves, as a person makes in two minutes, each an event of its own takes 2.6 s to read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from emu.toolbox.guest.guest_types import Point

LookAndPlace = tuple[int, Point]
"""The look at which the mouse was at a place."""

_MOST = 100
"""The most moves of a line."""


def track_text(moves: Iterable[LookAndPlace]) -> str:
    """Moves as text: look, horizontal and vertical place of each, with commas between."""
    return ", ".join(f"{look} {place.h} {place.v}" for look, place in moves)


def moves_of(text: str) -> list[LookAndPlace]:
    """The moves that a text has.

    Raises:
        ValueError: it is not such a text.
    """
    moves: list[LookAndPlace] = []
    for triple in text.split(","):
        try:
            look, h, v = map(int, triple.split())
        except ValueError as error:
            problem = f"{triple.strip()[:40]!r} is no move: look, horizontal and vertical place"
            raise ValueError(problem) from error
        if look < 1 or not -0x8000 <= min(h, v) <= max(h, v) <= 0x7FFF:
            raise ValueError(
                f"{triple.strip()[:40]!r}: looks begin at 1, places are 16-bit numbers"
            )
        moves.append((look, Point(v, h)))
    return moves


def tracks(moves: Sequence[LookAndPlace | None]) -> Iterator[list[int]]:
    """Which inputs of a recording stand in one line: the numbers of neighbouring moves, or of one.

    Args:
        moves: of each input the move, or None if it is none.
    """
    for is_move, group in groupby(range(len(moves)), key=lambda number: moves[number] is not None):
        numbers, most = list(group), _MOST if is_move else 1
        for start in range(0, len(numbers), most):
            yield numbers[start : start + most]
