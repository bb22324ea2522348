"""Which instructions lower the stack pointer to what they store."""

from __future__ import annotations

import pytest

from emu.checks.instructions import pushes


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("2f00", True),  # MOVE.L D0,-(A7)
        ("42a7", True),  # CLR.L -(A7)
        ("48e7", True),  # MOVEM.L registers,-(A7)
        ("4eb9", True),  # JSR
        ("6100", True),  # BSR
        ("4850", True),  # PEA (A0)
        ("4e56", True),  # LINK.W A6
        ("df88", True),  # ADDX.L -(A0),-(A7)
        ("d18f", False),  # ADDX.L -(A7),-(A0) stores elsewhere
        ("2080", False),  # MOVE.L D0,(A0)
        ("7027", False),  # MOVEQ #39,D0, whose lower bits look like -(A7)
        ("4848", False),  # BKPT, no PEA
    ],
)
def test_a_68k_instruction_that_pushes(code: str, expected: bool) -> None:
    assert pushes("m68k", bytes.fromhex(code) + b"\0\0", 4) == expected


def test_what_lies_far_below_was_not_pushed() -> None:
    assert not pushes("m68k", bytes.fromhex("2f000000"), 200)
