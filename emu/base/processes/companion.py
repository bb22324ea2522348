"""A process that is kept for many calls of one kind which may crash it.

`emu.base.processes.workers` serves the main process. A companion can also be started by one of
those workers, by a thread, or by a process that may have no children of `multiprocessing`. It reads
its calls from a pipe, and ends as soon as the process that started it has ended, however that
happened.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from emu.base import progress_note
from emu.base.errors import InternalError, MacproofError, UsageError
from emu.base.processes.endings import ending_of, is_from_outside
from emu.base.processes.workers import ProcessDown, let_this_process_end
from emu.base.system.allocator import prepare_for_work

T = TypeVar("T")


class Companion:
    """A process for calls, started by the first of them and again after a crash.

    Only one thread may call at a time; any other may `close` it.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False

    def call(self, function: Callable[..., T], *arguments: Any, **named: Any) -> T:
        """Make a call in the other process and wait for its result.

        Raises:
            MacproofError: what the function raised.
            ProcessDown: the process crashed.
        """
        result: T = self._call((function, arguments, named, False))
        return result

    def call_blaming(self, function: Callable[..., T], *arguments: Any) -> T:
        """Like `call`; Python code of somebody else's that ends the process is told.

        Raises:
            UsageError: such code ended the process, as ``os._exit`` does.
        """
        result: T = self._call((function, arguments, {}, True))
        return result

    def close(self) -> None:
        """End the process at once; a call that waits for it, and any later one, is ProcessDown."""
        self._is_closed = True
        process = self._process
        if process is not None:
            process.kill()
            process.wait()

    def _call(self, call: tuple[Any, ...]) -> Any:
        begun = ""
        if self._is_closed:
            raise ProcessDown("a companion process was ended")
        process = self._process = self._process or _start()
        if self._is_closed:  # meanwhile
            process.kill()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            pickle.dump(call, process.stdin)
            process.stdin.flush()
            kind, value = pickle.load(process.stdout)
            while kind == "begun":
                begun = value
                kind, value = pickle.load(process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError) as error:
            self._process = None
            process.stdout.close()
            down = ProcessDown("a companion process crashed")
            down.ending = ending_of(process.wait())
            if begun and not is_from_outside(down.ending):
                what = f"{begun}: it ended the process that it ran in ({down.ending})"
                raise UsageError(what) from error
            raise down from error
        if kind == "error":
            raise value
        return value


def _start() -> subprocess.Popen[bytes]:
    paths = os.pathsep.join(path for path in sys.path if path)
    return subprocess.Popen(
        # Without -P it looks for modules in the working folder first.
        [sys.executable, "-P", "-c", "from emu.base.processes.companion import serve; serve()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": paths},
        start_new_session=True,  # Ctrl-C ends the other process, and so this one
    )


def serve() -> None:
    """Make the calls that arrive, up to the end of the pipe. The new process runs this."""
    let_this_process_end()
    prepare_for_work()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a called function prints is no answer
    calls: queue.SimpleQueue[tuple[Any, ...]] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(calls,), daemon=True).start()

    def answer(kind: str, value: object) -> None:
        pickle.dump((kind, value), answers)
        answers.flush()

    while True:
        function, arguments, named, is_blaming = calls.get()
        progress_note.listen(
            (lambda what: answer("begun", what)) if is_blaming else lambda what: None
        )
        try:
            result = function(*arguments, **named)
        except (MacproofError, OSError) as error:
            answer("error", error)
        except Exception as error:  # our own mistake
            answer("error", InternalError.of(error))
        else:
            answer("result", result)


def _receive(calls: queue.SimpleQueue[tuple[Any, ...]]) -> None:
    """Read calls while others are made, and end this process when no more can come."""
    try:
        with os.fdopen(os.dup(0), "rb") as pipe:
            while True:
                calls.put(pickle.load(pipe))
    finally:
        os._exit(0)
