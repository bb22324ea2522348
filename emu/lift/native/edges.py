"""Numbers for the edges that translated code counts."""

from __future__ import annotations

from collections.abc import Collection


class EdgeNumbers:
    """Gives a number to each edge that begins a block.

    Args:
        leaders: the addresses at which blocks begin.
    """

    def __init__(self, leaders: Collection[int]) -> None:
        self._leaders = leaders
        self._numbers: dict[tuple[int, int], int] = {}

    def number(self, source: int, target: int) -> int | None:
        """The number of the edge from an instruction to one that begins a block, or None."""
        if target not in self._leaders:
            return None
        return self._numbers.setdefault((source, target), len(self._numbers))

    @property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """The edges in the order of their numbers: addresses of the two instructions."""
        return tuple(self._numbers)
