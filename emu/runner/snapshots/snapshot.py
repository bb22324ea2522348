"""Snapshots of a running Macintosh: copies of its process, which sleep until they are wanted.

A forked process has everything: the processor, guest memory, and the Toolbox's own state in Python.
It shares its memory with the original until one of them writes to it. A fork takes 2 to 9 ms.
"""

from __future__ import annotations

import os
import socket
import sys
import warnings
from dataclasses import dataclass

from emu.base.system.parent import end_copy_with_parent
from emu.runner.snapshots.channel import Channel, ChannelClosedError, channel_pair
from emu.toolbox.macintosh import Macintosh


@dataclass(frozen=True, slots=True)
class NewSnapshot:
    """A session has a new snapshot; the socket to it comes with this message.

    Attributes:
        moment: what the session called this moment.
    """

    moment: int


@dataclass(frozen=True, slots=True)
class _Wake:
    """Have a snapshot copy itself; the socket for the copy comes with this message."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A copy of a session as it was at a moment, in the process that controls the session.

    Attributes:
        moment: what the session called this moment.
    """

    moment: int
    _channel: Channel

    @classmethod
    def received(cls, kept: NewSnapshot, sock: socket.socket) -> Snapshot:
        """The snapshot that a message and the socket that came with it stand for."""
        return cls(kept.moment, Channel(sock))

    def wake(self) -> Channel:
        """Have a copy of the session go on from this moment; the connection to that copy.

        The snapshot stays as it is, and can be woken again.

        Raises:
            ChannelClosedError: its process is gone.
        """
        here, there = channel_pair()
        try:
            self._channel.send(_Wake(), there.fileno())
        except ChannelClosedError:
            here.close()
            raise
        finally:
            there.close()
        return here

    def close(self) -> None:
        """Forget the snapshot; its process ends."""
        self._channel.close()


def can_fork() -> bool:
    """Whether snapshots can be kept: on Linux. On macOS, libraries do not outlive a fork."""
    return sys.platform == "linux"


def keep_snapshot(mac: Macintosh, channel: Channel, moment: int) -> Channel:
    """Keep a snapshot of this process, of which the one at the other end is sent a `NewSnapshot`.

    It is called while guest code does not run, at any depth of calls.

    Args:
        mac: the Macintosh that runs in this process.
        channel: the connection to the process that controls this one.
        moment: what this moment is called; a number that grows.

    Returns:
        The connection to use from now on: the same in this process; another one in a copy, which
        goes on from here when the snapshot is woken.

    Raises:
        ChannelClosedError: nobody is at the other end.
    """
    if not can_fork():
        return channel
    far, near = channel_pair()
    with mac.heartbeat.paused():
        if _fork():
            near.close()
            channel.send(NewSnapshot(moment), far.fileno())
            far.close()
            return channel
        channel.close()
        far.close()
        woken = _sleep(near)
    end_copy_with_parent()
    return woken


def _sleep(near: Channel) -> Channel:
    """Wait in a snapshot; the channel of a copy that was woken. The snapshot never returns."""
    while True:
        try:
            _, sock = near.receive_with_socket()
        except ChannelClosedError:
            os._exit(0)
        if sock is not None and not _fork():
            near.close()
            return Channel(sock)
        if sock is not None:
            sock.close()


def _fork() -> int:
    """Fork; 0 in the copy. Other threads of this process only wait for the end of its parent."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of any thread
        return os.fork()
