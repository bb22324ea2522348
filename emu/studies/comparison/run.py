"""Runs all systems on all scenes in worker processes, since guest code may take one down."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from emu.base.errors import GuestError
from emu.machine.apart import GuestWorkers, run_apart
from emu.studies.comparison.measure import Cell, Run, Task, measure
from emu.studies.comparison.plan import Plan
from emu.studies.comparison.system import System


def run_systems(
    systems: Sequence[System],
    plan: Plan,
    *,
    jobs: int = 0,
    on_progress: Callable[[int], None] = lambda done: None,
) -> list[Cell]:
    """Run every system on scenes of every kind and size.

    Args:
        systems: what is run.
        plan: the scenes.
        jobs: worker processes; 0 is one for each processor.
        on_progress: called with 1 for each system and kind and size that is done.

    Returns:
        The cells, by system, then kind, then size.

    Raises:
        MacproofError: a function that a file names is not as it should be. What guest code does
            is never an error, but told by its cell.
    """
    tasks = list(_tasks(systems, plan))
    # The long ones first: none of them should be left alone at the end.
    order = sorted(range(len(tasks)), key=lambda index: -tasks[index].objects)
    found: dict[int, Cell] = {}

    calls = [(tasks[index], plan) for index in order]
    with GuestWorkers(jobs) as workers:
        for place, cell in workers.each(measure, calls, alone=_measure_apart):
            found[order[place]] = cell
            on_progress(1)
    return [found[index] for index in range(len(tasks))]


def _tasks(systems: Sequence[System], plan: Plan) -> Iterator[Task]:
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


def _measure_apart(task: Task, plan: Plan) -> Cell:
    """Run one task in a process of its own, which it may take down."""
    try:
        return run_apart(measure, task, plan)
    except GuestError as error:
        subjects = task.forms[0][1]
        return Cell(
            task.system,
            task.generator,
            task.objects,
            plan.scene_count(task.objects),
            runs={cpu: Run(problem=str(error)) for cpu in subjects},
        )
