"""Nothing is left behind: neither when a timeline is closed, nor when its controller is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

_SIGNALS = (signal.SIGKILL, signal.SIGTERM)
_CONTROLLER = """
import sys, time
from emu.debug.timeline import Timeline
from tests.debug.debugged import debugged

if __name__ == "__main__":
    timeline = Timeline(debugged("68040"))
    for moment in (500, 100, 900, 50):
        timeline.go_to(moment)
        timeline.write(timeline.stop.pc, timeline.read(timeline.stop.pc, 2))
    print("ready", flush=True)
    sys.stdin.readline()
    timeline.close()
    print("closed", flush=True)
    time.sleep(600)
"""


def _mark(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/environ").read_bytes()
    except OSError:
        return b""


def _processes_with(mark: bytes) -> set[int]:
    numbers = (int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit())
    return {number for number in numbers if mark in _mark(number)}


def _wait_for(mark: bytes, most: int) -> None:
    ends = time.monotonic() + 60
    while len(left := _processes_with(mark)) > most:
        assert time.monotonic() < ends, f"these were left behind: {left}"
        time.sleep(0.05)


# `tests/runner/snapshots` kills a controller of snapshots in the quick tests.
@pytest.mark.parametrize(
    "how", [*(pytest.param(how, marks=pytest.mark.slow) for how in _SIGNALS), None]
)
def test_nothing_is_left(how: signal.Signals | None) -> None:
    mark = f"MACPROOF_TEST_MARK={os.getpid()}-{time.monotonic_ns()}"
    name, value = mark.split("=")
    with subprocess.Popen(
        [sys.executable, "-c", _CONTROLLER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, name: value, "PYTHONPATH": str(ROOT)},
    ) as controller:
        try:
            assert controller.stdin is not None
            assert controller.stdout is not None
            assert controller.stdout.readline() == b"ready\n"
            assert len(_processes_with(mark.encode())) > 5  # with the program and its snapshots
            if how is None:
                controller.stdin.write(b"\n")
                controller.stdin.flush()
                assert controller.stdout.readline() == b"closed\n"
                # It lives, with what removes its files, and two helpers of multiprocessing.
                _wait_for(mark.encode(), most=4)
        finally:
            controller.send_signal(how or signal.SIGKILL)
    _wait_for(mark.encode(), most=0)
