"""The result of routines that find pairs of squares: flags, reported pairs, number of tests.

Every routine with this part of a result compiles with the same limits. Where a reference adds
something of its own, its result extends this one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MAX_OBJECTS = 2000
MAX_REPORTS = 4000  # the reports that a routine records; further ones are only counted


@dataclass(frozen=True, slots=True, eq=False)
class ReportedPairs:
    """The objects and pairs that collide, and the number of tests.

    Attributes:
        flags: uint8 of shape ``(2000,)``, 1 for every object in a collision, 0 for other objects
            and for unused elements.
        reports: int16 of shape ``(hits, 2)``, the pairs that overlapped in the order found,
            repetitions included.
        tests: how many tests of two rectangles were made.
        objects: how many objects there are, n.
    """

    flags: NDArray[np.uint8]
    reports: NDArray[np.int16]
    tests: int
    objects: int

    @property
    def object_flags(self) -> NDArray[np.uint8]:
        """The flags of the scene's objects, shape ``(n,)``."""
        return self.flags[: self.objects]

    @property
    def hits(self) -> int:
        """How many tests found an overlap: the number of reports made."""
        return len(self.reports)

    @property
    def report_first(self) -> NDArray[np.int16]:
        """The first objects of the first 4000 reports."""
        return self.reports[:MAX_REPORTS, 0]

    @property
    def report_second(self) -> NDArray[np.int16]:
        """The second objects of the first 4000 reports."""
        return self.reports[:MAX_REPORTS, 1]
