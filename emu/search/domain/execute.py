"""Runs many changed scenes on a program at once, and says which one is the first that fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import CaseError, UsageError
from emu.cases.case import Case
from emu.cases.keys.parts import Scene
from emu.checks.isa_model import REFUTES
from emu.search.asked_scene import AskedScene, ImpossibleScene, ask_about
from emu.search.budget import BlockBudget
from emu.search.domain.report import NO_PLACE, REFUSED
from emu.verify.batches.bench import Bench
from emu.verify.calls.preceding_calls import PrecedingCallError
from emu.verify.explain.finding import Symptom
from emu.verify.images.observations import unchanged
from emu.verify.images.scene_images import SceneImages
from emu.verify.memory.memory_checks import SceneChecks
from emu.verify.runs.judgement import Judgement, of_fault
from emu.verify.runs.prepared_scenes import prepare
from emu.verify.scenes.changed_scenes import ChangedScene
from emu.verify.scenes.fills import Preparation


@dataclass(frozen=True, slots=True)
class SceneFailure:
    """A scene that fails.

    Attributes:
        scene: what makes it.
        made: the scene; None if its class refuses the values.
        symptom: what is wrong; its kind may also be `REFUSED` or `NO_PLACE`.
    """

    scene: ChangedScene
    made: Scene | None
    symptom: Symptom


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
        asked: list[AskedScene] = []
        for scene in scenes:
            self.ran += 1
            (question,) = ask_about(self._case, [scene])
            if isinstance(question, ImpossibleScene):
                return SceneFailure(scene, question.scene, Symptom(NO_PLACE, "", question.why))
            if question.is_safe_only:
                self.refused += 1
                if not accepts_refused:
                    symptom = Symptom(REFUSED, "", question.refused, question.refused)
                    return SceneFailure(scene, question.scene, symptom)
            asked.append(question)
        if not asked:
            return None
        with self._allowance(max(question.scene.objects for question in asked)):
            preparations = [prepare(self._case, question.changed.spec) for question in asked]
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

    def _all_hold(
        self, asked: Sequence[AskedScene], preparations: Sequence[Preparation]
    ) -> bool | SceneFailure:
        """Whether nothing is wrong, in one batch; or the scene whose call did not come back."""
        bench = self._bench
        try:
            images = bench.before([question.scene for question in asked], preparations)
            rows = [index for index, question in enumerate(asked) if not question.refused]
            answers = [asked[index].answer for index in rows]
            expected = bench.expect(images.take(rows), answers).expected if rows else None
        except (CaseError, UsageError, PrecedingCallError):
            return False
        checks = SceneChecks(bench, images, [question.changed.spec for question in asked])
        batch = checks.run()
        if batch.fault is not None:
            judged, question = of_fault(batch.fault), asked[batch.completed]
            return _failure(question, judged) if judged.kind else False
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

    def _alone(self, question: AskedScene) -> SceneFailure | None:
        """What is wrong with one scene."""
        try:
            judged = question.judge(self._bench)
        except (CaseError, UsageError) as error:
            judged = Judgement(NO_PLACE, "", str(error))
        if not judged.kind:
            self.undecided += judged.after is None
            return None
        return _failure(question, judged)

    def _is_partly_wrong(
        self, images: SceneImages, row: int, after: NDArray[np.uint8], question: AskedScene
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


def _failure(question: AskedScene, judged: Judgement) -> SceneFailure:
    return SceneFailure(question.changed, question.scene, question.symptom(judged))
