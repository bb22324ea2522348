"""Members of structs of this computer: where their bits lie, and which of them share some.

cffi tells a bit-field by the unit that holds it: a number of the member's type, of which the
bit-field is ``bitsize`` bits that begin at the bit ``bitshift``, counted from the lowest.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.program.model.bits import BitField


def element_of(kind: Any) -> Any:
    """The type of the elements of an array; any other type itself."""
    while kind.kind == "array":
        kind = kind.item
    return kind


def bits_of(field: Any, unit: np.dtype[Any]) -> BitField | None:
    """Which bits of its unit a member is; None if it is no bit-field.

    Args:
        field: the member, as cffi describes it.
        unit: the dtype of its type.
    """
    if field.bitsize < 0:
        return None
    return BitField(field.bitsize, field.bitshift, unit.kind == "i")


def first_bit(field: Any, unit: int) -> int:
    """The number of a member's first bit in its struct, in the order of this computer's bits.

    Args:
        field: the member, as cffi describes it.
        unit: the bytes of its type.
    """
    if field.bitsize < 0:
        return int(8 * field.offset)
    if sys.byteorder == "little":
        return int(8 * field.offset + field.bitshift)
    return int(8 * (field.offset + unit) - field.bitshift - field.bitsize)


def read_bits(bits: BitField, units: NDArray[Any]) -> NDArray[Any]:
    """The values of a bit-field in some units."""
    return bits.read(_big_endian(units))


def put_bits(bits: BitField, units: NDArray[Any], numbers: NDArray[Any]) -> None:
    """Give a bit-field in some units other values; the other bits stay."""
    size = units.dtype.itemsize
    units[...] = bits.put(_big_endian(units), numbers).view(f">u{size}")


def _big_endian(units: NDArray[Any]) -> NDArray[Any]:
    size = units.dtype.itemsize
    return np.array(units).view(f"u{size}").astype(f">u{size}").view(f"V{size}")


def leaves_of(ffi: Any, kind: Any, path: str = "") -> Iterator[tuple[str, Any, bool]]:
    """The members of a struct that are no structs themselves, or the value itself.

    A union is one of them. cffi gives the members of a union without a name as members of the
    struct around it: such members share their bits.

    Args:
        ffi: knows the types.
        kind: the type, as cffi describes it.
        path: the name of the value.

    Yields:
        The path of each, its type, and whether it shares no bit with another.
    """
    kind = element_of(kind)
    if kind.kind != "struct":
        yield path, kind, kind.kind != "union"
        return
    places = [
        (name, field, _extent(field, ffi.sizeof(field.type))) for name, field in kind.fields or ()
    ]
    for name, field, bits in places:
        inner = f"{path}.{name}".lstrip(".")
        others = [other for label, _, other in places if label != name]
        if any(bits.start < other.stop and other.start < bits.stop for other in others):
            yield inner, field.type, False
        else:
            yield from leaves_of(ffi, field.type, inner)


def _extent(field: Any, size: int) -> range:
    start = first_bit(field, size)
    return range(start, start + (8 * size if field.bitsize < 0 else field.bitsize))
