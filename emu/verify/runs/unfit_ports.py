"""Refutes ports that a case does not fit, if the case fits the old program or its own sources.

If a port lacks a global or a parameter, or returns nothing, the port is wrong. So it is refuted,
with both declarations. If the case fits no program, the case is wrong, and its author gets an
error.
"""

from __future__ import annotations

from contextlib import closing

from emu.base.errors import InputError, MacproofError
from emu.cases.case import Case
from emu.cases.programs.subject import Subject
from emu.machine.program_file import program_and_cpu
from emu.verify.batches.bench import Bench
from emu.verify.places.declared_types import all_differences, declared_right
from emu.verify.places.own_program import own_program
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.verdicts import Failure, Result


def refuted_as_unfit(
    case: Case, subject: Subject, scenes: Scenes, error: InputError
) -> Result | None:
    """The result "refuted" of a program that a case does not fit; None if the case may be wrong.

    Args:
        case: the case.
        subject: the program.
        scenes: the scenes on which it was to be called.
        error: why the case does not fit the program.
    """
    try:
        program, cpu = program_and_cpu(subject.of_case(case), None)
    except MacproofError:
        return None
    right = declared_right(case, program, cpu.name)
    has_all = all(name in program.functions for name in case.called)
    differences = [] if right is None or not has_all else all_differences(case, program, right)
    if not differences or not (case.routine is not None or _fits_own(case, cpu.name, scenes)):
        return None
    clauses = (*differences, f"so {error.problem}")
    return Result(
        subject,
        violated=len({spec.scene for spec in scenes.specs}),
        failures=(Failure(scenes.specs[0], violations=("; ".join(clauses),)),),
    )


def _fits_own(case: Case, cpu: str, scenes: Scenes) -> bool:
    """Whether the case fits its own program, with these scenes and answers."""
    try:
        own = own_program(case, cpu)
        if own is None:
            return False
        bench = Bench.on(case, own, program_and_cpu(own, cpu)[1])
        with closing(bench.machine):
            for rows in bench.alike(scenes.preparations):
                some = scenes.take(rows)
                images = bench.before(some.scenes, some.preparations)
                bench.expect(images, some.references)
    except MacproofError:
        return False
    return True
