"""The types of the nodes of a linked structure, which pointers lead to from one to the next."""

from __future__ import annotations

from dataclasses import dataclass, field

from emu.program import GuestType, Program

_HIDDEN = "_vptr"
_NUMBERS = ("integer", "boolean", "enumeration", "float")


@dataclass(frozen=True, slots=True)
class Leaf:
    """A member of a node, or of a struct in it, that is a number, a pointer or an array of these.

    Attributes:
        path: the names that lead to it.
        offset: bytes from the beginning of the node.
        type: the type of one value.
        shape: the dimensions of an array; () for a single value.
        target: for a pointer, the index in `NodeTypes.types` of the type that it leads to; else -1.
        depth: 1 for a pointer to a node, 2 for a handle.
    """

    path: tuple[str, ...]
    offset: int
    type: GuestType
    shape: tuple[int, ...] = ()
    target: int = -1
    depth: int = 0

    @property
    def name(self) -> str:
        """In the program's words: "bounds.top"."""
        return ".".join(self.path)


@dataclass(slots=True)
class NodeTypes:
    """The types of nodes that can be reached.

    Attributes:
        program: the program that has them.
        without: names of members that are left out.
        types: the types; a pointer names one by its index.
        leaves: the members of each.
    """

    program: Program
    without: tuple[str, ...] = ()
    types: list[GuestType] = field(default_factory=list)
    leaves: list[list[Leaf]] = field(default_factory=list)

    @property
    def size(self) -> int:
        """The bytes of the largest node."""
        return max(kind.size for kind in self.types)

    def add(self, pointer: GuestType) -> tuple[int, int]:
        """The index of the type that a pointer leads to, and the pointer's `Leaf.depth`.

        Raises:
            ValueError: it is no pointer to a struct, and no handle of one; or a member of the
                struct is of a kind that cannot be compared. The message is a clause.
        """
        name = pointer.target.rstrip("*")
        depth = 1 + len(pointer.target) - len(name)
        kind = self.program.types.get(name)
        if pointer.kind != "pointer" or kind is None or kind.kind != "struct" or depth > 2:
            raise ValueError(f"is a {pointer.name}, which leads to no struct")
        names = [guest_type.name for guest_type in self.types]
        if name in names:
            return names.index(name), depth
        self.types.append(kind)
        self.leaves.append([])
        index = len(self.types) - 1
        self.leaves[index] += self._leaves(kind, (), 0)
        return index, depth

    def _leaves(self, kind: GuestType, above: tuple[str, ...], start: int) -> list[Leaf]:
        leafs: list[Leaf] = []
        for member in kind.fields:
            path, offset = (*above, member.name), start + member.offset
            name = ".".join(path)
            if name in self.without or member.name.startswith(_HIDDEN):
                continue
            scalar, shape = member.type.scalar, member.type.shape
            if scalar.kind == "struct" and not shape:
                leafs += self._leaves(scalar, path, offset)
            elif scalar.kind == "pointer":
                try:
                    target, depth = self.add(scalar)
                except ValueError as error:
                    raise ValueError(_left_out(f"its member {name} {error}", name)) from None
                leafs.append(Leaf(path, offset, scalar, shape, target, depth))
            elif scalar.bits is None and scalar.wide is None and scalar.kind in _NUMBERS:
                leafs.append(Leaf(path, offset, scalar, shape))
            else:
                what = f"its member {name} is a {member.type.name}, which cannot be compared"
                raise ValueError(_left_out(what, name))
        return leafs


def _left_out(problem: str, name: str) -> str:
    return problem if " without " in problem else f'{problem} (leave it out: "without {name}")'
