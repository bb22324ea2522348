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

from emu.base.errors import CaseError, ToolMissingError, UsageError
from emu.cases.case import Case, KnownCase
from emu.cases.case_file import read_case
from emu.cases.programs.subject import Subject
from emu.engines.native_code.engine import TranslatedEngine
from emu.machine.calls.other_engine import EngineRefusal
from emu.machine.program_file import program_and_cpu
from emu.search.asked_scene import AskedScene
from emu.search.budget import quick_budget
from emu.search.fuzz.features import EdgeFeatures
from emu.verify.batches.bench import Bench
from emu.verify.calls.preceding_calls import PrecedingCallError
from emu.verify.images.scene_images import ExpectedImages
from emu.verify.places.bound_case import BoundCase
from emu.verify.scenes.fills import Preparation

_BENCHES_KEPT = 24
_MOST_FAULTS = 2
"""Behind so many calls that do not return, those of the same batch are left to Unicorn."""


class ImpatientEngine(TranslatedEngine):
    """Translated code that is soon left, since many a scene of a search never returns."""

    _seconds: ClassVar[float] = 0.1
    most_ends: ClassVar[int] = 1


@dataclass(frozen=True, slots=True, eq=False)
class PreparedScene:
    """A changed scene that the reference accepts, and how memory is filled before its call."""

    asked: AskedScene
    preparation: Preparation


@dataclass(frozen=True, slots=True, eq=False)
class TranslatedCalls:
    """What calls of a program in translated code have told.

    Attributes:
        features: the features of those scenes, by their numbers, whose calls nothing is wrong with.
        unfit: the numbers of scenes that the program has no place for.
    """

    features: dict[int, frozenset[int]] = field(default_factory=dict)
    unfit: set[int] = field(default_factory=set)


def calls_together(
    case: Case, subject: Subject, index: int, scenes: Mapping[int, PreparedScene]
) -> TranslatedCalls:
    """Make the calls of scenes on a program in translated code.

    Args:
        case: the case.
        subject: the program.
        index: its index among the programs that are searched.
        scenes: the scenes, by their numbers.

    Returns:
        What they have told. Nothing is said of scenes whose calls are wrong, or need Unicorn.
    """
    calls = TranslatedCalls()
    bench = _counting_bench(case.known_case, subject) if scenes else None
    if bench is not None:
        numbers = list(scenes)
        for rows in bench.alike([scenes[number].preparation for number in numbers]):
            some = {numbers[row]: scenes[numbers[row]] for row in rows}
            _Round(bench, features_of(index), some, calls).call(list(some))
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
    bench.machine.budget = quick_budget(0.0)  # what Unicorn says here does not count
    is_plain = bench.bound.calls.is_single and not case.before and not bench.has_sanitizers
    return bench if is_plain else None


@dataclass(frozen=True, slots=True, eq=False)
class _Round:
    """The calls of scenes that have one layout."""

    bench: Bench
    edges: EdgeFeatures
    scenes: Mapping[int, PreparedScene]
    calls: TranslatedCalls

    def call(self, numbers: Sequence[int], faults: int = 0) -> None:
        """Make the calls of scenes with these numbers, as far as they can be laid."""
        images = self._laid(numbers)
        if images is None and len(numbers) > 1:
            numbers = [number for number in numbers if self._laid([number]) is not None]
            images = self._laid(numbers) if numbers else None
        if images is None:
            return
        try:
            batch = self.bench.run(images)
        except EngineRefusal:
            return
        done = batch.completed
        wrong = self.bench.differences(images).rows(images.expected[:done], batch.after)
        doubtful = {*wrong, *batch.violations, *batch.untranslated}
        for some in batch.edges:
            for row, features in zip(some.rows.tolist(), self.edges.of_calls(some), strict=True):
                if row < done and row not in doubtful:
                    self.calls.features[numbers[row]] = features
        rest = numbers[done + 1 :]  # behind one that does not return
        if rest and faults < _MOST_FAULTS:
            self.call(rest, faults + 1)

    def _laid(self, numbers: Sequence[int]) -> ExpectedImages | None:
        """The images of scenes with these numbers, and of what is right; None if one has none."""
        each = [self.scenes[number] for number in numbers]
        plans = [one.preparation for one in each]
        try:
            images = self.bench.before([one.asked.scene for one in each], plans)
        except (CaseError, UsageError):
            if len(numbers) == 1:
                self.calls.unfit.update(numbers)
            return None
        except PrecedingCallError:
            return None
        try:
            return self.bench.expect(images, [one.asked.answer for one in each])
        except (CaseError, UsageError):
            return None
