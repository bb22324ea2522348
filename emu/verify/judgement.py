"""Judges one call on one scene, also where the reference does not say what is right."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.cases.case import Case
from emu.cases.parts import Scene
from emu.verify.answers import ask_reference
from emu.verify.bound_case import BoundCase
from emu.verify.fills import Preparation

FAULT, VIOLATION, DIVERGENCE, STRAY = "fault", "violation", "divergence", "stray store"


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """What is wrong after a call.

    Attributes:
        kind: `FAULT`, `VIOLATION`, `DIVERGENCE` or `STRAY`; "" if nothing is wrong.
        place: where it shows, without indices.
        summary: it as a sentence; "" if nothing is wrong.
        after: (image size,) uint8, what the call left; None if it did not return.
    """

    kind: str = ""
    place: str = ""
    summary: str = ""
    after: NDArray[np.uint8] | None = None


def reference_answer(case: Case, scene: Scene) -> tuple[Any, str]:
    """What the reference says of a scene, and why it refuses to; one of the two is empty."""
    try:
        return ask_reference(case, scene), ""
    except UsageError as error:
        return None, str(error.__cause__ or error)


def judge(
    bound: BoundCase, scene: Scene, preparation: Preparation, answer: Any, refused: str
) -> Judgement:
    """Make the calls of a scene and judge them.

    If the reference refuses the scene, the calls must return, keep the contract and write to
    nothing but what the case observes or ignores.

    Args:
        bound: the case on a program.
        scene: the scene.
        preparation: how memory is filled before.
        answer: what the reference says of it.
        refused: why it says nothing; "" if it does.

    Raises:
        CaseError: the program has no place for the scene or the answer.
        BeforeFailed: a routine that is called before did not return, or broke a rule.
    """
    before = bound.before([scene], [preparation])
    expected = None if refused else bound.expected(before, [answer])[0][0]
    batch = bound.run(before, [scene], [preparation])
    if batch.fault is not None:
        fault = batch.fault
        if fault.kind == "engine":
            return Judgement()  # it decides nothing
        where = fault.location.symbol or "no routine"
        reason = re.sub(r"0x[0-9a-f]+|\d+", "N", fault.reason)
        return Judgement(FAULT, f"{where}: {reason}", f"{fault.reason}, at {fault.location}")
    after = batch.after[0]
    if batch.violations:
        words = "; ".join(batch.violations[0])
        return Judgement(VIOLATION, re.sub(r"0x[0-9a-f]+|\d+", "N", words), words, after)
    wanted = bound.unchanged(before[0], after) if expected is None else expected
    if not bound.differences.rows(wanted[np.newaxis], after[np.newaxis]):
        return Judgement(after=after)
    first = bound.divergence(wanted, after)
    if first is None:
        return Judgement(after=after)
    place = re.sub(r"-?\d+|0x[0-9a-f]+", "N", first.place)
    kind = STRAY if refused else DIVERGENCE
    words = f"it changed {first.place}, which the case does not observe: {first}"
    return Judgement(kind, place, words if refused else str(first), after)
