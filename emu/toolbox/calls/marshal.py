"""Converts between guest values and Python values; each routine's conversions are prepared once.

`StackCall` is Pascal's convention on the 68K. `WordCall` serves parameters in registers: those of
Operating System traps on the 68K, and of all routines on the PowerPC.
"""

from __future__ import annotations

import functools
import struct
from collections.abc import Callable, Sequence
from typing import Any

from emu.toolbox.computer.declaration import Routine, RoutineParameter
from emu.toolbox.guest.guest_types import ParameterKind, Point, ToolboxType

_STACK_CODES = {
    ParameterKind.SIGNED_16: "h",
    ParameterKind.UNSIGNED_16: "H",
    ParameterKind.SIGNED_32: "i",
    ParameterKind.UNSIGNED_32: "I",
    ParameterKind.BOOLEAN: "Bx",
    ParameterKind.BYTE: "Bx",
    ParameterKind.CHARACTER: "xB",
    ParameterKind.POINT: "I",
    ParameterKind.VERSION: "I",
    ParameterKind.FOUR_CHARACTERS: "4s",
}


def four_characters(raw: bytes) -> str:
    """A four-character code as text, in the Macintosh's Roman script."""
    return raw.decode("mac_roman")


def signed_16(word: int) -> int:
    """The lower 16 bits of a word as a signed number."""
    return ((word & 0xFFFF) ^ 0x8000) - 0x8000


def signed_32(word: int) -> int:
    """The lower 32 bits of a word as a signed number."""
    return ((word & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000


def _point(word: int) -> Point:
    return Point(signed_16(word >> 16), signed_16(word))


_FROM_WORD: dict[ParameterKind, Callable[[int], Any]] = {
    ParameterKind.SIGNED_16: signed_16,
    ParameterKind.UNSIGNED_16: lambda word: word & 0xFFFF,
    ParameterKind.SIGNED_32: signed_32,
    ParameterKind.UNSIGNED_32: int,
    ParameterKind.BOOLEAN: lambda word: bool(word & 0xFF),
    ParameterKind.BYTE: lambda word: word & 0xFF,
    ParameterKind.CHARACTER: lambda word: word & 0xFF,
    ParameterKind.POINT: _point,
    ParameterKind.VERSION: int,
    ParameterKind.FOUR_CHARACTERS: lambda word: four_characters(word.to_bytes(4, "big")),
}
"""Functions that convert a 32-bit word, with a value in its low bits, into a Python value."""


def to_word(kind: ToolboxType, value: Any) -> int:
    """A Python value as an unsigned 32-bit word, sign-extended where its type is signed."""
    if kind.shape is ParameterKind.POINT:
        return int((value[0] & 0xFFFF) << 16 | (value[1] & 0xFFFF))
    if kind.shape is ParameterKind.FOUR_CHARACTERS and isinstance(value, str):
        return int.from_bytes(value.encode("mac_roman"), "big")
    return int(value) & 0xFFFFFFFF


class StackCall:
    """Parameters on the 68K stack; they are pushed in order, so the last has the lowest address.

    Attributes:
        size: how many bytes the parameters take.
        layout: their layout in memory, the last one first.
    """

    def __init__(self, parameters: Sequence[RoutineParameter], result: ToolboxType | None) -> None:
        codes = [_STACK_CODES[p.type.shape] for p in reversed(parameters)]
        self.layout = struct.Struct(">" + "".join(codes))
        self.size = self.layout.size
        self._result = result
        self._conversions = [_after_unpacking(p.type.shape) for p in reversed(parameters)]
        self._plain = not any(self._conversions)

    def arguments(self, values: Sequence[Any]) -> list[Any]:
        """Convert what `layout` unpacks to Python values, in the order of the heading."""
        if self._plain:
            return list(reversed(values))
        converted = [
            convert(value) if convert else value
            for convert, value in zip(self._conversions, values, strict=True)
        ]
        converted.reverse()
        return converted

    def result_bytes(self, value: Any) -> bytes:
        """The bytes to store where the caller has reserved room for the result."""
        if self._result is None:
            return b""
        shape = self._result.shape
        word = to_word(self._result, value)
        if shape in (ParameterKind.BOOLEAN, ParameterKind.BYTE):
            return bytes([word & 0xFF, 0])
        if self._result.stack_size == 2:
            return (word & 0xFFFF).to_bytes(2, "big")
        return word.to_bytes(4, "big")


def _after_unpacking(shape: ParameterKind) -> Callable[[Any], Any] | None:
    if shape is ParameterKind.BOOLEAN:
        return bool
    if shape is ParameterKind.POINT:
        return _point
    return four_characters if shape is ParameterKind.FOUR_CHARACTERS else None


def push_arguments(parameters: Sequence[RoutineParameter], values: Sequence[Any]) -> bytes:
    """The arguments as bytes on the stack, from low to high, for calling a 68K Pascal routine."""
    pieces = []
    for parameter, value in zip(parameters, values, strict=True):
        word = to_word(parameter.type, value)
        if parameter.type.shape in (ParameterKind.BOOLEAN, ParameterKind.BYTE):
            pieces.append(bytes([word & 0xFF, 0]))
        elif parameter.type.stack_size == 2:
            pieces.append((word & 0xFFFF).to_bytes(2, "big"))
        else:
            pieces.append(word.to_bytes(4, "big"))
    return b"".join(reversed(pieces))


class WordCall:
    """Parameters that are passed as 32-bit words, in registers or on the PowerPC's stack."""

    def __init__(self, routine: Routine) -> None:
        self.count = len(routine.parameters)
        self._conversions = [_FROM_WORD[p.type.shape] for p in routine.parameters]
        self._result = routine.result

    def arguments(self, words: Sequence[int]) -> list[Any]:
        """Convert words to Python values, one for each parameter."""
        return [convert(word) for convert, word in zip(self._conversions, words, strict=True)]

    def result_word(self, value: Any) -> int:
        """The result as a register holds it."""
        return to_word(self._result, value) if self._result is not None else 0


@functools.cache
def stack_call(routine: Routine) -> StackCall:
    """How a routine's parameters lie on the stack; made once for all dispatchers."""
    return StackCall(routine.parameters, routine.result)


@functools.cache
def word_call(routine: Routine) -> WordCall:
    """How a routine's parameters are passed as words; made once for all dispatchers."""
    return WordCall(routine)


def result_from_word(kind: ToolboxType, word: int) -> Any:
    """The Python value of a result in a register's low bits."""
    return _FROM_WORD[kind.shape](word)
