"""Trees and lists that pointers link: laid into guest memory, read back, and compared.

What counts is the shape and the values of a structure, not where its nodes lie. So a call's result
is compared as a *transcript*: the nodes in the order in which they are reached from the root,
nearest first, with numbers of nodes in place of pointers. For example, the list 7 -> 9 is "root:
node 0; node 0: 7, next 1; node 1: 9, next null".

The transcript lies in the image, and the expected image has that of the answer in the same bytes.
The nodes themselves are put back as they were before the call, since they have been compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.machine.calls.system import GivenBlock
from emu.machine.memory.data_image import DataImage
from emu.program import Variable
from emu.verify.places.linked_structures.node_walk import MISSING, StructureNode, Walk, dig
from emu.verify.places.linked_structures.pointer_walk import (
    BEYOND,
    EMPTY,
    OUTSIDE,
    POINTER,
    PointerWalk,
    Reader,
)
from emu.verify.places.slots.fields import Slot
from emu.verify.places.slots.node_types import Leaf, NodeTypes

_WORDS = {0: "null", OUTSIDE: "a pointer to no memory", EMPTY: "a handle of nothing"}
_BETWEEN = 16
"""Nodes lie a multiple of this apart, in bytes, with a gap of at least half of it between them."""


def transcript_type(roots: int, limit: int, size: int) -> np.dtype[Any]:
    """The dtype of a transcript: its roots and its nodes.

    Behind them are the addresses of the nodes, and of master pointers; these are not compared.
    """
    node = np.dtype([("type", ">u4"), ("data", "u1", (size,))])
    return np.dtype(
        [
            ("roots", ">u4", (roots,)),
            ("nodes", node, (limit,)),
            ("places", ">u4", (limit,)),
            ("masters", ">u4", (limit,)),
        ]
    )


def arena_size(limit: int, size: int) -> int:
    """The bytes of memory for ``limit`` nodes of a size, and for a master pointer of each."""
    return limit * (_stride(size) + POINTER)


def _stride(size: int) -> int:
    return -(-(size + _BETWEEN // 2) // _BETWEEN) * _BETWEEN


@dataclass(frozen=True, slots=True)
class TranscriptDifference:
    """The first difference of two transcripts: a place, in words, and its address."""

    place: str
    expected: str
    found: str
    address: int


@dataclass(frozen=True, slots=True, eq=False)
class Structure:
    """A pointer, or an array of them, that leads to a linked structure.

    Attributes:
        slot: the pointer.
        types: the types of the nodes.
        target: the index of the type of the first node.
        depth: 1 if it is a pointer, 2 if it is a handle.
        area: for a structure that scenes give, the memory of its nodes; for one that is observed,
            its transcript.
        start: where ``area`` begins in an image.
    """

    slot: Slot
    types: NodeTypes
    target: int
    depth: int
    area: Variable
    start: int

    @property
    def limit(self) -> int:
        """The most nodes that are followed, or that there is room for."""
        return self.slot.phrase.nodes

    @property
    def _roots(self) -> int:
        return int(np.prod(self.slot.shape, dtype=np.int64))

    def roots_of(self, given: Any, what: str) -> list[Any]:
        """The root nodes: one, or one for each pointer of the array.

        Raises:
            UsageError: there are more roots than pointers.
        """
        if not self.slot.shape:
            return [given]
        if not isinstance(given, (list, tuple)) or len(given) > self._roots:
            raise UsageError(f"{what} is no list of up to {self._roots} nodes")
        return [*given, *[None] * (self._roots - len(given))]

    # -- what a scene gives --------------------------------------------------------------------

    def lay(
        self, image: NDArray[np.uint8], given: Any, seed: int, numbers: dict[int, int], what: str
    ) -> None:
        """Lay a structure of a scene into an image, its nodes in an order that the seed draws.

        Args:
            image: (image size,).
            given: the first node, or a list of them.
            seed: the scene's.
            numbers: the addresses of nodes that other structures of the scene have laid, by their
                ``id`` in Python. Those of this one are added.
            what: the structure in words, for messages.

        Raises:
            UsageError: a node is of the wrong kind, or there are too many.
        """
        roots = self.roots_of(given, what)
        walk = Walk(self.types, self.limit, what, numbers)
        refs = [walk.ref(root, self.target) for root in roots]
        words = np.random.PCG64([seed, self.limit]).random_raw(self.limit)
        order = np.argsort(np.asarray(words)).tolist()
        stride = _stride(self.types.size)

        def pointer(ref: Any, depth: int) -> int:
            if ref is None:
                return 0
            if isinstance(ref, int):
                if depth > 1:
                    raise UsageError(f"{what} has a handle of a node that another structure has")
                return walk.known[ref]
            address = self.area.address + order[ref.number] * stride
            return address if depth == 1 else self._handle(image, ref.number, address)

        for number, kind, members in walk.nodes():
            start = self.start + order[number] * stride
            struct = self.types.types[kind]
            view = image[start : start + struct.size].view(struct.dtype).reshape(())
            for leaf in self.types.leaves[kind]:
                value = dig(members, leaf.path)
                if value is not MISSING:
                    where = f"{leaf.name} of a node of {what}"
                    walk.write(view, leaf, value, where, pointer)
        pointers = np.array([pointer(ref, self.depth) for ref in refs], np.int64)
        self.slot.view(image[np.newaxis])[...] = pointers.reshape(1, *self.slot.shape)
        for node in walk.found:
            numbers[id(node.value)] = self.area.address + order[node.number] * stride

    def _handle(self, image: NDArray[np.uint8], number: int, address: int) -> int:
        """Put a node's master pointer behind all nodes; the address of that pointer."""
        offset = self.limit * _stride(self.types.size) + POINTER * number
        place = self.start + offset
        image[place : place + POINTER] = _word(address)
        return self.area.address + offset

    # -- what is observed ----------------------------------------------------------------------

    def view(self, image: NDArray[np.uint8]) -> NDArray[Any]:
        """The transcript in an image, shape ()."""
        kind = transcript_type(self._roots, self.limit, self.types.size)
        return image[self.start : self.start + kind.itemsize].view(kind).reshape(())

    @property
    def uncompared(self) -> NDArray[np.int64]:
        """The bytes of an image in which a transcript says where the nodes lay."""
        kind = transcript_type(self._roots, self.limit, self.types.size)
        end = self.start + kind.itemsize
        return np.arange(end - 2 * POINTER * self.limit, end)

    def expect(self, image: NDArray[np.uint8], answer: Any, what: str) -> int:
        """Write the transcript of an answer's structure into an image; the number of its values.

        Raises:
            UsageError: a node lacks a member, a value does not fit, or there are too many nodes.
        """
        transcript = self.view(image)
        transcript[...] = np.zeros((), transcript.dtype)
        walk = Walk(self.types, self.limit, what, {})
        refs = [walk.ref(root, self.target) for root in self.roots_of(answer, what)]
        transcript["roots"] = [_reference(ref) for ref in refs]
        values = len(refs)
        for number, kind, members in walk.nodes():
            struct = self.types.types[kind]
            node = transcript["nodes"][number]
            node["type"] = kind + 1
            data = np.zeros((), struct.dtype)
            for leaf in self.types.leaves[kind]:
                value = dig(members, leaf.path)
                if value is MISSING:
                    raise UsageError(f"{what} has a node ({struct.name}) without {leaf.name}")
                where = f"{leaf.name} of a node of {what}"
                walk.write(data, leaf, value, where, lambda ref, depth: _reference(ref))
                values += 1
            node["data"][: struct.size] = np.frombuffer(data.tobytes(), np.uint8)
        return values

    def write_down(self, image: NDArray[np.uint8], read: Reader) -> bool:
        """Write the transcript of the structure that an image holds; whether all could be read."""
        walk = PointerWalk(self.types, self.limit, read)
        pointers = np.array(self.slot.view(image[np.newaxis])[0]).reshape(-1)
        roots = [walk.ref(int(pointer), self.target, self.depth) for pointer in pointers]
        transcript = self.view(image)
        transcript[...] = np.zeros((), transcript.dtype)
        transcript["roots"] = roots
        for number, (address, kind) in enumerate(walk.nodes):  # which grow meanwhile
            struct = self.types.types[kind]
            raw = np.frombuffer(read(address, struct.size) or b"", struct.dtype)[0]
            data = np.zeros((), struct.dtype)
            for leaf in self.types.leaves[kind]:
                source, target = raw, data
                for name in leaf.path:
                    source, target = source[name], target[name]
                if leaf.target >= 0:
                    linked = [
                        walk.ref(int(pointer), leaf.target, leaf.depth)
                        for pointer in np.array(source).reshape(-1)
                    ]
                    target[...] = np.array(linked, np.int64).reshape(leaf.shape)
                else:
                    target[...] = source
            node = transcript["nodes"][number]
            node["type"] = kind + 1
            node["data"][: struct.size] = np.frombuffer(data.tobytes(), np.uint8)
            transcript["places"][number] = address
        transcript["masters"][: len(walk.masters)] = walk.masters[: self.limit]
        return not walk.is_cut_off

    def blocks(self, image: NDArray[np.uint8], read: Reader) -> list[GivenBlock]:
        """The nodes that an image has, as blocks of the Memory Manager's."""
        reached = self._reached(image, read)
        masters = {
            int.from_bytes(read(place, POINTER) or b"", "big"): place for place in reached.masters
        }
        return [
            GivenBlock(address, self.types.types[kind].size, masters.get(address, 0))
            for address, kind in reached.nodes
        ]

    def _reached(self, image: NDArray[np.uint8], read: Reader) -> PointerWalk:
        """All nodes that the pointer leads to."""
        reached = PointerWalk(self.types, self.limit, read)
        for pointer in np.array(self.slot.view(image[np.newaxis])[0]).reshape(-1):
            reached.ref(int(pointer), self.target, self.depth)
        for address, kind in reached.nodes:  # which grow meanwhile
            struct = self.types.types[kind]
            raw = np.frombuffer(read(address, struct.size) or b"", struct.dtype)[0]
            for leaf in self.types.leaves[kind]:
                if leaf.target >= 0:
                    source = raw
                    for name in leaf.path:
                        source = source[name]
                    for pointer in np.array(source).reshape(-1):
                        reached.ref(int(pointer), leaf.target, leaf.depth)
        return reached

    def put_back(
        self, before: NDArray[np.uint8], image: NDArray[np.uint8], data: DataImage
    ) -> None:
        """Put the pointer, and the nodes that are in the transcript, back as they were before.

        Args:
            before: (image size,), the image that the call began with.
            image: the image that it left.
            data: says where addresses are in an image.
        """
        self.slot.view(image[np.newaxis])[...] = self.slot.view(before[np.newaxis])
        transcript = self.view(image)
        nodes = zip(transcript["places"].tolist(), transcript["nodes"]["type"], strict=True)
        places = [(place, self.types.types[kind - 1].size) for place, kind in nodes if kind]
        places += [(place, POINTER) for place in transcript["masters"].tolist() if place]
        for address, size in places:
            if data.room(address) >= size:
                start = data.offset(address)
                image[start : start + size] = before[start : start + size]

    def difference(
        self, expected: NDArray[np.uint8], actual: NDArray[np.uint8]
    ) -> TranscriptDifference | None:
        """The first difference of the transcripts in two images of shape (image size,), or None."""
        wanted, seen = self.view(expected), self.view(actual)
        paths: dict[int, str] = {}
        start = self.slot.variable.address + self.slot.offset((0,) * len(self.slot.shape))
        start -= self.slot.start
        for n in range(self._roots):
            name = self.slot.place(tuple(int(i) for i in np.unravel_index(n, self.slot.shape)))
            first, other = int(wanted["roots"][n]), int(seen["roots"][n])
            if first != other:
                words = [self._words(*side, paths) for side in ((first, wanted), (other, seen))]
                return TranscriptDifference(name, words[0], words[1], start + POINTER * n)
            paths.setdefault(first, name)
        for number in range(self.limit):
            if not wanted["nodes"][number]["type"]:
                break
            told_of = self._node_difference(number, wanted, seen, paths)
            if told_of is not None:
                return told_of
        return None

    def _node_difference(
        self, number: int, wanted: NDArray[Any], seen: NDArray[Any], paths: dict[int, str]
    ) -> TranscriptDifference | None:
        """The first difference of a node; ``paths`` has how nodes are reached, by pointers."""
        nodes = (wanted["nodes"][number], seen["nodes"][number])
        kind = int(nodes[0]["type"]) - 1
        above = paths.get(number + 1, self.slot.name)
        for leaf in self.types.leaves[kind]:
            pair = [self._values(node, kind, leaf) for node in nodes]
            for n, (first, other) in enumerate(zip(*pair, strict=True)):
                name = f"{above}.{leaf.name}{f'[{n}]' if leaf.shape else ''}"
                is_link = leaf.target >= 0
                if first.tobytes() == other.tobytes():
                    if is_link:
                        paths.setdefault(int(first), name)
                    continue
                words = [
                    self._words(int(value), side, paths) if is_link else str(value.item())
                    for value, side in ((first, wanted), (other, seen))
                ]
                place = int(seen["places"][number]) + leaf.offset + n * leaf.type.size
                return TranscriptDifference(name, words[0], words[1], place)
        return None

    def _values(self, node: NDArray[Any], kind: int, leaf: Leaf) -> NDArray[Any]:
        """The values of a member in a node of a transcript, shape (n,)."""
        struct = self.types.types[kind]
        values: Any = np.frombuffer(node["data"].tobytes()[: struct.size], struct.dtype)[0]
        for name in leaf.path:
            values = values[name]
        return np.asarray(values).reshape(-1)

    def _words(self, ref: int, transcript: NDArray[Any], paths: Mapping[int, str]) -> str:
        """A pointer in words; of a node that was reached before, how."""
        if ref == BEYOND:
            return f"a node beyond the {self.limit} that are followed"
        if ref in _WORDS:
            return _WORDS[ref]
        if ref in paths:
            return f"the node {paths[ref]}"
        node = transcript["nodes"][ref - 1]
        kind = int(node["type"]) - 1
        for leaf in self.types.leaves[kind]:
            if leaf.target < 0 and not leaf.shape:
                return f"a node ({leaf.name} {self._values(node, kind, leaf)[0].item()})"
        return "a node"


def _reference(ref: StructureNode | int | None) -> int:
    return ref.number + 1 if isinstance(ref, StructureNode) else 0


def _word(address: int) -> NDArray[np.uint8]:
    return np.frombuffer(address.to_bytes(POINTER, "big"), np.uint8)
