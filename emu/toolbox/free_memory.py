"""Marks the free memory of a heap as outside of every object, for those who look at accesses."""

from __future__ import annotations

import numpy as np

from emu.machine.engine.accesses import OUTSIDE, Accesses
from emu.toolbox.macintosh import Macintosh


class FreeMemory:
    """The free memory of all heap zones of a Macintosh, in a shadow.

    So what code reads or stores in a block that it has disposed of is noted.

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
            shadow[space.start - base : space.last.start - base] = 0
        for space in zones:
            for hole in space.holes:
                shadow[hole.content - base : hole.end - base] = np.uint8(OUTSIDE)
