"""Worker processes that the commands of one test session share.

To start two workers takes as long as most of the calls that tests make in them. Workers that are
kept have the working folder of the command that started them, so they are given only to commands
that have the same.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from emu.base.parent import end_with_parent
from emu.base.workers import _START, worker_pool


class _Pool(ProcessPoolExecutor):
    """A pool that knows which of its calls have not ended."""

    def __init__(self, workers: int) -> None:
        context = multiprocessing.get_context(_START)
        super().__init__(workers, context, initializer=end_with_parent)
        self.under_way: set[Future[Any]] = set()

    def submit(self, *arguments: Any, **named: Any) -> Future[Any]:
        future = super().submit(*arguments, **named)
        self.under_way.add(future)
        future.add_done_callback(self.under_way.discard)
        return future


class KeptWorkers:
    """A stand-in for `emu.base.workers.worker_pool` that starts processes only if it must."""

    def __init__(self) -> None:
        self._pool: _Pool | None = None
        self._place: tuple[int, str] | None = None
        self._is_lent = False

    @contextlib.contextmanager
    def lend(self, workers: int) -> Iterator[ProcessPoolExecutor]:
        """Like `worker_pool`: when the block ends, so have all of its calls."""
        if self._is_lent:
            with worker_pool(workers) as pool:
                yield pool
            return
        kept = self._kept((workers, os.getcwd()))
        self._is_lent = True
        try:
            yield kept
        except KeyboardInterrupt:
            self._place = None  # the calls under way may never end
            for process in multiprocessing.active_children():
                process.terminate()
            raise
        finally:
            self._is_lent = False
            left = list(kept.under_way)
            wait([future for future in left if not future.cancel()])

    def _kept(self, place: tuple[int, str]) -> _Pool:
        if self._pool is None or place != self._place or not _works(self._pool):
            self.end()
            self._pool, self._place = _Pool(place[0]), place
        return self._pool

    def end(self) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        self._pool = None


def _works(pool: ProcessPoolExecutor) -> bool:
    try:
        return pool.submit(int).result() == 0
    except BrokenProcessPool:
        return False
