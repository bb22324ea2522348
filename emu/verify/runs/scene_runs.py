"""Runs one program on scenes: `Scenes` go in, and through the stages of `Bench` become a `Result`.

The worker processes of `emu.verify.runs.schedule` do this.
"""

from __future__ import annotations

import time
from dataclasses import replace

from emu.base.errors import GuestError, MacproofError, WrongResultError
from emu.cases.case import Case
from emu.cases.programs.subject import UNICORN, Subject
from emu.checks.isa_model import REFUTES
from emu.machine import Budget, GuestFault
from emu.verify.batches.bench import Bench
from emu.verify.batches.benches import bench_for
from emu.verify.calls.executed_code import missing_instructions, stale_code_findings
from emu.verify.calls.preceding_calls import PrecedingCallError
from emu.verify.images.answer_notes import AnswerNotes
from emu.verify.images.scene_images import ExpectedImages
from emu.verify.memory.memory_checks import SceneChecks
from emu.verify.memory.screened_scenes import EVERY_CALL, HookPlan, ScreenedScenes
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.results import SceneExecution, result_before, result_of
from emu.verify.runs.second_opinion import with_second_opinion
from emu.verify.runs.verdicts import CountedCall, Result
from emu.verify.scenes.scene_spec import SceneSpec

_SMALL_SCENES = 20
_SMALL_SECONDS = 15.0
_SMALL_BUDGET = Budget(blocks=20_000, patience=0.02)


def run_scenes(
    subject: Subject, bench: Bench, scenes: Scenes, plan: HookPlan = EVERY_CALL
) -> Result:
    """Run one program on scenes, up to the first call that does not return.

    Scenes with buffers at odd addresses come last. So if calls fail in both layouts, the first
    failure that is reported is one in the usual layout, which is easier to understand.

    Args:
        subject: the program.
        bench: the case on it.
        scenes: the scenes.
        plan: what hooks look at if the machine has a screen.

    Returns:
        The result on these scenes alone.
    """
    layouts = bench.alike(scenes.preparations)
    if len(layouts) == 1:
        return _run_alike(subject, bench, scenes, plan)
    result = Result(subject)
    for rows in layouts:
        if not (result.fault or result.crash):
            result += _run_alike(subject, bench, scenes.take(rows), plan)
    return replace(result, widened=scenes.widened)


def _run_alike(subject: Subject, bench: Bench, scenes: Scenes, plan: HookPlan) -> Result:
    """Run scenes that all have one layout, through the stages of the bench."""
    try:
        images = bench.before(scenes.scenes, scenes.preparations)
    except PrecedingCallError as failed:
        failure = result_before(subject, failed, scenes.specs[failed.row])
        if not failed.row:
            return failure
        return _run_alike(subject, bench, scenes.first(failed.row), plan) + failure
    execution = _execute(subject, bench, scenes, bench.expect(images, scenes.references), plan)
    result = result_of(subject, bench, scenes, execution)
    is_unicorns = subject.engine == UNICORN and not bench.machine.calls.leaves_calls
    if is_unicorns or not (execution.wrong or execution.batch.violations):
        return result
    on_unicorn = bench_for(bench.case, replace(subject, engine=UNICORN, native=None))
    return with_second_opinion(result, on_unicorn, scenes, execution)


def _execute(
    subject: Subject, bench: Bench, scenes: Scenes, images: ExpectedImages, plan: HookPlan
) -> SceneExecution:
    """Make the calls of scenes, and compare what they left."""
    # Code so far is of routines called before. What they lack is no finding about this routine; but
    # the machine has to report it again if this routine executes it, too, so it is looked for.
    machine, code = bench.machine, bench.code.take()
    missing_instructions(machine, code)
    executed = machine.calls.executed_edges
    if executed is not None:
        executed.take()  # drops what the routines that are called before have executed
    checks: SceneChecks | ScreenedScenes = SceneChecks(
        bench, images, scenes.specs, known=plan.known
    )
    if machine.calls.screen is not None:
        checks = ScreenedScenes(subject, bench, images, scenes.specs, plan)
    batch = checks.run()
    edges = None if executed is None else executed.take()
    memory = checks.judge(batch)
    blocks = bench.code.take()
    isa = (*missing_instructions(machine, blocks), *stale_code_findings(machine, batch))
    done = batch.completed
    wrong = bench.differences(images).rows(images.expected[:done], batch.after)
    return SceneExecution(images, batch, wrong, [*code, *blocks], isa, edges, memory)


def require_correct(result: Result, program: str) -> None:
    """Raise unless a program's results are correct. A wrong program is not worth timing.

    Args:
        result: the result of the program.
        program: the program's name, for messages.

    Raises:
        WrongResultError: a value was wrong, a rule of the call contract was broken, or the program
            has an instruction that its processor lacks.
        GuestError: a call did not return.
    """
    for finding in result.isa:
        if finding.weight == REFUTES:
            raise WrongResultError(f"{program} is not timed: {finding}")
    if result.fault or result.crash:
        failure = result.failures[-1]
        raise GuestError(f"{program} did not return: {failure.spec}\n{failure.fault}")
    for failure in result.failures:
        raise WrongResultError(f"{program} is wrong and is not timed: {failure.spec}: {failure}")


def count_instructions(result: Result, bench: Bench, scenes: Scenes) -> Result:
    """Count the instructions of the call on the first scene, and add them to a result.

    Args:
        result: the result so far.
        bench: the case on the program.
        scenes: the scenes; the first one is run again.

    Returns:
        The result with the counts of the call in the usual layout. Code that changes itself, or
        that cannot be decoded, is not counted; then the result is returned without counts.
    """
    machine, images = bench.machine, bench.before(scenes.scenes[:1])
    stages = bench.stages(images)
    around = stages.before.surroundings(scenes.preparations[:1])[0]
    notes = AnswerNotes(unfilled=stages.watch.unfilled(images.before[0], around))
    result = replace(result, notes_of_answers=result.notes_of_answers + notes)
    try:
        counts = bench.count(images)
    except GuestFault as error:
        return replace(
            result,
            crash=f"while instructions were counted, {error.fault.reason} ({scenes.specs[0]})",
        )
    except GuestError:
        return result  # the code changes itself; the verdict stands
    executed = counts.blocks()
    blocks = sum(executed.values())
    try:
        instructions = sum(
            count * machine.cpu.count_instructions(counts.code[block])
            for block, count in executed.items()
        )
    except MacproofError:
        return result  # a block cannot be decoded; the verdict stands
    return replace(result, instructions=CountedCall(instructions, blocks, scenes.specs[0]))


def run_small_scenes(subject: Subject, bench: Bench, case: Case) -> Result:
    """Run a program that faulted on its first scene on the smallest scenes.

    A routine that returns from some scenes and not from others is refuted. One that never returns
    may have been called wrongly, so the verdict on it is inconclusive.

    Returns:
        The sum of the results of the scenes from which the routine returned.
    """
    machine = bench.machine
    usual, machine.budget = machine.budget, _SMALL_BUDGET
    result = Result(subject)
    smallest = min((size for size in case.objects if size), default=0)
    end = time.monotonic() + _SMALL_SECONDS
    try:
        for seed in range(_SMALL_SCENES):
            if time.monotonic() > end:
                break  # another engine than Unicorn takes long to find out that a call hangs
            generator = case.generators[seed % len(case.generators)]
            scenes = Scenes.make(case, [SceneSpec(generator, smallest, seed)])
            part = run_scenes(subject, bench, scenes)
            if not part.fault:
                result += part
    finally:
        machine.budget = usual
    return result
