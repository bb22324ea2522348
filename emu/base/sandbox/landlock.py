"""Hides the files of a computer from a process, but for some folders.

Linux calls it Landlock (``Documentation/userspace-api/landlock.rst``). It needs neither rights nor
a namespace. Kernels before 5.13 do not have it, and some are started without it.
"""

from __future__ import annotations

import ctypes
import os
import struct

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same number for every processor
_NO_NEW_PRIVILEGES = 38
_ASK_VERSION = 1
_BELOW = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER = 1, 2, 4, 8
_SEEING = _EXECUTE | _READ_FILE | _READ_FOLDER
_RIGHTS_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | 1 << 14 | 1 << 15
# How many rights on files each version knows: "refer" came with 2, "truncate" with 3, and "ioctl"
# with 5. What a version does not know, it does not restrict.
_KNOWN_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
_NEWEST = 16


def hide_all_but(seen: list[str], own: list[str]) -> bool:
    """Have this thread, and all that it starts, see only some folders and files.

    Args:
        seen: what may be read and executed.
        own: what may also be written. What does not exist is left out.

    Returns:
        Whether the system can do that.
    """
    system = ctypes.CDLL(None, use_errno=True)
    version = system.syscall(_CREATE, None, ctypes.c_size_t(0), _ASK_VERSION)
    if version < 1:
        return False
    rights = (1 << _KNOWN_RIGHTS.get(version, _NEWEST)) - 1
    rules = system.syscall(_CREATE, struct.pack("=Q", rights), ctypes.c_size_t(8), 0)
    if rules < 0:
        return False
    for paths, granted in ((seen, _SEEING), (own, rights)):
        for path in paths:
            try:
                place = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except OSError:
                continue
            allowed = granted if os.path.isdir(path) else granted & _RIGHTS_OF_FILES & rights
            system.syscall(_ADD, rules, _BELOW, struct.pack("=Qi", allowed, place), 0)
            os.close(place)
    system.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    done: int = system.syscall(_RESTRICT, rules, 0)
    os.close(rules)
    return done == 0
