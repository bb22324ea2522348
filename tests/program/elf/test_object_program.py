"""Object files read as programs that can be looked at."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.base.errors import ProgramError
from emu.program.elf.object_program import object_program
from emu.program.functions.find_functions import find_functions

PROGRAMS = Path(__file__).parents[2] / "programs"
OBJECT = (PROGRAMS / "object-m68k.o").read_bytes()
NAME = Path("sample.c")


def test_an_object_has_its_functions_at_addresses() -> None:
    program = object_program(OBJECT, NAME)
    assert program.architecture == "m68k"
    twice, other = find_functions(program).functions
    assert [(f.name, f.size) for f in (twice, other)] == [("Twice", 0x12), ("OtherFile", 0x18)]
    assert [use.place for use in twice.contents.globals] == [".data+0x4", ".data+0x0"]
    assert other.callees == {twice.address: 1}


def test_a_linked_program_is_no_object() -> None:
    with pytest.raises(ProgramError, match="no object file for the 68K or the PowerPC"):
        object_program((PROGRAMS / "plain-m68k.elf").read_bytes(), NAME)


@given(st.integers(0, len(OBJECT) - 1), st.integers(1, 255))
def test_a_damaged_object_is_read_or_refused(place: int, change: int) -> None:
    image = bytearray(OBJECT)
    image[place] ^= change
    try:
        program = object_program(bytes(image), NAME)
    except ProgramError:
        return
    if program.segments:
        find_functions(program)
