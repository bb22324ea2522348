"""What routines leave behind that find pairs of squares: flags, reports of pairs, a count of tests.

Every routine with this part of a result compiles with the same limits. Where a reference adds
something of its own, its result extends this one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["MAX_OBJECTS", "MAX_REPORTS", "ReportedPairs"]

MAX_OBJECTS = 2000
MAX_REPORTS = 4000  # that a routine keeps; more are only counted


@dataclass(frozen=True, slots=True, eq=False)
class ReportedPairs:
    """Who collides, and the work it took to find out.

    Attributes:
        flags: uint8 of shape ``(2000,)``, 1 for every object in a collision, 0 for the rest and
            for the places no object takes up.
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
        """The flags of the objects that there are, shape ``(n,)``."""
        return self.flags[: self.objects]

    @property
    def hits(self) -> int:
        """How many tests found an overlap: the number of reports made."""
        return len(self.reports)

    @property
    def report_first(self) -> NDArray[np.int16]:
        """The objects tested first of the reports that are kept, the first 4000."""
        return self.reports[:MAX_REPORTS, 0]

    @property
    def report_second(self) -> NDArray[np.int16]:
        """The objects tested second of the reports that are kept, the first 4000."""
        return self.reports[:MAX_REPORTS, 1]
