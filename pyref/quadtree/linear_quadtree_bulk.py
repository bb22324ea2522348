"""Collision detection with a linear quadtree, for many scenes at once.

:mod:`pyref.quadtree.linear_quadtree` is the specification. The functions here say the same of each
scene, in a small part of the time. The nodes of a leaf are a run of the sorted objects. NumPy pairs
each run with itself and with the runs beside it, for all leaves of many scenes together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pyref.quadtree.circle_scene import CircleScene
from pyref.quadtree.linear_quadtree import (
    DESCRIBED_LEAF,
    DESCRIBED_WORLD,
    FORWARD,
    LEAF,
    WORLD,
    QuadtreeDetection,
    require_room,
)
from pyref.quadtree.morton import NARROW, Codes, encode, neighbours
from pyref.quadtree.morton_as_printed import neighbours_of_listing
from pyref.sectors.sector_lists import SectorLists, few_pairs, runs

_Pairs: TypeAlias = NDArray[np.int64]  # of shape (pairs, 2)
_Around: TypeAlias = tuple[Codes, NDArray[np.bool_]]
"""The codes to look up for each of some leaves, of shape (leaves, slots), and which of them are."""


def detect_collisions(scenes: Sequence[CircleScene]) -> list[QuadtreeDetection]:
    """What `pyref.quadtree.linear_quadtree.detect_collisions` says of each scene.

    Raises:
        ValueError: as that function.
    """
    return _detect_all(scenes, WORLD, _Form(LEAF, _forward_on_plane))


def detect_on_torus(scenes: Sequence[CircleScene]) -> list[QuadtreeDetection]:
    """What `pyref.quadtree.linear_quadtree.detect_on_torus` says of each scene."""
    return _detect_all(scenes, WORLD, _Form(LEAF, _forward_on_torus, torus=WORLD))


def detect_as_described(scenes: Sequence[CircleScene]) -> list[QuadtreeDetection]:
    """What `pyref.quadtree.linear_quadtree.detect_as_described` says of each scene."""
    form = _Form(DESCRIBED_LEAF, lambda codes: _all(neighbours(codes).codes), is_bounded=True)
    return _detect_all(scenes, DESCRIBED_WORLD, form)


def detect_as_printed(scenes: Sequence[CircleScene]) -> list[QuadtreeDetection]:
    """What `pyref.quadtree.linear_quadtree.detect_as_printed` says of each scene."""
    form = _Form(DESCRIBED_LEAF, lambda codes: _all(neighbours_of_listing(codes)), is_bounded=True)
    return _detect_all(scenes, DESCRIBED_WORLD, form)


@dataclass(frozen=True, slots=True)
class _Form:
    """What the forms do otherwise.

    Attributes:
        leaf: the width of a leaf in pixels.
        around: the codes to look up for each of some leaves.
        is_bounded: whether only candidates are tested that reach into the leaf.
        torus: the size of a torus in pixels, or 0 for a plane.
    """

    leaf: int
    around: Callable[[Codes], _Around]
    is_bounded: bool = False
    torus: int = 0


def _forward_on_plane(codes: Codes) -> _Around:
    around = neighbours(codes, toroidal=False)
    return around.codes[:, FORWARD], around.exists[:, FORWARD]


def _forward_on_torus(codes: Codes) -> _Around:
    return _all(neighbours(codes).codes[:, FORWARD])


def _all(codes: Codes) -> _Around:
    return codes, np.ones(codes.shape, np.bool_)


def _detect_all(scenes: Sequence[CircleScene], world: int, form: _Form) -> list[QuadtreeDetection]:
    for scene in scenes:
        require_room(scene, world)
    return [answer for few in few_pairs(scenes) for answer in _Search(few, form).answers()]


class _Search:
    """The search of a batch of scenes, whose objects are numbered through."""

    def __init__(self, scenes: Sequence[CircleScene], form: _Form) -> None:
        self.form = form
        self.counts = np.array([scene.objects for scene in scenes])
        self.scene = np.repeat(np.arange(len(scenes)), self.counts)
        self.x, self.y, self.radius = (
            np.concatenate([getattr(scene, name) for scene in scenes]).astype(np.int64)
            for name in ("x", "y", "radius")
        )
        self.codes = encode(self.x // form.leaf, self.y // form.leaf)
        keys = self.scene * (NARROW.mask + 1) + self.codes  # leaves of two scenes differ
        self.nodes = np.argsort(keys, kind="stable")
        self.keys, self.begins, self.sizes = np.unique(
            keys[self.nodes], return_index=True, return_counts=True
        )
        self.leaf_scene = self.keys // (NARROW.mask + 1)

    def answers(self) -> list[QuadtreeDetection]:
        """What is found in each scene."""
        lookups, leaf, candidates = self._look_up()
        bounds_tests = self._in_each(self.leaf_scene[leaf]) if self.form.is_bounded else 0
        if self.form.is_bounded:
            reaches = self._reaches(leaf, candidates)
            leaf, candidates = leaf[reaches], candidates[reaches]
        tested = self._pairs(leaf, candidates)
        reported = tested[self._overlap(tested)]
        starts = np.cumsum(self.counts) - self.counts
        columns = zip(
            self._divided(self.nodes - starts[self.scene], self.counts),
            self._divided(self.codes, self.counts),
            *(
                self._divided(
                    pairs - starts[self.scene[pairs]], self._in_each(self.scene[pairs[:, 0]])
                )
                for pairs in (tested, reported)
            ),
            self._in_each(self.leaf_scene).tolist(),
            lookups.tolist(),
            np.broadcast_to(bounds_tests, len(self.counts)).tolist(),
            strict=True,
        )
        return [
            QuadtreeDetection(
                nodes.astype(np.int16),
                codes.astype(np.uint16),
                some.astype(np.int16),
                hits.astype(np.int16),
                *numbers,
            )
            for nodes, codes, some, hits, *numbers in columns
        ]

    def _look_up(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Look up the leaves beside each leaf.

        Returns:
            How many look-ups there are in each scene; and of every node found there, in order, the
            leaf that it is a candidate for, and its object.
        """
        base = self.leaf_scene * (NARROW.mask + 1)
        codes, is_wanted = self.form.around(self.keys - base)
        wanted = codes + base[:, np.newaxis]
        places = np.minimum(np.searchsorted(self.keys, wanted), max(len(self.keys) - 1, 0))
        is_found = is_wanted & (self.keys[places] == wanted)
        sizes = np.where(is_found, self.sizes[places], 0)
        leaf = np.repeat(np.arange(len(self.keys)), sizes.sum(axis=1))
        lookups = np.bincount(self.leaf_scene, is_wanted.sum(axis=1), len(self.counts))
        candidates = self.nodes[runs(self.begins[places].reshape(-1), sizes.reshape(-1))]
        return lookups.astype(np.int64), leaf, candidates

    def _reaches(self, leaf: NDArray[np.int64], candidates: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether candidates reach into the leaves that they are candidates for."""
        width, source = self.form.leaf, self.nodes[self.begins[leaf]]
        squares = np.zeros(len(leaf), np.int64)
        for axis in (self.x, self.y):
            place, low = axis[candidates], axis[source] // width * width
            squares += np.maximum(np.maximum(low - place, place - (low + width)), 0) ** 2
        return np.asarray(squares < self.radius[candidates] ** 2)

    def _pairs(self, leaf: NDArray[np.int64], candidates: NDArray[np.int64]) -> _Pairs:
        """The pairs that are tested: of each leaf its own, then every candidate's with it."""
        lists = SectorLists(self.nodes, np.repeat(np.arange(len(self.keys)), self.sizes))
        own = self.nodes[np.stack(lists.pairs(), axis=1)]
        many = self.sizes[leaf]
        others = np.stack(
            [self.nodes[runs(self.begins[leaf], many)], np.repeat(candidates, many)], axis=1
        )
        of_own = self.sizes * (self.sizes - 1) // 2
        of_others = np.bincount(leaf, many, len(self.keys)).astype(np.int64)
        # Both are in the order of the leaves: a leaf's own come in front of its others.
        order = np.argsort(
            np.append(
                np.repeat(2 * np.arange(len(self.keys)), of_own),
                np.repeat(2 * np.arange(len(self.keys)) + 1, of_others),
            ),
            kind="stable",
        )
        return np.concatenate([own, others])[order]

    def _overlap(self, pairs: _Pairs) -> NDArray[np.bool_]:
        a, b = pairs.T
        squares = np.zeros(len(pairs), np.int64)
        for axis in (self.x, self.y):
            apart = abs(axis[a] - axis[b])
            if self.form.torus:
                apart = np.minimum(apart, self.form.torus - apart)
            squares += apart**2
        return np.asarray(squares < (self.radius[a] + self.radius[b]) ** 2)

    def _in_each(self, scenes: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.bincount(scenes, minlength=len(self.counts))

    @staticmethod
    def _divided(values: NDArray[np.int64], counts: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        return np.split(values, np.cumsum(counts)[:-1])
