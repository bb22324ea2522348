"""Counts the edges between blocks that all engines of a machine have executed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from emu.machine.engine.watch.edges import Block, EdgeCounter

Edge = tuple[int, int, int, int]
"""Address and size in bytes of a block, and of the block after it; the first two are 0 if the block
is the first of a call."""


class ExecutedEdges:
    """The edges that calls of a machine execute.

    Most calls run in an engine with a native counter. A call that is made again in another engine,
    because it needs the operating system or the watchdog stopped it, is added here. It was begun in
    the first engine, so the blocks up to that point count twice.

    Args:
        gate: the addresses of the gate, whose blocks are left out.
    """

    def __init__(self, gate: range) -> None:
        self._gate = gate
        self._counters: list[EdgeCounter] = []
        self._noted: Counter[Edge] = Counter()

    def watch(self, counter: EdgeCounter) -> None:
        """Take the edges of a counter, too, from now on."""
        self._counters.append(counter)

    def note(self, edges: Mapping[tuple[Block, Block], int]) -> None:
        """Add edges that an engine without a counter has executed."""
        for (previous, block), count in edges.items():
            self._add((*previous, *block), count)

    def add(self, edges: Mapping[Edge, int]) -> None:
        """Add edges without the gate's, which another engine has counted."""
        self._noted.update(edges)

    def take(self) -> dict[Edge, int]:
        """How often each edge was executed since the last call of this function.

        Raises:
            TooManyEdgesError: there were more edges than a counter has room for.
        """
        for counter in self._counters:
            for *edge, count in counter.edges().tolist():
                self._add((edge[0], edge[1], edge[2], edge[3]), count)
            counter.clear()
        edges = dict(self._noted)
        self._noted.clear()
        return edges

    def _add(self, edge: Edge, count: int) -> None:
        previous, previous_size, address, size = edge
        if address in self._gate:
            return
        if previous in self._gate:
            previous = previous_size = 0
        self._noted[previous, previous_size, address, size] += count
