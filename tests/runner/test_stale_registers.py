"""What comes of an address that was kept while its block moved names the register."""

from __future__ import annotations

import re
from pathlib import Path

from emu.runner.runner import RunRequest, RunResult, run_request
from emu.toolbox.computer.settings import Settings
from emu.toolbox.guest.findings import Sureness
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


def test_a_register_with_what_free_memory_holds_is_named(tmp_path: Path) -> None:
    """HyperCuber 2.0 reads a pointer in a block that it has disposed of."""
    # MOVEQ #64,D0; NewPtr; MOVEA.L A0,A3; DisposePtr; MOVEA.L 8(A3),A4; TST.B (A4)
    result = run(tmp_path, "7040 a11e 2648 a01f 286b 0008 4a14")
    assert result.exit_code == 4
    assert (
        "\n  a4 has what new and free memory holds here, 0xd5d5d5d5\n  with --no-scramble "
        in result.problem
    )


_STORE = "277c 00123456 0004"  # MOVE.L #0x123456,4(A3)
_HILITE = "2f2b 0004 3f3c 00ff a95d"  # MOVE.L 4(A3),-(SP); MOVE.W #255,-(SP); HiliteControl
_UNLOCK = "206b 0004 a02a"  # MOVEA.L 4(A3),A0; HUnlock
_GIVEN = re.compile(
    r"; a3 leads to where the block of handle 0x[0-9a-f]{8} was until NewHandle, call 3 of the "
    r"Toolbox, .* moved it, and that value stands there$"
)


def test_a_value_that_was_read_there_is_said_to_be_from_there(tmp_path: Path) -> None:
    for use, check in ((_HILITE, "not a control"), (_UNLOCK, "not a handle")):
        for store, moves in ((_STORE, _HANDLE), (_STORE, "")):
            result = run(tmp_path, _HANDLE + _KEEP + store + moves + use)
            (found,) = [mistake for mistake in result.findings if mistake.check == check]
            assert bool(_GIVEN.search(found.problem)) == bool(moves), found.problem
            assert found.sureness is (Sureness.SOME if moves else Sureness.EVERY)


def test_a_value_of_memory_that_was_not_set_is_said_to_be_such(tmp_path: Path) -> None:
    # MOVEQ #64,D0; NewPtr; MOVEA.L 8(A0),A0; HUnlock
    result = run(tmp_path, "7040 a11e 2068 0008 a02a")
    (found,) = result.findings
    assert found.problem.startswith(
        "HUnlock was given 0xd5d5d5d5, which is no handle; that is what"
    )
    assert found.sureness is Sureness.SOME


def test_a_handle_that_is_disposed_of_twice_names_the_first_call(tmp_path: Path) -> None:
    result = run(tmp_path, _HANDLE + "2648 a023 204b a023")  # MOVEA.L A0,A3; DisposeHandle; ...
    (found,) = result.findings
    assert found.check == "double dispose"
    assert re.search(
        r"which DisposeHandle at 0x[0-9a-f]{8} CODE 1\+0x\w+ had disposed of", found.problem
    )
