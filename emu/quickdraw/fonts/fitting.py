"""Makes drawings wider, narrower, higher or lower by whole columns or rows, so that strokes stay.

A letter whose strokes are one pixel wide cannot be scaled by a tenth: some strokes would double and
others vanish. So a column is repeated where that only makes horizontal strokes longer, and two
columns become one where they are alike.
"""

from __future__ import annotations

import numpy as np

from emu.quickdraw.bitmap import Mask

Counts = np.ndarray[tuple[int], np.dtype[np.int64]]

Merge = tuple[int, ...]
"""Columns of a drawing that become one: a pixel is black if it is so in any of them."""

_SERIFED = 3
"""The columns of an I with serifs, which with two would be a bracket."""


def merged(pixels: Mask, columns: list[Merge]) -> Mask:
    """A drawing of such columns."""
    if not columns:
        return pixels[:, :0]
    return np.stack([pixels[:, list(merge)].any(axis=1) for merge in columns], axis=1)


def fitted_columns(pixels: Mask, times: int, width: int, most_harm: int) -> list[Merge]:
    """The columns of a drawing that is to be as wide as asked for.

    Args:
        pixels: what is drawn.
        times: how often each column is repeated at first.
        width: how many columns are wanted.
        most_harm: a column is not repeated if more of its pixels than this do not lengthen a
            horizontal stroke; then there are fewer columns than wanted.
    """
    if width == 0:
        return []
    columns: list[Merge] = [(column // times,) for column in range(times * pixels.shape[1])]
    while len(columns) > width:
        place = _most_alike(merged(pixels, columns))
        columns[place : place + 2] = [tuple({*columns[place], *columns[place + 1]})]
    harm = _harm(pixels)
    while 0 < len(columns) < width:
        place = _least_harmed(columns, harm)
        if harm[columns[place][0]] > most_harm:
            break
        columns.insert(place, columns[place])
    return columns


def stem_of_serifed(pixels: Mask) -> Mask:
    """The stroke of an I with serifs, for an advance without room for these; else all columns."""
    if pixels.shape[1] == _SERIFED and pixels[:, 1].sum() == pixels.any(axis=1).sum():
        return pixels[:, 1:2]
    return pixels


def _harm(pixels: Mask) -> Counts:
    """How many pixels of each column do not lie within a horizontal stroke."""
    beside = np.pad(pixels, ((0, 0), (1, 1)))
    within = beside[:, :-2] & beside[:, 2:]
    harm: Counts = (pixels & ~within).sum(axis=0, dtype=np.int64)
    return harm


def _least_harmed(columns: list[Merge], harm: Counts) -> int:
    """The column to repeat: one repeated before counts as harmed more; then the middle wins."""

    def rank(place: int) -> tuple[int, int]:
        merge = columns[place]
        return (int(harm[merge[0]]) + 1) * columns.count(merge), abs(2 * place + 1 - len(columns))

    return min(range(len(columns)), key=rank)


def _most_alike(pixels: Mask) -> int:
    """The column that differs least from the one after it.

    Of several it is the emptiest, so that a stem of two columns stays, and of those the middle one.
    """
    different, ink = (pixels[:, 1:] != pixels[:, :-1]).sum(axis=0), pixels.sum(axis=0)
    count = len(different)

    def rank(place: int) -> tuple[int, int, int]:
        return int(different[place]), int(ink[place]), abs(2 * place + 1 - count)

    return min(range(count), key=rank)
