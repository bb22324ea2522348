"""Running one program on scenes: what a worker process of `emu.verify.schedule` does."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import GuestError, MacproofError, WrongResultError
from emu.cases.case import Case, read_case
from emu.cases.programs import Subject
from emu.checks.isa_model import REFUTES
from emu.cycles.counting import count_calls
from emu.machine import Batch, Budget, Fault, GuestFault, Machine
from emu.verify.bound_case import BoundCase
from emu.verify.executed_code import lacks, lacks_only_the_engine, stale_code
from emu.verify.fills import Fill
from emu.verify.prepared_scenes import Scenes
from emu.verify.verdicts import FAILURES_KEPT, Failure, Result, SceneSpec

_MACHINES_KEPT = 48
_RESCUE_SCENES = 20
_RESCUE_BUDGET = Budget(blocks=20_000, patience=0.02)


@functools.lru_cache(maxsize=_MACHINES_KEPT)
def bound_case_for(case_path: Path, subject: Subject) -> BoundCase:
    """A machine bound to a case; a process keeps those of the last case or two."""
    return BoundCase(read_case(case_path), Machine(subject))


def run_scenes(subject: Subject, bound: BoundCase, scenes: Scenes) -> Result:
    """Run one subject on scenes, up to the first that it does not come back from."""
    machine = bound.machine
    before = bound.before(scenes.scenes, scenes.preparations)
    expected, values = bound.expected(before, scenes.references)
    lacks(machine)  # what others have run on this machine is none of this result's
    around = bound.surroundings(scenes.preparations)
    batch = machine.run_batch(bound.routine, before, (), around)
    isa = (*lacks(machine), *stale_code(machine, batch))
    done = batch.completed
    wrong = _calls(bound, expected[:done], batch.after)
    changed = _calls(bound, before[:done], batch.after)
    failures = _failures(bound, scenes, before, expected, batch, wrong)
    fault = crash = ""
    if batch.fault is not None:
        fault, crash = _fault_and_crash(machine, batch.fault, scenes.specs[done])
        failures.append(Failure(scenes.specs[done], fault=batch.fault.describe()))
    if done < len(scenes.specs):  # of those that did not run, nothing was compared
        _, values = bound.expected(before[:done], scenes.references[:done])
    ran = scenes.specs[:done]
    padding = len(bound.differences.padding)
    return Result(
        subject,
        abi=machine.convention.name,
        calls=tuple(sum(spec.fill is fill for spec in ran) for fill in Fill),
        scenes=len({spec.scene for spec in ran}),
        changed=len({ran[index].scene for index in changed}),
        inputs=frozenset(scenes.inputs[:done]),
        comparisons=values + bound.inputs_compared(scenes.scenes[:done]),
        bytes_compared=int(batch.after.size) - done * padding,
        padding=padding,
        diverged=len({ran[index].scene for index in wrong}),
        violated=len({ran[index].scene for index in batch.violations}),
        failures=tuple(failures[:FAILURES_KEPT]),
        fault=fault,
        crash=crash,
        isa=isa,
    )


def _fault_and_crash(machine: Machine, fault: Fault, spec: SceneSpec) -> tuple[str, str]:
    """`Result.fault` and `Result.crash`: where only the engine is at fault, nothing is known."""
    words = f"{fault.reason}, at {fault.location} ({spec})"
    if lacks_only_the_engine(machine, fault):
        return "", f"{words}; a {machine.cpu.name} has this instruction, the engine has not"
    return ("", words) if fault.kind == "engine" else (words, "")


def _calls(bound: BoundCase, one: NDArray[np.uint8], other: NDArray[np.uint8]) -> list[int]:
    """The calls of which two images differ."""
    return np.flatnonzero(bound.differences.wrong(one, other).any(axis=1)).tolist()


def _failures(
    bound: BoundCase,
    scenes: Scenes,
    before: NDArray[np.uint8],
    expected: NDArray[np.uint8],
    batch: Batch,
    wrong: Sequence[int],
) -> list[Failure]:
    """The first calls with wrong results, and all that broke the contract."""
    failures = []
    may_run_again = True
    for index in sorted({*wrong[:FAILURES_KEPT], *batch.violations}):
        rerun = None
        if index in wrong and may_run_again:
            rerun = bound.rerun(before[index], scenes.scenes[index], scenes.preparations[index])
            may_run_again = rerun is not None  # one that never returns takes time
        divergence = bound.divergence(expected[index], batch.after[index], rerun)
        broken = batch.violations.get(index, ())
        failures.append(Failure(scenes.specs[index], divergence, broken))
    return failures


def require_right(result: Result, what: str) -> None:
    """Make sure that a program did what its reference does: the speed of a wrong one says nothing.

    Args:
        result: what became of it.
        what: the program, for a message.

    Raises:
        WrongResultError: it did something else, or would not run on the real processor.
        GuestError: it did not come back.
    """
    for finding in result.isa:
        if finding.weight == REFUTES:
            raise WrongResultError(f"{what} is not timed: {finding}")
    if result.fault or result.crash:
        failure = result.failures[-1]
        raise GuestError(f"{what} did not come back: {failure.spec}\n{failure.fault}")
    for failure in result.failures:
        raise WrongResultError(f"{what} is wrong, and is not timed: {failure.spec}: {failure}")


def measure(result: Result, bound: BoundCase, scenes: Scenes) -> Result:
    """A result with the instructions of one call, for the first of the scenes."""
    machine = bound.machine
    try:
        counts = count_calls(machine, bound.routine, bound.before(scenes.scenes[:1]))
    except GuestFault as error:
        return replace(result, crash=f"counted, {error.fault.reason} ({scenes.specs[0]})")
    except GuestError:
        return result  # code that changes itself is not counted; the verdict stands
    executed = counts.blocks()
    blocks = sum(executed.values())
    if blocks > machine.budget.blocks:
        # It came back at full speed, where only the clock counts, and so is not known to be wrong.
        why = f"it did not come back within {machine.budget.blocks} blocks, counted"
        return replace(result, crash=f"{why} ({scenes.specs[0]})")
    try:
        instructions = sum(
            count * machine.cpu.count_instructions(counts.code[block])
            for block, count in executed.items()
        )
    except MacproofError:
        return result  # a block that cannot be decoded is not counted; the verdict stands
    return replace(result, instructions=instructions, blocks=blocks, measured=scenes.specs[0])


def rescue(subject: Subject, bound: BoundCase, case: Case) -> Result:
    """After a fault on the first scene: does the routine come back from any, however small?"""
    machine = bound.machine
    usual, machine.budget = machine.budget, _RESCUE_BUDGET
    result = Result(subject)
    smallest = min((size for size in case.objects if size), default=0)
    try:
        for seed in range(_RESCUE_SCENES):
            generator = case.generators[seed % len(case.generators)]
            scenes = Scenes.make(case, [SceneSpec(generator, smallest, seed)])
            one = run_scenes(subject, bound, scenes)
            if not one.fault:
                result += one
    finally:
        machine.budget = usual
    return result
