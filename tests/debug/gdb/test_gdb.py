"""The real GDB debugs an application on each processor, forwards and backwards."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.toolchain.builds import BUILDS
from emu.toolchain.mac_app.application import build_application
from tests.debug.gdb.gdb_runs import ROOT, gdb_session

SOURCE = ROOT / "examples/debug/scores.cpp"
CPUS = pytest.mark.parametrize("cpu", ["68000", "68040", "601"])
Application = Callable[[str], Path]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def application(
    tmp_path_factory: pytest.TempPathFactory, compilers: Callable[..., None]
) -> Application:
    """Builds the example with debugging information, once for each processor."""
    folder = tmp_path_factory.mktemp("scores")

    @functools.cache
    def build(cpu: str) -> Path:
        compilers(cpu)
        build = BUILDS["O0"]
        return build_application([SOURCE], "Scores", cpu, None, folder / cpu, build=build)

    return build


def session(application: Application, cpu: str, *commands: str) -> str:
    """What GDB prints of the example on a processor."""
    words = (application(cpu), "--cpu", cpu)
    return gdb_session([f"directory {SOURCE.parent}", *commands], *words)


@CPUS
def test_lines_locals_and_backtrace(cpu: str, application: Application) -> None:
    said = session(
        application,
        cpu,
        "break ClearScores",
        "continue",
        "backtrace",
        "info args",
        "next",
        "info locals",
        "list 22,24",
    )
    assert "Breakpoint 1, ClearScores (scores=" in said
    assert re.search(r"#1 .* main \(\) at .*scores\.cpp:56", said)
    assert "count = 4" in said
    assert re.search(r"^i = -?\d+$", said, re.MULTILINE)
    assert "scores[i] = 0;" in said


@CPUS
def test_back_to_the_store_of_a_wrong_value(cpu: str, application: Application) -> None:
    """From the end, the watched value leads back to the line that wrote it."""
    said = session(
        application,
        cpu,
        "break ShowNumber",
        "continue",
        "print gGame.bonus",
        "watch gGame.bonus",
        "reverse-continue",
        "print gGame.bonus",
        "print i",
        "backtrace 2",
        "continue",
        "print gGame.bonus",
    )
    assert "$1 = 0" in said
    assert "Old value = 0" in said
    assert "New value = 100" in said
    assert "$2 = 100" in said
    assert "$3 = 4" in said
    assert re.search(r"#0 .*ClearScores .*scores\.cpp:23", said)
    assert "$4 = 0" in said


@CPUS
def test_the_line_that_reads_a_value(cpu: str, application: Application) -> None:
    """Forwards to the read after, and back to the one before; a store is one of awatch alone."""
    said = session(
        application,
        cpu,
        "break BestScore",
        "continue",
        "rwatch gGame.scores[2]",
        "continue",
        "print i",
        "delete",
        "awatch gGame.scores[2]",
        "reverse-continue",
        "reverse-continue",
        "print gGame.scores[2]",
    )
    assert "Hardware read watchpoint 2: gGame.scores[2]" in said
    assert "$1 = 2" in said
    assert "Hardware access (read/write) watchpoint 3: gGame.scores[2]" in said
    assert said.count("Value = 30") == 2
    assert "$2 = 0" in said, "before the store"


@CPUS
def test_steps_back(cpu: str, application: Application) -> None:
    said = session(
        application,
        cpu,
        "break BestScore",
        "continue",
        "reverse-finish",
        "reverse-next",
        "reverse-next",
        "print gGame.scores[2]",
        "reverse-stepi",
        "stepi",
        "reverse-continue",
    )
    assert re.search(r"^58\s", said, re.MULTILINE)
    assert re.search(r"^57\s", said, re.MULTILINE)
    assert "$1 = 0" in said
    assert "No more reverse-execution history" in said


@CPUS
def test_toolbox_call_with_its_arguments(cpu: str, application: Application) -> None:
    said = session(
        application,
        cpu,
        "monitor break DrawString",
        "continue",
        "backtrace 3",
        "monitor calls 2",
        "monitor windows",
        "monitor heap",
        "monitor resources",
    )
    assert 'Toolbox call: DrawString ("30")' in said
    if cpu == "601":  # the 68K's glue, in assembler, has no frame that GDB could tell
        assert "ShowNumber (number=30)" in said
    assert "MoveTo (20, 40)" in said
    assert '"Scores" 200x80 at (40,60)' in said
    assert "bytes free" in said
    if cpu != "601":
        assert "'CODE' 1" in said


@CPUS
def test_registers_and_memory(cpu: str, application: Application) -> None:
    said = session(
        application,
        cpu,
        "break ShowNumber",
        "continue",
        "info registers",
        "info float",
        "set var number = 77",
        "monitor break DrawString",
        "continue",
    )
    assert re.search(r"^pc +0x", said, re.MULTILINE)
    assert "warning: while parsing" not in said
    float_register = {"68040": "fp0", "601": "f0"}.get(cpu)
    assert float_register is None or re.search(rf"^{float_register} ", said, re.MULTILINE)
    assert 'DrawString ("77")' in said


@CPUS
def test_run_to_the_end(cpu: str, application: Application) -> None:
    said = session(application, cpu, "continue", "monitor time", "continue")
    assert "the program has ended" in said
    assert re.search(r"^[\d,]{3,} instructions", said, re.MULTILINE)
    assert "exited normally" in said
