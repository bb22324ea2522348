"""The example of a Retro68 project whose tests run under macproof, built and run by CTest."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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
