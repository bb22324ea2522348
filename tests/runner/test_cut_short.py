"""What a program leaves behind is its mistake only if it has ended, and the Macintosh has not."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.runner.runner import RunRequest, run_request
from tests.program.code_samples import write_application

_PATCH = "203c 0000a9c8 41fa 0000 a047"  # MOVE.L #$A9C8,D0; LEA *(PC),A0; SetTrapAddress
_LOOK = "4267 3f3c ffff 2f0d a970 544f"  # CLR.W; MOVE.W #-1; MOVE.L A5; GetNextEvent; ADDQ #2,SP
_AGAIN = "60f2"  # BRA.S to _LOOK
_EXIT = "a9f4"
_START_AGAIN = "3f3c 0002 a895"  # MOVE.W #2; ShutDwnStart


@pytest.mark.parametrize(
    ("code", "is_scripted", "is_mistake"),
    [
        (_LOOK + _EXIT, False, True),
        (_LOOK + _AGAIN, True, False),
        (_START_AGAIN, False, False),
    ],
)
def test_a_patch_that_is_left(
    tmp_path: Path, code: str, is_scripted: bool, is_mistake: bool
) -> None:
    script = tmp_path / "script.yaml"
    script.write_text("schema: macproof.script/1\nsteps:\n  - end: true\n")
    path = write_application(tmp_path, _PATCH + code)
    result = run_request(RunRequest(path, cpu="68040", script=script if is_scripted else None))
    assert result.exit_code == 0, result.problem
    found = [mistake.problem for mistake in result.findings if mistake.check == "patches"]
    assert found == (["the program ended with trap 0xA9C8 patched"] if is_mistake else [])
