"""Types of guest data, as NumPy dtypes in the guest's byte order.

A dtype does not say that a 32-bit word is a pointer, nor what it points to. The comparison of
observed state needs to know, so each type also has a kind and, for pointers, the name of the type
pointed at.
"""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from emu.program.model.bits import BitField
from emu.program.model.wide_floats import DoubleDouble, Extended, WideForm


@dataclass(frozen=True, slots=True)
class Field:
    """A member of a struct: its name, its type and its offset in bytes."""

    name: str
    type: GuestType
    offset: int


@dataclass(frozen=True, slots=True)
class GuestType:
    """A type of the guest program.

    Attributes:
        name: as written in the source ("short int", "obj", "obj*").
        kind: "integer", "boolean", "float", "enumeration", "pointer", "struct", "array" or
            "unknown".
        dtype: the NumPy type of one value; for an array, of one element.
        shape: the array's dimensions, outermost first; empty for anything else.
        target: for a pointer, the name of the type pointed at ("void" if untyped).
        fields: for a struct or union, its members.
        element: for an array, the type of its elements.
        values: for an enumeration, the values of its constants, each once.
        bits: for a bit-field, where its bits lie in its bytes; ``dtype`` is then that of the bytes
            ("V1"), and ``kind`` says what the number means.
        wide: for a float with more bits than a double, its format; ``dtype`` is then that of its
            bytes ("V12").
    """

    name: str
    kind: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...] = ()
    target: str = ""
    fields: tuple[Field, ...] = ()
    element: GuestType | None = None
    values: tuple[int, ...] = ()
    bits: BitField | None = None
    wide: WideForm | None = None

    def __reduce__(self) -> str | tuple[Any, ...]:
        # `UNKNOWN` is known by its identity, in other processes, too.
        if self is UNKNOWN:
            return "UNKNOWN"
        return GuestType, tuple(getattr(self, field.name) for field in dataclasses.fields(self))

    @property
    def size(self) -> int:
        """Bytes one value takes in guest memory."""
        count = 1
        for length in self.shape:
            count *= length
        return self.dtype.itemsize * count

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the greatest number, of a type of whole numbers."""
        if self.kind == "boolean":
            return 0, 1
        if self.bits is not None:
            return self.bits.least, self.bits.most
        limits = np.iinfo(self.dtype)
        return int(limits.min), int(limits.max)

    @property
    def is_union(self) -> bool:
        """Whether members of a struct lie over each other."""
        ordered = sorted(_bits_of(field) for field in self.fields)
        return any(end > start for (_, end), (start, _) in itertools.pairwise(ordered))

    @property
    def scalar(self) -> GuestType:
        """The element type of an array, or the type itself."""
        return self.element if self.element is not None else self

    def field(self, name: str) -> Field | None:
        """The member of that name of a struct, or of the structs an array is made of."""
        return next((f for f in self.scalar.fields if f.name == name), None)


def _bits_of(field: Field) -> tuple[int, int]:
    """The first bit of a member in its struct, and the one behind its last."""
    end = 8 * (field.offset + field.type.size)
    if field.type.bits is None:
        return 8 * field.offset, end
    end -= field.type.bits.shift
    return end - field.type.bits.width, end


ANONYMOUS_STRUCT = "anonymous struct"
"""The name of a struct that has none."""

UNKNOWN = GuestType(name="unknown", kind="unknown", dtype=np.dtype("V0"))
"""Stands for a type that has no NumPy counterpart; nothing is known of its size."""


def wide_float(name: str, form: WideForm) -> GuestType:
    """A float type with more bits than a double has."""
    return GuestType(name, "float", np.dtype(f"V{form.size}"), wide=form)


EXTENDED_80 = wide_float("extended80", WideForm(Extended, 10))
"""SANE's extended format, in 10 bytes."""
EXTENDED_96 = wide_float("extended96", WideForm(Extended, 12))
"""The same number in 12 bytes, as the 68881 stores it and as GCC's ``long double`` is on a 68K."""
DOUBLE_DOUBLE = wide_float("long double", WideForm(DoubleDouble, 16))
"""The ``long double`` of GCC for PowerPC."""


def array_of(element: GuestType, shape: tuple[int, ...]) -> GuestType:
    """An array type; an array of arrays becomes one array of more dimensions."""
    dimensions = "".join(f"[{length}]" for length in shape)
    return GuestType(
        name=f"{element.scalar.name}{dimensions}",
        kind="array",
        dtype=element.scalar.dtype,
        shape=shape + element.shape,
        element=element.scalar,
    )


def bit_field(whole: GuestType, first: int, width: int) -> tuple[GuestType, int]:
    """The type of a bit-field, and the offset of the first of its bytes.

    Args:
        whole: the type that it is declared with.
        first: how many bits of the struct come before it, from the highest bit of its first byte.
        width: how many bits it has.

    Raises:
        ValueError: it is part of more than eight bytes.
    """
    start, end = first // 8, -(-(first + width) // 8)
    if end - start > 8:
        raise ValueError(f"{width} bits in {end - start} bytes")
    bits = BitField(width, 8 * end - first - width, whole.dtype.kind == "i")
    kind = replace(
        whole, name=f"{whole.name}:{width}", dtype=np.dtype(f"V{end - start}"), bits=bits
    )
    return kind, start


def struct_of(name: str, fields: tuple[Field, ...], size: int) -> GuestType:
    """A struct or union type of ``size`` bytes with its members at their own offsets."""
    dtype = np.dtype(
        {
            "names": [f.name for f in fields],
            "formats": [
                (f.type.dtype, f.type.shape) if f.type.shape else f.type.dtype for f in fields
            ],
            "offsets": [f.offset for f in fields],
            "itemsize": size,
        }
    )
    return GuestType(name=name, kind="struct", dtype=dtype, fields=fields)
