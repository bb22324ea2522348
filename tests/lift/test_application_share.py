"""The share of a program's instructions that is lifted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from emu.cases.programs.programs import PREBUILT
from emu.program import Program, read_program
from tests.lift.application_share import share_of


def program_of(name: str) -> Program:
    return read_program(PREBUILT / f"{name}.elf")


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_all_of_a_prebuilt_program_is_lifted(cpu: str):
    share = share_of(program_of(f"four-shifts-{cpu}-O2"), cpu)
    assert share.functions > 3
    assert share.lifted == share.instructions > 100
    assert share.lengths == []


def test_what_is_not_lifted_is_named():
    """A Toolbox call and TRAP #0 in place of the first instructions of a function."""
    program = program_of("four-shifts-68040-O2")
    start = next(s.address for s in program.symbols if s.kind == "function")
    segments = [
        replace(one, data=b"\xa8\x6e\x4e\x40" + bytes(one.data)[4:])
        if one.address == start
        else one
        for one in program.segments
    ]
    share = share_of(replace(program, segments=segments), "68040")
    assert share.traps == 1
    assert [why.partition(":")[0] for why in share.refusals] == ["trap"]
