"""Several verifications one after the other: none waits for the one before, and none changes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

import pytest

from emu.base.errors import UsageError
from emu.base.processes.workers import Workers
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.cases.programs.subject import Subject
from emu.verify.runs import schedule
from emu.verify.runs.schedule import Run
from emu.verify.scenes.scene_plan import chunks, plan_scenes
from emu.verify.verification import verify, verify_each

Prebuilt = Callable[..., list[Subject]]


def run_of(case: Case, subjects: list[Subject], scenes: int) -> Run:
    """A run of few scenes in several chunks."""
    return Run(case, subjects, plan_scenes(case, scenes, 1994, [0, 1, 2]))


def test_runs_have_the_results_that_each_has_alone(case: Case, prebuilt: Prebuilt) -> None:
    runs = [run_of(case, prebuilt(["601"]), 30), run_of(case, prebuilt(["68040"]), 9)]
    with Workers(1) as workers:
        done = list(schedule.verify_each(iter(runs), workers))
        assert [id(run) for run in done] == [id(run) for run in runs]
        for run in runs:
            again = schedule.verify(case, run.subjects, run.specs, workers=workers)
            assert run.results() == again
            assert again[0].scenes == len({spec.scene for spec in run.specs})


def test_a_run_begins_before_the_one_before_is_done(case: Case, prebuilt: Prebuilt) -> None:
    # Two scenes are two chunks: with the second under way, the worker is asked for one call more.
    first, second = (run_of(case, prebuilt(["601"]), 2) for _ in range(2))
    assert len(chunks(first.specs)) == 2
    seen: list[bool] = []

    def runs() -> Iterator[Run]:
        yield first
        seen.append(first.is_done)
        yield second

    with Workers(1) as workers:
        assert list(schedule.verify_each(runs(), workers)) == [first, second]
    assert seen == [False]
    assert first.is_done
    assert second.is_done


def test_a_run_without_programs_is_given_in_its_turn(case: Case, prebuilt: Prebuilt) -> None:
    runs = [run_of(case, subjects, 3) for subjects in ([], prebuilt(["601"]), [])]
    with Workers(1) as workers:
        done = list(schedule.verify_each(iter(runs), workers))
    assert [len(run.results()) for run in done] == [0, len(prebuilt(["601"])), 0]


def test_what_the_next_case_is_refused_for_is_told_after_the_one_before(
    case: Case, prebuilt: Prebuilt
) -> None:
    def runs() -> Iterator[Run]:
        yield run_of(case, prebuilt(["601"]), 9)
        raise UsageError("the second is refused")

    done = []
    with Workers(1) as workers, pytest.raises(UsageError, match="the second is refused"):
        for run in schedule.verify_each(runs(), workers):
            done.append(run.results()[0].scenes)
    assert done == [9]


def test_reports_are_those_of_each_case_alone() -> None:
    cases = [load_case("brute-force"), load_case("four-shifts-test-of-two")]
    selections = [programs_of(one, cpus=["601"], builds=["O2"], use="prebuilt") for one in cases]
    seen: dict[str, int] = {}

    def advance(case: Case, more: int, calls: int) -> None:
        seen[case.name] = seen.get(case.name, 0) + more
        assert seen[case.name] <= calls

    with Workers(1) as workers:
        found = list(verify_each(selections, workers, scenes=5, on_progress=advance))
        alone = [verify(one.case, one, scenes=5, workers=workers) for one in selections]
    assert [selection.case.name for selection, _ in found] == [case.name for case in cases]
    for (_, verification), other in zip(found, alone, strict=True):
        assert verification.verdict == "verified"
        assert _timeless(verification.report) == _timeless(other.report)
        assert verification.report.receipt.seconds > 0
    assert seen.keys() == {case.name for case in cases}


def _timeless(report: object) -> object:
    receipt = dataclasses.replace(report.receipt, seconds=0)  # type: ignore[attr-defined]
    return dataclasses.replace(report, receipt=receipt)  # type: ignore[type-var]
