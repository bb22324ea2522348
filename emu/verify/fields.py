"""Places in guest memory that a case fills in or observes, as NumPy sees them in images."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.program import GuestType, Variable


@dataclass(frozen=True, slots=True)
class Slot:
    """A variable, or one member of a struct or of an array of structs, within the image.

    Attributes:
        variable: the variable.
        member: its member, or "" for the whole variable.
        type: of one value.
        start: where the variable begins in an image.
    """

    variable: Variable
    member: str
    type: GuestType
    start: int

    @property
    def name(self) -> str:
        """In the program's words, without indices."""
        return f"{self.variable.name}.{self.member}" if self.member else self.variable.name

    @property
    def inner_shape(self) -> tuple[int, ...]:
        """Of one value of a member that is itself an array; empty for any other."""
        field = self.variable.type.field(self.member) if self.member else None
        return field.type.shape if field else ()

    @property
    def shape(self) -> tuple[int, ...]:
        """Of its values in one image; empty for a single one."""
        return self.variable.type.shape + self.inner_shape

    def place(self, index: tuple[int, ...]) -> str:
        """One of its values in the program's words."""
        outer = len(self.variable.type.shape)
        first, second = ("".join(f"[{i}]" for i in part) for part in (index[:outer], index[outer:]))
        return f"{self.variable.name}{first}{f'.{self.member}' if self.member else ''}{second}"

    def offset(self, index: tuple[int, ...]) -> int:
        """Where one of its values begins in an image."""
        outer = len(self.variable.type.shape)
        field = self.variable.type.field(self.member) if self.member else None
        parts = (
            (self.variable.type.dtype.itemsize, index[:outer], self.variable.type.shape),
            (self.type.size, index[outer:], self.inner_shape),
        )
        offset = self.start + (field.offset if field else 0)
        for size, part, shape in parts:
            offset += size * int(np.ravel_multi_index(part, shape)) if part else 0
        return offset

    def view(self, images: NDArray[np.uint8]) -> NDArray[Any]:
        """The slot's values in every image, shape (images, *variable shape)."""
        whole = images[:, self.start : self.start + self.variable.type.size]
        values = whole.view(self.variable.type.dtype)
        values = values.reshape(len(images), *self.variable.type.shape)
        return values[self.member] if self.member else values
