"""Runs changed scenes on translated code, many at once: those on which nothing is wrong.

A scene alone costs as much work in Python as dozens together. So scenes are laid, called and
compared together, and code counts its edges for each of them. Of a scene on which anything is wrong
nothing is said here: Unicorn is asked about it, and a finding has its words.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from emu.base.errors import CaseError, MacproofError, ToolMissingError, UsageError
from emu.cases.case import Case, KnownCase
from emu.cases.case_file import read_case
from emu.cases.programs.subject import Subject
from emu.engines.native_code.engine import TranslatedEngine
from emu.machine.calls.other_engine import EngineRefusal
from emu.machine.program_file import program_and_cpu
from emu.search.asked_scene import AskedScene
from emu.search.fuzz.features import EdgeFeatures
from emu.verify.batches.bench import Bench
from emu.verify.calls.preceding_calls import PrecedingCallError
from emu.verify.images.scene_images import ExpectedImages
from emu.verify.places.bound_case import BoundCase
from emu.verify.runs.prepared_scenes import prepare
from emu.verify.scenes.columns import Columns
from emu.verify.scenes.fills import Preparation

_BENCHES_KEPT = 24


class ImpatientEngine(TranslatedEngine):
    """Translated code that is soon left, since many a scene of a search never returns."""

    drops_calls: ClassVar[bool] = True
    _seconds: ClassVar[float] = 0.1
    most_ends: ClassVar[int] = 0


@dataclass(frozen=True, slots=True, eq=False)
class PreparedScenes:
    """Changed scenes that the reference accepts. All programs share what is read of them.

    Attributes:
        numbers: the number of each.
        scenes: the scenes.
        answers: what is right for each.
        preparations: how memory is filled before the call on each.
    """

    numbers: tuple[int, ...]
    scenes: Columns
    answers: Columns
    preparations: tuple[Preparation, ...]

    @classmethod
    def of(cls, case: Case, asked: Mapping[int, AskedScene]) -> PreparedScenes:
        """Prepare scenes, which are given by their numbers."""
        every = asked.values()
        return cls(
            tuple(asked),
            Columns.of([one.scene for one in every]),
            Columns.of([one.answer for one in every]),
            tuple(prepare(case, one.changed.spec) for one in every),
        )

    def take(self, rows: Sequence[int]) -> PreparedScenes:
        """Those at some indices."""
        return PreparedScenes(
            tuple(self.numbers[row] for row in rows),
            self.scenes.take(rows),
            self.answers.take(rows),
            tuple(self.preparations[row] for row in rows),
        )


@dataclass(frozen=True, slots=True, eq=False)
class TranslatedCalls:
    """What calls of a program in translated code have told.

    Attributes:
        features: the features of those scenes, by their numbers, whose calls nothing is wrong with.
        unfit: the numbers of scenes that the program has no place for.
        unreadable: the numbers of those of which a value cannot be read, for any program.
        left: the numbers of scenes whose calls translated code did not make, or not to their end.
            Most of them never return, so no other program is called on them here.
    """

    features: dict[int, frozenset[int]] = field(default_factory=dict)
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
        done, numbers = batch.completed, [self.scenes.numbers[row] for row in rows]
        wrong = self.bench.differences(images).rows(images.expected[:done], batch.after)
        doubtful = {*wrong, *batch.violations, *batch.untranslated}
        for some in batch.edges:
            for row, features in zip(some.rows.tolist(), self.edges.of_calls(some), strict=True):
                if row < done and row not in doubtful:
                    self.calls.features[numbers[row]] = features
        self.calls.left.update(numbers[row] for row in batch.untranslated)

    def _images(self, rows: Sequence[int]) -> tuple[ExpectedImages | None, Sequence[int]]:
        """The images of scenes, and of what is right, and the indices of those that have some."""
        while rows:
            some, is_before = self.scenes.take(rows), True
            try:
                images = self.bench.before(some.scenes, some.preparations)
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
