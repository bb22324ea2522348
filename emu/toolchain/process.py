"""Runs a tool that takes a while, and passes on the lines that it prints meanwhile."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence

_MOST_LINES = 5000
_WIDEST_LINE = 4096


def run_with_progress(
    command: Sequence[str],
    environment: Mapping[str, str],
    seconds: float,
    heard: Callable[[str], None],
) -> tuple[int | None, list[str]]:
    """Run a tool until it ends or its time is over.

    Processes that the tool has started are ended too.

    Args:
        command: the tool and its arguments.
        environment: its environment variables.
        seconds: how long it may take.
        heard: called with every line it prints, on either stream.

    Returns:
        Its exit code, or None if it took too long; and the last lines it printed.
    """
    lines: deque[str] = deque(maxlen=_MOST_LINES)
    late = threading.Event()
    with subprocess.Popen(
        command,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:

        def stop() -> None:
            late.set()
            _end(process)

        timer = threading.Timer(seconds, stop)
        timer.daemon = True
        timer.start()
        try:
            assert process.stdout is not None
            while line := process.stdout.readline(_WIDEST_LINE):
                lines.append(line.rstrip())
                heard(lines[-1])
            code = process.wait()
        finally:
            timer.cancel()
            if process.poll() is None:
                _end(process)
    return (None if late.is_set() else code), list(lines)


def _end(process: subprocess.Popen[str]) -> None:
    """Kill a tool and the processes it has started; together they form one session."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
