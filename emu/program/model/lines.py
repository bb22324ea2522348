"""Tells which source line an instruction came from."""

from __future__ import annotations

import functools
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LineRow:
    """Code from ``address`` to the next row belongs to this line; to no line, if it is 0."""

    address: int
    file: str
    line: int


class LineTable:
    """Line rows in address order. An empty table answers every question with ("", 0).

    Args:
        rows: the rows in any order; or what reads them when they are first needed, because that
            takes 5 of the 11 ms in which a small program is read, and most programs are verified
            without them.
    """

    def __init__(self, rows: Iterable[LineRow] | Callable[[], Iterable[LineRow]] = ()) -> None:
        self._given = rows

    @functools.cached_property
    def rows(self) -> tuple[LineRow, ...]:
        """The rows.

        Raises:
            ProgramError: they are damaged.
        """
        rows, self._given = self._given() if callable(self._given) else self._given, ()
        # Where one run of rows ends and the next begins at the same address, the row of line 0
        # comes first, so that `find` sees the beginning.
        return tuple(sorted(rows, key=lambda row: (row.address, row.line != 0)))

    @functools.cached_property
    def _addresses(self) -> list[int]:
        return [row.address for row in self.rows]

    def find(self, address: int) -> tuple[str, int]:
        """File name (no folder) and line number of the code at an address."""
        index = bisect_right(self._addresses, address) - 1
        if index < 0 or self.rows[index].line == 0:
            return "", 0
        return self.rows[index].file, self.rows[index].line
