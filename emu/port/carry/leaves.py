"""The numbers in a type of the new source, and their values in bytes of the old program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from emu.machine.guest.typed_views import view_of
from emu.program import GuestType
from emu.program.model.types import array_of

_NUMBERS = ("integer", "boolean", "float", "enumeration")


@dataclass(frozen=True, slots=True)
class TypedLeaf:
    """A number, an array of numbers, or a pointer, in a value.

    Attributes:
        path: the members that lead to it: "bounds.top"; "" for the whole value.
        type: the type of one number of it.
        spans: where its bytes lie in the value: of an array of structs, in each of them.
    """

    path: str
    type: GuestType
    spans: tuple[range, ...]

    @property
    def is_number(self) -> bool:
        """Whether a scene can have it as a number."""
        return self.type.kind in _NUMBERS and self.type.wide is None


def leaves_of(kind: GuestType) -> list[TypedLeaf]:
    """The numbers and pointers in a type; of a union, those of its first largest member."""
    return list(_leaves("", kind, (0,)))


def _leaves(path: str, kind: GuestType, starts: tuple[int, ...]) -> Iterator[TypedLeaf]:
    inner = kind.scalar
    count = kind.size // inner.size if inner.size else 0
    if inner.kind != "struct":
        yield TypedLeaf(path, inner, tuple(range(at, at + kind.size) for at in starts))
        return
    every = tuple(at + n * inner.size for at in starts for n in range(count))
    fields = inner.fields
    if inner.is_union:
        fields = (max(fields, key=lambda field: field.type.size),)
    for field in fields:
        name = f"{path}.{field.name}".lstrip(".")
        yield from _leaves(name, field.type, tuple(at + field.offset for at in every))


def value_of(leaf: TypedLeaf, kind: GuestType, data: bytes) -> Any:
    """The value of a leaf, as JSON has it.

    Args:
        leaf: the leaf.
        kind: the type of the whole value.
        data: its bytes.
    """
    value: Any = view_of(kind, np.frombuffer(data, np.uint8).copy())
    for name in leaf.path.split(".") if leaf.path else ():
        value = value[name]
    return np.asarray(value).tolist()


def elements(kind: GuestType, count: int) -> GuestType:
    """The type of some elements in a row; of one, its own."""
    return kind if count == 1 else array_of(kind, (count,))
