"""Filters of system calls, which the Linux kernel asks before it does what a process wants.

A filter is a program for the kernel's packet filter (see ``Documentation/userspace-api/
seccomp_filter.rst`` of Linux). It can never be taken off, and each child has it too, so it holds
whatever the code behind it does, even if that has taken over the whole process.
"""

from __future__ import annotations

import ctypes
import os
import struct

_ALLOW, _KILL, _ERROR, _ASK = 0x7FFF0000, 0x80000000, 0x00050000, 0x7FC00000
_LOAD, _EQUAL, _AND, _RETURN = 0x20, 0x15, 0x54, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in `struct seccomp_data`
_X32 = 0x40000000  # marks numbers of the x32 way to call x86-64
_EACCES = 13
_SET_FILTER, _NEW_LISTENER, _NO_SLOWER_MEMORY = 1, 8, 4
_NO_NEW_PRIVILEGES = 38

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_SECCOMP = {"x86_64": 317, "aarch64": 277}
# The order is that of use: drivers make the first four for each call. A thread that QEMU has begun
# makes `set_robust_list` and `rseq` at some time, and dies of it if it cannot.
_COMPUTES = {
    "x86_64": {
        **{"mmap": 9, "readv": 19, "writev": 20, "read": 0, "write": 1, "lseek": 8},
        **{"mprotect": 10, "munmap": 11, "mremap": 25, "brk": 12, "madvise": 28},
        **{"rt_sigaction": 13, "rt_sigprocmask": 14, "rt_sigreturn": 15, "rt_sigsuspend": 130},
        **{"sigaltstack": 131, "kill": 62, "tgkill": 234, "getpid": 39, "gettid": 186},
        **{"futex": 202, "membarrier": 324, "sched_yield": 24, "nanosleep": 35},
        **{"clock_nanosleep": 230, "clock_gettime": 228, "restart_syscall": 219},
        **{"set_robust_list": 273, "rseq": 334, "exit": 60, "exit_group": 231, "sendmsg": 46},
    },
    "aarch64": {
        **{"mmap": 222, "readv": 65, "writev": 66, "read": 63, "write": 64, "lseek": 62},
        **{"mprotect": 226, "munmap": 215, "mremap": 216, "brk": 214, "madvise": 233},
        **{"rt_sigaction": 134, "rt_sigprocmask": 135, "rt_sigreturn": 139, "rt_sigsuspend": 133},
        **{"sigaltstack": 132, "kill": 129, "tgkill": 131, "getpid": 172, "gettid": 178},
        **{"futex": 98, "membarrier": 283, "sched_yield": 124, "nanosleep": 101},
        **{"clock_nanosleep": 115, "clock_gettime": 113, "restart_syscall": 128},
        **{"set_robust_list": 99, "rseq": 293, "exit": 93, "exit_group": 94, "sendmsg": 211},
    },
}
# socket and io_uring_setup, by the architecture; a process of x86-64 can call the kernel as one of
# i386 does (where socketcall makes sockets, too), and one of ARM64 as one of ARM.
_NETWORK = {
    0xC000003E: (41, 425),
    0x40000003: (102, 359, 425),
    0xC00000B7: (198, 425),
    0x40000028: (281, 425),
}


class NoSeccompError(Exception):
    """This system has no such filters."""


def computing_filter(process: int, socket: int) -> bytes:
    """A filter for a process that computes, with the files it has open, and nothing else.

    It can use memory of its own, read and write open files, and end itself by a signal. Whatever
    else it calls, the listener is asked; and when that is closed, the call does not exist.

    Args:
        process: the number of the process.
        socket: the descriptor by which it sends the listener away before it begins.
    """
    machine = os.uname().machine
    numbers = _COMPUTES[machine]
    conditions = {  # the argument, the bits that count, and what they have to be
        "mmap": (3, 0xF, 2),  # private: what is shared, others see, and no limit counts
        "kill": (0, 0xFFFFFFFF, process),
        "tgkill": (0, 0xFFFFFFFF, process),
        "sendmsg": (0, 0xFFFFFFFF, socket),
    }
    code = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, _ARCHITECTURES[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    for name, number in numbers.items():
        if name not in conditions:
            code += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ALLOW)]
            continue
        argument, bits, value = conditions[name]
        code += [
            (_EQUAL, 0, 5, number),
            (_LOAD, 0, 0, _ARGUMENTS + 8 * argument),
            (_AND, 0, 0, bits),
            (_EQUAL, 0, 1, value),
            (_RETURN, 0, 0, _ALLOW),
            (_RETURN, 0, 0, _ASK),
        ]
    return _packed([*code, (_RETURN, 0, 0, _ASK)])


def offline_filter() -> bytes:
    """A filter for a process that may do anything but make connections."""
    code: list[tuple[int, int, int, int]] = []
    for architecture, numbers in _NETWORK.items():
        checks = [(_EQUAL, len(numbers) - index, 0, number) for index, number in enumerate(numbers)]
        block = [
            (_LOAD, 0, 0, _NUMBER),
            (_AND, 0, 0, ~_X32 & 0xFFFFFFFF),
            *checks,
            (_RETURN, 0, 0, _ALLOW),
            (_RETURN, 0, 0, _ERROR | _EACCES),
        ]
        code += [(_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 0, len(block), architecture), *block]
    return _packed([*code, (_RETURN, 0, 0, _ALLOW)])


def _packed(code: list[tuple[int, int, int, int]]) -> bytes:
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def set_filter(code: bytes, *, has_listener: bool = False) -> int:
    """Have this thread, and all that it starts, filtered from now on.

    Args:
        code: the filter.
        has_listener: whether it asks somebody.

    Returns:
        The descriptor by which the listener is asked, or 0.

    Raises:
        NoSeccompError: the system has no such filters.
    """
    number = _SECCOMP.get(os.uname().machine)
    if number is None:
        raise NoSeccompError("macproof knows the system calls of x86-64 and ARM64 only")
    system = ctypes.CDLL(None, use_errno=True)
    program = _Program(len(code) // 8, code)
    flags = _NO_SLOWER_MEMORY | (_NEW_LISTENER if has_listener else 0)
    if system.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0:
        result: int = system.syscall(number, _SET_FILTER, flags, ctypes.byref(program))
        if result >= 0:
            return result
    raise NoSeccompError(f"the kernel refuses a filter: {os.strerror(ctypes.get_errno())}")
