"""What Insert has to do, in Python, and the trees to try it on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import PCG64

from macproof import simpler_numbers


@dataclass
class Node:
    """A node of a tree, with the members that it has in tree.c."""

    key: int
    count: int = 1
    left: Node | None = None
    right: Node | None = None


def tree_of(keys: list[int]) -> Node | None:
    """The tree that keys make which are inserted one after another."""
    root = None
    for key in keys:
        root, _ = with_key(root, key)
    return root


def with_key(node: Node | None, key: int) -> tuple[Node, bool]:
    """A tree with one key more, and whether it is a new one."""
    if node is None:
        return Node(key), True
    if key == node.key:
        return replace(node, count=node.count + 1), False
    if key < node.key:
        left, is_new = with_key(node.left, key)
        return replace(node, left=left), is_new
    right, is_new = with_key(node.right, key)
    return replace(node, right=right), is_new


@dataclass(frozen=True)
class Insertion:
    """A scene: a tree, and the key that is inserted.

    Attributes:
        keys: (n,) what the tree is made of, in this order.
        key: what is inserted.
    """

    keys: np.ndarray
    key: int
    generator: str
    seed: int

    @property
    def objects(self) -> int:
        """How many keys."""
        return len(self.keys)

    @property
    def tree(self) -> Node | None:
        """Its first node."""
        return tree_of(self.keys.tolist())

    def keep(self, indices: np.ndarray) -> Insertion:
        """The same with some of the keys only, for `macproof explain` to shrink a scene."""
        return replace(self, keys=self.keys[indices])

    def simpler(self) -> Iterator[Insertion]:
        """The same with a key that is nearer to 0."""
        for less in simpler_numbers(self.key):
            yield replace(self, key=less)


@dataclass(frozen=True)
class Answer:
    """The reference's answer."""

    tree: Node
    is_new: bool


def make_scene(generator: str, objects: int, seed: int, *, width: int, height: int) -> Insertion:
    """The scene of a seed, the same on every machine."""
    key, *keys = (int(word % 40) - 20 for word in PCG64(seed).random_raw(1 + objects).tolist())
    if generator == "ascending":  # every node has one below it
        keys.sort()
    return Insertion(np.array(keys, np.int64), key, generator, seed)


def insert(scene: Insertion) -> Answer:
    """A tree of new nodes; those of the scene stay as they are."""
    return Answer(*with_key(scene.tree, scene.key))
