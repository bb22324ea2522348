"""The blockmap: sectors of 128 x 96 pixels, and a fragment for each sector an object touches.

Method: Predator, "Blockmap Algorithm", 2001. An object is filed under every sector that its box
lies in or touches, so that two objects which overlap share a sector and no neighbouring sectors
need be searched. Each frame empties the sectors, moves and files every object, and calls the
``collide`` functions of those that overlap.

Two forms are described here, in what they do and in which order:

* :func:`play` is the corrected form. The whole world is covered by sectors, objects outside are
  filed under the nearest sector of the border, an object has all its fragments or none, and every
  overlapping pair is reported once, in the first sector that both share.
* :func:`play_as_printed` is the form of the listing. Its results are right only if the world
  consists of whole sectors and no object reaches beyond them. Even then each pair is reported
  twice for every shared sector. The reference refuses a scene that would lead out of the table.

In both a sector's list is last in, first out, and sectors are visited row by row.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pyref.blockmap.blockmap_boxes import REPORTS, THINKS, TURNS, BoxScene
from pyref.blockmap.blockmap_play import NULL, REPORT_ROOM, Frame, Play
from pyref.blockmap.blockmap_scene import SECTOR_HEIGHT, SECTOR_WIDTH

MAX_SECTORS = 256
PRINTED_FRAGMENTS = 256

_Sector: TypeAlias = tuple[int, int]  # column, row
_Rectangle: TypeAlias = tuple[int, int, int, int]  # left, top, right, bottom


def play(scene: BoxScene) -> Play:
    """Play a scene by the corrected form."""
    return _Corrected(scene).play(purge_last=False)


def play_and_purge(scene: BoxScene) -> Play:
    """Play a scene by the corrected form, with the purge at the end of each frame."""
    return _Corrected(scene).play(purge_last=True)


def play_as_printed(scene: BoxScene, *, one_call_only: bool = False) -> Play:
    """Play a scene by the printed form, with its purge corrected so that it does purge.

    Args:
        scene: a scene that does not lead out of the table of sectors.
        one_call_only: whether the second call of each pair is left out, as the listing suggests.

    Raises:
        ValueError: an object would be filed outside the table, or the table is larger than the
            program's memory for it.
    """
    return _AsPrinted(scene, one_call_only).play(purge_last=False)


def overlapping_pairs(boxes: NDArray[np.float64]) -> set[tuple[int, int]]:
    """Every pair (lower, higher) of boxes that overlap, by comparing each with each.

    Args:
        boxes: shape ``(n, 4)``: x, y, width, height. Boxes that only touch do not overlap.
    """
    x, y, width, height = boxes.T
    across = x[:, np.newaxis] < (x + width)[np.newaxis]
    down = y[:, np.newaxis] < (y + height)[np.newaxis]
    both = across & across.T & down & down.T
    return {(int(a), int(b)) for a, b in np.argwhere(np.triu(both, k=1))}


def sectors_and_fragments(scene: BoxScene, answer: Play) -> list[_Rectangle]:
    """The grid and the fragments of a scene's first frame, as rectangles for a picture.

    Returns:
        (left, top, right, bottom) in pixels, right and bottom included: first the lines of the
        grid, one pixel wide, then every box cut into its fragments. Sectors of the border reach
        as far out as the boxes do.
    """
    if not answer.columns * answer.rows:
        return []
    across, down = answer.columns * SECTOR_WIDTH, answer.rows * SECTOR_HEIGHT
    lines = [(x, 0, x, down) for x in range(0, across + 1, SECTOR_WIDTH)]
    lines += [(0, y, across, y) for y in range(0, down + 1, SECTOR_HEIGHT)]
    sides = zip(
        scene.x.tolist(), scene.y.tolist(), scene.width.tolist(), scene.height.tolist(), strict=True
    )
    pieces = [
        (left, top, right, bottom)
        for x, y, width, height in sides
        for top, bottom in _cut(y, height, SECTOR_HEIGHT, answer.rows)
        for left, right in _cut(x, width, SECTOR_WIDTH, answer.columns)
    ]
    return lines + pieces


def _cut(edge: float, extent: int, size: int, sectors: int) -> list[tuple[int, int]]:
    """One side of a box, cut at sector lines: the first and last pixel of each piece."""
    first, end = math.floor(edge), math.ceil(edge + extent)
    span = _span(edge, extent, size, sectors)
    starts = [first, *(size * sector for sector in span[1:])]
    return [(a, b - 1) for a, b in zip(starts, [*starts[1:], end], strict=True) if a < b]


@dataclass(slots=True)
class _Pool:
    """The pool of fragments, and the list of each sector."""

    heads: list[int] = field(default_factory=list)
    objects: list[int] = field(default_factory=list)
    next: list[int] = field(default_factory=list)
    prev: list[int] = field(default_factory=list)

    def put(self, fragment: int, item: int, sector: int) -> None:
        """Set a fragment and make it the first of its sector."""
        while len(self.objects) <= fragment:
            self.objects.append(NULL)
            self.next.append(NULL)
            self.prev.append(NULL)
        head = self.heads[sector]
        self.objects[fragment] = item
        self.prev[fragment] = NULL
        self.next[fragment] = head
        if head != NULL:
            self.prev[head] = fragment
        self.heads[sector] = fragment

    def sector(self, index: int) -> list[int]:
        """The objects of a sector; the last one filed comes first."""
        listed = []
        fragment = self.heads[index]
        while fragment != NULL:
            listed.append(self.objects[fragment])
            fragment = self.next[fragment]
        return listed


class _Game(ABC):
    """Plays the frames of a scene; the subclasses hold what the two forms do differently."""

    def __init__(self, scene: BoxScene) -> None:
        self.scene = scene
        self.x: list[float] = scene.x.tolist()
        self.y: list[float] = scene.y.tolist()
        self.width: list[int] = scene.width.tolist()
        self.height: list[int] = scene.height.tolist()
        self.dx: list[int] = scene.dx.tolist()
        self.dy: list[int] = scene.dy.tolist()
        self.kind: list[int] = scene.kind.tolist()
        self.pool = _Pool()
        self.counted = 0
        self.columns, self.rows = self.world()
        self.made = self.columns * self.rows > 0
        self.first: list[_Sector] = []
        self.calls: list[tuple[int, int]] = []
        self.tests = self.hits = self.fragments = self.lost = 0

    @abstractmethod
    def world(self) -> _Sector:
        """How many columns and rows of sectors the world has."""

    @abstractmethod
    def file(self, item: int) -> bool:
        """File an object under its sectors; false if fragments ran out."""

    @abstractmethod
    def check(self) -> None:
        """Look for collisions."""

    def purge(self) -> None:
        self.pool.heads = [NULL] * (self.columns * self.rows)
        self.counted = 0

    def play(self, *, purge_last: bool) -> Play:
        frames = []
        if self.made:
            self.purge()
            self.first = [(NULL, NULL)] * self.scene.objects if self.scene.frames else []
        for _ in range(self.scene.frames if self.made else 0):
            if not purge_last:
                self.purge()
            frames.append(self.frame())
            if purge_last:
                self.purge()
        return self.answer(tuple(frames))

    def frame(self) -> Frame:
        before = len(self.calls)
        filed = np.zeros(self.scene.objects, dtype=np.bool_)
        for item in range(self.scene.objects):
            if self.kind[item] & THINKS:
                self.x[item] += self.dx[item]
                self.y[item] += self.dy[item]
            filed[item] = self.file(item)
        columns = [self.x, self.y, self.width, self.height]
        boxes = np.array(columns, dtype=np.float64).T
        self.check()
        return Frame(boxes, filed, tuple(self.calls[before:]))

    def overlap(self, a: int, b: int) -> bool:
        self.tests += 1
        hit = (
            self.x[a] < self.x[b] + self.width[b]
            and self.x[b] < self.x[a] + self.width[a]
            and self.y[a] < self.y[b] + self.height[b]
            and self.y[b] < self.y[a] + self.height[a]
        )
        self.hits += hit
        return hit

    def collide(self, item: int, other: int) -> None:
        """Call an object's function, if it has one."""
        if self.kind[item] & (REPORTS | TURNS):
            self.calls.append((item, other))
        if self.kind[item] & TURNS:
            self.dx[item] = -self.dx[item]
            self.dy[item] = -self.dy[item]

    def answer(self, frames: tuple[Frame, ...]) -> Play:
        kept = np.array(self.calls[:REPORT_ROOM], dtype=np.int16).reshape(-1, 2)
        first = np.array(self.first, dtype=np.int16).reshape(-1, 2)
        return Play(
            world_made=int(self.made),
            columns=self.columns,
            rows=self.rows,
            objects=self.scene.objects if self.made else 0,
            heads=np.array(self.pool.heads, dtype=np.int16),
            fragment_object=np.array(self.pool.objects, dtype=np.int16),
            fragment_next=np.array(self.pool.next, dtype=np.int16),
            fragment_prev=np.array(self.pool.prev, dtype=np.int16),
            fragments_counted=self.counted,
            x=np.array(self.x, dtype=np.float32),
            y=np.array(self.y, dtype=np.float32),
            dx=np.array(self.dx, dtype=np.int32),
            dy=np.array(self.dy, dtype=np.int32),
            first_column=first[:, 0],
            first_row=first[:, 1],
            lost=self.lost,
            report_self=kept[:, 0],
            report_other=kept[:, 1],
            callbacks=len(self.calls),
            tests=self.tests,
            hits=self.hits,
            fragments=self.fragments,
            frames=frames,
        )


class _Corrected(_Game):
    """The corrected form."""

    def world(self) -> _Sector:
        across, down = self.scene.world_width, self.scene.world_height
        columns, rows = -(-across // SECTOR_WIDTH), -(-down // SECTOR_HEIGHT)
        possible = across > 0 and down > 0 and columns * rows <= MAX_SECTORS
        return (columns, rows) if possible else (0, 0)

    def file(self, item: int) -> bool:
        columns = _span(self.x[item], self.width[item], SECTOR_WIDTH, self.columns)
        rows = _span(self.y[item], self.height[item], SECTOR_HEIGHT, self.rows)
        self.first[item] = NULL, NULL
        if len(columns) * len(rows) > self.scene.max_fragments - self.counted:
            self.lost += 1
            return False
        self.first[item] = columns[0], rows[0]
        for row in rows:
            for column in columns:
                self.pool.put(self.counted, item, self.columns * row + column)
                self.counted += 1
                self.fragments += 1
        return True

    def check(self) -> None:
        for index in range(self.columns * self.rows):
            row, column = divmod(index, self.columns)
            for a, b in _pairs(self.pool.sector(index)):
                shared = tuple(map(max, self.first[a], self.first[b]))
                if shared == (column, row) and self.overlap(a, b):
                    self.collide(a, b)
                    self.collide(b, a)


class _AsPrinted(_Game):
    """The form of the listing."""

    def __init__(self, scene: BoxScene, one_call_only: bool) -> None:
        super().__init__(scene)
        self.made = True  # the printed form accepts any world
        self.one_call_only = one_call_only

    def world(self) -> _Sector:
        columns = _quotient(self.scene.world_width, SECTOR_WIDTH)
        rows = _quotient(self.scene.world_height, SECTOR_HEIGHT)
        if not (columns >= 0 and rows >= 0 and columns * rows <= MAX_SECTORS):
            raise ValueError(f"{columns} x {rows} sectors, where 0..{MAX_SECTORS} in all fit")
        return columns, rows

    def purge(self) -> None:
        super().purge()
        if self.scene.frames:
            empty = [NULL] * PRINTED_FRAGMENTS
            self.pool = _Pool(self.pool.heads, empty.copy(), empty.copy(), empty.copy())

    def file(self, item: int) -> bool:
        left, top = int(self.x[item]), int(self.y[item])  # towards zero, as in C
        right, bottom = left + self.width[item], top + self.height[item]
        complete = True
        for row in range(_quotient(top, SECTOR_HEIGHT), _quotient(bottom, SECTOR_HEIGHT) + 1):
            for column in range(_quotient(left, SECTOR_WIDTH), _quotient(right, SECTOR_WIDTH) + 1):
                complete &= self._file_at(item, column, row)
        return complete

    def _file_at(self, item: int, column: int, row: int) -> bool:
        index = self.columns * row + column
        if not 0 <= index < self.columns * self.rows:
            raise ValueError(
                f"object {item} would be filed in sector {index} of {self.columns * self.rows}"
            )
        self.counted += 1
        if self.counted > PRINTED_FRAGMENTS:
            return False
        self.pool.put(self.counted - 1, item, index)
        self.fragments += 1
        return True

    def check(self) -> None:
        for index in range(self.columns * self.rows):
            listed = self.pool.sector(index)
            for a in listed:
                for b in listed:
                    if a != b and self.overlap(a, b):
                        self.collide(a, b)
                        if not self.one_call_only:
                            self.collide(b, a)

    def answer(self, frames: tuple[Frame, ...]) -> Play:
        self.first = []
        return super().answer(frames)


def _span(edge: float, extent: int, size: int, sectors: int) -> range:
    """The sectors from one edge of a box to the other, along one axis of the world."""
    first, last = (min(max(int(e // size), 0), sectors - 1) for e in (edge, edge + extent))
    return range(first, last + 1)


def _pairs(listed: list[int]) -> Iterator[tuple[int, int]]:
    """Pair each object of a list with every one after it."""
    return ((a, b) for place, a in enumerate(listed) for b in listed[place + 1 :])


def _quotient(number: int, divisor: int) -> int:
    """Division as in C, towards zero; the divisor is positive."""
    return number // divisor if number >= 0 else -(-number // divisor)
