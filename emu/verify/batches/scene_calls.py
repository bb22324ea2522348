"""Makes the calls of scenes on one program, and says which rules they broke.

The third stage on the road of a scene: `SceneImages` go in, a `Batch` comes out. It has the images
after the calls and, as *violations*, clauses about broken rules: "register d3 was 0x1 and came back
as 0x2". Values are compared only later, by `Differences`.
"""

from __future__ import annotations

import functools
from dataclasses import replace

from emu.base.errors import GuestError
from emu.checks.defects import Defect
from emu.checks.sanitizers import SanitizerLog
from emu.cycles.base.counting import Counts
from emu.machine import Batch
from emu.verify.calls.successive_calls import Begin
from emu.verify.images.scene_images import SceneImages
from emu.verify.images.settled_calls import SettledCalls
from emu.verify.places.bound_case import BoundCase
from emu.verify.places.declared_types import declared_right, read_otherwise


class SceneCalls:
    """Makes the calls of scenes.

    Args:
        bound: the case laid onto the program.
        settled: makes the calls on images.

    Attributes:
        log: reads the findings that the program's sanitizers write into guest memory.
    """

    def __init__(self, bound: BoundCase, settled: SettledCalls) -> None:
        self._bound = bound
        self._settled = settled
        self.log = SanitizerLog(bound.machine, bound.layout.every())

    def run(self, images: SceneImages) -> Batch:
        """Make the calls.

        Returns:
            The images after the last call of each scene, up to the first scene with a fault. The
            violations also have what sanitizers found, what the program declares otherwise than the
            reference does, and values of scenes and answers that the program's types cannot hold.
        """
        batch = self._settled.run(images.before, images.around, self.begin(images))
        defects = self.log.read(batch.after)
        if not defects and not images.misfits and not self._declared_otherwise:
            return batch
        broken = dict(batch.violations)
        for row in range(batch.completed):
            misfits = (
                *self._declared_otherwise,
                *images.misfits.get(row, ()),
                *broken.get(row, ()),
            )
            misfits += _in_short(defects.get(row, ()))
            if misfits:
                broken[row] = misfits
        return replace(batch, violations=broken)

    def run_answered(self, images: SceneImages, ready: Begin) -> Batch:
        """Make the calls on a Macintosh, also those that do not ask it anything.

        Args:
            images: memory before the calls.
            ready: is called with the index of a scene when the calls before its own are over.
        """
        begin = self.begin(images)

        def both(row: int) -> None:
            if begin is not None:
                begin(row)
            ready(row)

        return self._settled.run(images.before, images.around, both)

    def begin(self, images: SceneImages) -> Begin | None:
        """A function that repeats the calls before those of a scene, given the index of the scene.

        None if these calls do not ask the Toolbox: then their images hold all that they did.
        """
        loaded = images.loaded
        if loaded is None:
            return None

        def begin(row: int) -> None:
            self._bound.preceding.again(loaded[row], images.around[row])

        return begin

    def count(self, images: SceneImages) -> Counts:
        """Count what the calls execute; see `CallSequence.count`.

        Raises:
            GuestFault, ToolMissingError: as of `CallSequence.count`.
            GuestError: as of that; or a routine that is called before asks the Toolbox.
        """
        if images.loaded is not None:
            raise GuestError("what calls the operating system is not counted")
        return self._bound.calls.count(images.before)

    def count_answered(self, images: SceneImages) -> Counts:
        """Count what calls execute that ask the Toolbox; see `CallSequence.count_answered`.

        Raises:
            GuestFault: as of that.
            GuestError: as of that; or a routine that is called before asks the Toolbox.
        """
        if images.loaded is not None:
            raise GuestError("the cycles of routines after which the Toolbox is asked are not told")
        self._settled.attend()
        return self._bound.calls.count_answered(images.before)

    @functools.cached_property
    def _declared_otherwise(self) -> tuple[str, ...]:
        """Clauses about declarations by which the program reads other values than the reference."""
        case, machine = self._bound.case, self._bound.machine
        right = declared_right(case, machine.program, machine.cpu.name)
        return () if right is None else tuple(read_otherwise(case, machine.program, right))


def _in_short(defects: tuple[Defect, ...]) -> tuple[str, ...]:
    """The first finding of the sanitizers on a scene, and how many there are in all."""
    more = f"; findings of sanitizers in all: {len(defects)}" if len(defects) > 1 else ""
    return (f"{defects[0]}{more}",) if defects else ()
