"""The processes that a worker leaves behind when it is ended, so that their time is counted, too.

A worker of a campaign is ended by a signal. It does not wait for the process with its translated
code then, whose processor time Linux would count nowhere.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
from collections.abc import Collection
from pathlib import Path

_SET_CHILD_SUBREAPER = 36  # of <linux/prctl.h>


def seconds_of_children() -> float:
    """Seconds of processor time of all processes that this one and its children have waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def adopt_orphans() -> None:
    """Become the parent of all processes below this one whose own parent has ended."""
    if ctypes.CDLL(None, use_errno=True).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "orphans cannot be adopted")


def children() -> frozenset[int]:
    """The numbers of the processes whose parent this one is."""
    lists = Path("/proc/self/task").glob("*/children")
    return frozenset(int(number) for one in lists for number in one.read_text().split())


def wait_for_orphans(others: Collection[int]) -> None:
    """Wait until all children have ended but some others; their time is that of children then."""
    while left := children().difference(others):
        for number in left:
            with contextlib.suppress(ChildProcessError):  # somebody else has waited for it
                os.waitpid(number, 0)
