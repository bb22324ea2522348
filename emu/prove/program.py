"""Proves one program, in a process that may take so much time and memory and no more."""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Sequence

import z3

from emu.base.functions import resolve
from emu.cases.keys.references import OtherProgram
from emu.cases.scenes import scene_of
from emu.prove.calls.answers import Answer, answers_of_program, answers_of_python, holds, put_result
from emu.prove.calls.differences import PathDifferences
from emu.prove.calls.entry import entry_of
from emu.prove.calls.inputs import Inputs
from emu.prove.calls.replay import Specification, replayed
from emu.prove.largest import Interval, domain_or_reason
from emu.prove.numbers.limits import UndecidedError
from emu.prove.numbers.products import Products
from emu.prove.numbers.solving import Deadline
from emu.prove.paths.state import PathEnding
from emu.prove.program_task import GRACE, ProofTask
from emu.prove.proof import Question, RoutinePaths, in_words
from emu.prove.report import (
    PROVED,
    REFUTED,
    UNDECIDED,
    Controls,
    InputRange,
    ProgramProof,
)
from emu.verify.answers.oracle import oracle_of
from emu.verify.batches.bench import Bench
from emu.verify.scenes.changed_scenes import ChangedScene


def prove_program(task: ProofTask) -> ProgramProof:
    """Prove one program; what is not decided says why.

    Raises:
        MacproofError: the case does not fit the program, and so on.
    """
    _limit_process(task)
    begins = time.process_time()
    try:
        proof = _Proving(task).prove()
    except UndecidedError as error:
        proof = task.proof(UNDECIDED, str(error))
    except (z3.Z3Exception, MemoryError) as error:
        what = error.value if isinstance(error, z3.Z3Exception) else "out of memory"
        what = what.decode(errors="replace") if isinstance(what, bytes) else str(what)
        proof = task.proof(UNDECIDED, f"z3 gave up: {what}")
    return dataclasses.replace(proof, seconds=time.process_time() - begins)


def _limit_process(task: ProofTask) -> None:
    """Let this process have no more memory and time, on systems that can say so."""
    if sys.platform == "win32":
        return
    import resource  # Windows has none

    seconds = int(time.process_time() + task.seconds) + GRACE
    for which, most in ((resource.RLIMIT_AS, task.memory), (resource.RLIMIT_CPU, seconds)):
        _, hard = resource.getrlimit(which)
        limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (limit, hard))


class _Proving:
    """Proves one program.

    Args:
        task: what is to be proved.
    """

    def __init__(self, task: ProofTask) -> None:
        self._task = task
        case = task.case
        self._bench = Bench.of(case, task.subject)
        self._specification: Specification | None = None
        self._opponent: Bench | None = None
        if task.specification:
            self._specification = resolve(task.specification, case.path.parent)
        elif isinstance(case.routine, OtherProgram):
            self._opponent = oracle_of(case, case.routine).bench
        else:
            raise UndecidedError(
                "the reference is a function of a library of this computer, which is not lifted"
            )
        self._deadline = Deadline(task.seconds)
        benches = [self._bench, *([self._opponent] if self._opponent is not None else [])]
        self._inputs = Inputs.of(
            scene_of(case, task.spec),
            [bench.bound for bench in benches],
            self._deadline,
            task.bounds,
            task.fixed,
        )

    def prove(self) -> ProgramProof:
        """Prove it, or refute it.

        Raises:
            UndecidedError: neither.
        """
        inputs, task = self._inputs, self._task
        entry = entry_of(self._bench, inputs)
        answers = self._answers()
        if all(answer.refusal for answer in answers):
            raise UndecidedError(
                f"the specification says nothing of any input: {answers[0].refusal}"
            )
        products = Products(
            lambda value: not inputs.assumptions.allow(value != 0),
            {symbol.name: (symbol.low, symbol.high) for symbol in inputs.symbols},
        )
        differences = PathDifferences(entry, answers, products)
        explored = RoutinePaths.of(entry, inputs, task.rounds)
        for path in explored.paths:
            if path.ending is PathEnding.RETURNED:
                put_result(entry, path)
        question = Question(inputs, explored, differences)
        observed = tuple(dict.fromkeys(slot.name for slot in self._bench.bound.slots.observed))
        about = dataclasses.replace(
            task.proof(UNDECIDED),
            inputs=self._ranges(),
            fixed=inputs.fixed,
            compared=differences.compared,
            left_out=tuple(name for name in observed if name not in differences.compared),
            refused=tuple(dict.fromkeys(a.refusal for a in answers if a.refusal)),
            paths=len(explored.paths),
            instructions=explored.executed,
        )
        try:
            return self._decided(question, about)
        except UndecidedError as error:
            return dataclasses.replace(about, why=str(error))

    def _decided(self, question: Question, about: ProgramProof) -> ProgramProof:
        doubts = []
        own = self._specification if self._task.case.proof.specification else None
        for suspect in question.suspects(self._inputs.assumptions):
            fields = self._inputs.fields_in(suspect.model)
            call, why = replayed(self._bench, self._task.spec, fields, own)
            if call is not None:
                domain, unknown = domain_or_reason(question)
                return dataclasses.replace(
                    about,
                    verdict=REFUTED,
                    call=call,
                    domain=tuple(map(_range, domain.intervals)),
                    domain_is_box=domain.is_box,
                    domain_why=unknown,
                )
            doubts.append(
                f"the proof and Unicorn disagree: with {in_words(self._inputs, suspect.model)} "
                f"{suspect.why}, but {why}"
            )
        unknown = "; ".join(doubts) or question.why_unknown(self._inputs.assumptions)
        if unknown:
            raise UndecidedError(unknown)
        return dataclasses.replace(about, verdict=PROVED, controls=self._controls(question))

    def _controls(self, question: Question) -> Controls:
        """What shows that the proof is one.

        Raises:
            UndecidedError: a control fails, so that it is none.
        """
        missed = question.uncovered()
        if missed is not None:
            raise UndecidedError(f"no path is taken with {in_words(self._inputs, missed)}")
        changed = question.refuted_when_changed()
        if not changed:
            raise UndecidedError("a specification that was changed on purpose is not refuted")
        return Controls(covers=True, changed=changed)

    def _answers(self) -> Sequence[Answer]:
        """What is right for all inputs."""
        if self._opponent is not None:
            entry = entry_of(self._opponent, self._inputs)
            explored = RoutinePaths.of(entry, self._inputs, self._task.rounds)
            return answers_of_program(entry, explored.paths, self._inputs)
        assert self._specification is not None
        observed = self._bench.bound.slots.observed
        answers = answers_of_python(self._specification, self._inputs, observed)
        for answer in answers:
            if answer.refusal:
                self._require_refusal(answer)
        return answers

    def _require_refusal(self, answer: Answer) -> None:
        """See that a specification refuses plain numbers, too, and not only terms.

        Raises:
            UndecidedError: it does not.
        """
        assert self._specification is not None
        model = self._inputs.assumptions.model(holds(answer.conditions))
        if model is None:
            return
        fields = self._inputs.fields_in(model)
        try:
            self._specification(ChangedScene(self._task.spec, fields).make(self._task.case))
        except Exception:  # it refuses these inputs, whatever it raises
            return
        raise UndecidedError(f"the specification does not compute with terms: {answer.refusal}")

    def _ranges(self) -> tuple[InputRange, ...]:
        """The values of each field of the scene."""
        ranges: dict[str, InputRange] = {}
        for symbol in self._inputs.symbols:
            known = ranges.get(symbol.field, InputRange(symbol.field, symbol.low, symbol.high))
            ranges[symbol.field] = InputRange(
                symbol.field, min(known.low, symbol.low), max(known.high, symbol.high)
            )
        return tuple(ranges.values())


def _range(interval: Interval) -> InputRange:
    return InputRange(interval.name, interval.low, interval.high)
