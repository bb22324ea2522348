"""The script by which continuous integration stands for a machine without cross compilers."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / ".ci" / "without-compilers"
TOOLS = "m68k-linux-gnu-g++ powerpc-linux-gnu-g++ python3 make"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="continuous integration is on Linux"),
]


def found(**environment: str) -> set[str]:
    """The names of the tools that a command finds which the script runs."""
    done = subprocess.run(
        [SCRIPT, "sh", "-c", f"for name in {TOOLS}; do command -v $name; done; echo $RETRO68"],
        env={**os.environ, "RETRO68": "/opt/retro68", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    said, *paths = done.stdout.splitlines()
    assert said.startswith("Without "), done.stderr
    assert not any("retro68" in path for path in paths)
    return {Path(path).name for path in paths if path}


def test_no_cross_compiler_is_found_and_all_else_is(compilers: Callable[..., None]) -> None:
    compilers()
    assert found() == {"python3", "make"}


def test_one_compiler_can_be_left_out(compilers: Callable[..., None]) -> None:
    compilers()
    assert found(WITHOUT="powerpc-*") == {"m68k-linux-gnu-g++", "python3", "make"}
