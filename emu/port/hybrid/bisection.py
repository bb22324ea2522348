"""Finds the few of many functions that cause a difference, by runs with some of them.

This is delta debugging (A. Zeller and R. Hildebrandt, "Simplifying and Isolating Failure-Inducing
Input", IEEE Transactions on Software Engineering 28(2), 2002). One that causes it alone is found by
halving: of 64, with 6 to 12 runs.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence


def smallest_cause(
    names: Sequence[str], differs: Callable[[Sequence[str]], bool]
) -> tuple[str, ...]:
    """A set of names that causes a difference, of which none can be left out.

    Args:
        names: all names; together they cause it.
        differs: whether some of them cause it.
    """
    parts = 2
    while len(names) > 1:
        pieces = _split(names, parts)
        rests = [[n for n in names if n not in piece] for piece in pieces] if parts > 2 else []
        piece = next((one for one in pieces if differs(one)), None)
        rest = None if piece else next((one for one in rests if differs(one)), None)
        if piece is not None:
            names, parts = piece, 2
        elif rest is not None:
            names, parts = rest, max(parts - 1, 2)
        elif parts >= len(names):
            break
        else:
            parts = min(2 * parts, len(names))
    return tuple(names)


def _split(names: Sequence[str], parts: int) -> list[list[str]]:
    ends = [len(names) * n // parts for n in range(parts + 1)]
    return [list(names[a:b]) for a, b in itertools.pairwise(ends)]
