"""Runs changed scenes on translated code, many at once.

A scene alone costs as much work in Python as dozens together. So scenes are laid, called and
compared together, and code counts its edges for each of them. If anything is wrong on a scene, it
is only said how to know the same mistake again: Unicorn says what it is, and a finding has its
words.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import CaseError, MacproofError, ToolMissingError, UsageError
from emu.cases.case import Case, KnownCase
from emu.cases.case_file import read_case
from emu.cases.programs.subject import Subject
from emu.engines.native_code.engine import WILD, RoutineTranslation, TranslatedEngine
from emu.machine import Batch
from emu.machine.calls.other_engine import EngineRefusal
from emu.machine.memory import layout
from emu.machine.program_file import program_and_cpu
from emu.search.asked_scene import AskedScene
from emu.search.fuzz.features import EdgeFeatures
from emu.search.fuzz.observed_values import ObservedValues
from emu.search.fuzz.suspicions import MistakeTrace
from emu.verify.batches.bench import Bench
from emu.verify.calls.preceding_calls import PrecedingCallError
from emu.verify.images.observations import unchanged
from emu.verify.images.scene_images import ExpectedImages, SceneImages
from emu.verify.places.bound_case import BoundCase
from emu.verify.runs.judgement import DIVERGENCE, FAULT, STRAY, VIOLATION, without_numbers
from emu.verify.runs.prepared_scenes import prepare
from emu.verify.scenes.columns import Columns
from emu.verify.scenes.fills import Preparation

_BENCHES_KEPT = 24


class ImpatientEngine(TranslatedEngine):
    """Translated code that is soon left, since many a scene of a search never returns."""

    drops_calls: ClassVar[bool] = True
    _seconds: ClassVar[float] = 0.02
    most_ends: ClassVar[int] = 0

    def _reason(self, routine: RoutineTranslation, record: np.void) -> str:
        """Why translated code has left a call: of a wild access also where, and to what."""
        why = super()._reason(routine, record)
        if why != WILD:
            return why
        address = int(record["pc"])
        within = [
            start for start, size, _, _ in routine.plan.regions if 0 <= address - start < size
        ]
        is_below = 0 < routine.plan.stack - address <= layout.GAP  # Unicorn calls that an overflow
        return f"{WILD}: instruction {record['site']}, region {within}{', below' * is_below}"


@dataclass(frozen=True, slots=True, eq=False)
class PreparedScenes:
    """Changed scenes, all accepted by the reference or all refused; programs share what is read.

    Attributes:
        numbers: the number of each.
        scenes: the scenes.
        answers: what is right for each; of one that is refused what the specification says, which
            may be None.
        preparations: how memory is filled before the call on each.
        are_refused: whether the reference refuses them.
    """

    numbers: tuple[int, ...]
    scenes: Columns
    answers: Columns
    preparations: tuple[Preparation, ...]
    are_refused: bool

    @classmethod
    def of(cls, case: Case, asked: Mapping[int, AskedScene]) -> PreparedScenes:
        """Prepare scenes, which are given by their numbers."""
        every = asked.values()
        return cls(
            tuple(asked),
            Columns.of([one.scene for one in every]),
            Columns.of([one.answer for one in every]),
            tuple(prepare(case, one.changed.spec) for one in every),
            any(one.refused for one in every),
        )

    def take(self, rows: Sequence[int]) -> PreparedScenes:
        """Those at some indices."""
        return PreparedScenes(
            tuple(self.numbers[row] for row in rows),
            self.scenes.take(rows),
            self.answers.take(rows),
            tuple(self.preparations[row] for row in rows),
            self.are_refused,
        )


@dataclass(frozen=True, slots=True, eq=False)
class TranslatedCalls:
    """What calls of a program in translated code have told, by the numbers of the scenes.

    Attributes:
        features: the features of those scenes whose calls nothing is wrong with.
        values: what these calls have left, if the reference refuses the scenes.
        mistakes: what is told of calls with which something is wrong, unless only Unicorn can tell.
        unfit: the numbers of scenes that the program has no place for.
        unreadable: the numbers of those of which a value cannot be read, for any program.
        left: the numbers of scenes whose calls translated code did not make. Most of them never
            return, so no other program is called on them here.
    """

    features: dict[int, frozenset[int]] = field(default_factory=dict)
    values: dict[int, ObservedValues] = field(default_factory=dict)
    mistakes: dict[int, MistakeTrace] = field(default_factory=dict)
    unfit: set[int] = field(default_factory=set)
    unreadable: set[int] = field(default_factory=set)
    left: set[int] = field(default_factory=set)


def calls_together(
    case: Case, subject: Subject, index: int, scenes: PreparedScenes
) -> TranslatedCalls:
    """Make the calls of scenes on a program in translated code.

    Args:
        case: the case.
        subject: the program.
        index: its index among the programs that are searched.
        scenes: the scenes.

    Returns:
        What they have told. Nothing is said of scenes whose calls are wrong, or need Unicorn.
    """
    calls = TranslatedCalls()
    bench = _counting_bench(case.known_case, subject) if len(scenes.numbers) else None
    if bench is not None:
        for rows in bench.alike(scenes.preparations):
            _Round(bench, features_of(index), scenes, calls).call(rows)
    return calls


@functools.lru_cache(maxsize=_BENCHES_KEPT)
def features_of(index: int) -> EdgeFeatures:
    """The features of edges of the program with an index."""
    return EdgeFeatures(index)


@functools.lru_cache(maxsize=_BENCHES_KEPT)
def _counting_bench(known_case: KnownCase, subject: Subject) -> Bench | None:
    """The bench of a case; None if its calls cannot be made together in translated code."""
    case = read_case(known_case.path, against=known_case.against)
    program, cpu = program_and_cpu(subject.of_case(case), None)
    engine = functools.partial(ImpatientEngine, counts=True)
    try:
        bench = Bench(BoundCase.on(case, program, cpu, engine))
    except (EngineRefusal, ToolMissingError):
        return None
    is_plain = bench.bound.calls.is_single and not case.before and not bench.has_sanitizers
    return bench if is_plain else None


@dataclass(frozen=True, slots=True, eq=False)
class _Round:
    """The calls of scenes that have one layout."""

    bench: Bench
    edges: EdgeFeatures
    scenes: PreparedScenes
    calls: TranslatedCalls

    def call(self, rows: Sequence[int]) -> None:
        """Make the calls of scenes at some indices, as far as they can be laid."""
        images, rows = self._images(rows)
        if images is None:
            return
        try:
            batch = self.bench.run(images)
        except EngineRefusal:
            return
        numbers = [self.scenes.numbers[row] for row in rows]
        calls, mistakes = self.calls, self._mistakes(images, batch, rows)
        calls.left.update(
            numbers[row] for row, why in batch.untranslated.items() if not why.startswith(WILD)
        )
        for some in batch.edges:
            for row, features in zip(some.rows.tolist(), self.edges.of_calls(some), strict=True):
                if row not in mistakes and row not in batch.untranslated:
                    calls.features[numbers[row]] = features
        calls.mistakes.update((numbers[row], mistake) for row, mistake in mistakes.items())
        if self.scenes.are_refused:
            values = ObservedValues.of(images.bound, images.before, batch.after)
            calls.values.update(zip(numbers, values, strict=True))

    def _mistakes(
        self, images: SceneImages, batch: Batch, rows: Sequence[int]
    ) -> dict[int, MistakeTrace]:
        """What is wrong with calls, by their indices; nothing of those that have to be made."""
        mistakes = self._wild_accesses(batch)
        for index, words in batch.violations.items():
            mistakes[index] = MistakeTrace(VIOLATION, without_numbers("; ".join(words)))
        some = [row for row in range(batch.completed) if row not in mistakes]
        some = [row for row in some if row not in batch.untranslated]
        own, after = images.take(some), batch.after[some]
        differences = self.bench.differences(images)
        if isinstance(images, ExpectedImages):
            steps = [(DIVERGENCE, images.expected[some])]
        else:
            steps = [(STRAY, unchanged(images.bound, own.before, after))]
            answers = [self.scenes.answers[rows[row]] for row in some]
            steps.append((DIVERGENCE, self._partly_answered(own, after, answers)))
        for kind, wanted in steps:
            for place in differences.rows(wanted, after):
                first = differences.first(wanted[place], after[place])
                if first is not None:
                    trace = MistakeTrace(kind, without_numbers(first.place))
                    mistakes.setdefault(some[place], trace)
        return mistakes

    def _partly_answered(
        self, images: SceneImages, after: NDArray[np.uint8], answers: Sequence[Any]
    ) -> NDArray[np.uint8]:
        """The images that calls should leave as far as the specification has an answer."""
        partly = self.bench.stages(images).answers.partly_answered
        wanted = after.copy()
        for index, answer in enumerate(answers):
            if answer is not None:
                wanted[index] = partly(images.before[index], after[index], answer)
        return wanted

    def _wild_accesses(self, batch: Batch) -> dict[int, MistakeTrace]:
        """The calls, by their indices, that have used memory which they may not use."""
        mistakes = {}
        for some in batch.edges:
            for row, counts in zip(some.rows.tolist(), some.counts, strict=True):
                why = batch.untranslated.get(row, "")
                if why.startswith(WILD):
                    edges = frozenset(some.edges[place] for place in np.flatnonzero(counts))
                    mistakes[row] = MistakeTrace(FAULT, why, edges)
        return mistakes

    def _images(self, rows: Sequence[int]) -> tuple[SceneImages | None, Sequence[int]]:
        """The images of scenes that have some, with those of what is right, and their indices."""
        while rows:
            some, is_before = self.scenes.take(rows), True
            try:
                images = self.bench.before(some.scenes, some.preparations)
                if some.are_refused:
                    return images, rows
                is_before = False
                return self.bench.expect(images, some.answers), rows
            except PrecedingCallError:
                break
            except (CaseError, UsageError) as error:
                if not error.rows and len(rows) > 1:  # it does not tell which scenes these are
                    rows = [row for row in rows if self._images([row])[0] is not None]
                    continue
                unfit = set(error.rows or (0,))
                if is_before:
                    self._note(some, unfit, error)
                rows = [row for index, row in enumerate(rows) if index not in unfit]
        return None, rows

    def _note(self, some: PreparedScenes, unfit: set[int], error: MacproofError) -> None:
        numbers = {some.numbers[index] for index in unfit}
        self.calls.unfit.update(numbers)
        if error.rows and isinstance(error, UsageError):  # a property of the scene's class fails
            self.calls.unreadable.update(numbers)
