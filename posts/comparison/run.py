"""Compares systems: runs each on all scenes, in worker processes that guest code may end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from emu.cycles.models import model_for
from emu.machine.guest_process import GuestWorkers, run_apart
from emu.toolchain.builds import Target
from macproof import Case, GuestError
from posts.comparison.make_report import Comparison, make_report
from posts.comparison.measure import ProcessorCost, SystemResult, Task, measure
from posts.comparison.plan import ComparisonPlan
from posts.comparison.report import ComparisonReport
from posts.comparison.system import System, provide_systems


def compare_systems(
    cases: Sequence[Case],
    plan: ComparisonPlan,
    *,
    targets: Sequence[Target],
    build: str,
    megahertz: float | None = None,
    programs: str = "auto",
    jobs: int = 0,
    command: Sequence[str] = (),
    on_progress: Callable[[int, int], None] = lambda done, of: None,
) -> ComparisonReport:
    """Run systems on the same scenes, and report the results.

    Args:
        cases: the cases that take part; see `posts.comparison.system.choose_cases`.
        plan: the scenes.
        targets: the processors, and whose code each executes.
        build: the build's name.
        megahertz: the clock of predicted speeds; each model's own if left out.
        programs: where programs come from, see `emu.cases.programs.programs.programs_of`.
        jobs: worker processes; 0 is one for each processor.
        command: the command line, for the report.
        on_progress: called with how many cells are newly done and how many there are in all.

    Raises:
        MacproofError: no program can be made, or a Python function that a file names fails or
            returns something wrong. A failure of guest code is no error; the report tells it.
    """
    began = time.monotonic()
    models = {target.name: model_for(target.cpu) for target in targets}
    provided = provide_systems(cases, targets, build, use=programs, jobs=jobs)
    total = len(provided.systems) * len(plan.generators) * len(plan.objects)
    cells = run_systems(
        provided.systems, plan, jobs=jobs, on_progress=lambda done: on_progress(done, total)
    )
    return make_report(
        Comparison(
            systems=provided.systems,
            plan=plan,
            cells=cells,
            models=models,
            megahertz={name: megahertz or model.megahertz for name, model in models.items()},
            codes={target.name: target.code or target.cpu for target in targets},
            build=build,
            left_out=provided.left_out,
            command=command,
            seconds=time.monotonic() - began,
        )
    )


def run_systems(
    systems: Sequence[System],
    plan: ComparisonPlan,
    *,
    jobs: int = 0,
    on_progress: Callable[[int], None] = lambda done: None,
) -> list[SystemResult]:
    """Run every system on scenes of every kind and size.

    Args:
        systems: the systems to run.
        plan: the scenes.
        jobs: worker processes; 0 is one for each processor.
        on_progress: called with 1 for each cell that is done.

    Returns:
        The cells, by system, then kind, then size.

    Raises:
        MacproofError: a Python function that a file names fails or returns something wrong. A
            failure of guest code is no error; its cell tells it.
    """
    tasks = list(_tasks(systems, plan))
    # Start the longest tasks first, so that none of them runs alone at the end.
    order = sorted(range(len(tasks)), key=lambda index: -tasks[index].objects)
    results: dict[int, SystemResult] = {}

    calls = [(tasks[index], plan) for index in order]
    with GuestWorkers(jobs) as workers:
        for place, cell in workers.each(measure, calls, alone=_measure_apart):
            results[order[place]] = cell
            on_progress(1)
    return [results[index] for index in range(len(tasks))]


def _tasks(systems: Sequence[System], plan: ComparisonPlan) -> Iterator[Task]:
    for system in systems:
        forms = [form for form in (system.form, system.larger) if form is not None]
        timed = system.timed
        for generator in plan.generators:
            for objects in plan.objects:
                yield Task(
                    system=system.name,
                    contender=system.contender,
                    forms=tuple((form.path, form.subjects()) for form in forms),
                    timed=(timed.path, timed.subjects()) if timed is not None else None,
                    generator=generator,
                    objects=objects,
                )


def _measure_apart(task: Task, plan: ComparisonPlan) -> SystemResult:
    """Run one task in a process of its own, because guest code may end that process."""
    try:
        return run_apart(measure, task, plan)
    except GuestError as error:
        subjects = task.forms[0][1]
        return SystemResult(
            task.system,
            task.generator,
            task.objects,
            plan.scene_count(task.objects),
            runs={cpu: ProcessorCost(problem=str(error)) for cpu in subjects},
        )
