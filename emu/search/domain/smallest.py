"""Makes a scene that fails as small as possible, without bringing it into the box."""

from __future__ import annotations

from collections.abc import Sequence

from emu.base.errors import UsageError
from emu.cases.case import Case
from emu.cases.keys.parts import Scene
from emu.search.budget import BlockBudget
from emu.search.domain.dimensions import Box, Dimension
from emu.search.domain.execute import Executor, SceneFailure
from emu.search.domain.report import NO_PLACE, REFUSED
from emu.verify.explain.shrinking import Shrinker
from emu.verify.scenes.changed_scenes import changed_of

_MOST_TRIES = 300
_QUICK = BlockBudget(blocks=50_000, objects=0, patience=0.05)  # what it finds is tried once more


def smallest(
    case: Case, executor: Executor, dimensions: Sequence[Dimension], box: Box, failed: SceneFailure
) -> SceneFailure:
    """The smallest scene that fails in the same way with the same values outside of a box.

    Args:
        case: the case.
        executor: runs scenes.
        dimensions: the numbers of scenes.
        box: what the numbers that are within it have to stay in.
        failed: the scene.
    """
    if failed.made is None or failed.symptom.kind in (NO_PLACE, REFUSED):
        return failed
    sides = [(dimension, side) for dimension in dimensions for side in (0, 1)]

    def is_beyond(dimension: Dimension, side: int, value: int | None) -> bool:
        low, high = box[dimension.name]
        return value is not None and (value > high if side else value < low)

    def nature(failure: SceneFailure) -> tuple[str, bool]:
        return failure.symptom.kind, bool(failure.symptom.refused)

    values = [dimension.extreme(failed.made, side) for dimension, side in sides]
    least = executor.ran

    def keeps(scene: Scene) -> bool:
        return all(
            dimension.extreme(scene, side) == value
            if is_beyond(dimension, side, value)
            else not is_beyond(dimension, side, dimension.extreme(scene, side))
            for (dimension, side), value in zip(sides, values, strict=True)
        )

    def kind(scene: Scene) -> str:
        if not keeps(scene):
            return ""
        changed = changed_of(case, failed.scene.spec, scene)
        failure = executor.first([changed], accepts_refused=True)
        return "same" if failure is not None and nature(failure) == nature(failed) else ""

    shrinker = Shrinker(case, kind, lambda: executor.ran - least >= _MOST_TRIES)
    usual, executor.allowed = executor.allowed, _QUICK
    try:
        _, scene = shrinker.shrink(failed.made, "same")
    finally:
        executor.allowed = usual
    try:
        changed = changed_of(case, failed.scene.spec, scene)
        failure = executor.first([changed], accepts_refused=True)
    except UsageError:
        failure = None
    return failed if failure is None else failure
