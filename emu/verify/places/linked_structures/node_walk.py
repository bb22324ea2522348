"""Walks a structure of nodes in Python, and numbers them in the order in which it reaches them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.cases.nodes import members_of
from emu.machine.guest.guest_values import fill_array, store
from emu.verify.places.slots.node_types import Leaf, NodeTypes


class MissingMember:
    """Stands for a member that a node does not have."""


MISSING = MissingMember()


@dataclass(frozen=True, slots=True, eq=False)
class StructureNode:
    """A node of a structure: its number, the index of its type, and the node itself."""

    number: int
    kind: int
    value: Any


class Walk:
    """Gives numbers to the nodes of a structure in Python, in the order in which they are reached.

    Args:
        types: the types of the nodes.
        limit: how many nodes there may be.
        what: the structure in words, for messages.
        numbers: addresses of nodes that another structure has laid already, by their ``id``.
    """

    def __init__(self, types: NodeTypes, limit: int, what: str, numbers: dict[int, int]) -> None:
        self._types = types
        self._limit = limit
        self._what = what
        self.known = numbers
        self.found: list[StructureNode] = []
        self._numbers: dict[int, StructureNode] = {}

    def ref(self, value: Any, kind: int) -> StructureNode | int | None:
        """The node that a value leads to: a `StructureNode`, its ``id`` if known, None for null."""
        if value is None:
            return None
        if id(value) in self.known:
            return id(value)
        if members_of(value) is None:
            name = self._types.types[kind].name
            raise UsageError(f"{self._what} has {value!r:.60} in place of a node ({name}) or None")
        if id(value) not in self._numbers:
            if len(self.found) == self._limit:
                raise UsageError(f"{self._what} has more than {self._limit} nodes")
            node = StructureNode(len(self.found), kind, value)
            self._numbers[id(value)] = node
            self.found.append(node)
        return self._numbers[id(value)]

    def nodes(self) -> Sequence[tuple[int, int, Mapping[str, Any]]]:
        """The number, the type and the members of each node, and of those that it leads to."""
        nodes = []
        for node in self.found:  # which grows meanwhile
            members = members_of(node.value) or {}
            names = {leaf.path[0] for leaf in self._types.leaves[node.kind]}
            for name in members:
                if name not in names and name not in self._types.without:
                    struct = self._types.types[node.kind].name
                    raise UsageError(f"{self._what} has a node with {name}, and {struct} has none")
            for leaf in self._types.leaves[node.kind]:
                value = dig(members, leaf.path)
                if leaf.target >= 0 and value is not MISSING:
                    for element in value if leaf.shape and value is not None else [value]:
                        self.ref(element, leaf.target)
            nodes.append((node.number, node.kind, members))
        return nodes

    def write(
        self,
        view: NDArray[Any],
        leaf: Leaf,
        value: Any,
        where: str,
        pointer: Callable[[Any, int], int],
    ) -> None:
        """Put a member into a node.

        Raises:
            UsageError: the value does not fit.
        """
        for name in leaf.path:
            view = view[name]
        if leaf.target >= 0:
            if not leaf.shape:
                view[...] = pointer(self.ref(value, leaf.target), leaf.depth)
                return
            value = [pointer(self.ref(element, leaf.target), leaf.depth) for element in value]
        if leaf.shape:
            fill_array(leaf.type, view, value, where)
        else:
            store(leaf.type, view, value, where)


def dig(members: Mapping[str, Any], path: Sequence[str]) -> Any:
    """The member of a node that a path leads to, or `MISSING`."""
    value: Any = members
    for name in path:
        inside = members_of(value)
        if inside is None or name not in inside:
            return MISSING
        value = inside[name]
    return value
