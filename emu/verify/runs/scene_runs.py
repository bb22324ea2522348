"""Runs one program on scenes. The worker processes of `emu.verify.runs.schedule` do this."""

from __future__ import annotations

import functools
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import GuestError, MacproofError, WrongResultError
from emu.cases.case import Case, KnownCase
from emu.cases.case_file import read_case
from emu.cases.programs.subject import UNICORN, Subject
from emu.checks.isa_model import REFUTES
from emu.machine import Batch, Budget, CodeBlock, GuestFault
from emu.verify.calls.executed_code import (
    is_missing_in_engine_only,
    missing_instructions,
    stale_code_findings,
    words_of,
)
from emu.verify.calls.preceding_calls import PrecedingCallError
from emu.verify.calls.reached_code import Reached
from emu.verify.images.answer_notes import AnswerNotes
from emu.verify.images.bound_case import BoundCase
from emu.verify.runs.memory_checks import SceneChecks
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.second_opinion import with_second_opinion
from emu.verify.runs.toolbox_notes import notes_of
from emu.verify.runs.verdicts import (
    FAILURES_KEPT,
    CountedCall,
    Failure,
    Result,
    SeenDefect,
    first_seen,
)
from emu.verify.scenes.fills import Fill
from emu.verify.scenes.scene_spec import SceneSpec

_MACHINES_KEPT = 24  # of 15 MB each; four processors with six builds
_SMALL_SCENES = 20
_SMALL_SECONDS = 15.0
_SMALL_BUDGET = Budget(blocks=20_000, patience=0.02)


def bound_case_for(
    case: Case, subject: Subject, *, covers: bool = False, checked: bool = False
) -> BoundCase:
    """The case laid onto a program. A process keeps those of the last case.

    Args:
        case: the case; after one of its files has changed, it is laid onto the program anew.
        subject: the program.
        covers: whether its machine keeps which code calls execute.
        checked: whether its accesses to memory are checked.
    """
    return _kept_case(case.known, subject, covers, checked)


def keeps_machines() -> bool:
    """Whether this process has laid a case onto a program, and so has a machine."""
    return _kept_case.cache_info().currsize > 0


@functools.lru_cache(maxsize=_MACHINES_KEPT)
def _kept_case(known: KnownCase, subject: Subject, covers: bool, checked: bool) -> BoundCase:
    case = replace(read_case(known.path), budget=known.budget or 0)
    return BoundCase.of(case, subject, covers=covers, checked=checked)


def run_scenes(subject: Subject, bound: BoundCase, scenes: Scenes) -> Result:
    """Run one program on scenes, up to the first call that does not return.

    Those with an unusual layout come last, so that the first failure is a usual one if there is.

    Args:
        subject: the program.
        bound: the case laid onto it.
        scenes: the scenes.

    Returns:
        The result on these scenes alone.
    """
    layouts = bound.layouts([spec.seed for spec in scenes.specs])
    if len(layouts) == 1:
        return _run_alike(subject, layouts[0][0], scenes)
    result = Result(subject)
    for one, rows in layouts:
        if not (result.fault or result.crash):
            result += _run_alike(subject, one, scenes.take(rows))
    return replace(result, widened=scenes.widened)


def _run_alike(subject: Subject, bound: BoundCase, scenes: Scenes) -> Result:
    """What `run_scenes` gives of scenes with one layout."""
    try:
        before = bound.before(scenes.scenes, scenes.preparations)
    except PrecedingCallError as failed:
        failure = _failure_before(subject, failed, scenes.specs[failed.row])
        if not failed.row:
            return failure
        return _run_alike(subject, bound, scenes.first(failed.row)) + failure
    machine, not_kept = bound.machine, bound.not_kept
    before_writes = bound.before_writes.take()
    expected, values = bound.expected(before, scenes.references)
    earlier = bound.code.take()  # also of routines that are called before
    missing_instructions(machine, earlier)
    executed = machine.executed_edges
    if executed is not None:
        executed.take()  # drops what the routines have executed that are called before
    checks = SceneChecks(bound, before, scenes)
    batch = checks.run()
    edges = None if executed is None else executed.take()
    memory = checks.judge(batch)
    blocks = bound.code.take()
    isa = (*missing_instructions(machine, blocks), *stale_code_findings(machine, batch))
    done = batch.completed
    wrong = bound.differences.rows(expected[:done], batch.after)
    changed = bound.differences.rows(before[:done], batch.after)
    failures = _failures(bound, scenes, before, expected, batch, wrong)
    fault, crash = _fault_and_crash(bound, batch, scenes)
    if done < len(scenes.specs):  # count the values of the completed calls only
        _, values = bound.expected(before[:done], scenes.references[:done])
    ran = scenes.specs[:done]
    padding = len(bound.differences.padding)
    result = Result(
        subject,
        abi=machine.convention.name,
        engine=machine.engine,
        calls=tuple(sum(spec.fill is fill for spec in ran) for fill in Fill),
        scenes=len({spec.scene for spec in ran}),
        changed_scenes=len({ran[index].scene for index in changed}),
        inputs=frozenset(scenes.inputs[:done]),
        comparisons=values + bound.inputs_compared(scenes.scenes, done),
        bytes_compared=int(batch.after.size) - done * padding,
        padding=padding,
        not_kept=len([row for row in not_kept if row < done]),
        odd=done if bound.arrangement else 0,
        agreed=len(scenes.agreed & {spec.scene for spec in ran}),
        widened=scenes.widened,
        diverged=len({ran[index].scene for index in wrong}),
        violated=len({scenes.specs[index].scene for index in batch.violations}),
        failures=tuple(failures[:FAILURES_KEPT]),
        fault=fault,
        crash=crash,
        isa=isa,
        defects=_defects(bound, batch, scenes),
        edges=edges,
        before_writes=before_writes,
        reached=_reached(subject, [*earlier, *blocks]),
        memory=memory,
        asked=len([row for row in batch.asked if row < done]),
        notes=notes_of(bound.case, batch, scenes.specs),
        read=scenes.read,
        answers=_answers(bound, ran, expected, batch, wrong),
        notes_of_answers=bound.answers.notes(
            scenes.references[:done], scenes.inputs[:done], batch.after
        ),
    )
    if subject.engine == UNICORN or not (wrong or batch.violations):
        return result
    on_unicorn = replace(subject, engine=UNICORN, native=None)
    unicorn = bound_case_for(bound.case, on_unicorn).at(scenes.specs[0].seed)
    misfits = bound.misfits.rows
    return with_second_opinion(result, unicorn, scenes, before, expected, batch, wrong, misfits)


def _reached(subject: Subject, blocks: Sequence[CodeBlock]) -> Reached | None:
    """`Result.reached`."""
    if subject.engine != UNICORN:
        return None
    return tuple(sorted({(one.address, len(one.code)) for one in blocks}))


def _answers(
    bound: BoundCase,
    ran: Sequence[SceneSpec],
    expected: NDArray[np.uint8],
    batch: Batch,
    wrong: Sequence[int],
) -> tuple[tuple[SceneSpec, str], ...]:
    """`Result.answers`."""
    told = [""] * len(ran)
    for index in wrong:
        divergence = bound.divergence(expected[index], batch.after[index])
        assert divergence is not None
        told[index] = f"{divergence.place} is {divergence.found}"
    return tuple(zip(ran, told, strict=True))


def _defects(bound: BoundCase, batch: Batch, scenes: Scenes) -> tuple[SeenDefect, ...]:
    """What sanitizers have found, also in a call that did not return."""
    found = bound.defects(batch.after)
    if batch.fault is not None:
        last = bound.defects(bound.machine.data.copy()[np.newaxis])
        found[batch.completed] = last.get(0, ())
    return first_seen(
        SeenDefect(defect, scenes.specs[row]) for row in sorted(found) for defect in found[row]
    )


def _failure_before(subject: Subject, failed: PrecedingCallError, spec: SceneSpec) -> Result:
    """The result of a scene on which a routine failed that is called before the other."""
    failure = Failure(spec, violations=failed.violations, fault=failed.fault)
    return Result(
        subject,
        violated=bool(failed.violations),
        failures=(failure,),
        fault=f"{failed.reason} ({spec})",
    )


def _fault_and_crash(bound: BoundCase, batch: Batch, scenes: Scenes) -> tuple[str, str]:
    """`Result.fault` and `Result.crash`. If only the engine is at fault, it is a crash."""
    machine, fault = bound.machine, batch.fault
    if fault is None:
        return "", ""
    where = "; ".join(filter(None, [str(scenes.specs[batch.completed]), bound.arrangement]))
    words = f"{words_of(machine, fault)} ({where})"
    if is_missing_in_engine_only(machine, fault):
        return "", f"{words}; a {machine.cpu.name} has this instruction, but the engine does not"
    return ("", words) if fault.is_undecided else (words, "")


def _failures(
    bound: BoundCase,
    scenes: Scenes,
    before: NDArray[np.uint8],
    expected: NDArray[np.uint8],
    batch: Batch,
    wrong: Sequence[int],
) -> list[Failure]:
    """The first calls with wrong results, and all that broke the call contract or faulted.

    Raises:
        CaseError: asked about the first of these scenes again, the reference says something else.
    """
    failures = []
    may_run_again = True
    if wrong:
        scenes.ask_again(bound.case, wrong[0])
    returned = [index for index in batch.violations if index < batch.completed]
    for index in sorted({*wrong[:FAILURES_KEPT], *returned}):
        rerun = None
        if index in wrong and may_run_again:
            rerun = bound.rerun(before[index], scenes.scenes[index], scenes.preparations[index])
            may_run_again = rerun is not None  # a call that never returns takes seconds
        divergence = bound.divergence(expected[index], batch.after[index], rerun)
        broken = batch.violations.get(index, ())
        failures.append(Failure(scenes.specs[index], divergence, broken, layout=bound.arrangement))
    if batch.fault is not None:
        broken = batch.violations.get(batch.completed, ())
        spec = scenes.specs[batch.completed]
        told = batch.fault.describe()
        failures.append(Failure(spec, violations=broken, fault=told, layout=bound.arrangement))
    return failures


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


def count_instructions(result: Result, bound: BoundCase, scenes: Scenes) -> Result:
    """Count the instructions of the call on the first scene, and add them to a result.

    Args:
        result: the result so far.
        bound: the case laid onto the program.
        scenes: the scenes; the first one is run again.

    Returns:
        The result with the counts, of the call with the usual layout. Code that changes itself, or
        that cannot be decoded, is not counted, and the result is returned as it was.
    """
    machine, before = bound.machine, bound.before(scenes.scenes[:1])
    around = bound.surroundings(scenes.preparations[:1])[0]
    notes = AnswerNotes(unfilled=bound.answers.unfilled(before[0], around))
    result = replace(result, notes_of_answers=result.notes_of_answers + notes)
    try:
        counts = bound.count(before)
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


def run_small_scenes(subject: Subject, bound: BoundCase, case: Case) -> Result:
    """Run a program that faulted on its first scene on the smallest scenes.

    A routine that returns from some scenes and not from others is refuted. One that never returns
    may have been called wrongly, so the verdict on it is inconclusive.

    Returns:
        The sum of the results of the scenes from which the routine returned.
    """
    machine = bound.machine
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
            one = run_scenes(subject, bound, scenes)
            if not one.fault:
                result += one
    finally:
        machine.budget = usual
    return result
