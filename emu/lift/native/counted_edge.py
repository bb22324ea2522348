"""An edge that translated code counts: a run of instructions, and the one before it.

A run is a piece of code that is entered at its first instruction by a jump, and left at its last:
the next one that jumps or may jump, or the last before a new page. So it does not depend on how
code is cut into blocks, which changes when more of it is found. Unicorn's blocks are runs.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CountedEdge:
    """An edge that code may take.

    Attributes:
        cell: the number of its counter in the table of a call.
        source: the number of the run before; -1 if a call begins with this one.
        target: the number of the run.
    """

    cell: int
    source: int
    target: int
