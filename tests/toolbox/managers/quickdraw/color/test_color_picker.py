"""Colours are turned from one kind into another."""

from __future__ import annotations

import struct

import pytest

from emu.toolbox.guest.guest_types import Point
from emu.toolbox.macintosh import Macintosh
from tests.toolbox.conftest import do

FULL, HALF, THIRD = 0xFFFF, 0x8000, 0x5555


@pytest.mark.parametrize(
    ("name", "parts", "result"),
    [
        ("RGB2CMY", (FULL, 0, THIRD), (0, FULL, FULL - THIRD)),
        ("CMY2RGB", (0, FULL, FULL - THIRD), (FULL, 0, THIRD)),
        ("RGB2HSV", (0, FULL, 0), (THIRD, FULL, FULL)),
        ("HSV2RGB", (THIRD, FULL, FULL), (0, FULL, 0)),
        ("RGB2HSL", (0, FULL, 0), (THIRD, FULL, HALF)),
        ("HSL2RGB", (0, 0, THIRD), (THIRD, THIRD, THIRD)),
    ],
)
def test_kinds_of_colours(
    mac: Macintosh, name: str, parts: tuple[int, ...], result: tuple[int, ...]
) -> None:
    source, target = mac.memory.new_pointer(6), mac.memory.new_pointer(6)
    mac.guest.write(source, struct.pack(">3H", *parts))
    do(mac, name, source, target)
    assert struct.unpack(">3H", mac.guest.read(target, 6)) == result


def test_fractions_and_the_dialog(mac: Macintosh) -> None:
    assert [do(mac, "Fix2SmallFract", value) & 0xFFFF for value in (0x8000, 0x10000)] == [
        HALF,
        FULL,
    ]
    assert do(mac, "SmallFract2Fix", HALF) == HALF
    assert do(mac, "GetColor", Point(0, 0), 0, 0, 0) is False
