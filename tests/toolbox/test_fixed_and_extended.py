"""Fixed and Fract numbers of SANE's extended ones."""

from __future__ import annotations

import math

import pytest

from emu.base import exact_numbers as sane
from emu.toolbox.macintosh import Macintosh
from tests.toolbox.conftest import do, run_code


@pytest.mark.parametrize(
    ("value", "fixed", "fract"),
    [
        (0.5, 0x8000, 1 << 29),
        (-1.25, -0x14000, -5 << 28),
        (1e9, 0x7FFFFFFF, 0x7FFFFFFF),
        (-math.inf, -0x80000000, -0x80000000),
        (math.nan, -0x80000000, -0x80000000),
    ],
)
def test_extended_numbers_become_fixed(
    mac_68k: Macintosh, value: float, fixed: int, fract: int
) -> None:
    place = mac_68k.memory.new_pointer(10)
    mac_68k.guest.write(place, sane.pack(sane.from_float(value), "extended"))
    assert do(mac_68k, "X2Fix", place) == fixed
    assert do(mac_68k, "X2Frac", place) == fract


@pytest.mark.parametrize(("trap", "unit"), [("a843", 1 << 16), ("a845", 1 << 30)])
@pytest.mark.parametrize("number", [0, 1, -0x14000, 0x7FFFFFFF, -0x80000000])
def test_fixed_numbers_become_extended(
    mac_68k: Macintosh, trap: str, unit: int, number: int
) -> None:
    """The address for the result stays on the stack, and the number is taken from it."""
    place = mac_68k.memory.new_pointer(10)
    # MOVE.L A0,-(A7); MOVE.L D0,-(A7); the trap; MOVEA.L (A7)+,A1; RTS
    code = f"2f08 2f00 {trap} 225f 4e75"
    registers = run_code(mac_68k, code, a0=place, d0=number & 0xFFFFFFFF)
    assert registers["a1"] == place
    value = sane.unpack(mac_68k.guest.read(place, 10), "extended")
    assert value == sane.from_float(number / unit)


def test_glue_that_ends_in_the_trap_gets_the_number_too(mac_68k: Macintosh) -> None:
    """Its caller's address lay where the address for the result was looked for (Claris CAD)."""
    place = mac_68k.memory.new_pointer(10)
    # MOVE.L A0,-(A7); MOVE.L D0,-(A7); BSR glue; MOVEA.L (A7)+,A1; RTS; glue: Fix2X, auto-pop
    registers = run_code(mac_68k, "2f08 2f00 6104 225f 4e75 ac43", a0=place, d0=72 << 16)
    assert registers["a1"] == place
    assert sane.unpack(mac_68k.guest.read(place, 10), "extended") == sane.from_float(72.0)


@pytest.mark.parametrize("name", ["FSCALB", "FSCALBI"])
def test_numbers_are_scaled_by_a_power_of_two(mac_68k: Macintosh, name: str) -> None:
    power, number = mac_68k.memory.new_pointer(2), mac_68k.memory.new_pointer(10)
    mac_68k.guest.put16(power, -3)
    mac_68k.guest.write(number, sane.pack(sane.from_float(20.0), "extended"))
    do(mac_68k, name, power, number)
    assert sane.unpack(mac_68k.guest.read(number, 10), "extended") == sane.from_float(2.5)
