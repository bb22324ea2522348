"""The time that guest code reads where it runs without a Macintosh around it."""

from __future__ import annotations


class ReadingClock:
    """Virtual time that advances by a fixed step at each reading, so that all runs are equal.

    The step is 1,024 ns, about eighty cycles of a 601 at 80 MHz. The clock of a 601 counts in steps
    of 128 ns (PowerPC 601 RISC Microprocessor User's Manual, on RTCU and RTCL).
    """

    def __init__(self) -> None:
        self.time = 0

    def reset(self) -> None:
        """Set the time to 0."""
        self.time = 0

    def read(self) -> int:
        """Advance the time by a step and return it in nanoseconds."""
        self.time += 1024
        return self.time
