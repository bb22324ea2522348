"""Runs shards in processes of their own, which guest code may crash and anybody may kill."""

from __future__ import annotations

import itertools
import queue
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from emu.base.processes import black_box
from emu.base.processes.companion import Companion
from emu.base.processes.endings import is_from_outside
from emu.base.processes.workers import ProcessDown, default_jobs
from emu.campaign.shard import Shard
from emu.cases.programs.subject import Subject
from emu.machine.guest_process import last_words
from emu.verify.runs.verdicts import Result

_MOST_LOSSES = 20


class Work(Protocol):
    """What can be pickled and runs programs on a shard, or on one of its calls: see `run_shard`."""

    def __call__(self, number: int, subjects: Sequence[Subject], call: int | None = None) -> Shard:
        """See `run_shard`."""


class ShardProcess:
    """A process that is kept for shards. Only one thread may run shards in it at a time."""

    def __init__(self) -> None:
        self._companion = Companion()

    def close(self) -> None:
        """End the process at once."""
        self._companion.close()

    def run(self, work: Work, number: int, subjects: Sequence[Subject]) -> Shard:
        """Run a shard; a program that crashes the process has a result that says so.

        A shard whose process is killed by somebody, as ``kill -9`` does, is run again.

        Args:
            work: runs it.
            number: the number of the shard.
            subjects: the programs.

        Raises:
            ProcessDown: the process was killed again and again.
            MacproofError: what ``work`` raises.
        """
        for _ in range(_MOST_LOSSES):
            try:
                return self._run(work, number, subjects)
            except ProcessDown as down:
                if not is_from_outside(down.ending):
                    raise
        raise ProcessDown(
            f"the process of shard {number} was killed {_MOST_LOSSES} times, perhaps because the "
            "machine has too little memory. The shards before it are kept; run the campaign again "
            "when the cause is removed"
        )

    def _run(self, work: Work, number: int, subjects: Sequence[Subject]) -> Shard:
        try:
            return self._companion.call(work, number, subjects)
        except ProcessDown as down:
            if is_from_outside(down.ending):
                raise
        # Without programs, nothing of the guest's can crash: the digests are made in any case.
        without = self._companion.call_blaming(work, number, ())
        each = [self._alone(work, number, subject) for subject in subjects]
        return replace(without, results=tuple(each))

    def _alone(self, work: Work, number: int, subject: Subject) -> Result:
        """The result of one program, which may be the one that crashes the process."""
        try:
            (result,) = self._companion.call_blaming(work, number, (subject,)).results
            return result
        except ProcessDown as down:
            if is_from_outside(down.ending):
                raise
            last = self._last_words(work, number, subject)
            what = f"the guest code brought the engine's process down ({down.ending}){last}"
            return Result(subject, crash=f"{what} (in shard {number})")

    def _last_words(self, work: Work, number: int, subject: Subject) -> str:
        """See `last_words`. Recording is slow, so the call that crashes is looked for before."""
        for call in itertools.count():
            try:
                if not self._companion.call(work, number, (subject,), call).inputs:
                    return "; it did not do so again when each call was made alone"
            except ProcessDown as down:
                if is_from_outside(down.ending):
                    raise
                break
        return last_words(lambda box: _run_recorded(box, work, number, subject, call))


def _run_recorded(box: Path, work: Work, number: int, subject: Subject, call: int) -> None:
    recorded = Companion()
    try:
        recorded.call(black_box.switch_on, box)
        recorded.call(work, number, (subject,), call)
    finally:
        recorded.close()


def shards_here(
    work: Work, numbers: Iterable[int], subjects: Sequence[Subject], jobs: int
) -> Generator[Shard]:
    """Run shards in processes of this machine; give each as soon as it is done.

    Args:
        work: runs one shard.
        numbers: the numbers of the shards.
        subjects: the programs.
        jobs: the number of processes; 0 is one for each processor.

    Raises:
        MacproofError: what ``work`` raises.
    """
    processes = [ShardProcess() for _ in range(jobs or default_jobs())]
    idle: queue.SimpleQueue[ShardProcess] = queue.SimpleQueue()
    for process in processes:
        idle.put(process)

    def run(number: int) -> Shard:
        process = idle.get()
        try:
            return process.run(work, number, subjects)
        finally:
            idle.put(process)

    remaining = iter(numbers)
    under_way: set[Future[Shard]] = set()
    pool = ThreadPoolExecutor(len(processes))
    try:
        while True:
            room = len(processes) + 1 - len(under_way)
            under_way |= {pool.submit(run, number) for number in itertools.islice(remaining, room)}
            if not under_way:
                return
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.close()
