"""The real GDB finds symbols of segments that move, of old applications, and of cases."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.debug.symbols.program_files import application_files
from tests.debug.gdb.gdb_runs import ROOT, gdb_session, require_gdb, serving
from tests.debug.segmented import SOURCE, build_segmented

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def segmented(tmp_path_factory: pytest.TempPathFactory, compilers: Callable[..., None]) -> Path:
    compilers("68000")
    return build_segmented(tmp_path_factory.mktemp("segmented"))


def test_breakpoint_in_a_segment_that_is_loaded_later(segmented: Path) -> None:
    said = gdb_session(
        [
            f"directory {SOURCE.parent}",
            "break Second",
            "continue",
            "backtrace",
            "reverse-continue",
            "continue",
            "next",
            "info locals",
            "continue",
        ],
        segmented,
    )
    assert "Breakpoint 1, Second (number=20) at program/segmented.cpp:12" in said
    assert re.search(r"#2 .* main \(\) at program/segmented\.cpp:31", said)
    assert "No more reverse-execution history" in said
    assert said.count("Second (number=20)") >= 2
    assert "twice = 40" in said
    assert "Second (number=40)" in said


def test_session_of_visual_studio_code(segmented: Path) -> None:
    """Its extension gives GDB the linker's file; the commands of our page take that back."""
    gdb = require_gdb()
    with serving(segmented) as (port, _):
        words = [
            f"-file-exec-and-symbols {segmented.with_suffix('.code.bin.gdb')}",
            f"-target-select remote localhost:{port}",
            '-interpreter-exec console "symbol-file"',
            '-interpreter-exec console "sharedlibrary"',
            "-break-insert -f segmented.cpp:12",
            "-exec-continue",
            "-stack-list-variables --simple-values",
            "-gdb-exit",
        ]
        done = subprocess.run(
            [gdb, "-nx", "-q", "--interpreter=mi", "-iex", "set mi-async off"],
            input="\n".join(words),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert 'reason="breakpoint-hit"' in done.stdout
    assert '{name="number",arg="1",type="short",value="20"}' in done.stdout
    page = (ROOT / "docs/debug.md").read_text(encoding="utf-8")
    assert '[{"text": "symbol-file"}, {"text": "sharedlibrary"}]' in page


def test_names_of_an_old_application() -> None:
    said = gdb_session(
        ["break CountDiscs", "continue", "backtrace"], ROOT / "examples/old-game/Turncoat.bin"
    )
    assert re.search(r"#0 .* in CountDiscs \(\)", said)
    assert re.search(r"#\d .* in DrawBoard \(\)", said)
    assert re.search(r"#\d .* in main \(\)", said)


def test_callers_in_an_old_application_without_names(tmp_path: Path) -> None:
    """As its authors shipped it: the names that MacsBug reads are left out."""
    old = ROOT / "examples/old-game/Turncoat.bin"
    (file,) = application_files(old, "m68k", None)
    data = old.read_bytes()
    for name in file.routines:
        data = data.replace(name.encode(), bytes(len(name)))
    path = tmp_path / "Turncoat.bin"
    path.write_bytes(data)
    count, draw, main = (
        f"CODE1_{file.routines[name] - file.sections[0].address:x}"
        for name in ("CountDiscs", "DrawBoard", "main")
    )
    said = gdb_session([f"break {count}", "continue", "backtrace"], path)
    assert re.search(rf"#0 .* in {count} \(\)", said)
    assert re.search(rf"#\d .* in {draw} \(\)", said)
    assert re.search(rf"#\d .* in {main} \(\)", said)


@pytest.mark.parametrize("cpu", ["68000", "68040", "601"])
def test_case(cpu: str, tmp_path: Path, compilers: Callable[..., None]) -> None:
    """It stops at the routine's first line, or at the store of the first wrong value."""
    compilers(cpu)
    source = ROOT / "mac_src/four_shifts/four_shifts.cpp"
    port = tmp_path / "my_port.cpp"
    port.write_text(source.read_text().replace("< kRectSize", "<= kRectSize"))
    words = ("four-shifts", "--source", port, "--cpu", cpu, "--build", "O0")
    scene = ("--scene", "sector-edge:200:1994")
    said = gdb_session(["backtrace", "finish", "monitor time"], *words, *scene)
    assert re.search(r"^#0 +_DetermineCollisions \(\) at program/my_port\.cpp:121", said, re.M)
    assert re.search(r"^#1 .* in macproof \(\)", said, re.M)
    at_difference = ("--smallest", "--at-difference")
    said = gdb_session(["backtrace 2", "info locals"], *words, *scene, *at_difference)
    assert re.search(r"^#0 .*_CalcCollisionsInSector .* at program/my_port\.cpp:100", said, re.M)
    assert re.search(r"^b = 0x100000 <gObjects>", said, re.M)


def test_another_debugger_finds_a_kept_program(segmented: Path) -> None:
    gdb = require_gdb()
    with serving(segmented, "--keep") as (port, process):
        for command, expected in (("stepi", r"0x0"), ("monitor time", r"^1 instructions")):
            arguments = ["-ex", f"target remote localhost:{port}", "-ex", command]
            done = subprocess.run(
                [gdb, "-nx", "-batch", *arguments],
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
            assert re.search(expected, done.stdout + done.stderr, re.M)
        assert process.poll() is None
