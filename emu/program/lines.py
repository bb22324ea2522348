"""Which source line an instruction came from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LineRow:
    """From ``address`` on, until the next row, code belongs to this line; line 0 ends a run."""

    address: int
    file: str
    line: int


class LineTable:
    """Line rows in address order. An empty table answers every question with ("", 0)."""

    def __init__(self, rows: Iterable[LineRow] = ()) -> None:
        # Rows at one address are ordered so that the end of one sequence never hides the
        # beginning of the next.
        ordered = sorted(rows, key=lambda row: (row.address, row.line != 0))
        self.rows = tuple(ordered)
        self._addresses = [row.address for row in ordered]

    def find(self, address: int) -> tuple[str, int]:
        """File name (no folder) and line number of the code at an address."""
        index = bisect_right(self._addresses, address) - 1
        if index < 0 or self.rows[index].line == 0:
            return "", 0
        return self.rows[index].file, self.rows[index].line
