"""Worker processes: results as they come, failures, and processes that go down."""

import os
import time

import pytest

from emu.errors import UsageError
from emu.workers import WorkerDied, Workers, default_jobs, run_all


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
