"""What a process does that gives up rights and then becomes another program.

It runs without the rest of macproof and imports little, not even `contextlib`, because each
compilation waits for it.
"""

from __future__ import annotations

import ctypes
import marshal
import os
import resource
import struct
import sys

from emu.base.sandbox.landlock import hide_all_but
from emu.base.sandbox.seccomp import (
    NoSeccompError,
    computing_filter,
    offline_filter,
    set_filter,
)

_WHEN_PARENT_ENDS, _KILL = 1, 9  # <sys/prctl.h>; the module `signal` takes long to import


def main() -> None:
    """Become the command that the first argument describes; see `command.sandboxed`.

    If that is not possible, the socket gets the reason in place of a descriptor, or standard error.
    """
    limits, socket, seen, own, command = marshal.loads(bytes.fromhex(sys.argv[1]))
    for name, value in limits:
        _limit(name, value)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_WHEN_PARENT_ENDS, _KILL, 0, 0, 0)
        if socket is not None:
            _ask_from_now_on(socket)
        else:
            _stay_offline()
            if own:
                hide_all_but(seen, own)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        os._exit(127)


def _limit(name: str, value: int) -> None:
    """Lower a limit; one that is lower already stays. A system without it goes without."""
    kind = getattr(resource, name, None)
    if kind is None:
        return
    _, hard = resource.getrlimit(kind)
    if hard == resource.RLIM_INFINITY or hard > value:
        try:  # At the first limit of time a program learns why it ends, at the second it is killed.
            resource.setrlimit(kind, (value, value + (name == "RLIMIT_CPU")))
        except (OSError, ValueError):
            pass


def _ask_from_now_on(descriptor: int) -> None:
    import socket

    with socket.socket(fileno=descriptor) as there:
        os.set_inheritable(descriptor, False)
        try:
            listener = set_filter(computing_filter(os.getpid(), descriptor), has_listener=True)
        except NoSeccompError as error:
            there.sendall(str(error).encode())
            os._exit(1)
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("=i", listener))]
        there.sendmsg([b"+"], rights)  # `send_fds` would import a module, which it now may not
        there.detach()  # the filter lets nothing be closed before somebody answers


def _stay_offline() -> None:
    try:
        set_filter(offline_filter())
    except NoSeccompError:
        pass  # it is one more way that is shut where that can be done


if __name__ == "__main__":
    main()
