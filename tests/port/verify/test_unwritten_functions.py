"""Functions that a new source calls and does not have yet: they are the old program's."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.port.model import INCONCLUSIVE, REFUTED, VERIFIED
from tests.port.small_application import SmallPort, small_port

# MPW C writes the name of a pascal function in capitals.
ASSEMBLY = """
        .text
Main:   bsr.w   Count
        .short  0xA9F4
        rts
Plain:  addq.w  #2, -12(%a5)
        rts
ADD:    addq.w  #4, -12(%a5)
        rts
Count:  addq.w  #1, -12(%a5)
        bsr.w   Plain
        bsr.w   ADD
        rts
"""
SOURCE = """
#include <Types.h>
void Plain(void);
extern pascal void Add(void);
// GLOBAL: A5-0xc
short count;
// FUNCTION: @Count@
void Count(void) { void (*volatile add)(void) = (void (*)(void))Add; count++; Plain(); add(); }
"""


@pytest.fixture
def port(tmp_path: Path, compilers: object) -> SmallPort:
    assert callable(compilers)
    compilers()
    small = small_port(tmp_path, ASSEMBLY, SOURCE)
    small.record(["Count"])
    return small


def test_they_are_found_by_their_names(port: SmallPort) -> None:
    found = port.verdict("Count")
    assert found.verdict == VERIFIED, found.reason
    port.write(SOURCE.replace("Plain(); ", ""))
    found = port.verdict("Count")
    assert (found.verdict, found.reason) == (REFUTED, "call 1: count is 5, was 7 in the original")


@pytest.mark.parametrize("name", ["Other", "plain", "ADDED"])
def test_another_name_is_none_of_the_old_program(port: SmallPort, name: str) -> None:
    port.write(
        SOURCE.replace("void Plain(void)", f"void {name}(void)").replace("Plain()", f"{name}()")
    )
    found = port.verdict("Count")
    assert found.verdict == INCONCLUSIVE
    assert f"{name} is not defined, but used by Count (port.c, line 8)" in found.reason
