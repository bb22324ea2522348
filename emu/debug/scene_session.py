"""The process of a case's routine that is debugged on one scene."""

from __future__ import annotations

import dataclasses
import math

from emu.base.errors import GuestError
from emu.cases.scenes import scene_of
from emu.debug.requests import LoadedSegment, LoadReport, Watchpoint
from emu.debug.target import DebugTarget
from emu.debug.targets import DebuggedScene
from emu.machine import Batch
from emu.program import Program
from emu.runner.snapshots.channel import Channel, ChannelClosedError
from emu.toolbox.macintosh import Macintosh
from emu.verify.batches.bench import Bench
from emu.verify.batches.benches import bench_for
from emu.verify.explain.explanation import failing_scene
from emu.verify.images.scene_images import SceneImages
from emu.verify.runs.prepared_scenes import prepare


class SceneSession:
    """Makes the calls of a scene on a Macintosh, and has a target stop them.

    The calls are made as those that ask the Toolbox, whether they do or not.

    Args:
        channel: the connection to the controller.
        bench: the case on the program.
        images: the scene in memory.
    """

    def __init__(self, channel: Channel, bench: Bench, images: SceneImages) -> None:
        self._channel, self._bench, self._images = channel, bench, images
        self._machine = bench.machine
        self._target: DebugTarget | None = None

    def run(self) -> None:
        """Make the calls, and then be looked at.

        Raises:
            ChannelClosedError: the controller wants nothing more.
            GuestError: no call was made.
        """
        try:
            batch = self._bench.stages(self._images).calls.run_answered(self._images, self._begin)
        except ChannelClosedError:
            raise
        except Exception as error:
            if self._target is None:
                raise
            self._target.fail(error)
        if self._target is None:
            raise GuestError("the scene makes no call that could be debugged")
        self._end(self._target, batch)

    def _begin(self, row: int) -> None:
        """Debug the calls from now on; those that came before are over."""
        self._machine.calls.show_computer(self._arrange)

    def _arrange(self, mac: Macintosh) -> None:
        """Have a target stop the calls on a Macintosh, if it is a new one."""
        if self._target is not None:
            return
        mac.settings = dataclasses.replace(mac.settings, timeout=math.inf)
        segments = segments_of_program(self._machine.program)
        routine = self._bench.bound.calls.first.routine
        self._target = DebugTarget(mac, self._channel, lambda: segments, routine)

    def _end(self, target: DebugTarget, batch: Batch) -> None:
        if batch.fault is not None:
            target.fail(GuestError(batch.fault.reason))
        broken = "; ".join(batch.violations.get(0, ()))
        text = f"the call has returned; {broken}" if broken else "the call has returned"
        target.end(text, 1 if broken else 0)


def debug_scene(channel: Channel, debugged: DebuggedScene) -> None:
    """Lay a scene into memory, and make its calls as the controller asks.

    Raises:
        CaseError, ProgramError, UsageError: the case does not fit the program.
        GuestError: no call of the scene can be debugged.
        ChannelClosedError: the controller wants nothing more.
    """
    case, spec = debugged.case, debugged.spec
    bench = bench_for(case, debugged.subject)
    wrong = None
    if debugged.is_smallest or debugged.finds_difference:
        found = failing_scene(bench, spec, debugged.changed, is_smallest=debugged.is_smallest)
        made = found.scene
        wrong = None if found.wrong is None else Watchpoint(found.wrong, 1)
    else:
        made = scene_of(case, spec) if debugged.changed is None else debugged.changed.make(case)
    images = bench.before([made], [prepare(case, spec)])
    channel.send(LoadReport(bench.machine.cpu.name, wrong))
    SceneSession(channel, bench, images).run()


def segments_of_program(program: Program) -> tuple[LoadedSegment, ...]:
    """The segments of a program that lies where it was linked."""
    return tuple(
        LoadedSegment(segment.name, segment.address, segment.size) for segment in program.segments
    )
