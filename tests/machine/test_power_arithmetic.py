"""Arithmetic of the POWER architecture on a 601, as chapter 10 of its User's Manual has it."""

from __future__ import annotations

import pytest

from emu.machine import CPUS, BareMachine, GuestFault
from tests.machine.routines import program

RETURN = "4e800020"
ROUTINES = {
    "Doz": "7c632210",  # doz r3,r3,r4
    "DozRecorded": "7c632211 7c600026 54630004",  # doz. r3,r3,r4; mfcr r3; three bits of it
    "Dozi": "2463fffb",  # dozi r3,r3,-5
    "High": "7c6320d6",  # mul r3,r3,r4
    "Low": "7c6320d6 7c6002a6",  # mul r3,r3,r4; mfmq r3
    "Quotient": "7c8003a6 7c632a96",  # mtmq r4; div r3,r3,r5
    "Remainder": "7c8003a6 7c632a96 7c6002a6",  # and mfmq r3
    "Mask": "7c63203a",  # maskg r3,r3,r4
    "Kept": "7c8003a6 7c632210 7c6002a6",  # mtmq r4; doz r3,r3,r4; mfmq r3
    "Overflow": "7c632610",  # dozo r3,r3,r4
    "MulRecorded": "7c6320d7",  # mul. r3,r3,r4
    "Maskir": "7c64243a 7c832378",  # maskir r4,r3,r4, whose bits look like those of maskg; mr r3,r4
}
MINUS = 1 << 32


@pytest.fixture(scope="module")
def power() -> BareMachine:
    routines = {name: f"{code} {RETURN}" for name, code in ROUTINES.items()}
    return BareMachine(program("powerpc", routines, {}, b""), CPUS["601"])


@pytest.mark.parametrize(
    ("routine", "arguments", "result"),
    [
        ("Doz", (3, 10), 7),
        ("Doz", (10, 3), 0),
        ("Doz", (-10, 3), 13),
        ("Doz", (3, -10), 0),
        ("Doz", (0x80000000, 0x7FFFFFFF), 0xFFFFFFFF),
        ("DozRecorded", (3, 10), 0x40000000),
        ("DozRecorded", (10, 3), 0x20000000),
        ("Dozi", (-9,), 4),
        ("Dozi", (9,), 0),
        ("High", (-1, 1), MINUS - 1),
        ("High", (0x10000, -0x10000), MINUS - 1),
        ("High", (0x7FFFFFFF, 4), 1),
        ("Low", (-3, 7), MINUS - 21),
        ("Quotient", (-1, MINUS - 100, 7), MINUS - 14),
        ("Remainder", (-1, MINUS - 100, 7), MINUS - 2),
        ("Quotient", (0, 100, -7), MINUS - 14),
        ("Remainder", (0, 100, -7), 2),
        ("Quotient", (1, 0, 2), 0x80000000),
        ("Quotient", (-1, 0, 2), 0x80000000),
        ("Quotient", (5, 5, 0), 0x80000000),
        ("Mask", (4, 7), 0x0F000000),
        ("Mask", (0, 31), 0xFFFFFFFF),
        ("Mask", (8, 7), 0xFFFFFFFF),
        ("Mask", (28, 3), 0xF000000F),
        ("Mask", (0x24, 0x27), 0x0F000000),
        ("Kept", (3, 10), 10),
        ("Maskir", (0x12345678, 0xFFFF0000), 0x12340000),
    ],
)
def test_results(power: BareMachine, routine: str, arguments: tuple[int, ...], result: int) -> None:
    assert power.call(routine, *arguments) == result


@pytest.mark.parametrize(("routine", "name"), [("Overflow", "DOZ"), ("MulRecorded", "MUL")])
def test_forms_that_are_left_out_are_the_fault_of_the_engine(
    power: BareMachine, routine: str, name: str
) -> None:
    with pytest.raises(GuestFault, match=f"the engine cannot execute {name}") as caught:
        power.call(routine, 1, 2)
    assert caught.value.fault.kind == "engine"
