"""A process of qemu-user with a program laid into its memory, which makes calls by the thousand."""

from __future__ import annotations

import mmap
import os
import select
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_WORD = 4
_STACKS_KEPT = 256


@dataclass(frozen=True, slots=True)
class Plan:
    """What a process is laid out for.

    Attributes:
        start: the address that a call begins at.
        stack: the address and size of the stack.
        frame: the address and size of the frame on top of it.
        regions: address, size, permissions (1 read, 2 write, 4 execute) and bytes of each region of
            memory, and whether calls begin with bytes of their own there.
    """

    start: int
    stack: tuple[int, int]
    frame: tuple[int, int]
    regions: tuple[tuple[int, int, int, bytes, bool], ...]

    @property
    def record(self) -> int:
        """Bytes of the record of a call: where its stack is, its frame, and its data."""
        data = sum(size for _, size, _, _, is_data in self.regions if is_data)
        return _WORD + self.frame[1] + data


class _File:
    """A file in memory that this process and qemu-user share."""

    def __init__(self, name: str) -> None:
        self.descriptor = os.memfd_create(f"macproof {name}")
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


class QemuProcess:
    """A process of qemu-user that makes calls of one routine.

    Args:
        command: the command that runs the driver.
        plan: what is laid into its memory.
        seconds: a call that takes longer is given up.
    """

    def __init__(self, command: Sequence[str], plan: Plan, seconds: float) -> None:
        self._plan = plan
        self._seconds = seconds
        self._calls, self._made, self._stacks = _File("calls"), _File("made"), _File("stacks")
        self._known: dict[int, tuple[NDArray[np.uint8], int]] = {}
        shared = [one.descriptor for one in (self._calls, self._made, self._stacks)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=shared,
            bufsize=0,
            start_new_session=True,
        )
        heads = [(a, size, rights, is_data) for a, size, rights, _, is_data in plan.regions]
        words = [*shared, plan.record, plan.start, *plan.stack, *plan.frame, len(heads)]
        words += [int(word) for head in heads for word in head]
        content = b"".join(data for _, _, _, data, _ in plan.regions)
        self._send(np.array(words, ">u4").tobytes() + content)
        self.trouble = self._wait(self._calls)
        """Why the process cannot make any call; "" if it can."""

    def run(
        self,
        stacks: Sequence[NDArray[np.uint8]],
        frames: NDArray[np.uint8],
        images: NDArray[np.uint8],
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8], str]:
        """Make calls.

        Args:
            stacks: what is on the stack of each.
            frames: (calls, frame size), the frames that they begin with.
            images: (calls, image size), the data that they begin with.

        Returns:
            The frames and the images of the calls that returned, which last until the next run; and
            why the next call did not return, or "".
        """
        count, size, record = len(images), frames.shape[1], self._plan.record
        given = self._calls.resized(count * record).reshape(count, record)
        left = self._made.resized(count * record).reshape(count, record)
        given[:, :_WORD] = self._places(stacks).view(np.uint8).reshape(count, _WORD)
        given[:, _WORD : _WORD + size] = frames
        given[:, _WORD + size :] = images
        self._send(count.to_bytes(_WORD, "big"))
        why = self._wait(self._made)
        done = min(count, self._made.position // record)
        if not why and done < count:
            why = f"left no answer, nor did any after it: output ended after {done} of {count}"
        return left[:done, _WORD : _WORD + size], left[:done, _WORD + size :], why

    def _places(self, stacks: Sequence[NDArray[np.uint8]]) -> NDArray[np.uint32]:
        """Where each stack lies in the file of stacks."""
        size = self._plan.stack[1]
        if len(self._known) > _STACKS_KEPT:
            self._known.clear()
        for stack in stacks:
            if id(stack) not in self._known:
                # The array is kept, so that no other gets its identity.
                self._known[id(stack)] = stack, len(self._known) * size
                os.pwrite(self._stacks.descriptor, stack.tobytes(), self._known[id(stack)][1])
        return np.array([self._known[id(stack)][1] for stack in stacks], ">u4")

    def _send(self, data: bytes) -> None:
        assert self._process.stdin is not None
        view = memoryview(data)
        try:
            while view:
                view = view[self._process.stdin.write(view) :]
        except BrokenPipeError:
            pass  # the process has ended, which `_wait` tells

    def _wait(self, file: _File) -> str:
        """Wait for the driver's answer, as long as it goes on; "", or why there is none."""
        assert self._process.stdout is not None
        at, since = file.position, time.monotonic()
        while not select.select([self._process.stdout], [], [], 0.05)[0]:
            if file.position != at:
                at, since = file.position, time.monotonic()
            elif time.monotonic() - since > self._seconds:
                self._process.kill()
                self._process.wait()
                return f"did not return within {self._seconds:g} seconds"
        if len(self._process.stdout.read(_WORD)) == _WORD:
            return ""
        return self._ending(self._process.wait())

    @staticmethod
    def _ending(code: int) -> str:
        if code < 0:
            return f"ended with signal {-code} ({signal.strsignal(-code)})"
        return f"ended the process of qemu-user with code {code}"

    @property
    def has_ended(self) -> bool:
        """Whether the process makes no calls any more."""
        return self._process.poll() is not None

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        for file in (self._calls, self._made, self._stacks):
            file.close()
