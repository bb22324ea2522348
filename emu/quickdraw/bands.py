"""Bands: the rows of regions, and their unions, intersections and differences.

A band is a number of rows in which the same pixels are inside. It stores the horizontal
coordinates, the *edges*, at which a row changes between outside and inside: (10, 20, 30, 40) means
that pixels 10 to 19 and 30 to 39 are inside.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import pairwise
from operator import itemgetter

Edges = tuple[int, ...]
Band = tuple[int, int, Edges]
"""The rows top <= v < bottom, and the coordinates at which inside and outside change."""
Bands = tuple[Band, ...]

# Whether a pixel belongs to the result; the index is 2 * (it is in the first) + (it is in the
# second).
UNION = (False, True, True, True)
INTERSECTION = (False, False, False, True)
DIFFERENCE = (False, False, True, False)
EITHER = (False, True, True, False)
Rule = tuple[bool, bool, bool, bool]

_BEYOND = 1 << 30
_TOP, _BOTTOM = itemgetter(0), itemgetter(1)


def combine_edges(a: Edges, b: Edges, rule: Rule) -> Edges:
    """The edges of the row that a rule, such as `UNION`, makes of two rows."""
    if rule is EITHER:
        return tuple(sorted(set(a) ^ set(b)))
    if len(b) == 2:
        return _combine_with_one(a, b, rule)
    if len(a) == 2 and rule is not DIFFERENCE:
        return _combine_with_one(b, a, rule)
    edges: list[int] = []
    i = j = state = 0
    inside = False
    while i < len(a) or j < len(b):
        x = min(a[i] if i < len(a) else _BEYOND, b[j] if j < len(b) else _BEYOND)
        if i < len(a) and a[i] == x:
            i += 1
            state ^= 2
        if j < len(b) and b[j] == x:
            j += 1
            state ^= 1
        if rule[state] != inside:
            inside = not inside
            edges.append(x)
    return tuple(edges)


def _combine_with_one(a: Edges, edges: Edges, rule: Rule) -> Edges:
    """The edges of the union, intersection or difference of a row with a single span."""
    left, right = edges
    if rule is INTERSECTION:
        first, last = bisect_right(a, left), bisect_left(a, right)
        return (left,) * (first & 1) + a[first:last] + (right,) * (last & 1)
    first, last = bisect_left(a, left), bisect_right(a, right)
    if rule is DIFFERENCE:
        return a[:first] + (left,) * (first & 1) + (right,) * (last & 1) + a[last:]
    return a[:first] + (left,) * (~first & 1) + (right,) * (~last & 1) + a[last:]


def add_band(bands: list[Band], top: int, bottom: int, edges: Edges) -> None:
    """Append a band below the others; join it with an equal neighbour, leave out an empty one."""
    if not edges or top >= bottom:
        return
    if bands and bands[-1][1] == top and bands[-1][2] == edges:
        bands[-1] = (bands[-1][0], bottom, edges)
    else:
        bands.append((top, bottom, edges))


def combine(a: Bands, b: Bands, rule: Rule) -> Iterable[Band]:
    """The bands of the region that a rule, such as `UNION`, makes of two regions."""
    if not a or not b:
        return *(a if rule[2] else ()), *(b if rule[1] else ())
    # Only the rows that both regions have need to be computed.
    top, bottom = max(a[0][0], b[0][0]), min(a[-1][1], b[-1][1])
    above_a, a, below_a = _cut(a, top, bottom)
    above_b, b, below_b = _cut(b, top, bottom)
    bands = [*(above_a if rule[2] else ()), *(above_b if rule[1] else ())]
    _combine_bands(bands, a, b, rule)
    below = (*(below_a if rule[2] else ()), *(below_b if rule[1] else ()))
    if below:
        add_band(bands, *below[0])
        bands += below[1:]
    return bands


def _cut(bands: Bands, top: int, bottom: int) -> tuple[Bands, Bands, Bands]:
    """Split bands into those above some rows, those that overlap these rows, and those below."""
    first = bisect_right(bands, top, key=_BOTTOM)
    last = max(first, bisect_left(bands, bottom, key=_TOP))
    return bands[:first], bands[first:last], bands[last:]


def _combine_bands(bands: list[Band], a: Bands, b: Bands, rule: Rule) -> None:
    """Combine the bands of two regions, and append the result to ``bands``."""
    lines = sorted({v for band in (*a, *b) for v in band[:2]})
    # Ragged regions repeat rows, so results are reused; equal rows then share one tuple in memory.
    combined: dict[tuple[int, int], Edges] = {}
    i = j = 0
    for top, bottom in pairwise(lines):
        while i < len(a) and a[i][1] <= top:
            i += 1
        while j < len(b) and b[j][1] <= top:
            j += 1
        first = a[i][2] if i < len(a) and a[i][0] <= top else ()
        second = b[j][2] if j < len(b) and b[j][0] <= top else ()
        key = id(first), id(second)
        if key not in combined:
            combined[key] = combine_edges(first, second, rule)
        add_band(bands, top, bottom, combined[key])
