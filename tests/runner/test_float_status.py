"""A whole program goes on where the status of the FPU that it reads may lack exceptions."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.runner.runner import RunRequest, RunResult, run_request
from tests.program.code_samples import write_application

_EXIT = "a9f4"
_COMPUTE = "f2000498"  # FABS.X FP1,FP1
_CONSTANT = "f2005c00"  # FMOVECR #$00,FP0: pi
_STATUS = "f200a800"  # FMOVE.L FPSR,D0
# MOVEQ #16,D0; NewPtr; MOVE.L #<not FMOVE.L FPSR,D0>,D0; NOT.L D0; MOVE.L D0,(A0);
# MOVE.W #<RTS>,4(A0); JSR (A0). Nothing of this program looks as if it read the status.
_LATER = "7010 a11e 203c 0dff57ff 4680 2080 317c 4e75 0004 4e90"


def run(folder: Path, code: str) -> RunResult:
    return run_request(RunRequest(write_application(folder, code + _EXIT), cpu="68040"))


@pytest.mark.parametrize(
    ("code", "why"),
    [(_COMPUTE + _LATER, "ran before this code was loaded"), (_STATUS + _CONSTANT, "is inexact")],
)
def test_what_is_not_known_of_the_status_is_reported_once_and_fails_nothing(
    tmp_path: Path, code: str, why: str
) -> None:
    result = run(tmp_path, code + code)
    assert result.exit_code == 0
    (finding,) = result.findings
    assert finding.check == "float status" and why in finding.problem


def test_a_status_that_is_known_is_not_reported(tmp_path: Path) -> None:
    result = run(tmp_path, _STATUS + _COMPUTE + _STATUS)
    assert (result.exit_code, result.findings) == (0, ())
