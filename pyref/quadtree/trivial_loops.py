"""Two loops that compare every object of a scene with every other, and what they compare.

A post on linear quadtrees begins with them, as slow methods to be improved on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pyref.quadtree.circle_scene import CircleScene
from pyref.quadtree.linear_quadtree_measures import count_loops


@dataclass(frozen=True, slots=True)
class Comparisons:
    """The numbers of comparisons of two loops.

    Attributes:
        first_calls: how many comparisons the first loop makes.
        first_with_itself: how many of these compare an object with itself.
        second_calls: how many comparisons the second loop makes.
        second_with_itself: how many of these compare an object with itself.
    """

    first_calls: int
    first_with_itself: int
    second_calls: int
    second_with_itself: int


def compare_as_described(scene: CircleScene) -> Comparisons:
    """The post's loops: every b for every a, and every b from a on."""
    first, second = count_loops(scene.objects)
    return Comparisons(first.calls, first.with_itself, second.calls, second.with_itself)


def compare_many_as_described(scenes: Sequence[CircleScene]) -> list[Comparisons]:
    """What `compare_as_described` says of each scene, by formulas and without a loop."""
    counts = [scene.objects for scene in scenes]
    return [Comparisons(n * n, n, n * (n + 1) // 2, n) for n in counts]


def compare_each_pair_once(scene: CircleScene) -> Comparisons:
    """The corrected loops: every b after a."""
    needed = scene.objects * (scene.objects - 1) // 2
    return Comparisons(needed, 0, needed, 0)
