"""A changed scene with what is right for it, and what is wrong after its call on a program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from emu.base.errors import UsageError
from emu.base.time_limit import at_most
from emu.cases.case import Case
from emu.cases.keys.parts import Scene
from emu.verify.batches.bench import Bench
from emu.verify.calls.preceding_calls import PrecedingCallError
from emu.verify.explain.finding import Symptom
from emu.verify.runs.judgement import FAULT, Judgement, judge, reference_answer
from emu.verify.runs.prepared_scenes import prepare
from emu.verify.scenes.changed_scenes import ChangedScene

_REFERENCE_SECONDS = 3.0  # a changed scene may keep it busy for ever


@dataclass(frozen=True, slots=True, eq=False)
class AskedScene:
    """A scene that the reference was asked about.

    Attributes:
        changed: what makes it.
        scene: the scene.
        answer: what `reference_answer` says of it.
        refused: why the reference does not say what is right; "" if it does.
    """

    changed: ChangedScene
    scene: Scene
    answer: Any
    refused: str

    @property
    def is_safe_only(self) -> bool:
        """Whether nobody says what is right."""
        return bool(self.refused) and self.answer is None

    def judge(self, bench: Bench) -> Judgement:
        """Make its call on a program, and judge it.

        Raises:
            CaseError, UsageError: the program has no place for these values.
        """
        spec = self.changed.spec
        try:
            preparation = prepare(bench.case, spec)
            return judge(bench, spec, self.scene, preparation, self.answer, self.refused)
        except PrecedingCallError as failed:
            return Judgement(FAULT, failed.reason, failed.reason)

    def symptom(self, judged: Judgement) -> Symptom:
        """What is wrong after a call on it."""
        return Symptom(judged.kind, judged.place, judged.summary, self.refused)


@dataclass(frozen=True, slots=True, eq=False)
class ImpossibleScene:
    """A changed scene that is none, or of which the reference says nothing in time.

    Attributes:
        changed: what should have made it.
        scene: the scene; None if its class refuses the values.
        why: what was said.
    """

    changed: ChangedScene
    scene: Scene | None
    why: str


def ask_about(case: Case, changed: ChangedScene) -> AskedScene | ImpossibleScene:
    """Make a scene, and ask the reference about it.

    Raises:
        CaseError: the specification contradicts the reference, or says nothing.
    """
    scene = None
    try:
        with at_most(_REFERENCE_SECONDS):
            scene = changed.make(case)
            answer, refused = reference_answer(case, scene)
    except UsageError as error:
        return ImpossibleScene(changed, scene, str(error.__cause__ or error))
    return AskedScene(changed, scene, answer, refused)
