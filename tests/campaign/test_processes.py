"""Shards run in processes that guest code may crash and that anybody may kill."""

from __future__ import annotations

import functools
import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from emu.base.errors import UsageError
from emu.base.functions import told_as
from emu.base.processes import companion
from emu.base.processes.workers import ProcessDown
from emu.campaign import processes
from emu.campaign.processes import ShardProcess, shards_here
from emu.campaign.shard import Shard
from emu.cases.programs.subject import Subject
from emu.verify.runs.verdicts import Result
from tests.processes import wait_until

GOOD = Subject("68040", "O2", Path("good"))
BAD = Subject("68040", "O2", Path("bad"))
CALLS = 3  # in each shard


def found(number: int, subjects: Sequence[Subject], call: int | None = None) -> Shard:
    inputs = b"" if call == CALLS else b"inputs"
    return Shard(number, inputs, b"answers", tuple(Result(one, scenes=3) for one in subjects))


def killed_at_first(
    times: int, marks: Path, number: int, subjects: Sequence[Subject], call: int | None = None
) -> Shard:
    """What kills its process the first few times."""
    if len(list(marks.iterdir())) < times:
        (marks / str(os.getpid())).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return found(number, subjects)


def crashing(number: int, subjects: Sequence[Subject], call: int | None = None) -> Shard:
    """What crashes in the second call; in shard 8 only together with the other calls."""
    if BAD in subjects and (call is None or (number, call) == (7, 1)):
        os.kill(os.getpid(), signal.SIGABRT)
    return found(number, subjects, call)


def leaving(number: int, subjects: Sequence[Subject], call: int | None = None) -> Shard:
    with told_as("reference fails"):
        os._exit(3)


@pytest.mark.slow
def test_a_shard_whose_process_is_killed_is_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(processes, "_MOST_LOSSES", 5)
    process = ShardProcess()
    try:
        work = functools.partial(killed_at_first, 4, tmp_path)
        assert process.run(work, 7, (GOOD, BAD)) == found(7, (GOOD, BAD))
        work = functools.partial(killed_at_first, 99, tmp_path)
        with pytest.raises(ProcessDown, match=r"process of shard 8 was killed 5 times, perhaps"):
            process.run(work, 8, (GOOD,))
    finally:
        process.close()


@pytest.mark.slow
def test_a_crash_is_the_result_of_the_program_that_crashes():
    down = "the guest code brought the engine's process down (SIGABRT)"
    words = ["", "; it did not do so again when each call was made alone"]
    for shard, more in zip(shards_here(crashing, [7, 8], (GOOD, BAD), 1), words, strict=True):
        good, bad = shard.results
        assert (shard.inputs, good) == (b"inputs", Result(GOOD, scenes=3))
        assert bad.crash == f"{down}{more} (in shard {shard.number})"


@pytest.mark.slow
def test_python_that_ends_the_process_is_told():
    with pytest.raises(UsageError, match=r"reference fails: it ended the process .*exit code 3"):
        list(shards_here(leaving, [1], (GOOD,), 1))


@pytest.mark.slow
def test_every_shard_is_run_once_and_processes_end(monkeypatch: pytest.MonkeyPatch):
    started: list[subprocess.Popen[bytes]] = []
    start = companion._start
    monkeypatch.setattr(companion, "_start", lambda: started.append(start()) or started[-1])
    shards = shards_here(found, range(9), (GOOD,), 2)
    first = next(shards)
    rest = list(shards)
    assert sorted(one.number for one in (first, *rest)) == list(range(9))
    stopped = shards_here(found, range(9), (GOOD,), 2)
    next(stopped)
    stopped.close()
    assert len(started) == 4
    wait_until(lambda: all(one.poll() is not None for one in started), "all processes have ended")
