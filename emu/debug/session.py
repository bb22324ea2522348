"""The process of a program that is debugged."""

from __future__ import annotations

import dataclasses
import math

from emu.base.errors import UsageError
from emu.debug.call_words import remember_calls
from emu.debug.places import segments_of
from emu.debug.requests import LoadReport
from emu.debug.scene_session import debug_scene
from emu.debug.target import DebugTarget
from emu.debug.targets import DebuggedProgram, DebuggedScene
from emu.runner.runner import prepare
from emu.runner.snapshots.channel import Channel, ChannelClosedError


def debug_session(channel: Channel, debugged: DebuggedProgram | DebuggedScene) -> None:
    """Load what is debugged, tell the processor's name, and do as the controller asks.

    Raises:
        ProgramError, CaseError, UsageError: it cannot be loaded.
        ChannelClosedError: the controller wants nothing more.
    """
    if isinstance(debugged, DebuggedScene):
        debug_scene(channel, debugged)
    else:
        _debug_program(channel, debugged)


def _debug_program(channel: Channel, debugged: DebuggedProgram) -> None:
    request = debugged.request
    if request.clock != "calls":
        raise UsageError(
            f"--clock {request.clock}: a program is debugged with the clock calls, so that each "
            "run is the same"
        )
    if request.checked:
        raise UsageError("--checks full cannot be debugged; run the program without them")
    # Time passes while somebody looks at the program.
    settings = dataclasses.replace(request.settings, timeout=math.inf)
    # Whoever debugs may change memory, after which the run is another one than was recorded.
    mac, _ = prepare(dataclasses.replace(request, settings=settings, compares=False))
    remember_calls(mac)
    keeps = debugged.keeps_snapshots
    target = DebugTarget(mac, channel, lambda: segments_of(mac), keeps_snapshots=keeps)
    channel.send(LoadReport(mac.cpu.name))
    try:
        mac.run()
    except ChannelClosedError:
        raise
    except Exception as error:  # one can look, and go back, at our own mistake, too
        target.fail(error)
    status = mac.host.exit_status
    target.end(f"the program has ended with status {status}", status)
