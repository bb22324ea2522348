"""Starts a function in a process of its own, and keeps a channel to it."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from emu.base.errors import InternalError, MacproofError
from emu.base.processes.endings import ending_of
from emu.base.processes.worker_start import process_start
from emu.base.processes.workers import begin_worker
from emu.base.system.start_method import start_method
from emu.base.temporary import guarded_folder
from emu.runner.snapshots.channel import Channel, ChannelClosedError

_PATIENCE = 5.0


@dataclass(frozen=True, slots=True)
class SessionFailure:
    """The last message of a session that ended by an error.

    Attributes:
        error: what the function raised; an InternalError if it is macproof's own mistake.
    """

    error: Exception


@dataclass(frozen=True, slots=True)
class SessionProcess:
    """A process that executes guest code until it is ended.

    Attributes:
        channel: the connection to it.
    """

    channel: Channel
    _process: Any

    def ending(self) -> str:
        """How the process ended, such as SIGSEGV, a few seconds after its channel was closed."""
        self._process.join(_PATIENCE)
        return ending_of(self._process.exitcode)

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.channel.close()
        self._process.kill()
        self._process.join()


def start_session(function: Callable[..., None], *arguments: Any) -> SessionProcess:
    """Call a function in a process of its own, which ends with this one.

    Args:
        function: is called there with a `Channel` to this process, and the arguments. If it raises
            an error, `SessionFailure` is the last message.
        arguments: it must be possible to pickle them.
    """
    guarded_folder()  # it guards the temporary files of `multiprocessing`, too
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    context: Any = multiprocessing.get_context(start_method())
    process = context.Process(target=_run, args=(there, function, arguments), daemon=True)
    with process_start(), there:
        process.start()
    return SessionProcess(Channel(here), process)


def _run(sock: socket.socket, function: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    begin_worker()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one at the other end answers Ctrl-C
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the copies of this process
    channel = Channel(sock)
    with contextlib.suppress(ChannelClosedError):
        try:
            function(channel, *arguments)
        except (MacproofError, OSError) as error:
            channel.send(SessionFailure(error))
        except ChannelClosedError:
            raise
        except BaseException as error:  # our own mistake
            channel.send(SessionFailure(InternalError.of(error)))
    # A copy of this process must not clean up what belongs to the first one.
    os._exit(0)
