"""Runs changed scenes on all programs: what they execute, and what is wrong with them."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
from emu.search.fuzz.translated_runs import PreparedScenes, calls_together, features_of
from emu.verify.batches.bench import Bench
from emu.verify.batches.benches import bench_for
from emu.verify.explain.finding import Symptom
from emu.verify.images.observations import observation
from emu.verify.images.scene_images import SceneImages
from emu.verify.runs.judgement import Judgement
from emu.verify.scenes.changed_scenes import ChangedScene

_TIMES_AS_LONG, _LEAST_ASKING = 4, 0.1
DIFFERENCE = "difference"
"""The kind of a finding that two programs leave different results."""


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
class Suspicion:
    """Something that is wrong after a call on a changed scene.

    Attributes:
        subject: the index of the program.
        symptom: what is wrong.
    """

    subject: int
    symptom: Symptom

    @property
    def key(self) -> tuple[int, str, str, bool]:
        """What is equal for suspicions of which one is enough."""
        symptom = self.symptom
        return self.subject, symptom.kind, symptom.place, bool(symptom.refused)


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
        is_translated: whether all programs were executed as translated code.
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
    known = [_Known()] * len(asked)
    if not terms.has_checks:
        known = _run_together(case, subjects, asked)
    guided = _guided_together(case, terms, asked, known, len(subjects))
    each = (_seconds() - begins) / max(1, len(inputs))
    executions = []
    for number, one in enumerate(asked):
        told = replace(known[number], guided=guided.get(number))
        execution = _execute(case, subjects, one, terms, told)
        seconds = execution.seconds + each
        executions.append(replace(execution, seconds=seconds, asking=asking))
    return executions


def _seconds() -> float:
    """Processor time of this process and of the one that executes its translated code."""
    return time.process_time() + seconds_of_translated()


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """What translated code has told of a scene.

    Attributes:
        features: the features of its calls, by the index of the program, if nothing was wrong.
        unfit: the indices of programs that have no place for it.
        guided: what the guide has told; None if it has not been asked.
    """

    features: dict[int, frozenset[int]] = field(default_factory=dict)
    unfit: set[int] = field(default_factory=set)
    guided: Guidance | None = None


def _run_together(
    case: Case, subjects: Sequence[Subject], asked: Sequence[AskedScene | ImpossibleScene]
) -> list[_Known]:
    """What translated code tells of each scene."""
    accepted = {
        number: one
        for number, one in enumerate(asked)
        if isinstance(one, AskedScene) and not one.refused
    }
    scenes = PreparedScenes.of(case, accepted)
    known = [_Known() for _ in asked]
    unreadable: set[int] = set()
    left: set[int] = set()
    for index, subject in enumerate(subjects):
        if subject.engine not in (UNICORN, TRANSLATED):
            continue
        rows = [row for row, each in enumerate(scenes.numbers) if each not in unreadable | left]
        calls = calls_together(case, subject, index, scenes.take(rows))
        unreadable |= calls.unreadable
        left |= calls.left
        for number, features in calls.features.items():
            known[number].features[index] = features
        for number in calls.unfit | unreadable:
            known[number].unfit.add(index)
    return known


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
    execution = _execute(case, subjects, asked, terms, _Known())
    return replace(execution, seconds=time.process_time() - begins)


def _execute(
    case: Case,
    subjects: Sequence[Subject],
    asked: AskedScene | ImpossibleScene,
    terms: FuzzTerms,
    known: _Known,
) -> Execution:
    begins = time.process_time()
    features: set[int] = set()
    suspicions: list[Suspicion] = []
    results: dict[int, _Left] = {}
    is_scene, longest, guided = False, 0.0, known.guided or Guidance()
    if isinstance(asked, AskedScene) and not (asked.refused and terms.within):
        for index, subject in enumerate(subjects):
            if index in known.unfit:
                continue
            told = known.features.get(index)
            if told is not None:
                features |= told
                is_scene = True
                if terms.budget is not PATIENT:
                    continue  # else the time that Unicorn takes decides something
            bench = bench_of(case, subject, terms)
            called = time.process_time()
            try:
                judged, edges = _call(bench, asked)
            except (CaseError, UsageError):
                continue  # the program has no place for these values
            is_scene, longest = True, max(longest, time.process_time() - called)
            if told is None:
                features |= features_of(index).of_edges(edges)
            if judged.kind:
                suspicions.append(Suspicion(index, asked.symptom(judged)))
            elif judged.images is not None and judged.after is not None and asked.refused:
                results[index] = _Left.of(judged.images, judged.after)
        suspicions += _differences(subjects, results, asked.refused)
        is_right = is_scene and not suspicions
        if is_right and terms.guide is not None and known.guided is None:
            with contextlib.suppress(CaseError, UsageError):  # it has no place for these values
                guided = guidance(case, terms.guide, asked, terms.budget)
    seconds = time.process_time() - begins
    return Execution(
        frozenset(features | guided.features),
        tuple(suspicions),
        is_scene,
        seconds,
        longest,
        pairs=guided.pairs,
        is_translated=len(known.features) == len(subjects),
    )


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


@dataclass(frozen=True, slots=True, eq=False)
class _Left:
    """What a call left: the values of a case's variables, and which of them it changed."""

    values: Mapping[str, NDArray[Any]]
    changed: Mapping[str, NDArray[np.bool_]]

    @classmethod
    def of(cls, images: SceneImages, after: NDArray[np.uint8]) -> _Left:
        """The same of memory before and after a call."""
        old, new = (observation(images.bound, image) for image in (images.before[0], after))
        return cls(new, {name: np.asarray(old[name] != values) for name, values in new.items()})


def _differences(
    subjects: Sequence[Subject], results: Mapping[int, _Left], refused: str
) -> list[Suspicion]:
    """The first place that two programs leave different, as far as nobody knows what is right.

    Values that neither has changed do not count: what is promised to nobody is filled at random.
    """
    if len(results) < 2:
        return []
    first = min(results)
    for index in sorted(results)[1:]:
        for name, values in results[index].values.items():
            other = results[first].values.get(name)
            if other is None or np.shape(other) != np.shape(values):
                continue
            # A NaN differs from itself, and two programs that leave one agree.
            differs = np.asarray((other != values) & ((other == other) | (values == values)))
            differs &= results[first].changed[name] | results[index].changed[name]
            places = np.flatnonzero(differs.ravel())
            if len(places):
                mine, two = (np.ravel(each)[places[0]] for each in (other, values))
                names = [subjects[i].name for i in (first, index)]
                summary = (
                    f"{name}, value {places[0]}, is {mine} on the {names[0]} and {two} on the "
                    f"{names[1]}"
                )
                return [Suspicion(index, Symptom(DIFFERENCE, name, summary, refused))]
    return []
