"""Texts that a function changes in place: the old one has its own, and the new one, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.port.model import INCONCLUSIVE, REFUTED, VERIFIED
from tests.port.small_application import SmallPort, small_port

# The text is at A5-0x20: four bytes, of which the first becomes 3, as a Pascal string has it.
ASSEMBLY = """
        .text
        bsr.w   Label
        .short  0xA9F4
Label:  move.b  #3, -32(%a5)
        addq.w  #1, -12(%a5)
        rts
"""
SOURCE = """
// GLOBAL: A5-0xc
short count;
// FUNCTION: @Label@
void Label(void) { volatile char *text = (char *)" abc"; text[0] = 3; count++; }
"""
MARKED = SOURCE.replace('(char *)" abc"', "text_").replace(
    "// FUNCTION", "// GLOBAL: A5-0x20\nchar text_[4];\n// FUNCTION"
)


@pytest.fixture
def port(tmp_path: Path, compilers: object) -> SmallPort:
    assert callable(compilers)
    compilers()
    small = small_port(tmp_path, ASSEMBLY, SOURCE)
    small.record(["Label"])
    return small


def test_a_text_that_each_changes_for_itself_decides_nothing(port: SmallPort) -> None:
    found = port.verdict("Label")
    assert found.verdict == INCONCLUSIVE, found.reason
    assert "a constant of its own, such as a text, from A5-0x20 on" in found.reason


def test_a_text_with_a_mark_is_compared(port: SmallPort) -> None:
    port.write(MARKED)
    assert port.verdict("Label").verdict == VERIFIED
    port.write(MARKED.replace("= 3", "= 4"))
    assert port.verdict("Label").verdict == REFUTED


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("count++", "count += 2", "count is 2"),
        ("text[0] = 3;", "", "A5-0x20 is 0, was 3"),
    ],
)
def test_other_differences_refute(port: SmallPort, right: str, wrong: str, told: str) -> None:
    port.write(SOURCE.replace(right, wrong))
    found = port.verdict("Label")
    assert found.verdict == REFUTED, found.reason
    assert told in found.reason
