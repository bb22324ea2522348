"""Runs changed scenes on all programs: what they execute, and what is wrong with them."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from emu.base.errors import CaseError, UsageError
from emu.cases.case import Case, KnownCase
from emu.cases.known_case import case_as_known
from emu.cases.programs.subject import UNICORN, Subject
from emu.engines.native_code.process import seconds_of_translated
from emu.engines.registry import TRANSLATED
from emu.machine import Budget
from emu.machine.code_coverage.executed_edges import Edge
from emu.search.asked_scene import REFERENCE_SECONDS, AskedScene, ImpossibleScene, ask_about
from emu.search.budget import PATIENT, quick_budget
from emu.search.fuzz.guide import Guidance, guidance, guidance_together
from emu.search.fuzz.observed_values import ObservedValues, first_difference
from emu.search.fuzz.suspicions import (
    DIFFERENCE,
    MistakeTrace,
    Suspicion,
    TracedProgram,
    recall,
    remember,
)
from emu.search.fuzz.translated_runs import PreparedScenes, calls_together, features_of
from emu.verify.batches.bench import Bench
from emu.verify.batches.benches import bench_for
from emu.verify.explain.finding import Symptom
from emu.verify.runs.judgement import Judgement
from emu.verify.scenes.changed_scenes import ChangedScene

_TIMES_AS_LONG, _LEAST_ASKING = 4, 0.03


@dataclass(frozen=True, slots=True)
class FuzzTerms:
    """How calls on changed scenes are made, and which count.

    Attributes:
        within: whether scenes count only that the reference accepts.
        has_checks: whether every access to memory is checked.
        budget: the limits of a call.
        guide: a program that tells what it compares, if there is one; see `emu.search.fuzz.guide`.
        asking: the processor time that it may take to ask the reference about a scene, in seconds.
    """

    within: bool = False
    has_checks: bool = False
    budget: Budget = PATIENT
    guide: Subject | None = None
    asking: float = REFERENCE_SECONDS


@dataclass(frozen=True, slots=True)
class Execution:
    """What became of one changed scene.

    Attributes:
        features: numbers that stand for a program, an edge and how often it was taken, roughly;
            and for a comparison of the guide and how near its two numbers came.
        suspicions: what is wrong.
        is_scene: whether it is a scene that at least one of the programs can be called on.
        seconds: the processor time that it took.
        longest: the processor time of the program that took longest.
        asking: the part of it that it took to make the scene, and to ask the reference about it;
            of scenes that are run together the mean.
        pairs: pairs of numbers that the guide compared, and that differed.
        is_translated: whether nothing is wrong, and translated code alone has told so.
    """

    features: frozenset[int]
    suspicions: tuple[Suspicion, ...]
    is_scene: bool
    seconds: float
    longest: float
    asking: float = 0.0
    pairs: tuple[tuple[int, int], ...] = ()
    is_translated: bool = False


def execute_all(
    known_case: KnownCase,
    subjects: Sequence[Subject],
    inputs: Sequence[ChangedScene],
    terms: FuzzTerms,
) -> list[Execution]:
    """Run changed scenes in this process; see `execute`. Translated code runs them together."""
    case = case_as_known(known_case)
    begins = _seconds()
    asked = ask_about(case, inputs, terms.asking)
    asking = (_seconds() - begins) / max(1, len(inputs))
    known = [_Known() for _ in asked]
    if not terms.has_checks:
        _run_together(case, subjects, asked, terms, known)
    guided = _guided_together(case, terms, asked, known, len(subjects))
    each = (_seconds() - begins) / max(1, len(inputs))
    executions = []
    for number, one in enumerate(asked):
        told = known[number]
        told.guided = guided.get(number)
        executions.append(_execute(case, subjects, one, terms, told, each, asking))
    return executions


def _seconds() -> float:
    """Processor time of this process and of the one that executes its translated code."""
    return time.process_time() + seconds_of_translated()


@dataclass(slots=True, eq=False)
class _Known:
    """What translated code has told of a scene.

    Attributes:
        features: the features of its calls, by the index of the program, if nothing was wrong.
        unfit: the indices of programs that have no place for it.
        mistakes: what is told of its calls with which something is wrong, by the same index.
        values: what its calls left, by the index of the program, if the reference refuses it.
        guided: what the guide has told; None if it has not been asked.
    """

    features: dict[int, frozenset[int]] = field(default_factory=dict)
    unfit: set[int] = field(default_factory=set)
    mistakes: dict[int, MistakeTrace] = field(default_factory=dict)
    values: dict[int, ObservedValues] = field(default_factory=dict)
    guided: Guidance | None = None


def _run_together(
    case: Case,
    subjects: Sequence[Subject],
    asked: Sequence[AskedScene | ImpossibleScene],
    terms: FuzzTerms,
    known: Sequence[_Known],
) -> None:
    """Note what translated code tells of each scene."""
    for is_refused in (False,) if terms.within else (False, True):
        some = {
            number: one
            for number, one in enumerate(asked)
            if isinstance(one, AskedScene) and bool(one.refused) is is_refused
        }
        if some:
            _run_alike(case, subjects, PreparedScenes.of(case, some), known)


def _run_alike(
    case: Case, subjects: Sequence[Subject], scenes: PreparedScenes, known: Sequence[_Known]
) -> None:
    """Note what translated code tells of scenes.

    Scenes that one program has no place for are tried apart on the others: most of them have none
    either, and all that are laid with such a scene are laid again without it.
    """
    unreadable: set[int] = set()
    left: set[int] = set()
    unfit: set[int] = set()
    for index, subject in enumerate(subjects):
        if subject.engine not in (UNICORN, TRANSLATED):
            continue
        rows = [row for row, each in enumerate(scenes.numbers) if each not in unreadable | left]
        roomy, apart = (
            [row for row in rows if (scenes.numbers[row] in unfit) is is_apart]
            for is_apart in (False, True)
        )
        for some in (roomy, apart):
            calls = calls_together(case, subject, index, scenes.take(some))
            unreadable |= calls.unreadable
            left |= calls.left
            unfit |= calls.unfit
            for number, features in calls.features.items():
                known[number].features[index] = features
            for number, mistake in calls.mistakes.items():
                known[number].mistakes[index] = mistake
            for number, values in calls.values.items():
                known[number].values[index] = values
            for number in calls.unfit:
                known[number].unfit.add(index)
        for number in unreadable:
            known[number].unfit.add(index)


def _guided_together(
    case: Case,
    terms: FuzzTerms,
    asked: Sequence[AskedScene | ImpossibleScene],
    known: Sequence[_Known],
    programs: int,
) -> dict[int, Guidance]:
    """What the guide tells of scenes on which nothing is wrong on any program, by their numbers."""
    scenes = {
        number: one
        for number, (one, told) in enumerate(zip(asked, known, strict=True))
        if len(told.features) == programs and isinstance(one, AskedScene)
    }
    if terms.guide is None or not scenes:
        return {}
    return guidance_together(case, terms.guide, scenes)


def terms_after(terms: FuzzTerms, usual: Sequence[Execution]) -> FuzzTerms:
    """Terms that suit changed scenes, on many of which a call or the reference never returns.

    Args:
        terms: those of the usual scenes.
        usual: what became of scenes on which both do return.
    """
    longest = (execution.longest for execution in usual if not execution.suspicions)
    asking = _TIMES_AS_LONG * sum(execution.asking for execution in usual)
    return replace(
        terms,
        budget=quick_budget(max(longest, default=0.0)),
        asking=min(max(_LEAST_ASKING, asking), REFERENCE_SECONDS),
    )


def execute(
    case: Case, subjects: Sequence[Subject], given: ChangedScene, terms: FuzzTerms
) -> Execution:
    """Run one changed scene on all programs.

    Args:
        case: the case.
        subjects: the programs.
        given: what makes the scene.
        terms: how calls are made, and which count.
    """
    begins = time.process_time()
    (asked,) = ask_about(case, [given], terms.asking)
    asking = time.process_time() - begins
    return _execute(case, subjects, asked, terms, _Known(), asking, asking)


def _execute(
    case: Case,
    subjects: Sequence[Subject],
    asked: AskedScene | ImpossibleScene,
    terms: FuzzTerms,
    known: _Known,
    seconds: float,
    asking: float,
) -> Execution:
    """Run a scene, on which so many seconds were spent before; see `Execution` for the last."""
    if not isinstance(asked, AskedScene) or (asked.refused and terms.within):
        return Execution(frozenset(), (), False, seconds, 0.0, asking)
    began = time.process_time() - seconds
    return _SceneRun(case, subjects, asked, terms, known, began, asking).execution()


@dataclass(slots=True, eq=False)
class _SceneRun:
    """Runs a scene on all programs: on Unicorn what translated code has not told."""

    case: Case
    subjects: Sequence[Subject]
    asked: AskedScene
    terms: FuzzTerms
    known: _Known
    began: float
    asking: float
    features: set[int] = field(default_factory=set)
    suspicions: list[Suspicion] = field(default_factory=list)
    results: dict[int, ObservedValues] = field(default_factory=dict)
    is_scene: bool = False
    is_translated: bool = True
    longest: float = 0.0

    def execution(self) -> Execution:
        """What became of it."""
        for index in range(len(self.subjects)):
            if index not in self.known.unfit:
                self._call(index)
        if not self._compare():
            known = replace(self.known, features={}, values={}, mistakes={})
            own = self.case, self.subjects, self.asked, self.terms
            again = _SceneRun(*own, known, self.began, self.asking).execution()
            for one in again.suspicions:  # a finding has the words of Unicorn
                trace = MistakeTrace(DIFFERENCE, one.symptom.place)
                if one.symptom.kind == DIFFERENCE:
                    remember(self._program(one.subject), trace, one)
            return again
        guided = self._guided()
        return Execution(
            frozenset(self.features | guided.features),
            tuple(self.suspicions),
            self.is_scene,
            time.process_time() - self.began,
            self.longest,
            self.asking,
            guided.pairs,
            self.is_scene and self.is_translated and not self.suspicions,
        )

    def _program(self, index: int) -> TracedProgram:
        known_case, is_refused = self.case.known_case, bool(self.asked.refused)
        return TracedProgram(known_case, self.subjects[index], index, is_refused)

    def _call(self, index: int) -> None:
        """Call a program, unless translated code has told enough."""
        told, trace = self.known.features.get(index), self.known.mistakes.get(index)
        similar = recall(self._program(index), trace) if trace is not None else None
        self.features |= told or frozenset()
        self.is_scene |= told is not None
        is_known = told is not None or similar is not None
        if is_known and self.terms.budget is not PATIENT:  # else Unicorn's time decides something
            self.is_scene = True
            if similar is not None:
                self.suspicions.append(similar)
            elif self.asked.refused:
                self.results[index] = self.known.values[index]
            return
        self.is_translated &= told is not None
        bench = bench_of(self.case, self.subjects[index], self.terms)
        called = time.process_time()
        try:
            judged, edges = _call(bench, self.asked)
        except (CaseError, UsageError):
            return  # the program has no place for these values
        self.is_scene, self.longest = True, max(self.longest, time.process_time() - called)
        if told is None:
            self.features |= features_of(index).of_edges(edges)
        if judged.kind:
            suspicion = Suspicion(index, self.asked.symptom(judged))
            self.suspicions.append(suspicion)
            if trace is not None and trace.kind == judged.kind and not judged.is_late:
                remember(self._program(index), trace, suspicion)
        elif judged.images is not None and judged.after is not None and self.asked.refused:
            images, after = judged.images, judged.after[np.newaxis]
            (self.results[index],) = ObservedValues.of(images.bound, images.before, after)

    def _compare(self) -> bool:
        """Compare what programs have left; False if Unicorn has to say what is different."""
        names = [subject.name for subject in self.subjects] if self.results else []
        different = first_difference(names, self.results)
        if different is None:
            return True
        _, index = different.programs
        if not self.known.features.keys() & set(different.programs):
            symptom = Symptom(DIFFERENCE, different.place, different.summary, self.asked.refused)
            self.suspicions.append(Suspicion(index, symptom))
            return True
        similar = recall(self._program(index), MistakeTrace(DIFFERENCE, different.place))
        if similar is not None:
            self.suspicions.append(similar)
        return similar is not None

    def _guided(self) -> Guidance:
        """What the guide tells; nothing if anything is wrong."""
        if self.known.guided is not None:
            return self.known.guided
        if self.is_scene and not self.suspicions and self.terms.guide is not None:
            with contextlib.suppress(CaseError, UsageError):  # it has no place for these values
                return guidance(self.case, self.terms.guide, self.asked, self.terms.budget)
        return Guidance()


def bench_of(case: Case, subject: Subject, terms: FuzzTerms) -> Bench:
    """The case on a program whose machine tells what calls execute."""
    bench = bench_for(case, subject, covers=True, checked=terms.has_checks)
    bench.machine.budget = terms.budget
    return bench


def _call(bench: Bench, asked: AskedScene) -> tuple[Judgement, Mapping[Edge, int]]:
    executed = bench.machine.calls.executed_edges
    assert executed is not None
    executed.take()
    return asked.judge(bench), executed.take()
