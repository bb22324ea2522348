"""Processes that run guest code apart, since some of it takes the engine's process down."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from emu.errors import GuestError

T = TypeVar("T")

WorkerDied = BrokenProcessPool
"""What a `Future` of a pool raises if its process, or another of the pool, went down."""


@contextlib.contextmanager
def worker_pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Worker processes for `submit`; on Ctrl-C they end at once."""
    others = set(multiprocessing.active_children())
    # Never fork: an engine of this process would not survive it.
    pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))
    try:
        yield pool
    except KeyboardInterrupt:
        # Guest code that never returns would keep them for half a minute.
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def submit(pool: ProcessPoolExecutor, function: Callable[..., T], *arguments: Any) -> Future[T]:
    """Like ``pool.submit``; a worker that this starts leaves Ctrl-C to its parent."""
    if not hasattr(signal, "pthread_sigmask"):
        return pool.submit(function, *arguments)
    # Children inherit the mask.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(function, *arguments)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def run_apart(function: Callable[..., T], *arguments: Any) -> T:
    """Run something that executes guest code in a process of its own.

    Raises:
        GuestError: the process went down.
    """
    with worker_pool(1) as pool:
        try:
            return submit(pool, function, *arguments).result()
        except WorkerDied as error:
            raise GuestError("the guest code brought the engine's process down") from error
