"""The way out of a process that runs guest code: open while the process starts, and then shut.

A program needs much of the kernel until it can compute: it opens libraries and maps its own file.
So its filter asks somebody about all that a computing process does not need. The door answers "go
on" while only code runs that we trust. When it is shut, nobody can be asked any more, and to the
process those system calls do not exist. Nothing opens it again.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import socket
import struct
import time

_RECEIVE, _SEND = 0xC0502100, 0xC0182101  # <linux/seccomp.h>
_NOTIFICATION, _ANSWER = 80, "=QqiI"
_GO_ON = 1


class NoDoorError(Exception):
    """The process has not taken its filter on; the message says why."""


class Door:
    """The door of one process. Its socket is given to `command.sandboxed`."""

    def __init__(self) -> None:
        self._here, self._there = socket.socketpair()
        self._listener = -1

    @property
    def socket(self) -> int:
        """The descriptor of the end that the process inherits."""
        return self._there.fileno()

    def keep_open(self, until: int, seconds: float) -> bool:
        """Let the process do what it likes until it says that it is ready; then shut the door.

        Args:
            until: the descriptor by which it says so.
            seconds: how long that may take.

        Returns:
            Whether it said so, or ended, in time.

        Raises:
            NoDoorError: it has no filter.
        """
        end = time.monotonic() + seconds
        self._there.close()
        try:
            self._meet(seconds)
            waiting = select.poll()
            waiting.register(self._listener, select.POLLIN)
            waiting.register(until, select.POLLIN)
            while time.monotonic() < end:
                ready = [descriptor for descriptor, _ in waiting.poll(1000)]
                if until in ready:
                    return True
                if ready:
                    self._answer()
            return False
        finally:
            self.shut()

    def _meet(self, seconds: float) -> None:
        self._here.settimeout(seconds)
        try:
            said, descriptors, _, _ = socket.recv_fds(self._here, 1 << 12, 1)
        except TimeoutError:
            said, descriptors = b"it has not begun in time", []
        if not descriptors:
            raise NoDoorError(said.decode() or "it ended before it had any")
        self._listener = descriptors[0]

    def _answer(self) -> None:
        """Answer what the process asks; what has ended meanwhile needs no answer."""
        asked = bytearray(_NOTIFICATION)
        with contextlib.suppress(OSError):
            fcntl.ioctl(self._listener, _RECEIVE, asked)
            number = int.from_bytes(asked[:8], "little")
            fcntl.ioctl(self._listener, _SEND, struct.pack(_ANSWER, number, 0, 0, _GO_ON))

    def shut(self) -> None:
        """Shut the door for good."""
        self._here.close()
        self._there.close()
        if self._listener >= 0:
            os.close(self._listener)
            self._listener = -1
