"""Runs the real GDB against ``macproof debug``."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
_PORT = re.compile(r"localhost:(\d+)")


def require_gdb() -> str:
    """The GDB for all processors; without it the test is skipped."""
    found = shutil.which("gdb-multiarch")
    if found is None:
        pytest.skip("gdb-multiarch is not installed")
    return found


@contextmanager
def serving(*words: str | Path) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """``macproof debug`` in a process: its port, and the process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "emu.cli", "debug", *map(str, words)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        match = _PORT.search(line)
        assert match is not None, line + process.stdout.read()
        yield int(match[1]), process
    finally:
        process.kill()
        process.communicate()


def gdb_session(commands: Sequence[str], *words: str | Path) -> str:
    """What GDB prints when it executes commands on a program of ``macproof debug``."""
    gdb = require_gdb()
    with serving(*words) as (port, process):
        arguments = ["-iex", "set width 0", "-ex", f"target remote localhost:{port}"]
        for command in commands:
            arguments += ["-ex", command]
        completed = subprocess.run(
            [gdb, "-nx", "-batch", *arguments],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        process.wait(20)
    return completed.stdout + completed.stderr
