"""Says what an old and a new function have left differently, in the words of the new source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from emu.port.model import ClaimedGlobal, Claims
from emu.port.replay.comparison import ReplayDivergence
from emu.program import GuestType, Program
from emu.program.model.wide_floats import WideFloat
from emu.toolbox.guest.layout import Layout

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class DifferentValue:
    """One value that differs.

    Attributes:
        address: the address of its first byte.
        size: its bytes.
        name: what it is: "ml[1][0]", "A5-0x864", "byte 0x12 above the heap".
        is_signed: whether its bytes are a signed number.
        place: where it lies in the old program, "A5-0x864 +22"; "" if that is its name, or nowhere.
        float_type: the type of a float; None of all else.
    """

    address: int
    size: int
    name: str
    is_signed: bool = False
    place: str = ""
    float_type: GuestType | None = None

    def __str__(self) -> str:
        return f"{self.name} ({self.place})" if self.place else self.name


class DifferenceWords:
    """Names what lies at addresses of the old program.

    Args:
        claims: what the marks say.
        program: types and lines of the new functions.
        layout: where everything lies in memory.
        address_of: gives the address of a place.
    """

    def __init__(
        self,
        claims: Claims,
        program: Program,
        layout: Layout,
        address_of: Callable[[str], int | None],
    ) -> None:
        self._layout = layout
        self._program = program
        self._globals: list[tuple[int, ClaimedGlobal]] = sorted(
            (
                (address, one)
                for one in claims.globals
                if (address := address_of(one.place)) is not None
            ),
            key=lambda pair: pair[0],
        )

    def values(
        self, addresses: Sequence[int], result: tuple[int, GuestType] | None = None
    ) -> list[DifferentValue]:
        """The values that some addresses are in, each once, in their order.

        Args:
            addresses: the addresses.
            result: the address and type of the function's result, if its caller passes the address.
        """
        found: dict[int, DifferentValue] = {}
        for address in addresses:
            if result is not None and 0 <= address - result[0] < result[1].size:
                value = _inside(result[1], result[0], "the result", address)
            else:
                value = self._value(address)
            found.setdefault(value.address, value)
        return list(found.values())

    def is_unmarked(self, address: int) -> bool:
        """Whether an address is one of the old program's data that no mark names."""
        layout = self._layout
        is_data = layout.globals_start <= address < layout.a5 or any(
            address in region for region in layout.sections
        )
        return is_data and not any(
            start <= address < start + max(one.size, 1) for start, one in self._globals
        )

    def _value(self, address: int) -> DifferentValue:
        for start, one in self._globals:
            if start <= address < start + max(one.size, 1):
                kind = self._type(one)
                name = f"byte {address - start:#x} of {one.name}"
                found = DifferentValue(address, 1, name)
                found = found if kind is None else _inside(kind, start, one.name, address)
                offset = found.address - start
                place = f"{one.place} +{offset}" if offset else one.place
                return replace(found, place=place)
        return DifferentValue(address, 1, self._elsewhere(address))

    def _type(self, one: ClaimedGlobal) -> GuestType | None:
        variables = self._program.variables.get(one.name, [])
        return next((v.type for v in variables if v.type.size == one.size), None)

    def _elsewhere(self, address: int) -> str:
        layout = self._layout
        if layout.globals_start <= address < layout.a5:
            return f"A5-{layout.a5 - address:#x}"
        if layout.stack <= address < layout.stack_top:
            return f"the caller's stack at 0x{address:x}"
        if layout.heap <= address < layout.heap + layout.heap_size:
            return f"the heap at 0x{address:x}"
        if layout.screen <= address < layout.screen + layout.screen_size:
            return f"byte {address - layout.screen:#x} of the screen"
        for region in layout.sections:
            if address in region:
                return f"{region.name.partition(' (')[0]}+{address - region.address:#x}"
        return f"memory at 0x{address:x}"

    def line(self, address: int) -> str:
        """The source line of an instruction of a new function; "" if it is of none."""
        file, line = self._program.lines.find(address)
        return f"{file}:{line}" if line else ""


def _inside(kind: GuestType, start: int, name: str, address: int) -> DifferentValue:
    """The number or pointer of a variable that an address is in."""
    distance = address - start
    for length_at, _ in enumerate(kind.shape):
        size = kind.dtype.itemsize
        for length in kind.shape[length_at + 1 :]:
            size *= length
        index, distance = divmod(distance, size)
        name = f"{name}[{index}]"
    scalar = kind.scalar if kind.shape else kind
    for one in scalar.fields:
        if one.offset <= distance < one.offset + one.type.size:
            first = address - distance + one.offset
            return _inside(one.type, first, f"{name}.{one.name}", address)
    signed = scalar.dtype.kind == "i"
    kind_of_float = scalar if scalar.kind == "float" else None
    return DifferentValue(
        address - distance, max(scalar.size, 1), name, signed, float_type=kind_of_float
    )


def value_words(value: DifferentValue, data: bytes) -> str:
    """The number that bytes are."""
    if value.float_type is not None and len(data) == value.size:
        return float_words(value.float_type, data)
    if value.size in (1, 2, 4):
        return str(int.from_bytes(data, "big", signed=value.is_signed))
    return data.hex(" ")


def float_words(kind: GuestType, data: bytes) -> str:
    """The number that the bytes of a float are, as short as its type allows."""
    if kind.wide is not None:
        return str(kind.wide.number_at(data))
    return str(np.frombuffer(data, kind.dtype)[0])


def sentence(
    call: str,
    divergence: ReplayDivergence,
    values: Sequence[tuple[DifferentValue, bytes, bytes]],
    written: str,
    result_is_signed: bool,
    bits: int,
) -> str:
    """The first difference of a function as a sentence.

    Args:
        call: which call of the function it is, with what is changed in it.
        divergence: what differs.
        values: some values that differ, with the bytes that the new and the old function left.
        written: where in the new source the first of them is written; "" if nowhere.
        result_is_signed: whether the result is a signed number.
        bits: how many bits it has.
    """
    if divergence.end:
        return f"call {call}: {divergence.end}"
    parts = []
    if divergence.result is not None:
        old, new = (_number(v, result_is_signed, bits) for v in divergence.result)
        parts.append(f"the result is {new}, was {old} in the original")
    parts += [
        f"{value.name} is {value_words(value, new)}, was {value_words(value, old)} in the original"
        for value, new, old in values[:_SHOWN]
    ]
    if len(values) > _SHOWN:
        parts.append(f"{len(values) - _SHOWN} more values differ")
    if divergence.registers:
        parts.append(f"{', '.join(divergence.registers)} not preserved")
    text = f"call {call}: {'; '.join(parts)}"
    return f"{text}; written by {written}" if written else text


def _number(value: float | WideFloat, is_signed: bool, bits: int) -> str:
    if isinstance(value, float) and bits == 32:
        return str(np.float32(value))
    if isinstance(value, WideFloat):
        return str(value)
    if isinstance(value, int) and is_signed and value >> (bits - 1):
        return str(value - (1 << bits))
    return str(value)
