"""Programs that want an older Macintosh are told of one, and no others are."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.runner.runner import RunRequest, RunResult, run_request
from emu.toolbox.computer.settings import Settings
from tests.program.code_samples import write_application

PROGRAMS = Path(__file__).parents[1] / "programs" / "mac" / "prebuilt"
KIT = Path(__file__).parents[2] / "mac_src" / "prebuilt" / "mac"
_EXIT = "a9f4"
_STORE = (
    "2078 0824 20bc ffff0000 42a8 5000"  # MOVEA.L ScrnBase,A0; MOVE.L #..,(A0); CLR.L 20480(A0)
)
_MASTER = "303c 0010 a122"  # MOVE.W #16,D0; NewHandle
_FLAGGED = (
    "2010 0880 001f 08c0 001f 2240 4a11"  # MOVE.L (A0),D0; BSET #31,D0; MOVEA.L D0,A1; TST.B (A1)
)


def run(folder: Path, code: str, cpu: str = "68040", **settings: object) -> RunResult:
    return run_request(
        RunRequest(write_application(folder, code), cpu=cpu, settings=Settings(**settings))
    )


def screen_findings(result: RunResult) -> list[str]:
    return [finding.problem for finding in result.findings if finding.check == "screen"]


def test_a_store_into_a_screen_with_colors_is_told(tmp_path: Path) -> None:
    result = run(tmp_path, _STORE + _EXIT)
    (problem,) = screen_findings(result)
    assert "try --machine plus" in problem
    assert result.exit_code == 0


def test_a_program_that_asks_for_the_device_is_not_told(tmp_path: Path) -> None:
    asked = "42a7 aa2a 205f"  # CLR.L -(A7); GetMainDevice; MOVEA.L (A7)+,A0
    assert not screen_findings(run(tmp_path, asked + _STORE + _EXIT))


def test_on_a_black_and_white_screen_nothing_is_told(tmp_path: Path) -> None:
    assert not screen_findings(run(tmp_path, _STORE + _EXIT, depth=1))


def test_an_address_with_flags_leads_to_the_plus(tmp_path: Path) -> None:
    result = run(tmp_path, _MASTER + _FLAGGED + _EXIT)
    assert result.exit_code == 4
    assert "is an address in the heap: try --machine plus" in result.problem
    assert run(tmp_path, _MASTER + _FLAGGED + _EXIT, "68000", machine="plus").exit_code == 0


def test_another_wild_address_leads_nowhere(tmp_path: Path) -> None:
    result = run(tmp_path, "227c 12345678 4a11" + _EXIT)  # MOVEA.L #0x12345678,A1; TST.B (A1)
    assert result.exit_code == 4
    assert "--machine" not in result.problem


def test_a_switch_to_24_bits_leads_to_the_plus(tmp_path: Path) -> None:
    result = run(tmp_path, "7000 a05d" + _EXIT)  # MOVEQ #0,D0; SwapMMUMode
    assert "24-bit addressing, which this machine does not have; try --machine plus" in (
        result.problem
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "program",
    [*sorted(PROGRAMS.glob("68000/*.bin")), *sorted(KIT.glob("68000/*.bin"))],
    ids=lambda path: path.stem,
)
def test_programs_that_work_get_no_hint(program: Path) -> None:
    result = run_request(RunRequest(program, cpu="68040"))
    assert not screen_findings(result)
    assert "--machine" not in result.problem
