"""A changed scene with what is right for it, and what is wrong after its call on a program."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from emu.base.time_limit import at_most
from emu.cases.case import Case
from emu.cases.keys.parts import Scene
from emu.cases.scenes import ReferenceRefusal
from emu.verify.batches.bench import Bench
from emu.verify.calls.preceding_calls import PrecedingCallError
from emu.verify.explain.finding import Symptom
from emu.verify.runs.judgement import FAULT, Judgement, judge, reference_answers
from emu.verify.runs.prepared_scenes import prepare
from emu.verify.scenes.changed_scenes import ChangedScene, make_each

REFERENCE_SECONDS = 3.0
"""So long a reference is waited for: a changed scene may keep it busy for ever."""


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


def ask_about(
    case: Case, several: Sequence[ChangedScene], busy: float = REFERENCE_SECONDS
) -> list[AskedScene | ImpossibleScene]:
    """Make scenes, and ask the reference about each.

    Args:
        case: the case.
        several: what makes the scenes.
        busy: the processor time that it may take to make one, and to ask about it, in seconds.

    Raises:
        CaseError: the specification contradicts the reference, or says nothing.
    """
    with _no_collection(), at_most(REFERENCE_SECONDS, busy):
        scenes = make_each(case, several)
        made = [scene for scene in scenes if not isinstance(scene, str)]
        answers = iter(reference_answers(case, made))
    return [
        ImpossibleScene(changed, None, scene)
        if isinstance(scene, str)
        else _asked(changed, scene, next(answers))
        for changed, scene in zip(several, scenes, strict=True)
    ]


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """Let nobody be late for Python's garbage: to look through all objects takes 40 ms."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _asked(
    changed: ChangedScene, scene: Scene, said: tuple[Any, str] | ReferenceRefusal
) -> AskedScene | ImpossibleScene:
    if isinstance(said, ReferenceRefusal):
        return ImpossibleScene(changed, scene, said.why)
    return AskedScene(changed, scene, *said)
