"""The example of a Retro68 project whose tests run under macproof, built and run by CTest."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from emu.program.mac_file.mac_file import read_mac_file
from tests.program.mac_samples import apple_single

ROOT = Path(__file__).parents[1]
TOOLCHAIN_FILES = {
    "m68k": "m68k-apple-macos/cmake/retro68.toolchain.cmake",
    "powerpc": "powerpc-apple-macos/cmake/retroppc.toolchain.cmake",
}


@pytest.mark.slow
@pytest.mark.parametrize("architecture", TOOLCHAIN_FILES)
def test_the_example_builds_and_its_test_goes_green_and_red(
    architecture: str, tmp_path: Path
) -> None:
    toolchain = os.environ.get("RETRO68", "")
    if not toolchain or not shutil.which("cmake"):
        pytest.skip("needs cmake, and RETRO68 naming a Retro68 toolchain folder")
    source = tmp_path / "source"
    shutil.copytree(ROOT / "examples" / "retro68", source)
    build = tmp_path / "build"
    environment = dict(os.environ)
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=300, check=False
        )

    file = f"-DCMAKE_TOOLCHAIN_FILE={toolchain}/{TOOLCHAIN_FILES[architecture]}"
    configured = run("cmake", "-S", str(source), "-B", str(build), file)
    assert configured.returncode == 0, configured.stderr
    assert run("cmake", "--build", str(build)).returncode == 0
    tested = run("ctest", "--test-dir", str(build), "--output-on-failure")
    assert "100% tests passed" in tested.stdout, tested.stdout

    broken = (source / "sorting.c").read_text().replace("> moving", "< moving")
    (source / "sorting.c").write_text(broken)
    assert run("cmake", "--build", str(build)).returncode == 0
    tested = run("ctest", "--test-dir", str(build), "--output-on-failure")
    assert "number 1 is out of order" in tested.stdout, tested.stdout
    assert tested.returncode != 0


def test_launchappl_can_start_macproof_by_its_configuration(macproof, tmp_path: Path) -> None:
    """As LaunchAPPL's launcher for Executor does it: the options, then the application's copy.

    The copy is AppleDouble of the form with a percent sign: `Application` has the data fork,
    `%Application` the rest (LaunchAPPL/Client/Executor.cc and Launcher.cc of Retro68).
    """
    text = (ROOT / "examples" / "retro68" / "LaunchAPPL.cfg").read_text()
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    pairs = [tuple(part.strip() for part in line.split("=", 1)) for line in lines]
    assert pairs[:2] == [("emulator", "executor"), ("executor-path", "macproof")]
    assert {key for key, _ in pairs[2:]} == {"executor-option"}
    assert "\n".join(lines) in (ROOT / "docs" / "run-programs.md").read_text()
    program = read_mac_file(ROOT / "tests/programs/mac/prebuilt/601/stdio.bin")
    application = tmp_path / "Application"
    application.write_bytes(program.data)
    finder = (program.type + program.creator).encode("mac_roman") + bytes(24)
    header = apple_single(double=True, entries={9: finder, 2: program.resource_fork})
    (tmp_path / "%Application").write_bytes(header)
    done = macproof(*(option for _, option in pairs[2:]), application)
    assert done.code == 0, done
    assert done.out.startswith("[42] [   42]"), "its text and nothing else"
