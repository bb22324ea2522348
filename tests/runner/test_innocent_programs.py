"""What Macintoshes allow fails no run, and its nearest neighbour does."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.runner.runner import RunRequest, run_request
from emu.toolbox.guest.findings import Sureness
from tests.program.code_samples import write_application

_BEGIN = "486dfffc a86e a8fe a912"  # PEA -4(A5); InitGraf; InitFonts; InitWindows
_CALL = "42a7 a975 201f"  # CLR.L; TickCount; MOVE.L (SP)+,D0: a call, at which memory is looked at
_EXIT = "a9f4"
_BLOCK = "9efc 0050 204f"  # SUBA.W #80,SP; MOVEA.L SP,A0
_HANDLER = "6002 4e73 41fafffc"  # BRA.S over RTE; LEA of the RTE,A0

INNOCENT = {
    "a handler of division by zero": f"{_HANDLER} 21c8 0014",  # MOVE.L A0,$14
    "handlers of the FPU": f"{_HANDLER} 21c8 00c8 21c8 00cc",
    "highlighting": "08b8 0007 0938",  # BCLR #7,HiliteMode
    "a menu that scrolls": "31fc 0014 0a0a 31fc 0100 0a0c",  # TopMenuItem, AtMenuBottom
    "a scratch area": "21fc 12345678 09ce",  # ToolScratch
    "a file that is closed twice": f"{_BLOCK} 317c 004d 0018 a001",  # refnum 77; Close
    "a task that is removed twice": f"{_BLOCK} 4290 a058 a059 a059",  # InsTime; RmvTime; RmvTime
    "a segment's own routine": "487afffe a9f1",  # PEA *(PC); UnloadSeg
    "a picture that is nil": "42a7 487afffc a8f6",  # DrawPicture
    "a picture that is not open": "a8f4",  # ClosePicture
    "nil to be freed": "91c8 a023 91c8 a01f",  # SUBA.L A0,A0; DisposeHandle; DisposePtr
}
WRONG = {
    "a field of a record at nil": "91c8 317c 0005 0012",  # SUBA.L A0,A0; MOVE.W #5,18(A0)
    "a bit map of the system": "31fc 0005 0a0e",  # IconBitmap
    "a task that is installed twice": f"{_BLOCK} 4290 a058 a058",  # InsTime; InsTime
    "a handle that is freed twice": "7010 a122 2648 a023 204b a023",  # DisposeHandle twice
    "a pointer into the middle": "7010 a11e 5448 a01f",  # NewPtr; ADDQ #2,A0; DisposePtr
}


def failing(tmp_path: Path, code: str) -> list[str]:
    """The problems that fail the run of a program with this code."""
    path = write_application(tmp_path, f"{_BEGIN} {code} {_CALL} {_EXIT}")
    result = run_request(RunRequest(path, cpu="68040"))
    assert result.exit_code == 0, result.problem
    return [one.problem for one in result.findings if one.sureness is not Sureness.UNUSUAL]


@pytest.mark.parametrize("name", INNOCENT)
def test_what_is_allowed_fails_no_run(tmp_path: Path, name: str) -> None:
    assert failing(tmp_path, INNOCENT[name]) == []


@pytest.mark.parametrize("name", WRONG)
def test_its_neighbour_does(tmp_path: Path, name: str) -> None:
    assert len(failing(tmp_path, WRONG[name])) == 1
