"""Guest memory before the calls of scenes, and as the calls should leave it."""

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
    """What the calls of some scenes begin with.

    Attributes:
        bound: where the values lie in the images.
        scenes: the scenes.
        preparations: how memory is filled for each of them.
        before: (scenes, image size), the images.
        around: what the calls find on the stack and in registers.
        loaded: (scenes, image size), what the routines began with that are called before; None if
            these ask the Toolbox nothing. Else they are made again for each call, since what they
            were given there, such as a handle, is valid with that Toolbox alone.
        misfits: what the program cannot hold of scenes and answers, clauses by the scene's index.
        not_kept: the images with nothing of earlier calls, though they were to find what these have
            left of what is ignored: those ask the Toolbox, or the engine does not execute them.
        written: (image size,), which bytes were changed by routines that are called before; None if
            there are none.
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
        """Those of some scenes, by their indices."""
        places = {row: place for place, row in enumerate(rows)}
        kept = list(rows)
        return SceneImages(
            self.bound,
            [self.scenes[row] for row in rows],
            Preparations(self.preparations[row] for row in rows),
            self.before[kept],
            [self.around[row] for row in rows],
            None if self.loaded is None else self.loaded[kept],
            {places[row]: misfit for row, misfit in self.misfits.items() if row in places},
            frozenset(places[row] for row in self.not_kept if row in places),
            self.written,
            self.effects,
        )

    def on(self, images: NDArray[np.uint8]) -> SceneImages:
        """The same with other memory before the calls."""
        return replace(self, before=images)


@dataclass(frozen=True, slots=True, eq=False)
class ExpectedImages(SceneImages):
    """What the calls of some scenes begin with, and what they should leave.

    Attributes:
        expected: (scenes, image size): ``before`` with the answers of the reference in the places
            that the case observes. So a call is right if it leaves exactly this.
        values: how many values of the answers that are.
    """

    expected: NDArray[np.uint8] = field(kw_only=True)
    values: int = field(kw_only=True)
