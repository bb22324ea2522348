"""Tells where calls of functions went, by the steps from block to block that an engine counts."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from emu.machine.engine.hosted_engine import HostedEngine
from emu.port.recording.call_choice import Path


class Paths:
    """The paths that calls take through functions.

    Args:
        engine: the processor, which has not run yet.
        sizes: the bytes of each function, by its place.

    Raises:
        ToolMissingError: llvmlite is not installed.
    """

    def __init__(self, engine: HostedEngine, sizes: Mapping[str, int]) -> None:
        self._edges, _ = engine.count_edges()
        self._sizes = sizes
        self._used = 0
        self._places: list[str] = []
        self._starts: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._ends = self._starts

    def locate(self, addresses: Mapping[str, int]) -> None:
        """Take in where functions are now, by their places."""
        self._places = sorted(addresses, key=addresses.__getitem__)
        self._starts = np.array([addresses[place] for place in self._places], dtype=np.int64)
        sizes = [self._sizes.get(place, 0) for place in self._places]
        self._ends = self._starts + np.array(sizes, dtype=np.int64)

    def with_new_steps(self) -> list[str]:
        """The places of the functions that have gone where they never went since the last time."""
        if self._edges.used == self._used:
            return []
        first, self._used = self._used, self._edges.used
        at = self._edges.edges_since(first=first)["address"].astype(np.int64)
        index = np.searchsorted(self._starts, at, side="right") - 1
        is_inside = index >= 0
        is_inside[is_inside] &= at[is_inside] < self._ends[index[is_inside]]
        return [self._places[n] for n in np.unique(index[is_inside]).tolist()]

    def begin(self) -> NDArray[np.uint64]:
        """What `path` needs of the beginning of a call."""
        return self._edges.counts()

    def path(self, place: str, start: int, begin: NDArray[np.uint64]) -> Path:
        """Where a call went that ends now.

        Args:
            place: the function.
            start: its address.
            begin: see `begin`.
        """
        records = self._edges.edges_since(begin)
        end = start + self._sizes.get(place, 0)
        to = records["address"].astype(np.int64)
        own = records[(to >= start) & (to < end)]
        to, previous = own["address"].astype(np.int64), own["previous"].astype(np.int64)
        # What a function that it calls executed last does not matter.
        previous = np.where((previous >= start) & (previous < end), previous - start, -1)
        return frozenset(zip(previous.tolist(), (to - start).tolist(), strict=True))
