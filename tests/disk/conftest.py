"""hfsutils, and files to put on disks."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

HfsUtils = Callable[..., bytes]


@pytest.fixture
def hfsutils(tmp_path: Path) -> HfsUtils:
    """Runs one of hfsutils' commands; the volume it works on is remembered in this test's home."""
    if shutil.which("hmount") is None:
        pytest.skip("hfsutils not installed; on Debian and Ubuntu: apt-get install hfsutils")
    home = tmp_path / "home of hfsutils"
    home.mkdir()

    def run(*words: str | bytes | Path) -> bytes:
        done = subprocess.run(
            words,
            env={**os.environ, "HOME": str(home), "TZ": "UTC"},
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
