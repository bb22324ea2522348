"""What pixel values mean whose colour table has fewer entries than there are values."""

from __future__ import annotations

import struct

import pytest

from emu.quickdraw.color_space import IndexedColorSpace
from emu.toolbox.managers.quickdraw.ports.deep_pixels import table_space

WHITE, BLACK, RED = (255, 255, 255), (0, 0, 0), (255, 0, 0)
Color = tuple[int, int, int]


def space_of(colors: dict[int, Color]) -> IndexedColorSpace:
    """The space of 4 bits of a table that has these pixel values only."""
    specs = [
        struct.pack(">H3H", value, *(257 * part for part in colors[value])) for value in colors
    ]
    table = struct.pack(">iHh", 1, 0, len(specs) - 1) + b"".join(specs)
    space = table_space(table, 4)
    assert isinstance(space, IndexedColorSpace)
    return space


@pytest.mark.parametrize(
    ("colors", "value", "expected"),
    [
        ({0: WHITE, 1: RED, 2: BLACK}, 15, BLACK),
        ({0: WHITE, 1: RED, 2: BLACK}, 3, WHITE),
        ({0: WHITE, 1: RED, 2: BLACK}, 14, (21, 21, 21)),
        ({0: BLACK, 15: WHITE}, 14, BLACK),
        ({0: BLACK, 15: WHITE}, 1, WHITE),
        ({value: RED for value in range(15)}, 15, BLACK),
    ],
)
def test_values_without_an_entry_are_steps_from_black_to_white(
    colors: dict[int, Color], value: int, expected: Color
) -> None:
    space = space_of(colors)
    assert space.color(value) == expected
    assert [space.color(known) for known in colors] == list(colors.values())


def test_no_colour_becomes_a_value_without_an_entry() -> None:
    space = space_of({2: WHITE, 5: RED, 9: BLACK})
    assert {space.pixel((level, level, level)) for level in range(256)} == {2, 9}
    assert space.pixel((250, 30, 30)) == 5
    assert (space.white, space.black) == (2, 9)
