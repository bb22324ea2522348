"""Runs many changed scenes on a program at once, and says which one is the first that fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import CaseError, UsageError
from emu.base.patience import at_most
from emu.cases.case import Case
from emu.cases.parts import Scene
from emu.checks.isa_model import REFUTES
from emu.domain.report import REFUSED
from emu.verify.bound_case import BoundCase
from emu.verify.called_before import BeforeFailed
from emu.verify.changed_scenes import ChangedScene
from emu.verify.fills import Preparations
from emu.verify.judgement import FAULT, Judgement, judge, reference_answer
from emu.verify.memory_checks import SceneChecks
from emu.verify.prepared_scenes import Scenes, prepare
from emu.verify.told import Told

NO_PLACE = "no place"
"""The kind of a failure that the scene, the program or the result has no place for a value."""

_REFERENCE_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Failed:
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


class Executor:
    """Runs scenes on one program.

    Args:
        case: the case.
        bound: the case on the program.
    """

    def __init__(self, case: Case, bound: BoundCase) -> None:
        self._case = case
        self._bound = bound
        self.ran = self.refused = self.undecided = 0
        """How many scenes were made, of how many of them nobody says what is right, and how many
        the engine could not run, so that nothing is known of them."""

    def first(self, scenes: Sequence[ChangedScene], *, accepts_refused: bool) -> Failed | None:
        """The first scene that fails; None if all hold.

        Args:
            scenes: the scenes.
            accepts_refused: whether a scene of which neither the reference nor a specification
                says what is right holds if its call is safe: it returns, keeps the contract, and
                touches nothing that it must not.
        """
        asked: list[_Asked] = []
        for one in scenes:
            self.ran += 1
            told = self._ask(one)
            if isinstance(told, Failed):
                return told
            if told.is_safe_only:
                self.refused += 1
                if not accepts_refused:
                    return Failed(one, told.made, REFUSED, "", told.refused, told.refused)
            asked.append(told)
        if not asked or self._all_hold(asked):
            return None
        return next((found for one in asked if (found := self._alone(one)) is not None), None)

    def _ask(self, scene: ChangedScene) -> _Asked | Failed:
        made = None
        try:
            with at_most(_REFERENCE_SECONDS):
                made = scene.make(self._case)
                answer, refused = reference_answer(self._case, made)
        except UsageError as error:
            return Failed(scene, made, NO_PLACE, "", str(error.__cause__ or error))
        return _Asked(scene, made, answer, refused)

    def _all_hold(self, asked: Sequence[_Asked]) -> bool:
        """Whether nothing is wrong, in one batch."""
        bound = self._bound
        scenes = [one.made for one in asked]
        preparations = [prepare(self._case, one.scene.spec) for one in asked]
        try:
            before = bound.before(scenes, preparations)
            known = [index for index, one in enumerate(asked) if not one.refused]
            answers = [asked[index].answer for index in known]
            expected = bound.expected(before[known], answers)[0] if known else before[:0]
        except (CaseError, UsageError, BeforeFailed):
            return False
        told = Scenes(
            tuple(one.scene.spec for one in asked),
            Told(scenes),
            Told([one.answer for one in asked]),
            Preparations(preparations),
            (b"",) * len(asked),
        )
        checks = SceneChecks(bound, before, told)
        batch = checks.run()
        if batch.fault is not None or batch.violations:
            return False
        wanted = np.array(
            [bound.unchanged(*pair) for pair in zip(before, batch.after, strict=True)]
        )
        wanted[known] = expected
        if bound.differences.rows(wanted, batch.after) or any(
            self._is_partly_wrong(one, *pair)
            for one, *pair in zip(asked, before, batch.after, strict=True)
        ):
            return False
        memory = checks.judge(batch)  # last, because it makes calls again
        return memory is None or not any(
            one.weight == REFUTES and not one.suppressed for one in memory.violations
        )

    def _is_partly_wrong(
        self, one: _Asked, before: NDArray[np.uint8], after: NDArray[np.uint8]
    ) -> bool:
        """Whether a call left something else than the specification says, or it has no place."""
        if not one.refused or one.is_safe_only:
            return False
        try:
            wanted = self._bound.partly_expected(before, after, one.answer)
        except CaseError:
            return True
        return bool(self._bound.differences.rows(wanted[np.newaxis], after[np.newaxis]))

    def _alone(self, one: _Asked) -> Failed | None:
        """What is wrong with one scene."""
        spec = one.scene.spec
        try:
            preparation = prepare(self._case, spec)
            judged = judge(self._bound, spec, one.made, preparation, one.answer, one.refused)
        except BeforeFailed as failed:
            judged = Judgement(FAULT, failed.reason, failed.reason)
        except (CaseError, UsageError) as error:
            judged = Judgement(NO_PLACE, "", str(error))
        if not judged.kind:
            self.undecided += judged.after is None
            return None
        return Failed(one.scene, one.made, judged.kind, judged.place, judged.summary, one.refused)
