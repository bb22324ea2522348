"""Values that the worker processes of one parent make once between them."""

from __future__ import annotations

import contextlib
import hashlib
import multiprocessing
import os
import pickle
from collections.abc import Callable
from multiprocessing.util import get_temp_dir
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def made_once(name: str, make: Callable[[], T]) -> T:
    """A value, made here or taken from another worker process of the same parent.

    For example, a program is read by one worker, and the others get it in a tenth of the time. What
    a worker has made lies, pickled, in the folder of temporary files that these processes and
    nobody else may use; it is removed when their parent ends. A process that has no parent of this
    kind makes its own.

    Args:
        name: names the value among all of these processes, and changes with everything that the
            value depends on.
        make: makes it. It must be possible to pickle what it returns. What it raises is raised.
    """
    if multiprocessing.parent_process() is None:
        return make()
    place = Path(get_temp_dir()) / f"made-{hashlib.sha256(name.encode()).hexdigest()}"
    with contextlib.suppress(FileNotFoundError):
        value: T = pickle.loads(place.read_bytes())
        return value
    computed = make()
    own = place.with_suffix(f".{os.getpid()}")
    with contextlib.suppress(OSError):  # where the disk is full, everyone makes its own
        own.write_bytes(pickle.dumps(computed, pickle.HIGHEST_PROTOCOL))
        own.replace(place)  # so that nobody reads half of it
    return computed
