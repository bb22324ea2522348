"""Tells which source line an instruction came from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LineRow:
    """Code from ``address`` to the next row belongs to this line; to no line, if it is 0."""

    address: int
    file: str
    line: int


class LineTable:
    """Line rows in address order. An empty table answers every question with ("", 0)."""

    def __init__(self, rows: Iterable[LineRow] = ()) -> None:
        # Where one run of rows ends and the next begins at the same address, the row of line 0
        # comes first, so that `find` sees the beginning.
        ordered = sorted(rows, key=lambda row: (row.address, row.line != 0))
        self.rows = tuple(ordered)
        self._addresses = [row.address for row in ordered]

    def find(self, address: int) -> tuple[str, int]:
        """File name (no folder) and line number of the code at an address."""
        index = bisect_right(self._addresses, address) - 1
        if index < 0 or self.rows[index].line == 0:
            return "", 0
        return self.rows[index].file, self.rows[index].line
