"""Worker processes: results as they come, failures, and calls that bring their process down."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from emu.base.errors import UsageError
from emu.base.functions import told_as
from emu.base.processes.workers import ProcessDown, Workers, default_jobs, submit


def _square(number: int) -> int:
    return number * number


def _refuse(number: int) -> int:
    if number == 2:
        raise UsageError("two is refused")
    return number


def _go_down(number: int) -> int:
    if number == 1:
        time.sleep(0.2)
        os._exit(1)
    return number


def _go_down_elsewhere(number: int) -> int:
    """As a reference does that calls ``os._exit``."""
    with told_as(f"reference:run fails on {number} objects"):
        return _go_down(number)


def _go_down_once(mark: Path, number: int) -> int:
    """Bring the first process down that makes this call, and no other."""
    if number == 1 and not mark.exists():
        mark.touch()
        os._exit(1)
    return number


def _instead(number: int) -> int:
    return -number


def test_there_is_a_job_for_each_processor(monkeypatch):
    monkeypatch.setattr("emu.base.processes.workers.default_jobs", default_jobs)
    assert 1 <= default_jobs() <= (os.cpu_count() or 1)
    with Workers() as workers:
        assert workers.processes == default_jobs()


@pytest.mark.slow
def test_each_result_comes_with_the_index_of_its_call():
    with Workers(2) as workers:
        found = dict(workers.each(_square, [(n,) for n in range(9)]))
    assert found == {n: n * n for n in range(9)}


def test_no_calls_are_no_work():
    with Workers() as workers:
        assert list(workers.each(_square, [])) == []


@pytest.mark.slow
def test_a_call_can_depend_on_earlier_results():
    results = [2]

    def squares():
        while results[-1] < 1000:
            yield (results[-1],)

    with Workers(1) as workers:
        for _, result in workers.each(_square, squares()):
            results.append(max(result, results[-1]))
    assert results[-1] == 65536


def test_a_call_can_wait_for_the_result_of_another():
    results = []

    def squares():
        yield (3,)
        while not results:
            yield None
        yield (results[0],)

    with Workers(1) as workers:
        found = []
        for index, result in workers.each(_square, squares()):
            results.append(result)
            found.append((index, result))
    assert found == [(0, 9), (1, 81)]


def test_waiting_for_nothing_is_a_mistake():
    with Workers(1) as workers, pytest.raises(AssertionError, match="none is under way"):
        list(workers.each(_square, [None]))


@pytest.mark.slow
def test_what_a_call_raises_is_raised():
    with Workers(1) as workers, pytest.raises(UsageError, match="two is refused"):
        list(workers.each(_refuse, [(n,) for n in range(4)]))


@pytest.mark.slow
def test_somebody_elses_code_that_ends_the_process_is_told_from_guest_code():
    words = r"reference:run fails on 1 objects: it ended the process .* \(exit code 1\)"
    with Workers(1) as workers, pytest.raises(UsageError, match=words):
        list(workers.each(_go_down_elsewhere, [(0,), (1,)]))


@pytest.mark.slow
def test_the_call_that_brings_its_process_down_is_told_from_those_beside_it():
    found = {}
    with Workers(1) as workers:
        with pytest.raises(ProcessDown, match=r"exit code 1"):
            found.update(workers.each(_go_down, [(0,), (1,), (2,)]))
        calls = [workers.submit(_go_down, number) for number in (1, 2, 3)]
        assert [call.result() for call in calls[1:]] == [2, 3]
        for _ in range(2):
            with pytest.raises(ProcessDown, match=r"exit code 1"):
                calls[0].result()


@pytest.mark.slow
def test_what_to_do_instead_is_said_by_the_caller():
    with Workers(1) as workers:
        found = dict(workers.each(_go_down, [(n,) for n in range(9)], alone=_instead))
        assert workers.submit(_go_down, 1, alone=_instead).result() == -1
    # What was under way beside the one that went down is done anew as well.
    assert found[1] == -1
    assert {number: abs(result) for number, result in found.items()} == {n: n for n in range(9)}
    assert [found[number] for number in range(4, 9)] == [4, 5, 6, 7, 8]


def test_a_call_that_comes_back_the_second_time_has_its_result(tmp_path):
    with Workers(1) as workers:
        found = dict(workers.each(_go_down_once, [(tmp_path / "mark", n) for n in range(6)]))
    assert found == {n: n for n in range(6)}


@pytest.mark.slow
def test_workers_begin_anew_after_a_process_went_down():
    with Workers(1) as workers:
        assert workers.submit(_square, 3).result() == 9
        with pytest.raises(ProcessDown):
            workers.submit(_go_down, 1).result()
        assert [workers.submit(_square, n).result() for n in (4, 5)] == [16, 25]


class _InterruptedPool:
    """A pool that is interrupted while it starts a process: another thread takes the signal."""

    def __init__(self, other: threading.Thread) -> None:
        self.other = other
        self.started = 0

    def submit(self, function, *arguments):
        signal.pthread_kill(self.other.ident, signal.SIGINT)
        time.sleep(0.05)
        self.started += 1


def test_an_interruption_waits_until_a_process_is_known(interruptible):
    done = threading.Event()
    other = threading.Thread(target=done.wait)
    other.start()
    pool = _InterruptedPool(other)
    usual = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        submit(pool, _square, 2)
    done.set()
    other.join()
    assert pool.started == 1
    assert signal.getsignal(signal.SIGINT) is usual
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.slow
@pytest.mark.parametrize("work", ["list(map(submitted, range(3)))", "run_apart(math.sqrt, 4)"])
def test_a_script_that_does_not_ask_whether_it_is_the_main_one_runs_once(tmp_path, work):
    """Processes that it starts do not begin it again."""
    script = tmp_path / "script.py"
    script.write_text(
        "import math\nfrom emu.base.processes.workers import Workers, run_apart\nprint('begins')\n"
        "submitted = lambda n: Workers(1).submit(math.sqrt, n).result()\n"
        f"print({work})\n"
    )
    done = subprocess.run(
        [sys.executable, script],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert done.stderr == ""
    assert done.stdout.splitlines()[0] == "begins"
    assert len(done.stdout.splitlines()) == 2


def test_a_single_call_has_a_process_that_ends_with_it(tmp_path):
    with Workers(1) as workers:
        assert workers.once(os.getpid) not in (os.getpid(), workers.once(os.getpid))
        assert workers.once(_square, 3) == 9
        with pytest.raises(UsageError, match="two is refused"):
            workers.once(_refuse, 2)
        assert workers.once(_go_down, 1, alone=_instead) == -1
        assert workers.once(_go_down_once, tmp_path / "mark", 1) == 1
        kept = workers.submit(os.getpid).result()
        assert workers.once(os.getpid) == kept


@pytest.mark.slow
@pytest.mark.parametrize("method", ["forkserver", "spawn"])
def test_files_in_the_working_folder_are_no_modules_of_workers(tmp_path, method):
    """Python imports its own re before a worker is told where it is to look."""
    for name in ("re.py", "types.py", "json.py"):
        (tmp_path / name).write_text("raise SystemExit('a file of the user was imported')\n")
    script = tmp_path / "elsewhere" / "script.py"
    script.parent.mkdir()
    script.write_text(
        "from emu.base.processes.companion import Companion\n"
        "from emu.base.processes.workers import run_apart, submit, worker_pool\n"
        "with worker_pool(1) as pool:\n"
        "    print(submit(pool, abs, -1).result(), run_apart(abs, -2), Companion().call(abs, -3))\n"
    )
    done = subprocess.run(
        [sys.executable, script],
        cwd=tmp_path,
        env={**os.environ, "MACPROOF_START_METHOD": method},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("1 2 3\n", "")
