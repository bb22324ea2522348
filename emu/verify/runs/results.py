"""Makes the `Result` of a chunk of scenes: the last step on their road.

`Scenes` and a `SceneExecution` (images, batch, wrong scenes) go in. The result has failures in
words, and numbers that add up with those of other chunks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from emu.cases.programs.subject import Subject
from emu.checks.isa_model import InstructionFinding
from emu.checks.memory import MemoryChecks
from emu.engines.registry import engine_of
from emu.machine import Batch, CodeBlock
from emu.machine.code_coverage.executed_edges import Edge
from emu.verify.batches.bench import Bench
from emu.verify.calls.executed_code import is_missing_in_engine_only, words_of
from emu.verify.calls.preceding_calls import PrecedingCallError
from emu.verify.calls.preceding_writes import variables_written
from emu.verify.calls.reached_code import Reached
from emu.verify.images.scene_images import ExpectedImages
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.toolbox_notes import notes_of
from emu.verify.runs.verdicts import (
    FAILURES_KEPT,
    Failure,
    Result,
    SeenDefect,
    first_reasons,
    first_seen,
)
from emu.verify.scenes.fills import Fill
from emu.verify.scenes.scene_spec import SceneSpec


@dataclass(frozen=True, slots=True, eq=False)
class SceneExecution:
    """What the calls on some scenes did.

    Attributes:
        images: what the calls began with, and what they should have left.
        batch: what they left, up to the first call that did not return.
        wrong: the indices of the scenes whose calls left wrong values.
        code: the blocks of code that were reached for the first time, also by routines that are
            called before.
        isa: findings about instructions in these blocks.
        edges: how often each step between blocks was taken; None if the machine does not record it.
        memory: mistakes in memory; None if that was not checked.
    """

    images: ExpectedImages
    batch: Batch
    wrong: Sequence[int]
    code: Sequence[CodeBlock]
    isa: tuple[InstructionFinding, ...]
    edges: Mapping[Edge, int] | None
    memory: MemoryChecks | None


def result_of(subject: Subject, bench: Bench, scenes: Scenes, execution: SceneExecution) -> Result:
    """The result of a program on some scenes.

    Args:
        subject: the program.
        bench: the case on it.
        scenes: the scenes.
        execution: what the calls on all of these scenes did.

    Raises:
        CaseError: the reference was asked again about the first wrong scene, and gave another
            answer.
    """
    images, batch, done = execution.images, execution.batch, execution.batch.completed
    stages, ran = bench.stages(images), scenes.specs[:done]
    padding = len(stages.differences.padding)
    fills = [spec.fill for spec in ran]
    fault, crash = _fault_and_crash(bench, execution, scenes)
    untranslated = len([row for row in batch.untranslated if row < done])
    return Result(
        subject,
        abi=bench.machine.convention.name,
        engine=bench.machine.calls.engine,
        calls=tuple(fills.count(fill) for fill in Fill),
        scenes=scenes.distinct(slice(done)),
        changed_scenes=_changed_scenes(bench, execution, scenes),
        inputs=frozenset(scenes.inputs[:done]),
        comparisons=_comparisons(bench, execution, scenes),
        bytes_compared=int(batch.after.size) - done * padding,
        padding=padding,
        not_kept=len([row for row in images.not_kept if row < done]),
        odd=done if images.bound.is_odd else 0,
        agreed=len(scenes.agreed and scenes.agreed.intersection(scenes.places[:done].tolist())),
        widened=scenes.widened,
        diverged=scenes.distinct(execution.wrong),
        violated=scenes.distinct(list(batch.violations)),
        failures=tuple(_failures(bench, scenes, execution)[:FAILURES_KEPT]),
        fault=fault,
        crash=crash,
        isa=execution.isa,
        defects=_defects(bench, execution, scenes),
        edges=execution.edges,
        before_writes=_written_before(images),
        reached=_reached(subject, execution.code),
        memory=execution.memory,
        asked=len([row for row in batch.asked if row < done]),
        notes=notes_of(bench.case, batch, scenes.specs),
        read=scenes.read,
        answers=_answers(bench, ran, execution),
        translated=done - untranslated if bench.machine.calls.leaves_calls else 0,
        untranslated=untranslated,
        reasons=first_reasons(batch.untranslated.values()),
        notes_of_answers=stages.watch.notes(
            scenes.references[:done], scenes.inputs[:done], batch.after
        ),
    )


def result_before(subject: Subject, failed: PrecedingCallError, spec: SceneSpec) -> Result:
    """The result of a scene on which a call before the one under test failed."""
    failure = Failure(spec, violations=failed.violations, fault=failed.fault)
    return Result(
        subject,
        violated=bool(failed.violations),
        failures=(failure,),
        fault=f"{failed.reason} ({spec})",
    )


def _changed_scenes(bench: Bench, execution: SceneExecution, scenes: Scenes) -> int:
    """`Result.changed_scenes`: on how many scenes calls changed anything at all."""
    before, batch = execution.images.before[: execution.batch.completed], execution.batch
    return scenes.distinct(bench.differences(execution.images).rows(before, batch.after))


def _comparisons(bench: Bench, execution: SceneExecution, scenes: Scenes) -> int:
    """`Result.comparisons`: the values of the calls that returned."""
    images, done = execution.images, execution.batch.completed
    values, answers = images.values, bench.stages(images).answers
    if done < len(scenes.specs):
        values = answers.expect(images.take(range(done)), scenes.references[:done]).values
    return values + answers.inputs_compared(scenes.scenes, done)


def _written_before(images: ExpectedImages) -> tuple[str, ...]:
    """`Result.before_writes`."""
    bound = images.bound
    if images.written is None:
        return ()
    machine = bound.machine
    return variables_written(images.written, machine.program, machine.data, bound.variables)


def _reached(subject: Subject, blocks: Sequence[CodeBlock]) -> Reached | None:
    """`Result.reached`."""
    if not engine_of(subject.engine).abilities.counts:
        return None
    return tuple(sorted({(block.address, len(block.code)) for block in blocks}))


def _answers(
    bench: Bench, ran: Sequence[SceneSpec], execution: SceneExecution
) -> tuple[tuple[SceneSpec, str], ...]:
    """`Result.answers`."""
    images, words = execution.images, [""] * len(ran)
    differences = bench.differences(images)
    for index in execution.wrong:
        divergence = differences.first(images.expected[index], execution.batch.after[index])
        assert divergence is not None
        words[index] = f"{divergence.place} is {divergence.found}"
    return tuple(zip(ran, words, strict=True))


def _defects(bench: Bench, execution: SceneExecution, scenes: Scenes) -> tuple[SeenDefect, ...]:
    """The findings of sanitizers, also in a call that did not return."""
    batch, log = execution.batch, bench.stages(execution.images).calls.log
    defects = log.read(batch.after)
    if batch.fault is not None:
        last = log.read(bench.machine.data.copy()[np.newaxis])
        defects[batch.completed] = last.get(0, ())
    return first_seen(
        SeenDefect(defect, scenes.specs[row]) for row in sorted(defects) for defect in defects[row]
    )


def _fault_and_crash(bench: Bench, execution: SceneExecution, scenes: Scenes) -> tuple[str, str]:
    """`Result.fault` and `Result.crash`. If only the engine is at fault, it is a crash."""
    machine, batch = bench.machine, execution.batch
    fault, layout = batch.fault, execution.images.bound.arrangement
    if fault is None:
        return "", ""
    where = "; ".join(filter(None, [str(scenes.specs[batch.completed]), layout]))
    words = f"{words_of(machine, fault)} ({where})"
    if is_missing_in_engine_only(machine, fault):
        return "", f"{words}; a {machine.cpu.name} has this instruction, but the engine does not"
    return ("", words) if fault.is_undecided else (words, "")


def _failures(bench: Bench, scenes: Scenes, execution: SceneExecution) -> list[Failure]:
    """The first calls with wrong results, and all that broke the call contract or faulted."""
    images, batch, wrong = execution.images, execution.batch, execution.wrong
    differences, layout = bench.differences(images), images.bound.arrangement
    failures = []
    may_run_again = True
    if wrong:
        scenes.ask_again(bench.case, wrong[0])
    returned = [index for index in batch.violations if index < batch.completed]
    for index in sorted({*wrong[:FAILURES_KEPT], *returned}):
        rerun = None
        if index in wrong and may_run_again:
            rerun = bench.rerun(images, index)
            may_run_again = rerun is not None  # no second one: a call that hangs takes seconds
        divergence = differences.first(images.expected[index], batch.after[index], rerun)
        broken = batch.violations.get(index, ())
        failures.append(Failure(scenes.specs[index], divergence, broken, layout=layout))
    if batch.fault is not None:
        broken = batch.violations.get(batch.completed, ())
        spec = scenes.specs[batch.completed]
        describe = batch.fault.describe()
        failures.append(Failure(spec, violations=broken, fault=describe, layout=layout))
    return failures
