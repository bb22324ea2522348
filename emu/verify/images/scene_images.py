"""The values between the stages of `Bench`: memory before calls, and as the calls should leave it.

`BeforeImages.make` gives `SceneImages`, and `AnswerImages.expect` makes `ExpectedImages` of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from emu.cases.keys.parts import Scene
from emu.machine import Surroundings
from emu.verify.places.bound_case import BoundCase
from emu.verify.places.slots.fields import Slot
from emu.verify.scenes.fills import Preparations


@dataclass(frozen=True, slots=True, eq=False)
class SceneImages:
    """What the calls on some scenes begin with.

    Attributes:
        bound: where the values lie in the images.
        scenes: the scenes.
        preparations: how memory is filled for each scene.
        before: (scenes, image size) uint8, the images.
        around: what the call on each scene finds on the stack and in registers.
        loaded: (scenes, image size) uint8, the images before the routines that the case calls
            before; None if these do not ask the Toolbox. If they do, they are called again in front
            of each call, since a handle that they got is valid in that one Toolbox only.
        misfits: the values that the program's types cannot hold, as clauses, by the index of the
            scene.
        not_kept: the indices of scenes with a KEPT fill whose earlier calls could not be used: they
            asked the Toolbox, or the engine does not execute them. So these scenes begin as loaded.
        written: (image size,) bool, the bytes that routines called before have changed; None if
            there are no such routines.
        effects: the places that the reference's routine writes on some of the scenes, and that the
            case does not observe; none before the answers are known.
    """

    bound: BoundCase
    scenes: Sequence[Scene]
    preparations: Preparations
    before: NDArray[np.uint8]
    around: Sequence[Surroundings]
    loaded: NDArray[np.uint8] | None = None
    misfits: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    not_kept: frozenset[int] = frozenset()
    written: NDArray[np.bool_] | None = None
    effects: tuple[Slot, ...] = ()

    def take(self, rows: Sequence[int]) -> SceneImages:
        """The images of some scenes, by their indices."""
        places = {row: place for place, row in enumerate(rows)}
        kept = list(rows)
        return SceneImages(
            self.bound,
            [self.scenes[row] for row in rows],
            self.preparations.take(rows),
            self.before[kept],
            [self.around[row] for row in rows],
            None if self.loaded is None else self.loaded[kept],
            {places[row]: misfit for row, misfit in self.misfits.items() if row in places},
            frozenset(places[row] for row in self.not_kept if row in places),
            self.written,
            self.effects,
        )

    def on(self, images: NDArray[np.uint8]) -> SceneImages:
        """The same scenes with other memory before the calls, (scenes, image size) uint8."""
        return replace(self, before=images)


@dataclass(frozen=True, slots=True, eq=False)
class ExpectedImages(SceneImages):
    """What the calls of some scenes begin with, and what they should leave.

    Attributes:
        expected: (scenes, image size) uint8: ``before`` with the reference's answers in the places
            that the case observes. A call is right if it leaves this, save for bytes that
            `Differences` does not compare, and floats within their tolerance.
        values: the number of values that the answers have.
    """

    expected: NDArray[np.uint8] = field(kw_only=True)
    values: int = field(kw_only=True)
