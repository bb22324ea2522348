"""Worker processes that the tests of one session share.

To start two workers takes as long as most of the calls that tests make in them. Workers that are
kept are told with each call where a new one would be: in which working folder, and with which path
for imports. When they are lent again, they forget what they have read, since a test may change the
files of a case between two commands.

What a pool imports when it is first used is imported here: a test that runs pytest in this process
forgets afterwards what has been imported meanwhile. A pool made in it would keep locks of a class
that is no longer the one of that name, and could start no further process.
"""

from __future__ import annotations

import contextlib
import functools
import multiprocessing
import multiprocessing.popen_forkserver
import multiprocessing.synchronize
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

import pytest

from emu.base.functions import _FOLDER
from emu.base.processes.workers import worker_pool
from emu.base.system.parent import end_with_parent
from emu.base.system.start_method import start_method
from emu.cases import known_case
from emu.program import read
from emu.program.elf import elf
from emu.timing import predict
from emu.verify.batches import benches
from posts.trials import trial


class _Pool(ProcessPoolExecutor):
    """A pool that knows which of its calls have not ended."""

    def __init__(self, workers: int) -> None:
        context = multiprocessing.get_context(start_method())
        super().__init__(workers, context, initializer=end_with_parent)
        self.is_lent = False
        self.lent = 0
        self.under_way: set[Future[Any]] = set()

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        place = _Place(self.lent, os.getcwd(), tuple(sys.path))
        future = super().submit(_call_there, place, function, arguments)
        self.under_way.add(future)
        future.add_done_callback(self.under_way.discard)
        return future

    def works(self) -> bool:
        """Whether no process of it has crashed."""
        try:
            return self.submit(int).result() == 0
        except BrokenProcessPool:
            return False


class KeptWorkers:
    """A stand-in for `workers.worker_pool` that starts processes only if it must."""

    def __init__(self) -> None:
        self._pools: dict[int, _Pool] = {}

    @contextlib.contextmanager
    def lend(self, workers: int) -> Iterator[ProcessPoolExecutor]:
        """Like `worker_pool`: when the block ends, so have all of its calls."""
        if workers in self._pools and self._pools[workers].is_lent:
            with worker_pool(workers) as pool:
                yield pool
            return
        kept = self._kept(workers)
        kept.is_lent = True
        kept.lent += 1
        try:
            yield kept
        except KeyboardInterrupt:
            del self._pools[workers]  # the calls under way may never end
            for process in multiprocessing.active_children():
                process.terminate()
            raise
        finally:
            kept.is_lent = False
            left = list(kept.under_way)
            wait([future for future in left if not future.cancel()])

    def _kept(self, workers: int) -> _Pool:
        kept = self._pools.get(workers)
        if kept is None or not kept.works():
            if kept is not None:
                kept.shutdown()
            kept = self._pools[workers] = _Pool(workers)
        return kept

    def end(self) -> None:
        """End the processes."""
        for pool in self._pools.values():
            pool.shutdown(cancel_futures=True)
        self._pools.clear()


@dataclass(frozen=True)
class _Place:
    """Where a new worker would be that is started for a call.

    Attributes:
        lent: how often the pool has been lent.
        folder: the working folder.
        path: where modules are looked for.
    """

    lent: int
    folder: str
    path: tuple[str, ...]


_here = _Place(0, "", ())


def parse_each_program_once(patch: pytest.MonkeyPatch) -> None:
    """In this process, a program is not parsed again while its file has the same contents."""
    parse = functools.lru_cache(maxsize=64)(elf.parse_elf)
    patch.setattr(elf, "parse_elf", parse)
    patch.setattr(read, "parse_elf", parse)


def _call_there(place: _Place, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    global _here
    if place != _here:
        if not _here.lent:
            parse_each_program_once(pytest.MonkeyPatch())
        forget()
        os.chdir(place.folder)
        sys.path[:] = place.path
        _here = place
    return function(*arguments)


def forget() -> None:
    """Forget cases, programs and references, which are known by their paths."""
    for kept in (
        predict._scenes,
        known_case.case_as_known,
        benches._kept_case,
        trial._bench,
        trial._case,
        trial._program,
    ):
        kept.cache_clear()
    for name in [name for name in sys.modules if name.startswith(_FOLDER)]:
        del sys.modules[name]
