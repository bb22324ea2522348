"""Repeats on Unicorn the calls that fail on another engine, so that a report has both answers.

A call that is right on Unicorn and wrong on the other engine says nothing about the program: one of
the engines is wrong. So it is no failure of the program, but the program is not verified either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from emu.cases.programs.subject import UNICORN
from emu.verify.batches.bench import Bench
from emu.verify.images.scene_images import ExpectedImages
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.results import SceneExecution
from emu.verify.runs.verdicts import Failure, Result


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a call does on Unicorn.

    Attributes:
        is_right: whether it leaves the reference's values, and keeps the call contract.
        words: what it does, as a clause.
    """

    is_right: bool
    words: str


def with_second_opinion(
    result: Result,
    unicorn: Bench,
    scenes: Scenes,
    execution: SceneExecution,
) -> Result:
    """Add to each failure of another engine's result what the same call does on Unicorn.

    That it does the same is not said of a program on Unicorn whose calls translated code makes.

    Args:
        result: the result of the other engine.
        unicorn: the case on the same program, on Unicorn.
        scenes: the scenes.
        execution: what the calls did on the other engine.
    """
    batch, wrong = execution.batch, execution.wrong
    rows = sorted({*wrong, *batch.violations})
    opinions = ask_unicorn(unicorn, execution.images, rows)
    doubtful = {row for row, opinion in opinions.items() if opinion.is_right}
    words = {scenes.specs[row]: opinion.words for row, opinion in opinions.items()}
    same = "" if result.subject.engine == UNICORN else "the same on unicorn"
    failures = tuple(
        replace(failure, elsewhere=_elsewhere(failure, words.get(failure.spec, ""), same))
        for failure in result.failures
    )
    crash = result.crash
    if doubtful and not crash:
        spec = scenes.specs[min(doubtful)]
        failure = next((str(reason) for reason in failures if reason.spec == spec), "another call")
        crash = f"the engines disagree, so this decides nothing: {failure} ({spec})"
    return replace(
        result,
        diverged=scenes.distinct([row for row in wrong if row not in doubtful]),
        violated=scenes.distinct([row for row in batch.violations if row not in doubtful]),
        failures=failures,
        crash=crash,
    )


def _elsewhere(failure: Failure, words: str, same: str) -> str:
    is_same = words and str(failure).startswith(words)
    return same if is_same else words and f"on unicorn: {words}"


def ask_unicorn(unicorn: Bench, images: ExpectedImages, rows: Sequence[int]) -> dict[int, Opinion]:
    """Make some calls on Unicorn; what each does, by its index.

    Args:
        unicorn: the case on the program, on Unicorn.
        images: what the calls on the other engine began with, and what they should leave.
        rows: the indices of the calls.
    """
    opinions: dict[int, Opinion] = {}
    differences = unicorn.differences(images)
    left = list(rows)
    while left:
        batch = unicorn.run(images.take(left))
        for place, row in enumerate(left[: batch.completed]):
            divergence = differences.first(images.expected[row], batch.after[place])
            broken = batch.violations.get(place, ())
            words = "; ".join([*([str(divergence)] if divergence else []), *broken])
            opinions[row] = Opinion(not words, words or "it is right")
        if batch.completed < len(left) and batch.fault is not None:
            why = f"it does not return: {batch.fault.reason}"
            opinions[left[batch.completed]] = Opinion(is_right=False, words=why)
        left = left[batch.completed + 1 :]
    return opinions
