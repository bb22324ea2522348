"""A fault whose cause is an address that was kept while its block moved names the register."""

from __future__ import annotations

import re
from pathlib import Path

from emu.runner.runner import RunRequest, RunResult, run_request
from emu.toolbox.computer.settings import Settings
from tests.program.code_samples import write_application

_EXIT = "a9f4"
_HANDLE = "7010 a122"  # MOVEQ #16,D0; NewHandle
_KEEP = "2650"  # MOVEA.L (A0),A3
_FAULT = "227c 12345678 4a11"  # MOVEA.L #0x12345678,A1; TST.B (A1)
_HINT = re.compile(
    r"\n  a3 leads to where the block of handle 0x[0-9a-f]{8} was until NewHandle, "
    r"call 3 of the Toolbox, .* moved it\n  with --no-scramble "
)


def run(folder: Path, code: str, *, scramble: bool = True) -> RunResult:
    path = write_application(folder, code + _EXIT)
    return run_request(RunRequest(path, cpu="68040", settings=Settings(scramble=scramble)))


def test_a_register_that_kept_the_address_of_a_block_that_has_moved_is_named(
    tmp_path: Path,
) -> None:
    result = run(tmp_path, _HANDLE + _KEEP + _HANDLE + _FAULT)
    assert result.exit_code == 4
    assert _HINT.search(result.problem), result.problem


def test_the_address_of_a_block_that_is_there_is_not_named(tmp_path: Path) -> None:
    for code, scramble in ((_HANDLE + _KEEP, True), (_HANDLE + _KEEP + _HANDLE, False)):
        result = run(tmp_path, code + _FAULT, scramble=scramble)
        assert result.exit_code == 4
        assert "leads to" not in result.problem and "--no-scramble" not in result.problem
