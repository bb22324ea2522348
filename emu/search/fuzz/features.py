"""What a call is remembered by: each edge that it took, and how often, roughly.

Edges are the same ones whichever engine has counted them, and so are the features.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from emu.machine.code_coverage.edges_of_calls import EdgesOfCalls
from emu.machine.code_coverage.executed_edges import Edge

_BUCKETS = np.array([1, 2, 3, 4, 8, 16, 32, 128], np.uint64)


class EdgeFeatures:
    """Features of a program's edges.

    Args:
        index: the program's index among those that are searched.
    """

    def __init__(self, index: int) -> None:
        self._index = index
        self._known: dict[Edge, NDArray[np.int64]] = {}

    def of_edges(self, edges: Mapping[Edge, int]) -> frozenset[int]:
        """The features of a call, from how often it took each edge."""
        return frozenset(
            int(self._of_edge(edge)[np.searchsorted(_BUCKETS, count, side="right")])
            for edge, count in edges.items()
        )

    def of_calls(self, some: EdgesOfCalls) -> Iterator[frozenset[int]]:
        """The features of each of some calls."""
        if not some.edges:
            yield from (frozenset() for _ in some.rows)
            return
        table = np.stack([self._of_edge(edge) for edge in some.edges])
        buckets = np.searchsorted(_BUCKETS, some.counts, side="right")
        features = table[np.arange(len(some.edges)), buckets]
        for row, is_taken in zip(features, buckets > 0, strict=True):
            yield frozenset(row[is_taken].tolist())

    def _of_edge(self, edge: Edge) -> NDArray[np.int64]:
        """The features of an edge, by how many of the numbers in `_BUCKETS` its count reaches."""
        if edge not in self._known:
            several = range(len(_BUCKETS) + 1)
            self._known[edge] = np.array(
                [hash((self._index, edge, number)) for number in several], np.int64
            )
        return self._known[edge]
