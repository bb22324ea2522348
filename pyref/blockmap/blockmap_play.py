"""The result of playing a scene by the blockmap, in either form."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NULL = -1  # in place of a fragment or object: there is none
REPORT_ROOM = 4096  # the calls that the program records; further calls are only counted

_POINTER = 4  # bytes


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """What happened in one frame.

    Attributes:
        boxes: float64 of shape ``(objects, 4)``: x, y, width, height at the time when collisions
            were searched.
        filed: bool of shape ``(objects,)``: the object has all its fragments.
        calls: (self, other) of every call of a ``collide`` function, in order.
    """

    boxes: NDArray[np.float64]
    filed: NDArray[np.bool_]
    calls: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Play:
    """The memory that a scene leaves behind, and the work that was done.

    Attributes:
        world_made: 1; or 0 if the world has an impossible size, so that nothing was played.
        columns: sectors in a row.
        rows: rows of sectors.
        objects: objects in the world.
        heads: int16 of shape ``(columns * rows,)``, the first fragment of each sector, or -1.
        fragment_object: int16, for each fragment of the pool that was ever set, its object.
        fragment_next: likewise, the fragment after it, or -1.
        fragment_prev: likewise, the fragment before it, or -1.
        fragments_counted: the program's own count of fragments in use.
        x: float32 of shape ``(objects,)``, left edges in pixels after the last frame.
        y: top edges, likewise.
        dx: int32 of shape ``(objects,)``, steps to the right after the last frame.
        dy: steps downwards, likewise.
        first_column: int16 of shape ``(objects,)``, the first column of sectors of each object; -1
            if it is filed nowhere. Empty for the printed form, which does not record it, and if
            no frame was played.
        first_row: likewise.
        lost: how many times the program reported that it lacked fragments to file an object.
        report_self: int16, for each of the first 4096 calls the object whose function was called.
        report_other: int16, the object that it collided with.
        callbacks: how many calls there were in all.
        tests: how many times two boxes were compared.
        hits: how many of these overlapped.
        fragments: how many fragments were put into lists, over all frames.
        frames: every frame.
    """

    world_made: int
    columns: int
    rows: int
    objects: int
    heads: NDArray[np.int16]
    fragment_object: NDArray[np.int16]
    fragment_next: NDArray[np.int16]
    fragment_prev: NDArray[np.int16]
    fragments_counted: int
    x: NDArray[np.float32]
    y: NDArray[np.float32]
    dx: NDArray[np.int32]
    dy: NDArray[np.int32]
    first_column: NDArray[np.int16]
    first_row: NDArray[np.int16]
    lost: int
    report_self: NDArray[np.int16]
    report_other: NDArray[np.int16]
    callbacks: int
    tests: int
    hits: int
    fragments: int
    frames: tuple[Frame, ...]

    @property
    def collided(self) -> NDArray[np.bool_]:
        """Whether each object took part in a reported collision, in any frame."""
        flags = np.zeros(len(self.x), dtype=np.bool_)
        for frame in self.frames:
            flags[np.array(frame.calls, dtype=np.int64).reshape(-1)] = True
        return flags

    @property
    def told_last(self) -> NDArray[np.bool_]:
        """Whether each object's function was called in the last frame; empty without frames."""
        if not self.frames:
            return np.zeros(0, dtype=np.bool_)
        flags = np.zeros(len(self.x), dtype=np.bool_)
        flags[[item for item, _ in self.frames[-1].calls]] = True
        return flags

    @property
    def table_bytes(self) -> int:
        """Bytes of the printed form's table of sectors."""
        return _POINTER * self.columns * self.rows

    @property
    def table(self) -> int:
        """Where in the printed form's memory for it the table begins."""
        return 0
