"""Runs many changed scenes on a program at once, and says which one is the first that fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import CaseError, GuestError, UsageError
from emu.base.time_limit import at_most
from emu.cases.case import Case
from emu.cases.keys.parts import Scene
from emu.cases.scenes import scene_of
from emu.checks.isa_model import REFUTES
from emu.machine import Budget
from emu.search.domain.report import NO_PLACE, REFUSED
from emu.verify.batches.bench import Bench
from emu.verify.calls.preceding_calls import PrecedingCallError
from emu.verify.images.observations import unchanged
from emu.verify.images.scene_images import SceneImages
from emu.verify.runs.judgement import FAULT, Judgement, judge, of_fault, reference_answer
from emu.verify.runs.memory_checks import SceneChecks
from emu.verify.runs.prepared_scenes import prepare
from emu.verify.scenes.changed_scenes import ChangedScene
from emu.verify.scenes.fills import Preparation
from emu.verify.scenes.scene_spec import SceneSpec

_REFERENCE_SECONDS = 3.0
_FEWEST_BLOCKS = 200_000


@dataclass(frozen=True, slots=True)
class SceneFailure:
    """A scene that fails.

    Attributes:
        scene: what makes it.
        made: the scene; None if its class refuses the values.
        kind: `REFUSED`, `NO_PLACE`, or a kind of `Judgement`.
        place: where it shows, without indices.
        summary: it as a sentence.
        refused: why the reference does not say what is right; "" if it does.
    """

    scene: ChangedScene
    made: Scene | None
    kind: str
    place: str
    summary: str
    refused: str = ""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A scene, and what `reference_answer` says of it."""

    scene: ChangedScene
    made: Scene
    answer: Any
    refused: str

    @property
    def is_safe_only(self) -> bool:
        """Whether nobody says what is right."""
        return bool(self.refused) and self.answer is None


@dataclass(frozen=True, slots=True)
class BlockBudget:
    """How many blocks calls may execute before they count as not coming back.

    That is twice as many as the routine does on the case's own scenes with the most items; with
    more items than those, as many more as the square of their number.

    Attributes:
        blocks: so many with up to ``objects`` items.
        objects: the most items that scenes of the case have.
        patience: the seconds of processor time before blocks are counted.
    """

    blocks: int
    objects: int
    patience: float = 0.1

    @classmethod
    def of(cls, case: Case, bench: Bench, specs: Sequence[SceneSpec]) -> BlockBudget:
        """Count what calls execute, on a scene of each generator with its most items.

        Args:
            case: the case.
            bench: the case on a program.
            specs: scenes of the case.
        """
        largest: dict[str, SceneSpec] = {}
        for scene_spec in sorted(specs, key=lambda spec: spec.objects):
            largest[scene_spec.generator] = scene_spec
        most = max(scene_spec.objects for scene_spec in specs)
        try:
            blocks = max(
                sum(bench.count(bench.before([scene_of(case, scene_spec)])).blocks().values())
                for scene_spec in largest.values()
            )
        except GuestError:  # what it executes cannot be counted, or a call does not come back
            return cls(Budget().blocks, most)
        return cls(max(2 * blocks, _FEWEST_BLOCKS), most)

    def budget(self, objects: int) -> Budget:
        """The limits of calls on scenes with so many items."""
        times = max(1.0, objects / self.objects) ** 2 if self.objects else 1.0
        return Budget(blocks=int(self.blocks * times), patience=self.patience)


class Executor:
    """Runs scenes on one program.

    Args:
        case: the case.
        bench: the case on the program.
        allowed: how much its calls may execute.
    """

    def __init__(self, case: Case, bench: Bench, allowed: BlockBudget) -> None:
        self._case = case
        self._bench = bench
        self.allowed = allowed
        self.ran = self.refused = self.undecided = 0
        """How many scenes were made, of how many of them nobody says what is right, and how many
        the engine could not run, so that nothing is known of them."""

    def first(
        self, scenes: Sequence[ChangedScene], *, accepts_refused: bool
    ) -> SceneFailure | None:
        """The first scene that fails; None if all hold.

        Args:
            scenes: the scenes.
            accepts_refused: whether a scene of which neither the reference nor a specification
                says what is right holds if its call is safe: it returns, keeps the contract, and
                touches nothing that it must not.
        """
        asked: list[_Asked] = []
        for scene in scenes:
            self.ran += 1
            question = self._ask(scene)
            if isinstance(question, SceneFailure):
                return question
            if question.is_safe_only:
                self.refused += 1
                if not accepts_refused:
                    return SceneFailure(
                        scene, question.made, REFUSED, "", question.refused, question.refused
                    )
            asked.append(question)
        if not asked:
            return None
        with self._allowance(max(question.made.objects for question in asked)):
            preparations = [prepare(self._case, question.scene.spec) for question in asked]
            for rows in self._bench.alike(preparations):
                alike = [asked[row] for row in rows]
                held = self._all_hold(alike, [preparations[row] for row in rows])
                if isinstance(held, SceneFailure):
                    return held
                suspects = () if held else alike
                failed = next(
                    (failure for question in suspects if (failure := self._alone(question))), None
                )
                if failed is not None:
                    return failed
        return None

    @contextmanager
    def _allowance(self, objects: int) -> Iterator[None]:
        """Let calls execute as many blocks as scenes with so many items may need."""
        machine = self._bench.machine
        usual, machine.budget = machine.budget, self.allowed.budget(objects)
        try:
            yield
        finally:
            machine.budget = usual

    def _ask(self, scene: ChangedScene) -> _Asked | SceneFailure:
        built = None
        try:
            with at_most(_REFERENCE_SECONDS):
                built = scene.make(self._case)
                answer, refused = reference_answer(self._case, built)
        except UsageError as error:
            return SceneFailure(scene, built, NO_PLACE, "", str(error.__cause__ or error))
        return _Asked(scene, built, answer, refused)

    def _all_hold(
        self, asked: Sequence[_Asked], preparations: Sequence[Preparation]
    ) -> bool | SceneFailure:
        """Whether nothing is wrong, in one batch; or the scene whose call did not come back."""
        bench = self._bench
        try:
            images = bench.before([question.made for question in asked], preparations)
            rows = [index for index, question in enumerate(asked) if not question.refused]
            answers = [asked[index].answer for index in rows]
            expected = bench.expect(images.take(rows), answers).expected if rows else None
        except (CaseError, UsageError, PrecedingCallError):
            return False
        checks = SceneChecks(bench, images, [question.scene.spec for question in asked])
        batch = checks.run()
        if batch.fault is not None:
            judged, question = of_fault(batch.fault), asked[batch.completed]
            return self._failed(question, judged) if judged.kind else False
        if batch.violations:
            return False
        bound, differences = images.bound, bench.differences(images)
        pairs = list(zip(images.before, batch.after, strict=True))
        wanted = np.array([unchanged(bound, *pair) for pair in pairs])
        if expected is not None:
            wanted[rows] = expected
        if differences.rows(wanted, batch.after) or any(
            self._is_partly_wrong(images, row, batch.after[row], question)
            for row, question in enumerate(asked)
        ):
            return False
        memory = checks.judge(batch)  # last, because it makes calls again
        return memory is None or not any(
            violation.weight == REFUTES and not violation.suppressed
            for violation in memory.violations
        )

    def _alone(self, question: _Asked) -> SceneFailure | None:
        """What is wrong with one scene."""
        spec = question.scene.spec
        try:
            preparation = prepare(self._case, spec)
            judged = judge(
                self._bench, spec, question.made, preparation, question.answer, question.refused
            )
        except PrecedingCallError as failed:
            judged = Judgement(FAULT, failed.reason, failed.reason)
        except (CaseError, UsageError) as error:
            judged = Judgement(NO_PLACE, "", str(error))
        if not judged.kind:
            self.undecided += judged.after is None
            return None
        return self._failed(question, judged)

    def _failed(self, question: _Asked, judged: Judgement) -> SceneFailure:
        return SceneFailure(
            question.scene,
            question.made,
            judged.kind,
            judged.place,
            judged.summary,
            question.refused,
        )

    def _is_partly_wrong(
        self, images: SceneImages, row: int, after: NDArray[np.uint8], question: _Asked
    ) -> bool:
        """Whether a call left something else than the specification says, or it has no place."""
        if not question.refused or question.is_safe_only:
            return False
        answers = self._bench.stages(images).answers
        try:
            wanted = answers.partly_answered(images.before[row], after, question.answer)
        except CaseError:
            return True
        differences = self._bench.differences(images)
        return bool(differences.rows(wanted[np.newaxis], after[np.newaxis]))
