"""Marks what is in no block of a heap as outside of every object, for full checks."""

from __future__ import annotations

import numpy as np

from emu.machine.engine.watch.accesses import OUTSIDE, Accesses
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.memory.block import FREE

_OTHERS = np.uint8(0xFF ^ OUTSIDE)


class FreeMemory:
    """What is in no block of the heap zones of a Macintosh, in a shadow.

    So it is noted what code reads or stores in a block that it has disposed of, in a header, and
    between the contents of a block and its end.

    Args:
        mac: the Macintosh. Its shadow is written whenever guest code goes on.
        accesses: what has the shadow.
    """

    def __init__(self, mac: Macintosh, accesses: Accesses) -> None:
        self._mac = mac
        self._accesses = accesses
        self._revisions: list[tuple[int, int]] = []
        mac.on_resume.append(self._mark)

    def _mark(self) -> None:
        """Write the shadow of the zones, if blocks have come or gone since the last time."""
        zones = [zone.space for zone in self._mac.memory.zones]
        revisions = [(space.start, space.revision) for space in zones]
        if revisions == self._revisions:
            return
        self._revisions = revisions
        shadow, base = self._accesses.shadow, self._mac.guest.memory.base
        for space in zones:
            blocks = list(space.walk())
            shadow[space.start - base : blocks[0].start - base] &= _OTHERS  # the zone's record
            shadow[blocks[0].start - base : space.last.end - base] |= np.uint8(OUTSIDE)
            for block in blocks:
                if block.kind != FREE:
                    start = block.content - base
                    shadow[start : start + block.logical] &= _OTHERS
