"""A process that is kept for many calls of one kind which may crash it.

`emu.base.workers` serves the main process. A companion can also be started by one of those workers,
and it ends with the process that started it: it reads its calls from a pipe.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any, TypeVar

from emu.base.errors import InternalError, MacproofError
from emu.base.workers import ProcessDown, ending_of

T = TypeVar("T")


class Companion:
    """A process for calls, started by the first of them and again after a crash."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def call(self, function: Callable[..., T], *arguments: Any, **named: Any) -> T:
        """Make a call in the other process and wait for its result.

        Raises:
            MacproofError: what the function raised.
            ProcessDown: the process crashed.
        """
        process = self._process = self._process or _start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            pickle.dump((function, arguments, named), process.stdin)
            process.stdin.flush()
            is_error, value = pickle.load(process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError) as error:
            self._process = None
            process.stdout.close()
            down = ProcessDown("a companion process crashed")
            down.ending = ending_of(process.wait())
            raise down from error
        if is_error:
            raise value
        result: T = value
        return result


def _start() -> subprocess.Popen[bytes]:
    paths = os.pathsep.join(path for path in sys.path if path)
    return subprocess.Popen(
        [sys.executable, "-c", "from emu.base.companion import serve; serve()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": paths},
    )


def serve() -> None:
    """Make the calls that arrive, up to the end of the pipe. The new process runs this."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the other process, and so this one
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a called function prints is no answer
    with os.fdopen(os.dup(0), "rb") as calls:
        while True:
            try:
                function, arguments, named = pickle.load(calls)
            except EOFError:
                return
            try:
                answer = (False, function(*arguments, **named))
            except (MacproofError, OSError) as error:
                answer = (True, error)
            except Exception as error:  # our own mistake
                answer = (True, InternalError.of(error))
            pickle.dump(answer, answers)
            answers.flush()
