"""Makes a failing scene smaller, as long as it fails in the same way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import CaseError, UsageError
from emu.cases.case import Case
from emu.cases.keys.parts import OtherCountError, Scene
from emu.cases.scenes import can_move, keep_objects, simpler_scenes, with_corners

_STEPS = tuple(1 << power for power in range(9, -1, -1))


def _same(scene: Scene) -> Scene:
    return scene


class Shrinker:
    """Shrinks greedily: drops objects in ever smaller groups, moves the rest, then simplifies.

    This is repeated until nothing can be made simpler.

    What can be dropped, and what is simpler, is for the scene to say, and only scenes made of
    corners can be moved.

    Args:
        case: the case.
        kind_of: runs a scene and says how it fails; "" if it does not.
        is_over: says when to stop, because the budget of scenes is used up.
    """

    def __init__(
        self, case: Case, kind_of: Callable[[Scene], str], is_over: Callable[[], bool]
    ) -> None:
        self._case = case
        self._kind_of = kind_of
        self._is_over = is_over

    def shrink(self, scene: Scene, kind: str) -> tuple[NDArray[np.int64], Scene]:
        """A scene that fails in the same way, and which objects of the given one it has."""
        kept = np.arange(scene.objects)
        while True:
            kept, scene = self._drop(scene, kept, kind)
            if can_move(scene):
                scene = self._move(scene, kind)
            simpler = self._simplify(scene, kind)
            if simpler is scene:
                return kept, scene
            scene = simpler  # objects may have become needless

    def _drop(
        self, scene: Scene, kept: NDArray[np.int64], kind: str
    ) -> tuple[NDArray[np.int64], Scene]:
        """Drop objects, in ever smaller groups, as long as the scene fails in the same way."""
        case = self._case

        def without(start: int, end: int) -> Scene | None:
            rest = np.r_[0:start, end : scene.objects]
            return self._failing_scene(lambda: keep_objects(case, scene, rest), kind)

        group = max(len(kept) // 2, 1)
        while True:
            before = len(kept)
            start = 0
            while start < len(kept):
                end = min(start + group, len(kept))
                smaller = without(start, end)
                if smaller is None:
                    start += group
                else:
                    kept, scene = np.delete(kept, np.s_[start:end]), smaller
            # One may have become needless once another was gone.
            if group == 1 and len(kept) == before:
                return kept, scene
            group = max(group // 2, 1)

    def _simplify(self, scene: Scene, kind: str) -> Scene:
        """Take the first simpler scene that still fails, until none of them does.

        Which scenes are simpler is for the scene's own ``simpler`` to say, if it has one.
        """
        is_changed = True
        while is_changed and not self._is_over():
            is_changed = False
            for simpler in simpler_scenes(self._case, scene):
                failing = self._failing_scene(partial(_same, simpler), kind)
                if failing is not None:
                    scene, is_changed = failing, True
                    break
        return scene

    def _failing_scene(self, make: Callable[[], Scene], kind: str) -> Scene | None:
        """The scene that a function makes, if it fails in this way.

        None if there is no such scene, which the scene's own code says with a ValueError or by
        leaving the number of items as it was; or if the reference or the program has no place for
        it.

        Raises:
            UsageError: the scene's own code raises another exception.
        """
        if self._is_over():
            return None
        try:
            scene = make()
        except UsageError as error:
            if isinstance(error, OtherCountError) or isinstance(error.__cause__, ValueError):
                return None
            raise
        try:
            return scene if self._kind_of(scene) == kind else None
        except (UsageError, CaseError):
            return None

    def _move(self, scene: Scene, kind: str) -> Scene:
        """Bring coordinates towards 0, all objects together and then each alone.

        By powers of two: a grid often lets a scene fail again only at whole sectors' distance.
        """
        case = self._case
        corners = np.array(scene.corners)  # type: ignore[attr-defined]
        groups: list[Sequence[int]] = [range(len(corners))]
        groups += [[index] for index in range(len(corners))] if len(corners) <= 8 else []
        for members in groups:
            rows = list(members)
            for axis in (0, 1):
                for step in _STEPS if rows else ():
                    while corners[rows, axis].min() >= step:
                        candidate = corners.copy()
                        candidate[rows, axis] -= step
                        moved = self._failing_scene(
                            partial(with_corners, case, scene, candidate), kind
                        )
                        if moved is None:
                            break
                        corners, scene = candidate, moved
        return scene
