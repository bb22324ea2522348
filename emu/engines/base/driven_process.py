"""A process with a driver that makes calls by the thousand, and what it is told and tells.

The driver says that it is ready before it has any guest code. From then on the process can compute
and use the files that are given to it here, and nothing else; see `emu.base.sandbox`.

Records of calls go through files in memory, one of what each call begins with and one of what it
has left. The driver gets the number of calls on its standard input, and answers with a word when
they are made. How far it is can be seen at any time by its position in the second file.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from emu.base.sandbox.command import ProcessLimits, sandboxed
from emu.base.sandbox.door import Door, NoDoorError
from emu.machine.calls.other_engine import EngineRefusal

_WORD = 4
_START_SECONDS = 60.0
_MOST_MADE = 2 << 30

SIGNALLED = "ended with signal"
"""Why a call did not return, if a signal has ended the process: the beginning of the words."""

LATENESS = "did not return in the processor time that it may take"
"""The same, if it has taken too much of the processor."""


class SharedFile:
    """A file in memory that this process and another share.

    So a thousand calls take one message each way, and their records are copied once, by NumPy.
    """

    def __init__(self, name: str) -> None:
        self.descriptor = os.memfd_create(f"macproof {name}", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        # Else a process could take away pages that this one has mapped, which would end it.
        fcntl.fcntl(self.descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
        self._mapping: mmap.mmap | None = None

    def resized(self, size: int) -> NDArray[np.uint8]:
        """Its bytes, of which there are so many."""
        if self._mapping is None or len(self._mapping) < size:
            os.ftruncate(self.descriptor, size)
            self._mapping = mmap.mmap(self.descriptor, size)
        return np.frombuffer(self._mapping, np.uint8, size)

    @property
    def position(self) -> int:
        """How far the process has read or written it."""
        return os.lseek(self.descriptor, 0, os.SEEK_CUR)

    def close(self) -> None:
        """Give it back to the system."""
        os.close(self.descriptor)


def _position_of(file: SharedFile) -> Callable[[], int]:
    return lambda: file.position


class DrivenProcess:
    """A process with a driver.

    Args:
        command: the command that starts it.
        seconds: a call that takes longer is given up.
        byte_order: of the numbers that the driver reads, "big" or "little".
        further: how many files it gets beside those of calls.
        is_told: whether the numbers of its files are the last arguments of the command; else it
            has to get them in its plan.
        memory: how many bytes of memory it may use; 0 is as many as it likes.

    Raises:
        EngineRefusal: this system cannot keep the process from the rest of the computer.
    """

    def __init__(
        self,
        command: Sequence[str],
        seconds: float,
        *,
        byte_order: str,
        further: int = 0,
        is_told: bool = False,
        memory: int = 0,
    ) -> None:
        self._seconds = seconds
        self._is_big = byte_order == "big"
        self._said = SharedFile("messages")
        self.calls, self.made = SharedFile("calls"), SharedFile("made")
        self.further = [SharedFile("further") for _ in range(further)]
        self.descriptors = [call.descriptor for call in (self.calls, self.made, *self.further)]
        """The numbers that it knows the files by."""
        told = map(str, self.descriptors) if is_told else ()
        door = Door()
        self.process = subprocess.Popen(
            sandboxed([*command, *told], ProcessLimits(memory, _MOST_MADE), socket=door.socket),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said.descriptor,
            pass_fds=(*self.descriptors, door.socket),
            bufsize=0,
            start_new_session=True,
        )
        self.trouble = self._started(door)
        """Why it is not ready; "" if it is."""

    def _started(self, door: Door) -> str:
        """Wait until the driver is ready; "", or why it is not."""
        assert self.process.stdout is not None
        try:
            if door.keep_open(self.process.stdout.fileno(), _START_SECONDS):
                return self._wait(_position_of(self.calls))
        except NoDoorError as error:
            self.close()
            raise EngineRefusal(
                "this system cannot shut guest code in, and this engine executes it on the "
                f"computer itself: {error}. Linux 5.5 and later can, unless a container forbids "
                "it. Use the engine unicorn"
            ) from error
        self._end()
        return f"did not begin within {_START_SECONDS:g} seconds"

    def begin(self, plan: bytes) -> str:
        """Tell it its plan; why it cannot make calls, or ""."""
        return self.order(plan, _position_of(self.calls))

    def order(
        self,
        message: bytes,
        progress: Callable[[], int],
        is_late: Callable[[], bool] = lambda: False,
    ) -> str:
        """Tell it something, and wait for its answer.

        Args:
            message: what it is told.
            progress: gives a number that grows as long as the process goes on.
            is_late: whether it has been busy with the same call for too long.

        Returns:
            "", or why there is no answer.
        """
        if self.trouble:
            return self.trouble
        self._send(message)
        return self._wait(progress, is_late)

    def make(self, count: int, record: int) -> tuple[int, str]:
        """Have it make the calls whose records are in the first file.

        Args:
            count: how many.
            record: the bytes of a record.

        Returns:
            How many returned; and why the next one did not, or "".
        """
        self._send(count.to_bytes(_WORD, "big" if self._is_big else "little"))
        why = self._wait(_position_of(self.made))
        done = min(count, self.made.position // record)
        if not why and done < count:
            why = f"left no answer, nor did any after it: output ended after {done} of {count}"
        if why:  # what it still says would be taken for an answer to the next calls
            self._end()
        return done, why

    def _send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        view = memoryview(data)
        try:
            while view:
                view = view[self.process.stdin.write(view) :]
        except BrokenPipeError:
            pass  # the process has ended, which `_wait` tells

    def _wait(
        self, progress: Callable[[], int], is_late: Callable[[], bool] = lambda: False
    ) -> str:
        """Wait for the driver's answer, as long as it goes on; "", or why there is none."""
        assert self.process.stdout is not None
        at, since = progress(), time.monotonic()
        # An answer ends the wait at once; every 50 ms it is seen whether the process goes on.
        while not select.select([self.process.stdout], [], [], 0.05)[0]:
            if progress() > at:  # guest code can move it back, too, and would never be late
                at, since = progress(), time.monotonic()
            elif is_late():
                self._end()
                return LATENESS
            elif time.monotonic() - since > self._seconds:
                self._end()
                return f"did not return within {self._seconds:g} seconds"
        if len(self.process.stdout.read(_WORD)) == _WORD:
            return ""
        code = self.process.wait()
        if code < 0:
            return f"{SIGNALLED} {-code} ({signal.strsignal(-code)})"
        return f"ended the process with code {code}{self._complaint()}"

    def _complaint(self) -> str:
        """What a sanitizer has written, as the end of a sentence."""
        said = os.pread(self._said.descriptor, 1 << 16, 0).decode(errors="replace")
        complaint = re.search(r"(?:ERROR: |runtime error: )(.*)", said)
        place = re.search(r"#\d+ 0x\w+ in (\w+ \S+:\d+)", said)
        words = [match[1] for match in (complaint, place) if match is not None]
        return f": {', '.join(words)}" if words else ""

    @property
    def has_ended(self) -> bool:
        """Whether it makes no calls any more."""
        return self.process.poll() is not None

    def _end(self) -> None:
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        """End it."""
        self._end()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()
        for file in (self._said, self.calls, self.made, *self.further):
            file.close()
