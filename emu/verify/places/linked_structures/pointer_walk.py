"""Walks a structure in guest memory, and numbers nodes in the order in which it reaches them."""

from __future__ import annotations

from collections.abc import Callable

from emu.verify.places.slots.node_types import NodeTypes

BEYOND, OUTSIDE, EMPTY = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
"""What a transcript has in place of a node's number: the node is one beyond the limit, the pointer
leads to no memory, or the handle holds null."""

POINTER = 4
"""The bytes of a pointer."""

Reader = Callable[[int, int], bytes | None]
"""Given an address and a size, returns that many bytes; None if some of them are no memory."""


class PointerWalk:
    """Follows pointers in guest memory, and gives numbers to the nodes that they lead to.

    Args:
        types: the types of nodes.
        limit: how many nodes are followed.
        read: reads guest memory.

    Attributes:
        nodes: the address of each node and the index of its type, in the order of the numbers.
        masters: the addresses of master pointers on the way.
        is_cut_off: whether a pointer led to no memory.
    """

    def __init__(self, types: NodeTypes, limit: int, read: Reader) -> None:
        self._types = types
        self._limit = limit
        self._read = read
        self._numbers: dict[tuple[int, int], int] = {}
        self.nodes: list[tuple[int, int]] = []
        self.masters: list[int] = []
        self.is_cut_off = False

    def ref(self, address: int, kind: int, depth: int) -> int:
        """The number that stands for a pointer in a transcript."""
        if depth == 2 and address:
            master = self._read(address, POINTER)
            if master is None:
                self.is_cut_off = True
                return OUTSIDE
            self.masters.append(address)
            address = int.from_bytes(master, "big")
            if not address:
                return EMPTY
        if not address:
            return 0
        if (address, kind) not in self._numbers:
            if self._read(address, self._types.types[kind].size) is None:
                self.is_cut_off = True
                return OUTSIDE
            if len(self.nodes) == self._limit:
                return BEYOND
            self._numbers[address, kind] = len(self.nodes)
            self.nodes.append((address, kind))
        return self._numbers[address, kind] + 1
