"""Limits of a run: processor time, and waits."""

from __future__ import annotations

from emu.toolbox.computer.run_time import RunTime

_BEAT = 0.2


class _Processor:
    """A clock of processor time that a test moves."""

    def __init__(self) -> None:
        self.seconds = 5.0

    def __call__(self) -> float:
        return self.seconds


def _after(beats: int, *, used: float, limit: float) -> RunTime:
    """The time of a run that has used the processor for so many seconds in each beat."""
    processor = _Processor()
    run = RunTime(limit, processor)
    for _ in range(beats):
        processor.seconds += used
        run.beat(_BEAT)
    return run


def test_a_run_may_use_the_processor_for_as_long_as_its_limit() -> None:
    assert _after(50, used=_BEAT, limit=10.5).late() < 0
    late = _after(50, used=_BEAT, limit=9)
    assert round(late.late(), 6) == 1
    assert late.problem == "it did not end within 9 seconds"


def test_a_run_that_gets_a_thirtieth_of_the_processor_may_last_as_long_as_it_takes() -> None:
    """A quarter of an hour by the clock on the wall, of which 30 seconds were its own."""
    run = _after(4500, used=_BEAT / 30, limit=31)
    assert run.late() < 0


def test_a_run_that_only_waits_ends_after_twenty_times_its_limit() -> None:
    assert _after(99, used=0.0001, limit=1).late() < 0
    waits = _after(101, used=0.0001, limit=1)
    assert waits.late() > 0
    assert waits.problem == (
        "it has waited for 20 seconds for something of this computer, and is ended, as "
        "--timeout 1 says"
    )


def test_a_run_without_a_limit_is_never_late() -> None:
    assert _after(10_000, used=_BEAT, limit=float("inf")).late() < 0
    assert _after(10_000, used=0, limit=float("inf")).late() < 0
