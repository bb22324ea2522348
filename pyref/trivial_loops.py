"""Loops that compare every object of a scene with every other: who is compared with whom.

A post on linear quadtrees begins with two of them, to have something that is slower.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyref.circle_scene import CircleScene
from pyref.linear_quadtree_measures import count_loops

__all__ = ["Comparisons", "compare_as_described", "compare_each_pair_once"]


@dataclass(frozen=True, slots=True)
class Comparisons:
    """What two loops compare.

    Attributes:
        first_calls: comparisons of the first loop.
        first_with_itself: those of them of an object with itself.
        second_calls: comparisons of the second loop.
        second_with_itself: likewise.
    """

    first_calls: int
    first_with_itself: int
    second_calls: int
    second_with_itself: int


def compare_as_described(scene: CircleScene) -> Comparisons:
    """The post's loops: every b for every a, and every b from a on."""
    first, second = count_loops(scene.objects)
    return Comparisons(first.calls, first.with_itself, second.calls, second.with_itself)


def compare_each_pair_once(scene: CircleScene) -> Comparisons:
    """As they should be: every b after a."""
    needed = scene.objects * (scene.objects - 1) // 2
    return Comparisons(needed, 0, needed, 0)
