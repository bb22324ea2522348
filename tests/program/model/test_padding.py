"""Which bytes of a variable belong to no member, on every processor."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from emu.program import GuestType, read_elf, value_bits
from emu.program.model.types import Field, array_of, struct_of

PROGRAMS = Path(__file__).parents[2] / "programs"


@pytest.mark.parametrize("family", ["m68k", "ppc", "mips"])
@pytest.mark.parametrize(
    "name",
    [
        "gShort",
        "gObjects",
        "gPacked",
        "gWord",
        "gUtf16",
    ],
)
def test_a_struct_without_gaps_has_no_padding(family: str, name: str):
    assert value_bits(read_elf(PROGRAMS / f"types-{family}.elf").variable(name).type).all()


def _gaps(places: list[tuple[int, int]], size: int) -> list[int]:
    held = {byte for start, length in places for byte in range(start, start + length)}
    return sorted(set(range(size)) - held)


# The System V ABIs: a double begins at a multiple of 2 on the 68K, of 8 on the other two.
INNER = {
    "m68k": ([(0, 1), (2, 8), (10, 2)], 12),
    "ppc": ([(0, 1), (8, 8), (16, 2)], 24),
    "mips": ([(0, 1), (8, 8), (16, 2)], 24),
}
# first, inner, pair, grid, flag, wide, link: where they begin.
OUTER = {
    "m68k": ((0, 2, 14, 38, 50, 52, 60), 64),
    "ppc": ((0, 8, 32, 80, 92, 96, 104), 112),
    "mips": ((0, 8, 32, 80, 92, 96, 104), 112),
}


@pytest.mark.parametrize("family", INNER)
def test_padding_of_what_a_compiler_laid_out(family: str):
    kind = read_elf(PROGRAMS / f"types-{family}.elf").variable("gOuter").type
    inner, inner_size = INNER[family]
    (first, one, pair, grid, flag, wide, link), size = OUTER[family]
    places = [(first, 1), (grid, 12), (flag, 1), (wide, 8), (link, 4)]
    for start in (one, pair, pair + inner_size):
        places += [(start + offset, length) for offset, length in inner]
    assert kind.size == size
    assert np.flatnonzero(value_bits(kind) == 0).tolist() == _gaps(places, size)


INT = GuestType("int", "integer", np.dtype(">i4"))
CHAR = GuestType("char", "integer", np.dtype("i1"))


def test_a_byte_of_any_member_of_a_union_is_no_padding():
    one = struct_of("one", (Field("a", CHAR, 0), Field("b", INT, 4)), 8)
    other = struct_of("other", (Field("c", INT, 0), Field("d", CHAR, 4)), 8)
    either = struct_of("either", (Field("one", one, 0), Field("other", other, 0)), 8)
    assert np.flatnonzero(value_bits(one) == 0).tolist() == [1, 2, 3]
    assert np.flatnonzero(value_bits(other) == 0).tolist() == [5, 6, 7]
    assert value_bits(either).all()
    many = array_of(struct_of("outer", (Field("one", one, 2),), 12), (2, 2))
    assert np.flatnonzero(value_bits(many) == 0).tolist() == [
        12 * element + byte for element in range(4) for byte in (0, 1, 3, 4, 5, 10, 11)
    ]


def test_a_struct_without_members_is_nothing_but_padding():
    assert not value_bits(struct_of("empty", (), 1)).any()
