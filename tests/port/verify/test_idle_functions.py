"""Functions whose recorded calls leave nothing, so that one which does nothing would pass, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.port.model import INCONCLUSIVE, REFUTED, VERIFIED
from tests.port.small_application import SmallPort, small_port

ASSEMBLY = """
        .text
Main:   bsr.w   Limit
        bsr.w   Nothing
        bsr.w   Count
        .short  0xA9F4
        rts
Limit:  cmpi.w  #3, -12(%a5)
        ble.s   1f
        move.w  #3, -12(%a5)
1:      rts
Nothing: link   %a6, #0
        unlk    %a6
        rts
Count:  addq.w  #1, -16(%a5)
        rts
"""
SOURCE = """
// GLOBAL: A5-0xc
short value;
// GLOBAL: A5-0x10
short count;
// FUNCTION: @Limit@
void Limit(void) { if (value > 3) value = 3; }
// FUNCTION: @Nothing@
void Nothing(void) { }
// FUNCTION: @Count@
void Count(void) { count++; }
"""
IDLE = SOURCE.replace("if (value > 3) value = 3;", "")


@pytest.fixture
def port(tmp_path: Path, compilers: object) -> SmallPort:
    assert callable(compilers)
    compilers()
    small = small_port(tmp_path, ASSEMBLY, SOURCE)
    small.record(["Limit", "Nothing", "Count"])
    return small


def test_calls_that_leave_nothing_verify_nothing(port: SmallPort) -> None:
    for source in (SOURCE, IDLE):
        port.write(source)
        found = port.verdict("Limit")
        assert (found.verdict, found.calls) == (INCONCLUSIVE, 1)
        assert "a function that does nothing would pass" in found.reason
    assert port.verdict("Count").verdict == VERIFIED


def test_a_function_that_never_does_anything_is_verified(port: SmallPort) -> None:
    assert port.verdict("Nothing").verdict == VERIFIED


def test_changed_calls_refute_one_that_does_nothing(port: SmallPort) -> None:
    port.write(IDLE)
    found = port.verdict("Limit", vary=200)
    assert found.verdict == REFUTED, found
    assert "value is" in found.reason
