"""Reads the tables in which translated code has counted its edges, one for each call."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emu.engines.native_code.translations import KeptTranslation
from emu.machine.code_coverage.edges_of_calls import EdgesOfCalls
from emu.machine.code_coverage.executed_edges import Edge
from emu.machine.engine.watch.edges import Block

_MOST_TABLE = 4 << 20  # bytes of the table of a call
_TABLES_BYTES = 64 << 20
_LONGEST_RUN = 120
"""Instructions of the longest run that is surely one block of Unicorn, which ends a block behind
512 instructions, and behind 285 that take two accesses to memory each."""


def refusal_to_count(translation: KeptTranslation) -> str:
    """Why edges are not counted as Unicorn counts them, after the program's name; "" if they are.

    Args:
        translation: what code that counts, or does not, was translated to.
    """
    if translation.table > _MOST_TABLE:
        return f"has too many blocks: each call would need {translation.table:,} bytes of counts"
    if translation.longest > _LONGEST_RUN:
        return f"has {translation.longest} instructions without a jump, which Unicorn divides"
    return ""


class CountTables:
    """The tables of the calls of a translation.

    Args:
        translation: the translation; its code counts edges.
    """

    def __init__(self, translation: KeptTranslation) -> None:
        self._size = translation.table
        blocks = translation.blocks
        self._cells = np.array([edge.cell for edge in translation.edges], np.intp)
        self._edges: list[Edge] = [
            (*(blocks[edge.source] if edge.source >= 0 else (0, 0)), *blocks[edge.target])
            for edge in translation.edges
        ]

    @property
    def most(self) -> int:
        """How many calls can be made together."""
        return max(1, _TABLES_BYTES // self._size)

    def clear(self, marks: NDArray[np.uint8], calls: int) -> None:
        """Set the tables of so many calls to 0; they are at the beginning of ``marks``."""
        marks[: calls * self._size] = 0

    def read(self, marks: NDArray[np.uint8], rows: NDArray[np.intp]) -> EdgesOfCalls:
        """What the tables have of calls, whose indices are ``rows``."""
        tables = marks[: len(rows) * self._size].view(np.uint64)
        tables = tables.reshape(len(rows), self._size // tables.itemsize)
        is_taken = np.asarray(tables.any(axis=0))
        taken = np.flatnonzero(is_taken[self._cells])
        edges = tuple(self._edges[number] for number in taken)
        return EdgesOfCalls(rows, edges, tables[:, self._cells[taken]])


def blocks_entered(edges: EdgesOfCalls) -> frozenset[Block]:
    """The blocks that calls have entered."""
    return frozenset(edge[2:] for edge in edges.edges)
