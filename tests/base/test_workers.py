"""Worker processes: results as they come, failures, and processes that go down."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from emu.base.errors import UsageError
from emu.base.workers import WorkerDied, Workers, default_jobs, run_all, submit


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


def test_there_is_a_job_for_each_processor():
    assert 1 <= default_jobs() <= (os.cpu_count() or 1)
    with Workers() as workers:
        assert workers.processes == default_jobs()


def test_each_result_comes_with_the_index_of_its_call():
    found = {}
    run_all(_square, [(n,) for n in range(9)], jobs=2, on_result=found.__setitem__)
    assert found == {n: n * n for n in range(9)}


def test_no_calls_are_no_work():
    run_all(_square, [], on_result=lambda index, result: pytest.fail("there is none"))


def test_what_a_call_raises_is_raised():
    with pytest.raises(UsageError, match="two is refused"):
        run_all(_refuse, [(n,) for n in range(4)], jobs=1, on_result=lambda index, result: None)


def test_results_before_a_process_went_down_are_handed_over():
    found = {}
    with pytest.raises(WorkerDied):
        run_all(_go_down, [(0,), (1,), (2,)], jobs=1, on_result=found.__setitem__)
    assert found == {0: 0}


def test_workers_begin_anew_after_a_process_went_down():
    with Workers(1) as workers:
        assert workers.submit(_square, 3).result() == 9
        with pytest.raises(WorkerDied):
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


def test_an_interruption_waits_until_a_process_is_known():
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


@pytest.mark.parametrize("work", ["list(map(submitted, range(3)))", "run_apart(math.sqrt, 4)"])
def test_a_script_that_does_not_ask_whether_it_is_the_main_one_runs_once(tmp_path, work):
    """Processes that it starts do not begin it again."""
    script = tmp_path / "script.py"
    script.write_text(
        "import math\nfrom emu.base.workers import Workers, run_apart\nprint('begins')\n"
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
