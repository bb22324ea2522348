"""Changes of floats: values that decide a comparison, and not any bits in their bytes."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from emu.port.vary.inputs import ARGUMENT, MEMORY, CallSurroundings, Input, Moment
from emu.program import GuestType
from emu.program.model.types import EXTENDED_96
from emu.program.model.wide_floats import Extended

_SIMPLE = (0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 10.0, 1e-10)
_SPECIAL = (float("inf"), float("-inf"), float("nan"))
_FROM_OTHERS, _AROUND, _USUAL = 0.3, 0.65, 0.92
_FAR = 0x3FF
_FARTHEST = 40
"""So many elements are looked at."""
_INSIDE = (0, 2, 4, 6, 8, 10)


@dataclass(frozen=True, slots=True)
class FloatForm:
    """How a float lies in memory.

    Attributes:
        kind: its type.
        is_universal: whether its exponent lies there twice, as THINK C has it.
    """

    kind: GuestType
    is_universal: bool = False

    def number(self, value: int) -> Extended:
        """The number that bytes are, given as an unsigned one."""
        data = value.to_bytes(self.kind.size, "big")
        if self.kind.wide is not None:
            return Extended(self.kind.wide.number_at(data))
        return Extended(float(np.frombuffer(data, self.kind.dtype)[0]))

    def value(self, number: Extended) -> int:
        """The bytes of a number, rounded, as an unsigned one."""
        if self.kind.wide is None:
            rounded = number.rounded("single" if self.kind.size == 4 else "double")
            return int.from_bytes(np.array(rounded, self.kind.dtype).tobytes(), "big")
        data = self.kind.wide.bytes_of(number)
        if self.is_universal:
            data = data[:2] + data[:2] + data[4:]
        return int.from_bytes(data, "big")

    def propose(self, chance: random.Random, now: int, seen: Sequence[int]) -> int:
        """Another value for a float.

        Args:
            chance: what is random.
            now: its value.
            seen: values that it has had.
        """
        kind, number = chance.random(), self.number(now)
        if kind < _FROM_OTHERS and len(seen) > 1:
            return chance.choice(seen)
        if kind < _AROUND and number.is_finite:
            step = Extended(number.ulp()) if self.kind.wide else number * 2.0**-22
            around = (-number, number * 2, number / 2, number + 1, number - 1)
            return self.value(chance.choice((*around, number + step, number - step)))
        return self.value(Extended(chance.choice(_SIMPLE if kind < _USUAL else _SPECIAL)))

    def is_far(self, value: int) -> bool:
        """Whether a number is none, or overflows as a whole number of 16 bits when multiplied."""
        number = self.number(value)
        return not number.is_finite or not -_FAR <= number <= _FAR


FloatAt = Callable[[Moment, int], "tuple[int, FloatForm | None] | None"]
"""Gives the beginning and the form of the float that an address of a call is in; None for none. The
form is None where a float may be, and nothing tells: that is not changed."""


def with_floats(
    moment: Moment, inputs: Sequence[Input], around: CallSurroundings, float_at: FloatAt
) -> tuple[tuple[Input, ...], dict[Input, FloatForm]]:
    """Inputs with whole floats in place of their parts, and the forms of these.

    The floats are its arguments, and what other inputs are in.
    """
    arguments = range(moment.pointer + around.linkage, moment.pointer + around.callee, 2)
    read = [moment.address(one) for one in inputs if one.kind == MEMORY]
    found: dict[Input, FloatForm] = {}
    parts: set[int] = set()
    for address in (*arguments, *read):
        place = None if address in parts else float_at(moment, address)
        if place is None:
            continue
        start, form = place
        parts.update(range(start, start + (1 if form is None else form.kind.size)))
        if form is None:
            continue
        at = (ARGUMENT, start - moment.pointer) if start in arguments else (MEMORY, start)
        found[Input(*at, form.kind.size)] = form
    others = {
        one
        for one in inputs
        if one.kind not in (MEMORY, ARGUMENT) or moment.address(one) not in parts
    }
    return tuple(sorted(others | found.keys())), found


def universal_at(moment: Moment, address: int) -> tuple[int, FloatForm | None] | None:
    """THINK C's number of 12 bytes that an address is in, by its two exponents; None for none.

    No type tells what lies in a block of the heap. Zeros are a number if they are of an array in
    which there is another one.
    """
    size = EXTENDED_96.size
    form = FloatForm(EXTENDED_96, is_universal=True)
    for start in (address - before for before in _INSIDE):
        data = moment.read(start, size)
        if start % 2 or data is None:
            continue
        if _is_universal(data) or (not any(data) and _is_of_array(moment, start)):
            return start, form
    around = moment.read(address - size, 2 * size)
    return None if around is None or any(around) else (address, None)


def _is_of_array(moment: Moment, start: int) -> bool:
    """Whether the first elements before or behind a zero that are none are numbers."""
    for step in (-EXTENDED_96.size, EXTENDED_96.size):
        for number in range(1, _FARTHEST):
            data = moment.read(start + number * step, EXTENDED_96.size)
            if data is None or any(data):
                if data is not None and _is_universal(data):
                    return True
                break
    return False


def _is_universal(data: bytes) -> bool:
    return data[:2] == data[2:4] and data[0] & 0x70 in (0x30, 0x40) and bool(data[4] & 0x80)
