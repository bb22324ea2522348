"""Runs of single scenes, one after the other, and in which way each fails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.cases.keys.parts import Scene
from emu.program import Location
from emu.verify.answers.answers import ask_reference
from emu.verify.batches.bench import Bench
from emu.verify.calls.preceding_calls import PrecedingCallError
from emu.verify.images.observations import unchanged
from emu.verify.images.scene_images import SceneImages
from emu.verify.runs.judgement import reference_answer
from emu.verify.scenes.fills import Preparation


@dataclass(frozen=True, slots=True, eq=False)
class SceneOutcome:
    """What a run of a scene did.

    Attributes:
        images: the scene in memory; None if a routine that is called before has failed.
        expected: memory as the call should leave it.
        diverged: whether it left something else.
        after: memory as it left it; None if it did not return.
        violations: the rules of the call contract that it broke.
        fault: why it did not return; "" if it did.
        refused: why the reference does not say what is right; "" if it does.
        stopped: the instruction at which it stopped; None if it returned.
        asks: whether it called the Toolbox.
    """

    images: SceneImages | None
    expected: NDArray[np.uint8]
    diverged: bool
    after: NDArray[np.uint8] | None
    violations: tuple[str, ...]
    fault: str
    refused: str = ""
    stopped: Location | None = None
    asks: bool = False

    @property
    def kind(self) -> str:
        """How it failed, or "". A smaller scene must fail in the same way to be accepted."""
        where = " where the reference refuses" if self.refused else ""
        if self.fault:
            return f"fault{where}"
        if self.violations:
            return f"violation{where}"
        return f"divergence{where}" if self.diverged else ""


def _expected_where_refused(
    bench: Bench, images: SceneImages, after: NDArray[np.uint8], answer: Any
) -> NDArray[np.uint8]:
    """What a call should leave that the reference does not say, as `judge` has it.

    What nobody may write comes first: only if all of that is as it was, the answer of the
    specification counts.
    """
    before = images.before[0]
    untouched = unchanged(images.bound, before, after)
    if answer is None or bench.differences(images).wrong(untouched, after).any():
        return untouched
    return bench.stages(images).answers.partly_answered(before, after, answer)


class SceneTrials:
    """Runs scenes, one at a time.

    Args:
        bench: the case on the program.
        preparation: what each call finds beside its scene.
        may_refuse: whether the reference may refuse a scene.
    """

    def __init__(self, bench: Bench, preparation: Preparation, *, may_refuse: bool = False) -> None:
        self.bench = bench
        self._may_refuse = may_refuse
        self._preparations = [preparation]
        self.tried = 0

    def run(self, scene: Scene) -> SceneOutcome:
        """Run a scene."""
        bench, case = self.bench, self.bench.case
        self.tried += 1
        try:
            images = bench.before([scene], self._preparations)
        except PrecedingCallError as failed:
            nothing = np.zeros(0, np.uint8)
            return SceneOutcome(None, nothing, False, None, failed.violations, failed.fault)
        if self._may_refuse:
            answer, refused = reference_answer(case, scene)
        else:
            answer, refused = ask_reference(case, scene), ""
        expected = images.before[0]
        if not refused:
            images = expectation = bench.expect(images, [answer])
            expected = expectation.expected[0]
        batch = bench.run(images)
        after = batch.after[0] if batch.completed else None
        if refused and after is not None:
            expected = _expected_where_refused(bench, images, after, answer)
        wrong = bench.differences(images).wrong
        return SceneOutcome(
            images=images,
            expected=expected,
            diverged=after is not None and bool(wrong(expected, after).any()),
            after=after,
            violations=batch.violations.get(0, ()),
            fault=batch.fault.describe() if batch.fault else "",
            stopped=batch.fault.location if batch.fault else None,
            refused=refused,
            asks=bool(batch.asked),
        )
