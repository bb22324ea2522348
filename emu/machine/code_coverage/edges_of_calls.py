"""How often each call of a batch took each edge, as an engine tells that counts them for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.machine.code_coverage.executed_edges import Edge


@dataclass(frozen=True, slots=True, eq=False)
class EdgesOfCalls:
    """The edges that some calls of a batch have taken.

    Attributes:
        rows: the indices of the calls.
        edges: every edge that one of them has taken. The gate's are left out.
        counts: (calls, edges) uint64, how often each call has taken each edge.
    """

    rows: NDArray[np.intp]
    edges: tuple[Edge, ...]
    counts: NDArray[np.uint64]

    def without(self, rows: NDArray[np.intp]) -> EdgesOfCalls:
        """The edges of other calls than those with these indices."""
        kept = ~np.isin(self.rows, rows)
        return EdgesOfCalls(self.rows[kept], self.edges, self.counts[kept])


def edges_together(
    counted: Iterable[EdgesOfCalls], done: int, left_out: Collection[int] = ()
) -> dict[Edge, int]:
    """How often calls of a batch have taken each edge, all of them together.

    Args:
        counted: what is known of the calls.
        done: the index of the first call that does not count, nor do those behind it.
        left_out: the indices of others that do not count.
    """
    totals: Counter[Edge] = Counter()
    for some in counted:
        is_meant = (some.rows < done) & ~np.isin(some.rows, list(left_out))
        counts = some.counts if is_meant.all() else some.counts[is_meant]
        for edge, count in zip(some.edges, counts.sum(axis=0).tolist(), strict=True):
            if count:
                totals[edge] += count
    return dict(totals)
