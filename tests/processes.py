"""Processes that a test has started, with all that they have started in turn."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PATIENCE = 120.0
"""Seconds for what takes a moment on an idle machine."""
_TICKS = os.sysconf("SC_CLK_TCK")
_MARK = "MACPROOF_TEST_MARK"


def wait_until(condition: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
    """Wait for a condition; fail with ``what`` if it does not come true."""
    ends = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > ends:
            pytest.fail(f"not within {seconds:g} seconds: {what}")
        time.sleep(0.05)


class Family:
    """A process of Python in a session of its own, and its descendants.

    They are known by a mark in their environment, so that none is missed whose parent has ended.

    Args:
        words: of the command line after ``python``.
        environment: more variables.
    """

    def __init__(self, *words: str | Path, **environment: str) -> None:
        if not Path("/proc/self/environ").exists():
            pytest.skip("descendants of a process are found by Linux's /proc")
        self._mark = f"{_MARK}={uuid.uuid4()}"
        name, _, value = self._mark.partition("=")
        self.process = subprocess.Popen(
            [sys.executable, *map(str, words)],
            cwd=ROOT,
            env={**os.environ, **environment, name: value},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def __enter__(self) -> Family:
        return self

    def __exit__(self, *exception: object) -> None:
        for member in self.members():
            with contextlib.suppress(ProcessLookupError):
                os.kill(member, signal.SIGKILL)
        self.process.communicate()

    def members(self) -> list[int]:
        """Those that have not ended. One that nobody has waited for has no environment."""
        found = []
        for path in Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):  # it may end while it is looked at
                if self._mark.encode() in path.read_bytes().split(b"\0"):
                    found.append(int(path.parent.name))
        return found

    def descendants(self) -> list[int]:
        """Members but the first."""
        return [member for member in self.members() if member != self.process.pid]

    def busiest_worker(self) -> float:
        """The most processor time that one of the worker processes has taken, in seconds."""
        return max(map(_processor_time, self.descendants()), default=0.0)


def _processor_time(process: int) -> float:
    folder = Path(f"/proc/{process}")
    with contextlib.suppress(OSError):
        if b"multiprocessing" in (folder / "cmdline").read_bytes():  # and not a compiler
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / _TICKS
    return 0.0
