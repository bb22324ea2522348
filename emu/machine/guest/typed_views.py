"""Views of guest memory whose bit-fields and long doubles are read and written as other numbers."""

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
        An array of the type's shape; a `TypedView` if the type needs one.
    """
    plain = data.view(kind.dtype).reshape(kind.shape)
    return TypedView.of(kind, plain) if needs_view(kind) else plain


def needs_view(kind: GuestType) -> bool:
    """Whether NumPy cannot read a type: a long double, or structs with one or with bit-fields."""
    return kind.scalar.wide is not None or any(
        field.type.bits is not None or needs_view(field.type) for field in kind.scalar.fields
    )


def wide_value(kind: GuestType, given: Any, what: str) -> NDArray[Any]:
    """Numbers as an array of a type of long doubles, of dtype "V12" or the like.

    Args:
        kind: the type.
        given: a number, or an array of them.
        what: what they are for, as messages name it.

    Raises:
        UsageError: one is no number, or would have to be rounded.
    """
    assert kind.wide is not None
    try:
        return kind.wide.encode(np.asarray(given, dtype=object))
    except TypeError:
        raise UsageError(f"{given!r:.80} is given for {what}, which needs a number") from None
    except ValueError as error:
        name = kind.wide.number.__name__
        raise UsageError(
            f"{error}, for {what}; give macproof.{name}(...) if that is meant"
        ) from None


class TypedView(np.ndarray[Any, Any]):
    """A view of values that NumPy cannot read: of structs with bit-fields, or of long doubles.

    ``view["ready"]`` reads a bit-field. ``view["ready"] = 1`` writes it, in an array of structs
    into all of them, and ``view[3]["ready"] = 1`` into one. ``view[3]`` of an array of long
    doubles is its fourth number, and ``view[()]`` the number of a view of shape ().
    """

    _kind: GuestType

    @classmethod
    def of(cls, kind: GuestType, plain: NDArray[Any]) -> TypedView:
        """The view of an array of a type."""
        view = plain.view(cls)
        view._kind = kind.scalar
        return view

    def __array_finalize__(self, base: Any) -> None:
        if isinstance(base, TypedView):
            self._kind = base._kind

    def __getitem__(self, place: Any) -> Any:
        plain = self.view(np.ndarray)
        if self._kind.wide is not None:
            return _numbers(self._kind, np.asarray(plain[place]))
        if not isinstance(place, str):
            element = plain[place, ...] if isinstance(place, (int, np.integer)) else plain[place]
            return TypedView.of(self._kind, element) if isinstance(element, np.ndarray) else element
        member = self._kind.field(place)
        if member is None or (member.type.bits is None and not needs_view(member.type)):
            return plain[place]
        if member.type.bits is not None:
            return member.type.bits.read(plain[place])
        if member.type.wide is not None:
            return _numbers(member.type, plain[place])
        return TypedView.of(member.type, plain[place])

    def __setitem__(self, place: Any, given: Any) -> None:
        member = self._kind.field(place) if isinstance(place, str) else None
        plain = self.view(np.ndarray)
        if self._kind.wide is not None:
            plain[place] = wide_value(self._kind, given, "the number")
            return
        if member is not None and member.type.scalar.wide is not None:
            name = f"{self._kind.name}.{place}"
            plain[place] = wide_value(member.type.scalar, given, name)
            return
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

    def tolist(self) -> Any:
        """Its long doubles as a list; structs as NumPy has them."""
        plain = self.view(np.ndarray)
        return plain.tolist() if self._kind.wide is None else self._kind.wide.read(plain).tolist()

    def __repr__(self) -> str:
        is_wide = self._kind.wide is not None
        return f"TypedView({self.tolist()!r})" if is_wide else super().__repr__()


def _numbers(kind: GuestType, units: NDArray[Any]) -> Any:
    """The long doubles in an array, as an array of Python objects; of shape () the number."""
    assert kind.wide is not None
    numbers = kind.wide.read(units)
    return numbers if units.shape else numbers.item()
