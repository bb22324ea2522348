"""Comparisons that the 68K has in flags become comparisons of LLVM."""

from __future__ import annotations

import re

import pytest

from emu.lift.decoder import Decoder
from emu.lift.native.module import translate
from emu.machine.cpu import CPUS

AT, UNTIL = 0x1000, 0x900
RTS, NOTHING = "4e75", "4e71"
BGT, BLE, BMI = "6e02", "6f02", "6b02"  # over two bytes


def function(*codes: str) -> str:
    """A program in LLVM's assembler language, without the loop that calls it."""
    data = bytes.fromhex("".join(codes))
    decoder = Decoder(CPUS["68000"], lambda at, size: data[at - AT : at - AT + size])
    return translate(CPUS["68000"], decoder, [AT], UNTIL).text.partition("@guest(")[0]


@pytest.mark.parametrize(
    ("compare", "kind"),
    [("b081", "i32"), ("0c410004", "i16"), ("b019", "i8"), ("9041", "i16")],
    ids=["cmp.l", "cmpi.w", "cmp.b (a1)+", "sub.w"],
)
def test_a_branch_behind_a_difference_compares_its_numbers(compare: str, kind: str) -> None:
    assert f"icmp sge {kind}" in function(compare, BGT, NOTHING, RTS)
    less = re.compile(rf"icmp slt {kind} %\w+, (?!0\n)")  # N alone is less than 0
    assert less.search(function(compare, BLE, NOTHING, RTS))


def test_other_flags_are_not_taken_for_a_comparison() -> None:
    """Those of a sum; of a test, which clears V; of two differences; and N alone."""
    for code in ("d041", "4a41"):
        assert "icmp sge i16" not in function(code, BGT, NOTHING, RTS)
    assert "icmp sge" not in function("b081", BMI, NOTHING, RTS)


def test_flags_that_may_come_from_elsewhere_are_read() -> None:
    # bra to the branch; cmp; bgt: it is reached in two ways
    text = function("6002", "b041", BGT, NOTHING, RTS)
    assert "icmp sge" not in text
