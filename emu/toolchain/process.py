"""Runs compilers and other tools, within limits and without network.

Their sources may be a stranger's: ``#include "/dev/zero"`` takes all memory, templates can take
hours, and ``.incbin`` puts any file of the user's into a program.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emu.base.sandbox.command import Folders, ProcessLimits, sandboxed

PROCESSOR_SECONDS = 60
"""How long a compiler may compute."""

_LIMITS = ProcessLimits(memory=2 << 30, file=1 << 30, seconds=PROCESSOR_SECONDS)
_LIMITS_OF_BUILDS = ProcessLimits(memory=4 << 30, file=4 << 30)
_MOST_SAID = 1 << 20  # bytes of what a tool prints; the rest is not kept
_MOST_LINES = 5000
_WIDEST_LINE = 4096
# Where systems keep programs, their libraries and headers; also those of Nix and Guix.
_SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix", "/gnu"),
    *("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d"),
)
_DEVICES = ("/dev/null",)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """How a tool has ended.

    Attributes:
        code: its exit code; a negative one is the number of a signal.
        output: what it has printed.
        complaints: what it has printed on standard error.
        is_late: whether it was ended because it took too long.
    """

    code: int
    output: str
    complaints: str
    is_late: bool


def run_tool(
    command: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    seconds: float,
    seen: Iterable[Path] | None = None,
) -> ToolResult:
    """Run a tool in a folder, which it may write, until it ends or its time is over.

    Args:
        command: the tool and its arguments.
        environment: its environment variables.
        folder: the folder.
        seconds: how long it may take by the clock on the wall.
        seen: the user's folders that it may read; the others are hidden from it, where the system
            can do that. None hides nothing.

    Raises:
        OSError: the folder does not exist.
    """
    folders = Folders((), ())
    if seen is not None:
        shown = (*_SYSTEM, *_toolchain(command[0]), *map(str, seen))
        folders = Folders(shown, (str(folder), *_DEVICES))
        environment = {**environment, "TMPDIR": str(folder), "CCACHE_DISABLE": "1"}
    with subprocess.Popen(
        sandboxed(command, _LIMITS, folders=folders),
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            (output, complaints), is_late = _heard(process, seconds)
        finally:
            _end(process)  # also what it has left running
    return ToolResult(process.returncode, output, complaints, is_late)


def _toolchain(tool: str) -> set[str]:
    """The folders that a tool may need that is installed in a place of its own, and Python's."""
    path = shutil.which(tool)
    paths = [Path(path).absolute(), Path(path).resolve()] if path else []
    return {sys.prefix, sys.base_prefix, *(str(path.parents[1]) for path in paths)}


def _heard(process: subprocess.Popen[bytes], seconds: float) -> tuple[list[str], bool]:
    """What a process prints on each stream, up to a limit; and whether it took too long."""
    end, is_late = time.monotonic() + seconds, False
    said = {stream: bytearray() for stream in (process.stdout, process.stderr)}
    with selectors.DefaultSelector() as waiting:
        for stream in said:
            assert stream is not None
            waiting.register(stream, selectors.EVENT_READ)
        while waiting.get_map():
            for key, _ in waiting.select(max(0.0, end - time.monotonic())):
                data = os.read(key.fd, 1 << 16)
                kept = said[key.fileobj]  # type: ignore[index]
                kept += data[: _MOST_SAID - len(kept)]
                if not data:
                    waiting.unregister(key.fileobj)
            if time.monotonic() > end and not is_late:
                is_late = True
                _end(process)
    process.wait()
    return [kept.decode(errors="replace") for kept in said.values()], is_late


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
        sandboxed(command, _LIMITS_OF_BUILDS),
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


def _end(process: subprocess.Popen[Any]) -> None:
    """Kill a tool and the processes it has started; together they form one session."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
