"""What a program finds where it has no memory."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from emu.runner.runner import RunRequest, RunResult, run_request
from emu.toolbox.computer.settings import Settings
from emu.toolbox.guest.findings import GuestStopError, Sureness
from tests.program.code_samples import write_application
from tests.toolbox.conftest import make_mac, run_code

_EXIT = "a9f4"


def told(folder: Path, code: str, machine: str = "quadra") -> tuple[RunResult, list[str]]:
    cpu = "68000" if machine == "plus" else "68040"
    program = write_application(folder, code + _EXIT)
    result = run_request(RunRequest(program, cpu, Settings(machine=machine)))
    found = [one for one in result.findings if one.check == "others' memory"]
    assert {one.sureness for one in found} <= {Sureness.SOME}
    return result, [one.problem for one in found]


_PROBE = """
    23fc 12345678 {place:08x}
    4ab9 {place:08x}
    6702
    4afc
"""
"""MOVE.L #0x12345678,place; TST.L place; BEQ; ILLEGAL: stores, and wants to read zero."""


def test_what_is_stored_in_the_memory_of_others_is_lost(tmp_path: Path) -> None:
    result, (stored, loaded) = told(tmp_path, _PROBE.format(place=0x0150_0000))
    assert result.exit_code == 0
    assert re.fullmatch(
        r"the code at 0x\w{8} CODE 1\+0x\w+ stores at 0x01500000, where others have their memory",
        stored,
    )
    assert "reads at 0x01500000" in loaded


@pytest.mark.parametrize(
    ("machine", "goes_on"), [("plus", True), ("quadra", False), ("se30", False)]
)
def test_a_plus_answers_everywhere(tmp_path: Path, machine: str, goes_on: bool) -> None:
    result, problems = told(tmp_path, _PROBE.format(place=0x50F0_0000), machine)
    assert (result.exit_code == 0, bool(problems)) == (goes_on, goes_on)
    assert ("unmapped memory at 0x50f00000" in result.problem) is not goes_on


def test_a_routine_is_given_the_memory_of_others(tmp_path: Path) -> None:
    block_move = "307c 0100 227c 01500000 7010 a02e"  # A0, A1 and D0: 16 bytes
    result, (stored,) = told(tmp_path, block_move)
    assert result.exit_code == 0 and "stores at 0x01500000" in stored
    result, (loaded,) = told(tmp_path, "207c 01500000 43ef ffe0 7010 a02e")
    assert result.exit_code == 0 and "reads at 0x01500000" in loaded


def test_there_is_no_code_to_jump_to(tmp_path: Path) -> None:
    result, problems = told(tmp_path, "4ef9 01500000")
    assert "jump to unmapped memory at 0x01500000" in result.problem and not problems


def test_a_program_that_looks_through_memory_is_told_of_at_a_few_places(tmp_path: Path) -> None:
    pages = range(0x0150_0000, 0x0150_0000 + 60 * 4096, 4096)
    result, problems = told(tmp_path, "".join(f"4ab9 {page:08x}" for page in pages))
    assert (result.exit_code, len(problems)) == (0, 20)


def test_without_it_such_an_access_is_a_fault() -> None:
    with pytest.raises(GuestStopError, match="unmapped memory at 0x01500000"):
        run_code(make_mac("68040"), "4ab9 01500000 4e75")
