"""Lays the stack before each call, but for the pages that guest code has never touched.

A stack has 64 KB, and most routines touch one page of it. To copy all of it takes 1.8 us, a tenth
of a small call; to compare it with what it should hold takes as long. But the engine asks Python
for each page when guest code touches it first (`FastEngine.when_touched`). So that page is laid at
that moment, and before each call from then on. No code can tell the difference, since it meets no
byte of a page before.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emu.machine.memory.memory import PAGE, MemoryRegion


class FreshStack:
    """The stack that the calls of one engine find.

    Args:
        region: the stack in guest memory.
        view: its bytes.
        is_told: whether the engine tells of each page that is touched. If not, all of the stack is
            laid before each call.
    """

    def __init__(self, region: MemoryRegion, view: NDArray[np.uint8], *, is_told: bool) -> None:
        self._region = region
        self._view = view
        # The top page has the frame, which is written before each call and read after it.
        self._first = len(view) - PAGE if is_told else 0
        self._content: NDArray[np.uint8] | None = None

    def lay_all(self) -> None:
        """Lay all of the stack from now on, since Python may look at any of it during a call."""
        self._first = 0

    def begin(self, content: NDArray[np.uint8]) -> None:
        """Lay the stack before a call, as far as any call has touched it."""
        self._content = content
        first = self._first
        self._view[first:] = content[first:]

    def __enter__(self) -> None:
        """Begin with some calls."""

    def __exit__(self, *_: object) -> None:
        """The calls are over: what runs next on this memory lays all of the stack by itself."""
        self._content = None

    def touch(self, address: int) -> None:
        """Lay a page that guest code is about to touch, and all above it, if they are not laid."""
        if address not in self._region:
            return
        offset = address - self._region.address & -PAGE
        if offset < self._first:
            if self._content is not None:
                self._view[offset : self._first] = self._content[offset : self._first]
            self._first = offset
