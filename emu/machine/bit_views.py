"""Views of guest memory whose bit-fields are read and written by name, as other members are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.program import GuestType


def view_of(kind: GuestType, data: NDArray[np.uint8]) -> NDArray[Any]:
    """Bytes of guest memory as values of a type, in the guest's byte order.

    Args:
        kind: the type.
        data: (size of the type,) uint8; the view shares this memory.

    Returns:
        An array of the type's shape. If it is of structs with bit-fields, a `StructView`.
    """
    plain = data.view(kind.dtype).reshape(kind.shape)
    return StructView.of(kind, plain) if has_bit_fields(kind) else plain


def has_bit_fields(kind: GuestType) -> bool:
    """Whether a type is of structs that have bit-fields, or members that have some."""
    return any(one.type.bits is not None or has_bit_fields(one.type) for one in kind.scalar.fields)


class StructView(np.ndarray[Any, Any]):
    """A view of structs with bit-fields: ``view["ready"]`` reads such a member.

    ``view["ready"] = 1`` writes it, in an array of structs into all of them, and
    ``view[3]["ready"] = 1`` into one.
    """

    _kind: GuestType

    @classmethod
    def of(cls, kind: GuestType, plain: NDArray[Any]) -> StructView:
        """The view of an array of a struct type."""
        made = plain.view(cls)
        made._kind = kind.scalar
        return made

    def __array_finalize__(self, base: Any) -> None:
        if isinstance(base, StructView):
            self._kind = base._kind

    def __getitem__(self, place: Any) -> Any:
        plain = self.view(np.ndarray)
        if not isinstance(place, str):
            found = plain[place, ...] if isinstance(place, (int, np.integer)) else plain[place]
            return StructView.of(self._kind, found) if isinstance(found, np.ndarray) else found
        member = self._kind.field(place)
        if member is None or (member.type.bits is None and not has_bit_fields(member.type)):
            return plain[place]
        if member.type.bits is None:
            return StructView.of(member.type, plain[place])
        return member.type.bits.read(plain[place])

    def __setitem__(self, place: Any, given: Any) -> None:
        member = self._kind.field(place) if isinstance(place, str) else None
        plain = self.view(np.ndarray)
        if member is None or member.type.bits is None:
            plain[place] = given
            return
        least, most = member.type.limits
        numbers = np.asarray(given)
        if numbers.dtype.kind not in "biu" or (numbers < least).any() or (numbers > most).any():
            raise UsageError(
                f"{given!r:.80} is given for {self._kind.name}.{place}, a bit-field of "
                f"{member.type.bits.width} bits, which holds {least:,} to {most:,}"
            )
        units = plain[place]
        units[...] = member.type.bits.put(units, np.broadcast_to(numbers, units.shape))
