"""Where a calling convention puts the arguments and the result of one signature.

A `CallForm` says, for each argument, which of its bytes go into which register or stack bytes, and
whether the value is converted on the way: a ``short`` fills a 32-bit slot, and PowerPC holds a
``float`` in a register of 64 bits. With a form, the arguments of thousands of calls are laid out by
a few NumPy copies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.program import GuestType
from emu.program.model.types import EXTENDED_80

EXTENDED = np.dtype("V12")
"""The 68881's memory form of its registers: 96 bits (exponent, unused word, mantissa)."""
SANE_EXTENDED = np.dtype("V10")
"""SANE's form of the same numbers: 80 bits (exponent, mantissa)."""
UNIVERSAL = np.dtype([("exponent", ">u2"), ("copy", ">u2"), ("mantissa", ">u8")])
"""THINK C's form of the same numbers, of which the 68881 can read 96 bits and SANE the last 80."""
_EXTENDED_FORMS = (EXTENDED, SANE_EXTENDED, UNIVERSAL)


@dataclass(frozen=True, slots=True)
class Piece:
    """Some bytes of a passed value, and the register or stack bytes that hold them.

    Attributes:
        start: the first of the bytes, within the passed value.
        size: how many bytes.
        at: where they lie: bytes above the stack pointer, or bytes from the beginning of the
            register.
        register: the register's name; "" for the stack.
    """

    start: int
    size: int
    at: int
    register: str = ""


@dataclass(frozen=True, slots=True)
class ValueForm:
    """How one value is passed.

    Attributes:
        pieces: where its bytes are, or those of its address.
        cast: the type it is converted to before it is passed: ``>i4`` for a ``short`` in a 32-bit
            slot. None if it is passed as it lies in memory.
        by_address: whether its address is passed, and not the value. The address of an argument is
            that of a copy, which the routine may change; the address of a result is that of memory
            that the caller provides.
    """

    pieces: tuple[Piece, ...]
    cast: np.dtype[Any] | None = None
    by_address: bool = False

    def size_of(self, kind: GuestType) -> int:
        """How many bytes of a value of a type are passed."""
        if self.by_address:
            return 4
        return kind.size if self.cast is None else self.cast.itemsize

    def float_type(self, kind: GuestType) -> GuestType | None:
        """As what a float lies where it is passed; None for anything else, and for an address."""
        if kind.kind != "float" or self.by_address:
            return None
        return EXTENDED_80 if self.cast == SANE_EXTENDED else kind

    def encode(self, values: NDArray[Any]) -> NDArray[np.uint8]:
        """The bytes to pass, shape (calls, bytes).

        Args:
            values: one for each call, of the parameter's dtype; for a value passed by address, the
                addresses as ``>u4``.
        """
        if self.cast in _EXTENDED_FORMS and not self.by_address:
            is_wide = values.dtype.kind == "V"
            return _reformed(_with_gap(values) if is_wide else _to_extended(values), self.cast)
        passed = values if self.cast is None or self.by_address else values.astype(self.cast)
        size = passed.dtype.itemsize
        return np.ascontiguousarray(passed).view(np.uint8).reshape(len(values), size)

    def decode(self, data: NDArray[np.uint8], kind: GuestType) -> NDArray[np.uint8]:
        """A result's bytes as memory would hold them.

        Args:
            data: (calls, bytes) uint8, the pieces of each call one after another.
            kind: the result's type.

        Returns:
            (calls, size of the type) uint8.
        """
        if self.cast is None:
            return data
        dtype = (lone_field(kind) or kind).dtype
        if self.cast in _EXTENDED_FORMS:
            extended = _with_gap(np.ascontiguousarray(data).view(f"V{data.shape[1]}")[:, 0])
            if dtype.kind == "V":
                return _reformed(extended, EXTENDED if dtype.itemsize == 12 else SANE_EXTENDED)
            values = _from_extended(extended, dtype)
        else:
            values = np.ascontiguousarray(data).view(self.cast)[:, 0]
        with np.errstate(over="ignore", invalid="ignore"):
            narrow = values.astype(dtype)  # of a whole number, its lower bits
        return np.ascontiguousarray(narrow).view(np.uint8).reshape(len(data), kind.size)


@dataclass(frozen=True, slots=True)
class CallForm:
    """How the arguments and the result of one signature are passed.

    Attributes:
        parameters: how each argument is passed, in the order of the declaration.
        result: how the result is returned; None if there is none.
        stack_bytes: how many bytes from the stack pointer upward belong to the routine, which may
            change them.
        popped: how many of them the routine removes when it returns.
        forced: registers in which the caller must set some bits: name, mask, and the bits. For
            example, a System V caller sets CR bit 6 if it passes floats for ``...``.
    """

    parameters: tuple[ValueForm, ...] = ()
    result: ValueForm | None = None
    stack_bytes: int = 0
    popped: int = 0
    forced: tuple[tuple[str, int, int], ...] = ()


def widened(kind: GuestType) -> np.dtype[Any]:
    """The 32-bit type that a narrower whole number is extended to."""
    return np.dtype(">i4" if kind.dtype.kind == "i" else ">u4")


def is_aggregate(kind: GuestType) -> bool:
    """Whether a type is a struct or a union."""
    return kind.kind == "struct"


def lone_field(kind: GuestType) -> GuestType | None:
    """The type of the only member of a struct, which fills it; None for any other type."""
    if not is_aggregate(kind) or len(kind.fields) != 1 or kind.fields[0].type.size != kind.size:
        return None
    return lone_field(kind.fields[0].type) or kind.fields[0].type


def stack_piece(size: int, at: int) -> ValueForm:
    """A value that lies on the stack as it lies in memory."""
    return ValueForm((Piece(0, size, at),))


def in_words(size: int, places: Sequence[tuple[str, int]]) -> tuple[Piece, ...]:
    """The pieces of a value of ``size`` bytes that fills words one after another.

    Args:
        size: its bytes. A last word that is not full holds them in its upper part.
        places: for each word its register and 0, or "" and its bytes above the stack pointer.
    """
    return tuple(
        Piece(4 * n, min(4, size - 4 * n), at, register) for n, (register, at) in enumerate(places)
    )


def _to_extended(values: NDArray[Any]) -> NDArray[np.uint8]:
    """Numbers of single or double precision as the 68881's registers hold them, (n, 12) uint8."""
    numbers = values.astype(np.float64)
    finite = np.isfinite(numbers)
    fractions, exponents = np.frexp(np.where(finite, np.abs(numbers), 1.0))
    # A fraction of 53 bits is below 1, so all of it fits into the upper bits of the mantissa.
    mantissas = np.ldexp(fractions, 53).astype(np.uint64) << np.uint64(11)
    tops = np.where(mantissas != 0, exponents + 16382, 0).astype(np.uint16)
    tops = np.where(finite, tops, 0x7FFF).astype(np.uint16)
    mantissas = np.where(finite, mantissas, np.where(np.isnan(numbers), 0xC << 60, 0))
    extended = np.zeros((len(values), 12), dtype=np.uint8)
    signs = (np.signbit(numbers).astype(np.uint16) << 15).astype(np.uint16)
    extended[:, :2] = (tops | signs).astype(">u2").view(np.uint8).reshape(len(values), 2)
    extended[:, 4:] = mantissas.astype(">u8").view(np.uint8).reshape(len(values), 8)
    return extended


def _with_gap(values: NDArray[Any]) -> NDArray[np.uint8]:
    """Numbers of 80 bits in any form, shape (n,), in the 68881's, (n, 12) uint8."""
    data = np.ascontiguousarray(values).view(np.uint8).reshape(len(values), values.dtype.itemsize)
    extended = np.zeros((len(values), 12), dtype=np.uint8)
    extended[:, :2], extended[:, 4:] = data[:, :2], data[:, -8:]
    return extended


def _reformed(extended: NDArray[np.uint8], form: np.dtype[Any] | None) -> NDArray[np.uint8]:
    """Numbers in the 68881's form, (n, 12) uint8, in another one."""
    if form == SANE_EXTENDED:
        return np.ascontiguousarray(extended[:, (0, 1, *range(4, 12))])
    if form == UNIVERSAL:
        extended[:, 2:4] = extended[:, :2]
    return extended


def _from_extended(data: NDArray[np.uint8], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Numbers of the 68881's registers, rounded to single or double precision.

    Source: MC68881/MC68882 Floating-Point Coprocessor User's Manual, section 2, "Extended
    Precision": bias 16383, and a mantissa of 64 bits with its integer bit.
    """
    words = np.ascontiguousarray(data)
    top = words[:, :2].copy().view(">u2")[:, 0].astype(np.int64)
    mantissa = words[:, 4:].copy().view(">u8")[:, 0].astype(np.uint64)
    exponent = top & 0x7FFF
    kind = np.float32 if dtype.itemsize == 4 else np.float64
    # NumPy rounds a whole number of 64 bits to the nearest; the power of two is exact.
    with np.errstate(over="ignore", under="ignore"):
        numbers = np.ldexp(mantissa.astype(kind), (exponent - 16383 - 63).astype(np.int32))
    special = exponent == 0x7FFF
    fraction = mantissa << np.uint64(1)
    numbers = np.where(special, np.where(fraction == 0, np.inf, np.nan), numbers).astype(kind)
    return np.where(top & 0x8000, -numbers, numbers).astype(dtype)
