"""Floats among what a call reads, and other values for them."""

from __future__ import annotations

import random
from typing import cast

import numpy as np
import pytest

from emu.port.vary.floats import FloatForm, universal_at
from emu.port.vary.inputs import Moment
from emu.program import GuestType
from emu.program.model.types import EXTENDED_80, EXTENDED_96
from emu.program.model.wide_floats import Extended

FLOAT = GuestType("float", "float", np.dtype(">f4"))
DOUBLE = GuestType("double", "float", np.dtype(">f8"))
UNIVERSAL = FloatForm(EXTENDED_96, is_universal=True)


@pytest.mark.parametrize(
    ("form", "number", "data"),
    [
        (FloatForm(FLOAT), 1.5, "3fc00000"),
        (FloatForm(DOUBLE), -0.0, "8000000000000000"),
        (FloatForm(EXTENDED_80), 1.5, "3fffc000000000000000"),
        (FloatForm(EXTENDED_96), 1.5, "3fff0000c000000000000000"),
        (UNIVERSAL, -3.0, "c000c000c000000000000000"),
    ],
)
def test_a_number_has_the_bytes_of_its_form(form: FloatForm, number: float, data: str) -> None:
    value = form.value(Extended(number))
    assert value == int(data, 16)
    assert form.number(value).is_same(Extended(number))


@pytest.mark.parametrize("form", [FloatForm(FLOAT), FloatForm(DOUBLE), UNIVERSAL])
def test_proposals_are_what_decides(form: FloatForm) -> None:
    chance, now = random.Random(1), form.value(Extended(7.0))
    found = {form.propose(chance, now, [now, form.value(Extended(40))]) for _ in range(400)}
    numbers = [form.number(value) for value in found]
    for wanted in (0.0, -0.0, 1.0, -7.0, 8.0, 40.0, float("inf"), float("nan")):
        assert any(number.is_same(Extended(wanted)) for number in numbers), wanted
    assert any(0 < abs(number - 7) < 1e-5 for number in numbers)
    far = [number for value in found if form.is_far(value) and (number := form.number(value))]
    assert any(not number.is_finite for number in far)
    assert not any(number == 40 for number in far)


class _Memory:
    """A moment that has only some bytes, from address 0 on."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def read(self, address: int, size: int) -> bytes | None:
        found = self._data[address : address + size] if address >= 0 else b""
        return found if len(found) == size else None


def test_numbers_of_think_c_are_found_by_their_two_exponents() -> None:
    three = UNIVERSAL.value(Extended(3)).to_bytes(12, "big")
    words = bytes(range(1, 13))
    memory = cast(Moment, _Memory(words + three + bytes(36) + words + bytes(60)))
    assert universal_at(memory, 6) is None
    for address in (12, 14, 16, 20, 22):
        assert universal_at(memory, address) == (12, UNIVERSAL)
    assert universal_at(memory, 40) == (36, UNIVERSAL)  # a zero of the same array
    assert universal_at(memory, 100) == (100, None)  # nothing tells what these zeros are
