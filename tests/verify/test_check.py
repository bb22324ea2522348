"""`macproof.check` in tests of one's own: what its failures say."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import macproof
from emu.cli import main
from tests.conftest import ROOT
from tests.rows import slow_but
from tests.small_cases import SmallCases, require_compilers

BOUNCE = ROOT / "examples" / "bounce"
DOUBLE = "short gValues[9]; short gCount; long gOut;\nvoid Run() { gOut = 2 * gCount; }\n"


def command_of(failed: pytest.ExceptionInfo[macproof.CheckFailed]) -> list[str]:
    """The words of the command that a failure ends with."""
    line = str(failed.value).splitlines()[-1]
    assert line.startswith("To see it again: macproof ")
    return shlex.split(line.removeprefix("To see it again: macproof "))


@pytest.mark.slow
def test_the_command_has_everything_that_was_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], compilers: Callable[..., None]
):
    compilers("601")
    port = tmp_path / "a port.cpp"
    port.write_text((BOUNCE / "bounce.cpp").read_text().replace("b->x >= 0", "b->x > 0"))
    with pytest.raises(macproof.CheckFailed) as failed:
        macproof.check(
            BOUNCE, cpu="601", build="O2", source=port, scenes=30, seed=5, objects=[10, 64]
        )
    assert failed.value.found.verdict == "refuted"
    words = command_of(failed)
    assert words[0] == "explain"
    assert words[2:] == [
        *("--cpu", "601", "--build", "O2", "--source", str(port)),
        *("--scenes", "30", "--seed", "5", "--objects", "10,64"),
    ]
    assert main(words) == 1
    said = capsys.readouterr().out.splitlines()
    lines = str(failed.value).splitlines()
    assert lines[0] in said
    assert next(line for line in lines if line.startswith("- First difference: ")) in said


@pytest.mark.slow
@pytest.mark.parametrize("kind", slow_but(["string"], ["string", "path", "one of the sources"]))
def test_a_broken_source_is_refuted_however_it_is_given(
    kind: str, tmp_path: Path, compilers: Callable[..., None]
):
    """A string was once ignored: the case's own source was verified in its place."""
    compilers("601")
    port = tmp_path / "port.cpp"
    port.write_text((BOUNCE / "bounce.cpp").read_text().replace("b->x >= 0", "b->x > 0"))
    sources: dict[str, Any] = {
        "string": str(port),
        "path": port,
        "one of the sources": {"bounce.cpp": str(port)},
    }
    with pytest.raises(macproof.CheckFailed) as failed:
        macproof.check(BOUNCE, cpu="601", build="O2", source=sources[kind], scenes=30)
    assert failed.value.found.verdict == "refuted"
    replaced = failed.value.found.report.receipt.source.replaced_by
    assert replaced == (str(port) if kind != "one of the sources" else {"bounce.cpp": str(port)})
    assert main(command_of(failed)) == 1


def test_an_instruction_that_the_processor_lacks(
    changed: Callable[..., str], tmp_path: Path, compilers: Callable[..., None]
):
    """It fails on no scene, so the command verifies."""
    compilers("68000")
    begin = "void _DetermineCollisions()\n{\n"
    port = tmp_path / "port.cpp"
    port.write_text(changed({begin: f'{begin}    asm volatile(".short 0x49c0" : : : "d0");\n'}))
    with pytest.raises(macproof.CheckFailed, match="is no instruction of a 68000") as failed:
        macproof.check("four-shifts", cpu="68000", build="O1", source=port, scenes=10)
    assert "Verdict: 68000 O1 refuted." in str(failed.value)
    assert command_of(failed)[0] == "verify"


def test_a_failure_that_cannot_be_repeated_is_told_as_such(
    small_cases: SmallCases, compilers: Callable[..., None]
):
    compilers("601")
    case = small_cases.make(
        DOUBLE,
        # A process that explains is a daemon, one that verifies is none.
        "import multiprocessing as m\nwrong = not m.current_process().daemon\n"
        "return answer(out=2 * scene.objects + wrong)",
        "{gOut: out}",
    )
    with pytest.raises(macproof.CheckFailed, match="does not fail when it is run again") as failed:
        macproof.check(case, cpu="601", build="O2", scenes=6)
    assert re.match(r".* fails on .*, seed \d+.*: gOut.* is \d+, expected \d+", str(failed.value))
    assert "Verdict: 601 O2 refuted." in str(failed.value)


def test_a_case_that_is_wrong_is_no_failed_check(small_cases: SmallCases):
    case = small_cases.make(DOUBLE, "return answer(out=2 * scene.objects)", "{gOut: out}")
    with pytest.raises(macproof.UsageError, match="has no build O7"):
        macproof.check(case, cpu="601", build="O7")


def test_a_case_that_is_right_passes(small_cases: SmallCases):
    require_compilers("601")
    case = small_cases.make(DOUBLE, "return answer(out=2 * scene.objects)", "{gOut: out}")
    macproof.check(case, cpu="601", build="O2", scenes=6)
