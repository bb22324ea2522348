"""Rows of which a test of every day is given a few, and a slow one the rest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def slow_but(quick: Iterable[Any], rows: Iterable[Any]) -> list[Any]:
    """Parameters of a test, of which all but some are slow: each row is tested by CI.

    Args:
        quick: the rows that are not slow.
        rows: all of them.
    """
    all_rows, chosen = list(rows), list(quick)
    unknown = [row for row in chosen if row not in all_rows]
    assert not unknown, f"there are no rows {unknown}"
    return [row if row in chosen else slow(row) for row in all_rows]


def slow(row: Any) -> Any:
    """A row whose test is slow; a tuple is the values of several arguments."""
    values = row if isinstance(row, tuple) else (row,)
    return pytest.param(*values, marks=pytest.mark.slow)
