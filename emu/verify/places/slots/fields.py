"""Places in guest memory that a case fills in or observes, as NumPy sees them in images."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.cases.keys.arguments import Phrase
from emu.program import Field, GuestType, Variable


@dataclass(frozen=True, slots=True)
class Slot:
    """A variable, or one member of a struct or of an array of structs, within the image.

    Attributes:
        variable: the variable.
        path: the fields that lead to the member, from the outside in; empty for the whole variable.
        type: the type of one value.
        start: the offset in an image at which the variable begins.
        phrase: how the case fills or observes it: the attribute of scenes or answers, and so on.
    """

    variable: Variable
    path: tuple[Field, ...]
    type: GuestType
    start: int
    phrase: Phrase = field(default_factory=lambda: Phrase(""))

    @property
    def member(self) -> str:
        """The path to the member in the program's words ("bounds.top"), or ""."""
        return ".".join(step.name for step in self.path)

    @property
    def name(self) -> str:
        """The place in the program's words, without indices: "gObjects.x"."""
        return f"{self.variable.name}.{self.member}" if self.path else self.variable.name

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of its values in one image; () for a single value."""
        return self.variable.type.shape + tuple(n for step in self.path for n in step.type.shape)

    def place(self, index: tuple[int, ...]) -> str:
        """One of its values in the program's words: "gObjects[3].bounds.top"."""
        left = list(index)
        words = indexed_name(self.variable) if self.variable.type.shape else self.variable.name
        for shape, name in self._parts():
            words += f".{name}" if name else ""
            words += "".join(f"[{left.pop(0)}]" for _ in shape)
        return words

    def _parts(self) -> list[tuple[tuple[int, ...], str]]:
        return [
            (self.variable.type.shape, ""),
            *((step.type.shape, step.name) for step in self.path),
        ]

    def offset(self, index: tuple[int, ...]) -> int:
        """The offset in an image of the value at an index."""
        image = np.empty((1, self.start + self.variable.type.size), dtype=np.uint8)
        values = self.view(image)
        start = values.__array_interface__["data"][0] - image.__array_interface__["data"][0]
        steps = [i * step for i, step in zip(index, values.strides[1:], strict=True)]
        return int(start) + sum(steps)

    def view(self, images: NDArray[np.uint8]) -> NDArray[Any]:
        """The slot's values in every image, shape (images, *shape of the slot)."""
        whole = images[:, self.start : self.start + self.variable.type.size]
        values = whole.view(self.variable.type.dtype)
        values = values.reshape(len(images), *self.variable.type.shape)
        for step in self.path:
            values = values[step.name]
        return values

    def values(self, images: NDArray[np.uint8]) -> NDArray[Any]:
        """The slot's values in every image, as a copy or a view, in a form that can be compared.

        A bit-field gives its numbers; a long double its bytes, with those that mean nothing as 0.
        """
        values = self.view(images)
        if self.type.wide is not None:
            return self.type.wide.plain(values)
        return values if self.type.bits is None else self.type.bits.read(values)

    def numbers(self, values: NDArray[Any]) -> NDArray[Any]:
        """Turn what `values` returned, or a part of it, into numbers."""
        return values if self.type.wide is None else self.type.wide.read(values)


def indexed_name(array: Variable) -> str:
    """How an array is written before an index: "gItems", and for what a pointer leads to "p".

    The elements of ``*p`` are ``p[0]``, ``p[1]``, and so on; those of ``**p`` are ``(*p)[0]``.
    """
    if not array.name.startswith("*"):
        return array.name
    name = array.name[1:]
    return f"({name})" if name.startswith("*") else name
