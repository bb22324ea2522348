"""Makes a change as small as can be while it still shows the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

_Key = TypeVar("_Key")

_MOST_TRIES = 600


def reduce_changes(
    changes: Mapping[_Key, int], shows: Callable[[Mapping[_Key, int]], bool]
) -> dict[_Key, int]:
    """The fewest of some changes that still show what all of them show.

    No single one of them can be left out, unless `_MOST_TRIES` tries did not suffice to find out.
    Delta debugging: Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, IEEE
    TSE 28(2), 2002.

    Args:
        changes: the changes, which show it.
        shows: whether these changes do.
    """
    left, parts, tries = dict(changes), 2, 0
    while len(left) > 1 and tries < _MOST_TRIES:
        keys = list(left)
        size = -(-len(keys) // parts)
        for start in range(0, len(keys), size):
            fewer = {key: left[key] for key in (*keys[:start], *keys[start + size :])}
            tries += 1
            if shows(fewer):
                left, parts = fewer, max(parts - 1, 2)
                break
        else:
            if size == 1:
                break
            parts = min(parts * 2, len(keys))
    return left
